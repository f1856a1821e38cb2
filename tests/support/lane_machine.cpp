#include "lane_machine.h"

#include <sfpu/isa/slice_conversion.h>

#include <cstdlib>

namespace sfpu::test {
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

const isa::row* lane_machine::semantics(const isa::instruction& insn) const {
    if (rows_ == nullptr) return insn.op;
    for (const isa::row* candidate : *rows_)
        if (candidate->opcode == insn.op->opcode) return candidate;
    return insn.op;
}

/// Returns the lanes in which the instruction executes after all.
lane_mask lane_machine::write_template(const isa::instruction& insn) {
    if (!insn.names_template()) return all_lanes;
    const lane_mask acting = state.config.lanes_with(isa::lane_configuration::disable_backdoor_load);
    for (unsigned column = 0; column < column_count; ++column)
        if (!(acting >> column & 1)) state.macro[column].instruction_template[insn.vd - 12u] = insn.word;
    if (acting != all_lanes) ++state.macro_version;
    return acting;
}

void lane_machine::access_dst(isa::execution& x, const isa::instruction& insn) {
    using isa::lane_configuration;
    const bool is_load = insn.unit == isa::sub_unit::load;
    x.dst_mode = isa::resolve_srcb(insn.mod, thread.backend().fp32_enabled, thread.backend().srcb_format);
    x.dst_address = thread.dst_address(insn, x.dst_mode, is_load);
    const bool wide =
        is_load ? isa::dst_mode::load_is_32_bit(x.dst_mode) : isa::dst_mode::store_is_32_bit(x.dst_mode);
    x.odd_columns = (x.dst_address & 2)
                        ? all_lanes
                        : state.config.lanes_with(is_load ? lane_configuration::dest_rd_col_exchange
                                                          : lane_configuration::dest_wr_col_exchange);
    const auto row = [&](unsigned lane) { return (x.dst_address & 0x3fcu) + lane / column_count; };
    const auto column = [&](unsigned lane) { return lane % column_count * 2 + (x.odd_columns >> lane & 1); };
    lanes slice;
    if (is_load) {
        x.slice = &slice;
        for (unsigned lane = 0; lane < lane_count; ++lane) slice[lane] = cell(row(lane), column(lane), wide);
        semantics(insn)->execute(x, insn);
    } else {
        const bool baseline = rows_ == &isa::baseline_instruction_table();
        const isa::slice_conversions& conversions =
            baseline ? isa::baseline_slice_conversions_of(arch()) : isa::slice_conversions_of(arch());
        conversions.store[x.dst_mode](x.reg(insn.vd), slice);
        const lane_mask lanes_to_write =
            (x.dst_mode == isa::dst_mode::int32_all ? x.acting : x.enabled) &
            ~state.config.lanes_with(lane_configuration::block_dest_wr_from_sfpu);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (lanes_to_write >> lane & 1) set_cell(row(lane), column(lane), wide, slice[lane]);
    }
    if (!insn.scheduled()) thread.apply_addr_mod(insn.addr_mod);
}

void lane_machine::commit(const isa::write_set& writes) {
    lanes before[isa::lreg_count];
    for (unsigned r = 0; r < isa::lreg_count; ++r) before[r] = state.lreg[r];
    for (unsigned n = 0; n < writes.exchange_count; ++n) {
        const auto [c, d] = writes.exchange[n];
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            if (!(writes.exchange_mask[n] >> lane & 1)) continue;
            const bool values_only = n == 0 && (writes.exchange_index_mask >> lane & 1);
            const unsigned limit = values_only ? 4 : isa::general_lregs;
            if (c < limit) state.lreg[c][lane] = before[d][lane];
            if (d < limit) state.lreg[d][lane] = before[c][lane];
        }
    }
    for (unsigned n = 0; n < writes.count; ++n) {
        const isa::write_set::entry& entry = writes.entries[n];
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (entry.mask >> lane & 1) state.lreg[entry.lreg][lane] = writes.storage[entry.buffer][lane];
    }
}

void lane_machine::execute(isa::instruction insn) {
    if (insn.unit == isa::sub_unit::front_end) {
        thread.execute_front_end(insn);
        return;
    }
    const lane_mask acting = write_template(insn);
    if (acting == 0) return;
    isa::write_set writes;
    writes.clear();
    isa::execution x(state, words_, writes);
    x.acting = acting;
    x.enabled = state.enabled() & acting;
    x.direct = direct_;
    if (insn.op->format == isa::layout::mod0_address && !insn.is(isa::opcode::sfplut)) access_dst(x, insn);
    else semantics(insn)->execute(x, insn);
    commit(writes);
    reports_ |= x.reports;
}

std::uint32_t random_bits::operand() {
    static constexpr std::uint32_t corners[] = {0,          1,          0x7f,       0xff,       0xffff,
                                                0x7fffff,   0x800000,   0xffffff,   0x3f800000, 0x7f7fffff,
                                                0x7f800000, 0x7f800001, 0x7fffffff, 0x80000000, 0x80000001,
                                                0xbf800000, 0xff800000, 0xffffffff};
    switch (below(4)) {
    case 0: return corners[below(sizeof corners / sizeof *corners)];
    case 1: return (next() & 0x807fffffu) | (118 + below(20)) << 23; // FP32 of moderate size
    case 2: return next() >> below(32);
    default: return next();
    }
}

std::uint64_t case_count(std::uint64_t normally) {
    return std::getenv("SFPU_NIGHTLY") != nullptr ? normally * 100 : normally;
}

void randomise(lane_machine& machine, random_bits& random) {
    isa::vector_state& state = machine.state;
    for (unsigned r = 0; r < isa::general_lregs; ++r)
        for (std::uint32_t& lane : state.lreg[r].v) lane = random.operand();
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        state.lreg[isa::macro_lreg][lane] = random.operand();
        state.prng[lane] = random.next();
        state.shuffle_source[lane] = random.operand();
    }
    state.flags = random.next();
    state.use_flags = random.next() | random.next();
    state.stack = {};
    for (unsigned n = random.below(4); n > 0; --n) state.stack.push({random.next(), random.next()});
}

std::string difference(const lane_machine& a, const lane_machine& b) {
    for (unsigned r = 0; r < isa::lreg_count; ++r)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (a.state.lreg[r][lane] != b.state.lreg[r][lane])
                return "L" + std::to_string(r) + " lane " + std::to_string(lane);
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        if (a.state.prng[lane] != b.state.prng[lane]) return "prng lane " + std::to_string(lane);
        if (a.state.shuffle_source[lane] != b.state.shuffle_source[lane]) return "shuffle source";
    }
    if (a.state.flags != b.state.flags) return "lane flags";
    if (a.state.use_flags != b.state.use_flags) return "use lane flags";
    if (a.state.stack.depth() != b.state.stack.depth()) return "flag stack depth";
    for (unsigned n = 0; n < a.state.stack.held(); ++n)
        if (a.state.stack.from_bottom(n).flags != b.state.stack.from_bottom(n).flags ||
            a.state.stack.from_bottom(n).use_flags != b.state.stack.from_bottom(n).use_flags)
            return "flag stack entry " + std::to_string(n);
    for (unsigned column = 0; column < column_count; ++column) {
        if (a.state.config.column(column) != b.state.config.column(column)) return "lane configuration";
        if (!(a.state.macro[column] == b.state.macro[column])) return "macro configuration";
    }
    return a.dst == b.dst ? "" : "Dst";
}

} // namespace sfpu::test
