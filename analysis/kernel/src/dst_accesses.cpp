#include <sfpu/analysis/dst_accesses.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <tuple>

namespace sfpu::analysis {

std::vector<std::size_t> half_rows_of(const dst_slice& slice) {
    constexpr unsigned storage_rows = std::tuple_size_v<platform::dst_image>;
    static_assert(half_rows{}.size() == std::size_t{2} * storage_rows);
    std::vector<std::size_t> result;
    for (unsigned lane = 0; lane < lane_count; lane += 8) {
        const unsigned odd = slice.odd ? 1 : 0, row = slice.row_of(lane);
        result.push_back(std::size_t{2} * (row % storage_rows) + odd);
        if (slice.wide) result.push_back(std::size_t{2} * ((row + lower_half_distance) % storage_rows) + odd);
    }
    return result;
}

void dst_access_recorder::executed(const probe::execution_event& event) {
    const isa::instruction& insn = event.insn;
    const bool is_store = insn.is(isa::opcode::sfpstore), macro = insn.is(isa::opcode::sfploadmacro);
    if (!event.takes_effect || (!is_store && !macro && !insn.is(isa::opcode::sfpload))) return;
    if (is_store && event.from == probe::origin::macro) scheduled_.insert(insn.word);
    if (is_store && insn.names_template() && !event.cells) { // the backdoor was open
        template_stores_.try_emplace(insn.word, template_store{event.begin, event.word, insn});
        return;
    }
    // Bit 0 of the address field of SFPLOADMACRO is bit 2 of its LReg, and goes into the address, too.
    if (macro && (insn.imm10 & 1u) && !(event.dst_address & 1) && !carried) carried = event.word;
    const isa::backend_configuration& backend = runner_.thread(event.thread).backend();
    const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    const bool wide = is_store ? isa::dst_mode::store_is_32_bit(mode) : isa::dst_mode::load_is_32_bit(mode);
    for (const std::size_t each : half_rows_of(slice_at(event.dst_address, wide, backend.rows)))
        (is_store ? stored : loaded).set(each);
}

std::vector<dst_access_recorder::template_store> dst_access_recorder::lost_stores() const {
    std::vector<template_store> lost;
    for (const auto& [word, what] : template_stores_)
        if (!scheduled_.count(word)) lost.push_back(what);
    return lost;
}

std::optional<isa::data_type> type_of_mode(unsigned mode) {
    namespace by = isa::dst_mode;
    using isa::data_type;
    switch (mode) {
    case by::fp32: return data_type::f32;
    case by::bf16: return data_type::bf16;
    case by::fp16: return data_type::f16;
    case by::int32: return data_type::i32;
    case by::int32_sm: return data_type::sm32;
    case by::int16: return data_type::sm16;
    case by::uint16: return data_type::u16;
    case by::int8:
    case by::int8_comp: return data_type::i8;
    default: return std::nullopt;
    }
}

void access_recorder::executed(const probe::execution_event& event) {
    namespace by = isa::dst_mode;
    const isa::instruction& insn = event.insn;
    const bool is_store = insn.is(isa::opcode::sfpstore);
    if (!event.takes_effect || insn.names_template()) return;
    if (!is_store && !insn.is(isa::opcode::sfpload) && !insn.is(isa::opcode::sfploadmacro)) return;
    const isa::backend_configuration& backend = thread_.backend();
    const unsigned resolved = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    if (resolved == by::zero && !is_store) return;
    const bool wide = is_store ? by::store_is_32_bit(resolved) : by::load_is_32_bit(resolved);
    found.push_back({event.word, event.dst_address, slice_at(event.dst_address, wide, backend.rows),
                     type_of_mode(resolved), is_store, static_cast<std::uint8_t>(resolved),
                     insn.mod == by::srcb, event.begin});
}

bool names_template_store(std::uint32_t word) {
    return word >> 24 == isa::opcode::sfpstore && (word >> 20 & 15u) >= 12;
}

std::string to_text(const dst_access_recorder::template_store& what, const isa::word_encoding& words) {
    return fmt::format("{} becomes template {}, which nothing executes: nothing is stored",
                       isa::disassemble(what.insn.word, words), what.insn.vd - 12);
}

std::string partial_output_text(const std::string& name, unsigned stored, unsigned rows) {
    return fmt::format("only {} of the {} rows of {} {} ever stored", stored, rows, name,
                       stored == 1 ? "is" : "are");
}

} // namespace sfpu::analysis
