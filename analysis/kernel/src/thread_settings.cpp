#include <sfpu/analysis/thread_settings.h>

#include <type_traits>

namespace sfpu::analysis {
namespace {

constexpr unsigned counter_maximum = 0x3ff, register_maximum = 0xffff, format_maximum = 15;
constexpr unsigned word_maximum = 0xffffffff, semaphore_maximum = 15;
constexpr unsigned addr_mod_entries = 8, mop_words = 9, semaphores = 8;

using setting_kind = thread_setting::value_kind;
using apply_function = void (*)(thread_setup&, unsigned, unsigned);

thread_setting boolean(const char* name, apply_function apply) {
    return {name, setting_kind::boolean, 1, 1, apply};
}
thread_setting integer(const char* name, unsigned maximum, apply_function apply) {
    return {name, setting_kind::integer, maximum, 1, apply};
}

template <auto Member>
void set_backend(thread_setup& s, unsigned, unsigned value) {
    isa::backend_configuration backend = s.thread.backend();
    backend.*Member = static_cast<std::decay_t<decltype(backend.*Member)>>(value);
    s.thread.set_backend(backend);
}
template <auto Member>
void set_row_mapping(thread_setup& s, unsigned, unsigned value) {
    isa::backend_configuration backend = s.thread.backend();
    backend.rows.*Member = value != 0;
    s.thread.set_backend(backend);
}

} // namespace

const std::vector<thread_setting>& thread_settings() {
    using setup = thread_setup;
    static const std::vector<thread_setting> table{
        boolean("fp32_enabled", set_backend<&isa::backend_configuration::fp32_enabled>),
        integer("srcb_format", format_maximum, set_backend<&isa::backend_configuration::srcb_format>),
        integer("dst_rwc", counter_maximum, [](setup& s, unsigned, unsigned v) { s.thread.rwc.dst = v; }),
        integer("dst_rwc_cr", counter_maximum,
                [](setup& s, unsigned, unsigned v) { s.thread.rwc.dst_cr = v; }),
        integer("sp_rwc", counter_maximum, [](setup& s, unsigned, unsigned v) { s.thread.rwc.sp = v; }),
        integer("math_offset", register_maximum,
                [](setup& s, unsigned, unsigned v) { s.thread.set_math_offset(v); }),
        integer("dest_regw_base", register_maximum, set_backend<&isa::backend_configuration::dest_regw_base>),
        integer("dest_sp_base", register_maximum, set_backend<&isa::backend_configuration::dest_sp_base>),
        integer("sfpu_stack_incr", register_maximum,
                [](setup& s, unsigned, unsigned v) { s.thread.set_sfpu_stack_incr(v); }),
        {"addr_mod_dst", setting_kind::integer, register_maximum, addr_mod_entries,
         [](setup& s, unsigned index, unsigned v) {
             s.thread.set_addr_mod_dst(index, static_cast<std::uint16_t>(v));
         }},
        integer("addr_mod_base", 1, [](setup& s, unsigned, unsigned v) { s.thread.set_addr_mod_base(v); }),
        boolean("remap_addrs", set_row_mapping<&dst_row_mapping::remap_addrs>),
        boolean("swizzle_32b", set_row_mapping<&dst_row_mapping::swizzle_32b>),
        {"mop_cfg", setting_kind::word, word_maximum, mop_words,
         [](setup& s, unsigned index, unsigned v) { s.front_end.mop_config[index] = v; }},
        integer("mop_mask_hi", register_maximum,
                [](setup& s, unsigned, unsigned v) { s.front_end.mop_mask_hi = v; }),
        {"semaphores", setting_kind::integer, semaphore_maximum, semaphores,
         [](setup& s, unsigned index, unsigned v) { s.front_end.semaphore_value[index] = v; }},
        {"semaphore_max", setting_kind::integer, semaphore_maximum, semaphores,
         [](setup& s, unsigned index, unsigned v) { s.front_end.semaphore_max[index] = v; }},
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
    if (setting.is_boolean()) return "true or false";
    if (setting.kind == setting_kind::word) return std::to_string(setting.count) + " words of 32 bits";
    const std::string range = " from 0 to " + std::to_string(setting.maximum);
    return setting.count == 1 ? "an integer" + range : std::to_string(setting.count) + " integers" + range;
}

} // namespace sfpu::analysis
