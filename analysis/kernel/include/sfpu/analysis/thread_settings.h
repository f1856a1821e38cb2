// The settings of the front-end thread that programs get from outside the instruction stream, by name: the
// keys of exec's "config" object and of the assembler's .config directive.
#pragma once

#include <sfpu/isa/thread_state.h>
#include <sfpu/platform/program_runner.h>

#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What settings change.
struct thread_setup {
    isa::thread_state& thread;
    platform::front_end_setup& front_end;
};

/// One setting. Those that only one chip has are without effect on the other.
struct thread_setting {
    enum class value_kind { boolean, integer, word }; ///< a word is 32 bits, in JSON eight hexadecimal digits

    const char* name;
    value_kind kind;
    unsigned maximum; ///< values are 0 to maximum
    unsigned count;   ///< 1, or the length of a list
    void (*apply)(thread_setup& setup, unsigned index, unsigned value);

    bool is_boolean() const { return kind == value_kind::boolean; }
};

const std::vector<thread_setting>& thread_settings();
const thread_setting* find_thread_setting(std::string_view name);
std::vector<std::string> thread_setting_names();

/// "true or false", "an integer from 0 to 15", "8 integers from 0 to 65535", "9 words of 32 bits"
std::string expected_values(const thread_setting& setting);

} // namespace sfpu::analysis
