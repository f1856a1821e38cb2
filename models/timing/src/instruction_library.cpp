#include <sfpu/timing/instruction_library.h>

#include <sfpu/isa/config_destinations.h>
#include <sfpu/timing/fields.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

namespace vd = isa::config_destination_vd;
constexpr std::size_t most_words = 1u << 15, most_configurations = 1u << 12, most_launches = 1u << 13,
                      most_kept = 1u << 12;

/// Whether the instruction sets flags in its mode, so that its result need not matter.
bool sets_flags(const isa::instruction& insn) {
    switch (insn.op->opcode) {
    case isa::opcode::sfpiadd: return (insn.mod & 12) != 4;
    case isa::opcode::sfplz:
    case isa::opcode::sfpexexp: return (insn.mod & 10) != 0;
    case isa::opcode::sfple:
    case isa::opcode::sfpgt: return (insn.mod & 7) != 0;
    default: return false;
    }
}

/// Whether it would write a register if VD were one of L0 to L7.
bool loses_result(const isa::instruction& insn, architecture chip) {
    if (insn.vd < isa::general_lregs || insn.use.results() != 0 || sets_flags(insn)) return false;
    isa::instruction other = insn;
    other.vd = 0;
    isa::refresh(other, chip);
    return other.use.results() != 0;
}

} // namespace

void instruction_library::reset(const isa::machine& machine) {
    machine_ = machine;
    has_extended_index_ = machine_.encoding().extended_index();
    latest_ = &none_;
    none_.next = nullptr;
    words_.clear();
    by_word_.clear();
    configurations_.clear();
    by_content_.clear();
    transitions_.fill({});
    launches_.clear();
    kept_.clear();
    kinds_ = {};
    is_full_ = false;
}

void instruction_library::judge_size() {
    is_full_ = words_.size() > most_words || configurations_.size() > most_configurations ||
               launches_.size() > most_launches || kept_.size() > most_kept;
}

const isa::instruction* instruction_library::keep(const isa::instruction& insn) {
    kept_.push_back(insn);
    judge_size();
    return &kept_.back();
}

library_word& instruction_library::look_up(std::uint32_t word) {
    library_word*& known = by_word_[word];
    if (known) return *known;
    words_.emplace_back();
    judge_size();
    known = &words_.back();
    library_word& entry = *known;
    entry.word = word;
    entry.kind = isa::classify(word, machine_.chip);
    entry.insn = isa::decode(word, machine_.encoding());
    entry.needs_report = entry.insn.status != isa::definition::defined && !entry.insn.names_template();
    entry.loses_result = loses_result(entry.insn, machine_.chip);
    entry.changes_rules = entry.insn.is(isa::opcode::sfpconfig) &&
                          (entry.insn.vd < vd::first_constant || entry.insn.vd >= vd::lane_config);
    entry.changes_lanes = entry.changes_rules && entry.insn.vd > vd::misc;
    return entry;
}

configuration_id instruction_library::number_of(const isa::vector_state& state) {
    return number_of(configuration{state.macro[0], state.macro_uniform()});
}

configuration_id instruction_library::number_of(const configuration& wanted) {
    std::uint64_t hash = wanted.uniform;
    for (const auto value : wanted.content.instruction_template) mix(hash, value);
    for (const auto value : wanted.content.sequence) mix(hash, value);
    for (const auto value : wanted.content.sequence_upper) mix(hash, value);
    mix(hash, wanted.content.misc);
    const auto [first, last] = by_content_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (configurations_[it->second - 1] == wanted) return it->second;
    configurations_.push_back(wanted);
    judge_size();
    const auto number = static_cast<configuration_id>(configurations_.size());
    by_content_.emplace(hash, number);
    return number;
}

namespace {

/// The parts of LoadMacroConfig as the chips have it, numbered as SFPCONFIG does.
std::uint32_t part_of(const isa::macro_configuration& of, unsigned part) {
    if (part < vd::first_sequence) return of.instruction_template[part];
    return part < vd::misc ? of.sequence[part - vd::first_sequence] : of.misc;
}

void set_part(isa::macro_configuration& of, unsigned part, std::uint32_t value) {
    if (part < vd::first_sequence) of.instruction_template[part] = value;
    else if (part < vd::misc) of.sequence[part - vd::first_sequence] = value;
    else of.misc = value;
}

} // namespace

configuration_id instruction_library::number_after(configuration_id before, unsigned parts,
                                                   const isa::vector_state& state) {
    if (before == 0 || has_extended_index_ || !configurations_[before - 1].uniform) return number_of(state);
    for (unsigned left = parts; left != 0; left &= left - 1) {
        const auto part = static_cast<unsigned>(__builtin_ctz(left));
        const std::uint32_t value = part_of(state.macro[0], part);
        std::uint32_t differs = 0;
        for (const isa::macro_configuration& column : state.macro) differs |= part_of(column, part) ^ value;
        if (differs != 0) return number_of(state);
        before = number_with(before, part, value);
    }
    return before;
}

/// The number of a configuration that is the same in all columns and differs from `before` in this part at
/// most.
configuration_id instruction_library::number_with(configuration_id before, unsigned part,
                                                  std::uint32_t value) {
    const configuration& from = configurations_[before - 1];
    if (part_of(from.content, part) == value) return before;
    std::uint64_t hash = before;
    mix(hash, std::uint64_t{value} << 4 | part);
    transition& known = transitions_[hash % transitions_.size()];
    if (known.before != before || known.part != part || known.value != value) {
        configuration made = from;
        set_part(made.content, part, value);
        known = {before, number_of(made), part, value};
    }
    return known.after;
}

const macro_launch& instruction_library::expand(configuration_id number, const isa::instruction& insn) {
    const unsigned macro = isa::macro_index_of(insn.word, machine_.encoding().wide_macro_index());
    const std::uint64_t key = (std::uint64_t{number} << 16) | (std::uint64_t{macro} << 12) |
                              (std::uint64_t{insn.vd} << 4) | insn.mod;
    std::unique_ptr<macro_launch>& known = launches_[key];
    if (known) return *known;
    judge_size();
    const configuration& from = configurations_[number - 1];
    known = std::make_unique<macro_launch>(timing::expand(from.content, macro, insn.vd, machine_));
    known->faults.lanes_differ = !from.uniform;
    if (known->store_takes_load_mod) known->store_mod() = insn.mod;
    note_kinds(from.content, *known);
    return *known;
}

void instruction_library::note_kinds(const isa::macro_configuration& from, const macro_launch& made) {
    for (unsigned unit = 0; unit < made.counts_instructions.size(); ++unit) {
        if (!(made.units >> unit & 1u)) continue;
        (made.counts_instructions[unit] ? kinds_.any_counts_instructions : kinds_.any_counts_cycles) = true;
    }
    const auto kind_of = [&](unsigned index) {
        return from.misc >> isa::macro_configuration::delay_kind_bit(index) & 1u;
    };
    for (unsigned index = 1; index < isa::macro_configuration::capacity; ++index)
        kinds_.depends_on_scope |= kind_of(index) != kind_of(0) && index < std::max(machine_.macros, 4u);
}

} // namespace sfpu::timing
