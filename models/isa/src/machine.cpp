#include <sfpu/isa/machine.h>

#include <tuple>

namespace sfpu::isa {
namespace {

/// All fields. A field that is missing here does not compile: the number of names must be that of the
/// members.
auto fields(const machine& m) {
    const auto& [chip, period_ps, issue_width, stalls_for_results, mad_units, load_ports, store_ports,
                 write_port_rule, all_issues_disturb_shuffles, latency, write_order, lreg12_default, macros,
                 templates, delay_bits, slots, delay_kind_scope, firing_entry_outstanding, freeze_scope,
                 config_distance, store_load_visible, store_load_warn] = m;
    return std::tie(chip, period_ps, issue_width, stalls_for_results, mad_units, load_ports, store_ports,
                    write_port_rule, all_issues_disturb_shuffles, latency, write_order, lreg12_default,
                    macros, templates, delay_bits, slots, delay_kind_scope, firing_entry_outstanding,
                    freeze_scope, config_distance, store_load_visible, store_load_warn);
}

constexpr unsigned index_of(result_class which) { return static_cast<unsigned>(which); }
constexpr unsigned index_of(sub_unit unit) { return static_cast<unsigned>(unit); }

/// One unit of each kind, and the order in which second ones follow.
constexpr sub_unit kinds[] = {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store,
                              sub_unit::load};
constexpr sub_unit second_kinds[] = {sub_unit::mad, sub_unit::store, sub_unit::load};
constexpr unsigned kind_count = sizeof kinds / sizeof kinds[0];

} // namespace

bool operator==(const machine& a, const machine& b) { return fields(a) == fields(b); }

machine make_machine(const parameters& config) {
    const chip_description& chip = describe(config.arch);
    machine m;
    m.chip = config.arch;
    m.period_ps = config.period_ps();
    m.issue_width = config.sfpu_issue_width;
    m.stalls_for_results = config.auto_stall();
    m.mad_units = config.sfpu_mad_units;
    m.load_ports = config.dst_load_ports;
    m.store_ports = config.dst_store_ports;
    m.write_port_rule = config.sfpu_write_port_rule;
    m.all_issues_disturb_shuffles = chip.all_issues_disturb_shuffles;
    m.latency[index_of(result_class::load)] = config.latency_load;
    m.latency[index_of(result_class::simple)] = config.latency_simple;
    m.latency[index_of(result_class::mad)] = config.latency_mad;
    m.latency[index_of(result_class::round)] = config.latency_round;
    m.latency[index_of(result_class::swap)] = config.latency_swap;
    m.latency[index_of(result_class::shuffle)] = config.latency_shuffle;
    m.write_order = config.sfpu_write_order;
    m.lreg12_default = config.sfpu_lreg12_default;
    m.macros = config.macro_count;
    m.templates = config.macro_templates;
    m.delay_bits = config.macro_delay_bits;
    m.slots = config.macro_slots;
    m.delay_kind_scope = config.macro_delay_kind_scope;
    m.config_distance = config.macro_config_distance;
    m.firing_entry_outstanding = config.macro_firing_entry_outstanding;
    m.freeze_scope = config.macro_freeze_scope;
    m.store_load_visible = config.dst_store_load_visible;
    m.store_load_warn = config.dst_store_load_warn;
    return m;
}

word_encoding machine::encoding() const {
    word_encoding words = chip;
    words.macros = static_cast<std::uint8_t>(macros);
    words.templates = static_cast<std::uint8_t>(templates);
    words.delay_bits = static_cast<std::uint8_t>(delay_bits);
    return words;
}

unsigned machine::units_of(sub_unit kind) const {
    switch (kind) {
    case sub_unit::simple:
    case sub_unit::round: return 1;
    case sub_unit::mad: return mad_units;
    case sub_unit::store: return store_ports;
    case sub_unit::load: return load_ports;
    case sub_unit::front_end: break;
    }
    return 0;
}

functional_unit machine::unit(unsigned number) const {
    if (number < kind_count) return {kinds[number], 0};
    unsigned next = kind_count;
    for (const sub_unit kind : second_kinds)
        if (units_of(kind) > 1 && next++ == number) return {kind, 1};
    return {sub_unit::front_end, 0};
}

unsigned machine::number_of(sub_unit kind, unsigned index) const {
    if (index == 0) return index_of(kind);
    unsigned next = kind_count;
    for (const sub_unit second : second_kinds) {
        if (second == kind) break;
        if (units_of(second) > 1) ++next;
    }
    return next;
}

result_class class_of(const instruction& insn) {
    switch (insn.latency) {
    case latency_class::swap: return result_class::swap;
    case latency_class::shuffle: return result_class::shuffle;
    case latency_class::mad: return result_class::mad;
    case latency_class::none:
    case latency_class::one: break;
    }
    switch (insn.unit) {
    case sub_unit::simple: return result_class::simple;
    case sub_unit::mad: return result_class::mad;
    case sub_unit::round: return result_class::round;
    case sub_unit::store:
    case sub_unit::load:
    case sub_unit::front_end: break;
    }
    return result_class::load;
}

unsigned latency_of(const instruction& insn, const machine& of) {
    if (insn.latency == latency_class::none) return 1;
    if (insn.unit == sub_unit::store || insn.unit == sub_unit::front_end) return 1;
    return of.latency[index_of(class_of(insn))];
}

} // namespace sfpu::isa
