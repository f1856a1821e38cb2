#include <sfpu/platform/simulate.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ // as GCC says it
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace sfpu::platform {
namespace {

/// SystemC 2.3.4 tells the sanitizer of every switch between the stacks of its threads, but knows no bounds
/// of the one that called sc_start(). With wrong bounds the next exception gives false reports.
void announce_own_stack() {
#ifdef __SANITIZE_ADDRESS__
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* bottom = nullptr;
    std::size_t size = 0;
    const bool known = pthread_attr_getstack(&attributes, &bottom, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (!known) return;
    void* saved = nullptr;
    __sanitizer_start_switch_fiber(&saved, bottom, size);
    __sanitizer_finish_switch_fiber(saved, nullptr, nullptr);
#endif
}

} // namespace

void simulate() {
    sc_core::sc_start();
    announce_own_stack();
}

void simulate(const sc_core::sc_time& duration) {
    sc_core::sc_start(duration);
    announce_own_stack();
}

} // namespace sfpu::platform
