#include <sfpu/isa/lane_machine.h>
#include <sfpu/isa/slice_conversion.h>

namespace sfpu::isa {
namespace {

/// Storage row of the high half of a 32-bit cell; the low half lies eight rows further.
constexpr unsigned high_half_row(unsigned row) { return ((row & 0x1f8u) << 1) | (row & 0x207u); }

} // namespace

std::uint32_t lane_machine::cell(unsigned row, unsigned column, bool wide) const {
    if (!wide) return dst[row][column];
    const unsigned high = high_half_row(row);
    return static_cast<std::uint32_t>(dst[high][column]) << 16 | dst[high + 8][column];
}

void lane_machine::set_cell(unsigned row, unsigned column, bool wide, std::uint32_t value) {
    const unsigned high = high_half_row(row);
    if (wide) {
        dst[high][column] = static_cast<std::uint16_t>(value >> 16);
        dst[high + 8][column] = static_cast<std::uint16_t>(value);
    } else {
        dst[row][column] = static_cast<std::uint16_t>(value);
    }
}

const row* lane_machine::semantics(const instruction& insn) const {
    if (rows_ == nullptr) return insn.op;
    for (const row* candidate : *rows_)
        if (candidate->opcode == insn.op->opcode) return candidate;
    return insn.op;
}

void lane_machine::access_dst(execution& x, const instruction& insn) {
    const bool is_load = insn.unit == sub_unit::load;
    x.dst_mode = resolve_srcb(insn.mod, thread.backend().fp32_enabled, thread.backend().srcb_format);
    x.dst_address = thread.dst_address(insn, x.dst_mode, is_load);
    const bool wide = is_load ? dst_mode::load_is_32_bit(x.dst_mode) : dst_mode::store_is_32_bit(x.dst_mode);
    x.odd_columns = (x.dst_address & 2)
                        ? all_lanes
                        : state.config.lanes_with(is_load ? lane_configuration::dest_rd_col_exchange
                                                          : lane_configuration::dest_wr_col_exchange);
    const auto row = [&](unsigned lane) { return (x.dst_address & 0x3fcu) + lane / column_count; };
    const auto column = [&](unsigned lane) { return lane % column_count * 2 + (x.odd_columns >> lane & 1); };
    lanes cells;
    if (is_load) {
        x.slice = &cells;
        for (unsigned lane = 0; lane < lane_count; ++lane) cells[lane] = cell(row(lane), column(lane), wide);
        semantics(insn)->execute(x, insn);
    } else {
        const bool baseline = rows_ == &baseline_instruction_table();
        const slice_conversions& conversions =
            baseline ? baseline_slice_conversions_of(arch()) : slice_conversions_of(arch());
        conversions.store[x.dst_mode](x.reg(insn.vd), cells);
        const lane_mask lanes_to_write =
            (x.dst_mode == dst_mode::int32_all ? x.acting : x.enabled) &
            ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (lanes_to_write >> lane & 1) set_cell(row(lane), column(lane), wide, cells[lane]);
    }
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
}

void lane_machine::commit(const write_set& writes) {
    lanes before[lreg_count];
    for (unsigned r = 0; r < lreg_count; ++r) before[r] = state.lreg[r];
    for (unsigned n = 0; n < writes.exchange_count; ++n) {
        const auto [c, d] = writes.exchange[n];
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            if (!(writes.exchange_mask[n] >> lane & 1)) continue;
            const bool values_only = n == 0 && (writes.exchange_index_mask >> lane & 1);
            const unsigned limit = values_only ? 4 : general_lregs;
            if (c < limit) state.lreg[c][lane] = before[d][lane];
            if (d < limit) state.lreg[d][lane] = before[c][lane];
        }
    }
    for (unsigned n = 0; n < writes.count; ++n) {
        const write_set::entry& entry = writes.entries[n];
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (entry.mask >> lane & 1) state.lreg[entry.lreg][lane] = writes.storage[entry.buffer][lane];
    }
}

void lane_machine::execute(instruction insn) {
    if (insn.unit == sub_unit::front_end) {
        thread.execute_front_end(insn);
        return;
    }
    const lane_mask acting =
        insn.names_template() ? state.write_template(insn.vd - 12u, insn.word) : all_lanes;
    if (acting == 0) return;
    write_set writes;
    writes.clear();
    execution x(state, words_, writes);
    x.acting = acting;
    x.enabled = state.enabled() & acting;
    x.direct = direct_;
    if (insn.op->format == layout::mod0_address && !insn.is(opcode::sfplut)) access_dst(x, insn);
    else semantics(insn)->execute(x, insn);
    commit(writes);
    reports_ |= x.reports;
}

} // namespace sfpu::isa
