#include "thread_settings.h"

namespace sfpu::cli {
namespace {

using isa::thread_state;

constexpr unsigned counter_maximum = 0x3ff, register_maximum = 0xffff, format_maximum = 15;
constexpr unsigned addr_mod_entries = 8;

thread_setting boolean(const char* name, void (*apply)(thread_state&, unsigned, unsigned)) {
    return {name, true, 1, 1, apply};
}
thread_setting integer(const char* name, unsigned maximum, void (*apply)(thread_state&, unsigned, unsigned)) {
    return {name, false, maximum, 1, apply};
}

} // namespace

const std::vector<thread_setting>& thread_settings() {
    using thread = thread_state;
    static const std::vector<thread_setting> table{
        boolean("fp32_enabled", [](thread& t, unsigned, unsigned v) { t.backend.fp32_enabled = v != 0; }),
        integer("srcb_format", format_maximum,
                [](thread& t, unsigned, unsigned v) { t.backend.srcb_format = v; }),
        integer("dst_rwc", counter_maximum, [](thread& t, unsigned, unsigned v) { t.rwc.dst = v; }),
        integer("dst_rwc_cr", counter_maximum, [](thread& t, unsigned, unsigned v) { t.rwc.dst_cr = v; }),
        integer("sp_rwc", counter_maximum, [](thread& t, unsigned, unsigned v) { t.rwc.sp = v; }),
        integer("math_offset", register_maximum,
                [](thread& t, unsigned, unsigned v) { t.set_math_offset(v); }),
        integer("dest_regw_base", register_maximum,
                [](thread& t, unsigned, unsigned v) { t.backend.dest_regw_base = v; }),
        integer("dest_sp_base", register_maximum,
                [](thread& t, unsigned, unsigned v) { t.backend.dest_sp_base = v; }),
        integer("sfpu_stack_incr", register_maximum,
                [](thread& t, unsigned, unsigned v) { t.set_sfpu_stack_incr(v); }),
        {"addr_mod_dst", false, register_maximum, addr_mod_entries,
         [](thread& t, unsigned index, unsigned v) {
             t.set_addr_mod_dst(index, static_cast<std::uint16_t>(v));
         }},
        integer("addr_mod_base", 1, [](thread& t, unsigned, unsigned v) { t.set_addr_mod_base(v); }),
        boolean("remap_addrs", [](thread& t, unsigned, unsigned v) { t.backend.remap_addrs = v != 0; }),
        boolean("swizzle_32b", [](thread& t, unsigned, unsigned v) { t.backend.swizzle_32b = v != 0; }),
    };
    return table;
}

const thread_setting* find_thread_setting(std::string_view name) {
    for (const thread_setting& setting : thread_settings())
        if (name == setting.name) return &setting;
    return nullptr;
}

std::vector<std::string> thread_setting_names() {
    std::vector<std::string> names;
    for (const thread_setting& setting : thread_settings()) names.emplace_back(setting.name);
    return names;
}

std::string expected_values(const thread_setting& setting) {
    if (setting.is_boolean) return "true or false";
    const std::string range = " from 0 to " + std::to_string(setting.maximum);
    return setting.count == 1 ? "an integer" + range : std::to_string(setting.count) + " integers" + range;
}

} // namespace sfpu::cli
