// Numbers that a platform gives to modules: a wrong one is told where it is given.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sfpu {

constexpr char module_argument_report[] = "/sfpu/module/argument"; ///< an SC_ERROR, which throws by default

/// A number for a module, from `least` to `most`. Another one is reported; where that does not throw, the
/// nearest one that is right is given instead.
template <class Number>
Number module_argument(const sc_core::sc_object& module, const char* what, Number found, std::uint64_t least,
                       std::uint64_t most) {
    if (found >= least && found <= most) return found;
    const std::string text = std::string(module.name()) + ": " + what + ": found " + std::to_string(found) +
                             ", expected " + std::to_string(least) + " to " + std::to_string(most);
    SC_REPORT_ERROR(module_argument_report, text.c_str());
    return static_cast<Number>(found < least ? least : most);
}

/// One of a module's sockets by its number. Another number is reported; where that does not throw,
/// std::out_of_range does.
template <class List>
auto& module_socket(const sc_core::sc_object& module, const char* what, List& sockets, std::size_t number) {
    if (number >= sockets.size()) {
        const std::string text = std::string(module.name()) + ": " + what + ": found number " +
                                 std::to_string(number) + ", there are " + std::to_string(sockets.size()) +
                                 ", from 0 on";
        SC_REPORT_ERROR(module_argument_report, text.c_str());
    }
    return *sockets.at(number);
}

} // namespace sfpu
