// SFPU_HAS_ADDRESS_SANITIZER: whether this is compiled with the address sanitizer, whichever compiler it is.
#pragma once

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SFPU_HAS_ADDRESS_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SFPU_HAS_ADDRESS_SANITIZER
#endif
