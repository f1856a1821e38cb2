// Address counters, and what loads and stores move between Dst and a register.
#include "oracle_lanes.h"

#include "exact_instructions.h"

#include <functional>

namespace sfpu::oracle {

// --- counters and addresses --------------------------------------------------------------------------------

unsigned resolved_mode(unsigned mode, const surroundings& around) {
    if (mode != 0) return mode;
    if (around.fp32_enabled) return 3;
    switch (around.srcb_format) {
    case 0:  // FP32
    case 4:  // TF32
    case 5:  // BF16
    case 6:  // BFP8
    case 7:  // BFP4
    case 8:  // INT32
    case 9:  // INT16
    case 15: // BFP2
        return 2;
    default: return 1;
    }
}

unsigned dst_address(const instruction& what, unsigned mode, bool is_load, address_counters& counters,
                     const surroundings& around) {
    const unsigned base = what.address + around.math_offset;
    const bool blackhole = around.arch == architecture::blackhole;
    const unsigned by_dst = counters.dst + around.dst_base;
    if (mode != 10) {
        const unsigned stack = blackhole ? (counters.sp + around.stack_base) % 4 : 0;
        return (base + by_dst + stack) % 1024;
    }
    if (!blackhole) return (base + by_dst % 4) % 1024;
    if (is_load && counters.sp != 0) counters.sp = (counters.sp - around.stack_increment) % 1024;
    const unsigned result = (base + counters.sp + around.stack_base + by_dst % 4) % 1024;
    if (!is_load) counters.sp = (counters.sp + around.stack_increment) % 1024;
    return result;
}

void apply_address_modifier(unsigned number, address_counters& counters, const surroundings& around) {
    const unsigned index =
        around.arch == architecture::blackhole ? number : number + 4 * around.modifier_base;
    const unsigned image = around.address_modifiers[index], step = image & 0x3ffu;
    if (bit(image, 11)) {
        counters.dst = counters.dst_cr = 0;
    } else if (bit(image, 10)) {
        counters.dst_cr = (counters.dst_cr + step) % 1024;
        counters.dst = counters.dst_cr;
    } else {
        counters.dst = (counters.dst + step) % 1024;
    }
}

void count(const instruction& what, address_counters& counters) {
    const unsigned modes = what.word >> 18 & 15u, value = what.word >> 14 & 15u;
    if (what.code == op_incrwc) {
        unsigned& counted = bit(modes, 2) ? counters.dst_cr : counters.dst;
        counted = (counted + value) % 1024;
        if (bit(modes, 2)) counters.dst = counters.dst_cr;
    } else if (what.code == op_setrwc && (bit(what.word, 2) || bit(modes, 3))) {
        const unsigned from = bit(modes, 3) ? counters.dst : bit(modes, 2) ? counters.dst_cr : 0;
        counters.dst = counters.dst_cr = (from + value) % 1024;
    }
}

// --- Dst ---------------------------------------------------------------------------------------------------

namespace {
unsigned wide_row(unsigned row) { return (row & 0x1f8u) << 1 | (row & 0x207u); }
unsigned column_of(unsigned lane, unsigned address, bool odd) {
    return lane % 8 * 2 + (bit(address, 1) || odd ? 1 : 0);
}
unsigned row_of(unsigned lane, unsigned address) { return (address & ~3u) + lane / 8; }
} // namespace

effect load(const instruction& what, unsigned address, const unit_state& in, const surroundings& around) {
    const unsigned mode = resolved_mode(what.modifier, around);
    const bool wide = test::exact_load_is_wide(mode);
    const std::uint32_t odd = lanes_with(in, read_odd);
    const std::uint32_t lanes = (mode == 10 ? all : enabled_lanes(in)) & ~lanes_with(in, no_reads);
    if (what.d >= 8) return {};
    effect result = write_lanes(what.d, lanes, [&](unsigned lane) {
        const unsigned row = row_of(lane, address), column = column_of(lane, address, bit(odd, lane));
        const std::uint32_t cell = wide ? static_cast<std::uint32_t>(in.dst[wide_row(row)][column]) << 16 |
                                              in.dst[wide_row(row) + 8][column]
                                        : in.dst[row][column];
        return test::exact_load(mode, cell, in.lreg[what.d][lane],
                                bit(in.config.lane[lane % columns], fp16_infinity), around.arch);
    });
    const std::uint32_t captured = lanes & lanes_with(in, dest_index) & lanes_with(in, capture_index);
    if (what.d < 4 && captured != 0)
        result.registers.push_back(write_lanes(what.d + 4, captured, [&](unsigned lane) {
                                       return row_of(lane, address) << 4 |
                                              column_of(lane, address, bit(odd, lane));
                                   }).registers[0]);
    return result;
}

effect store(const instruction& what, unsigned address, const unit_state& in, const surroundings& around) {
    const unsigned mode = resolved_mode(what.modifier, around);
    const bool wide = test::exact_store_is_wide(mode);
    const std::uint32_t odd = lanes_with(in, write_odd);
    const std::uint32_t lanes = (mode == 10 ? all : enabled_lanes(in)) & ~lanes_with(in, no_writes);
    effect result;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane) {
        if (!bit(lanes & open_lanes(in, what), lane)) continue;
        const unsigned row = row_of(lane, address), column = column_of(lane, address, bit(odd, lane));
        const std::uint32_t cell = test::exact_store(mode, in.lreg[what.d][lane], around.arch);
        if (wide) {
            result.cells.push_back({wide_row(row), column, static_cast<std::uint16_t>(cell >> 16)});
            result.cells.push_back({wide_row(row) + 8, column, static_cast<std::uint16_t>(cell & 0xffffu)});
        } else {
            result.cells.push_back({row, column, static_cast<std::uint16_t>(cell)});
        }
    }
    return result;
}

} // namespace sfpu::oracle
