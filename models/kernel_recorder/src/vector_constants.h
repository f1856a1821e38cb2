// How constants come into registers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::kernel_recorder::vector {

/// The register that always holds a constant.
std::optional<unsigned> lreg_of_constant(std::uint32_t bits);

/// The words that load it: one SFPLOADI if 16 bits say it, else two.
std::vector<std::uint32_t> words_that_load(unsigned lreg, std::uint32_t bits);

} // namespace sfpu::kernel_recorder::vector
