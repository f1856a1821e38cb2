// Time, registers and Dst of the symbolic unit; what instructions do is in symbolic_instructions.cpp and
// symbolic_flags.cpp.
#include "symbolic_unit.h"

#include <sfpu/isa/table.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

using configuration = isa::lane_configuration;

} // namespace

void symbolic_flag_stack::start(const isa::flag_stack& from, term_pool& pool) {
    depth_ = from.depth();
    entry none;
    none.flags.fill(pool.truth(false));
    none.use = none.flags;
    entries_.fill(none);
}

symbolic_unit::symbolic_unit(term_pool& pool, const platform::run_request& request,
                             const std::vector<term>& start, computed_lanes which)
    : cells(symbolic_cells, no_term), pool_(pool), which_(which), machine_(isa::make_machine(request.config)),
      order_(timing::port_order(machine_.write_order)), start_(start) {
    const isa::vector_state& state = request.state;
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg) {
        bool even = true;
        for (unsigned lane = 1; lane < lane_count; ++lane)
            even = even && state.lreg[lreg][lane] == state.lreg[lreg][0];
        if (!even && !isa::writable(lreg)) uneven_ |= isa::only(lreg);
        // The first lane stands for all: what it holds there is any value.
        const bool any = isa::writable(lreg) || (!even && which == computed_lanes::first);
        lreg_[lreg] = by_lane([&](unsigned lane) {
            return any ? pool.variable(variable_kind::lreg, lreg * lane_count + lane)
                       : pool.constant(state.lreg[lreg][lane]);
        });
    }
    for (const lane_mask each : {state.flags, state.use_flags})
        expect_lanes_apart(each == 0 || each == static_cast<lane_mask>(~lane_mask{0}));
    const auto conditions = [&](lane_mask from) {
        return by_lane([&](unsigned lane) { return pool.truth(from >> lane & 1u); });
    };
    flags_ = next_flags_ = conditions(state.flags);
    use_ = next_use_ = conditions(state.use_flags);
    random_ = by_lane([&](unsigned lane) { return pool.variable(variable_kind::random, lane); });
    shuffle_source_ =
        by_lane([&](unsigned lane) { return pool.variable(variable_kind::shuffle_source, lane); });
    stack_.start(state.stack, pool);
    if (!stack_.empty()) give_up("the flag stack is not empty at the start");
    std::array<std::uint32_t, column_count> columns;
    for (unsigned column = 0; column < column_count; ++column) columns[column] = state.config.column(column);
    take_configuration(columns);
    if (request.config.dst_store_load_visible != 1)
        give_up("a load sees a store after another number of cycles than one (dst.store_load_visible)");
    if (machine_.issue_width != 1) give_up("two words can be issued in one cycle (sfpu.issue_width)");
}

/// Only the bit that closes the backdoor is known here, for all columns alike.
void symbolic_unit::take_configuration(const std::array<std::uint32_t, column_count>& columns) {
    configuration_ = columns;
    for (const std::uint32_t column : columns)
        if (column != columns[0] || (column & ~(1u << configuration::disable_backdoor_load)) != 0)
            give_up("LaneConfig holds more than DISABLE_BACKDOOR_LOAD, or differs by column");
}

// --- time --------------------------------------------------------------------------------------------------

void symbolic_unit::move_to(cycles at) {
    if (now_ == at) return;
    while (now_ < at) {
        end_cycle();
        const bool waits = results_.empty() && exchanges_.empty();
        now_ = waits ? at : now_ + one_cycle;
        begin_exchanges(now_);
    }
    units_seen_ = 0;
    random_seen_ = false;
}

/// Which of two results of one cycle a register keeps is a matter of sfpu.write_order.
void symbolic_unit::note_order() {
    isa::register_set written = 0;
    for (const result& each : results_) {
        if (each.commit != now_) continue;
        isa::register_set own = 0;
        for (const write& one : each.writes) own |= isa::register_set{1} << one.lreg;
        order_matters |= (written & own) != 0;
        written |= own;
    }
}

void symbolic_unit::end_cycle() {
    note_order();
    for (const timing::result_port port : order_)
        for (const result& each : results_)
            if (each.commit == now_ && each.port == port)
                for (const write& one : each.writes)
                    lreg_[one.lreg] = by_lane([&](unsigned lane) {
                        return pool_.choose(one.where[lane], one.values[lane], lreg_[one.lreg][lane]);
                    });
    const auto is_over = [&](const result& each) { return each.commit <= now_; };
    results_.erase(std::remove_if(results_.begin(), results_.end(), is_over), results_.end());
    for (const write& one : constants_)
        lreg_[one.lreg] = by_lane([&](unsigned lane) {
            return pool_.choose(one.where[lane], one.values[lane], lreg_[one.lreg][lane]);
        });
    constants_.clear();
    flags_ = next_flags_;
    use_ = next_use_;
    const unsigned lanes_here = which_ == computed_lanes::first ? 1 : lane_count;
    for (const store& one : stores_)
        for (unsigned lane = 0; lane < lanes_here; ++lane) {
            const unsigned upper = one.slice.row_of(lane) * 16 + one.slice.column_of(lane);
            const auto change = [&](unsigned raw, term to) {
                cells[raw] = pool_.choose(one.where[lane], to, raw_cell(raw));
            };
            if (!one.slice.wide) {
                change(upper, one.cells[lane]);
                continue;
            }
            change(upper, pool_.route(one.cells[lane], -16));
            change((upper + lower_half_distance * 16) % symbolic_cells, pool_.keep(one.cells[lane], 0xffffu));
        }
    stores_.clear();
}

/// Exchanges whose second cycle this is read their registers again.
void symbolic_unit::begin_exchanges(cycles at) {
    for (const exchange& each : exchanges_) {
        if (each.commit != at) continue;
        result made{at, timing::result_port::swap, {}};
        if (each.c < isa::general_lregs) made.writes.push_back({each.c, lreg_[each.d], each.where});
        if (each.d < isa::general_lregs) made.writes.push_back({each.d, lreg_[each.c], each.where});
        results_.push_back(std::move(made));
    }
    const auto is_over = [&](const exchange& each) { return each.commit <= at; };
    exchanges_.erase(std::remove_if(exchanges_.begin(), exchanges_.end(), is_over), exchanges_.end());
}

void symbolic_unit::finish() {
    while (!results_.empty() || !exchanges_.empty() || !stores_.empty()) {
        end_cycle();
        now_ = now_ + one_cycle;
        begin_exchanges(now_);
    }
}

// --- registers and Dst -------------------------------------------------------------------------------------

lane_terms symbolic_unit::enabled_lanes() {
    return by_lane([&](unsigned lane) { return pool_.either_holds(flags_[lane], pool_.negate(use_[lane])); });
}

void symbolic_unit::write_result(unsigned lreg, const lane_terms& values, const lane_terms& where) {
    if (!isa::writable(lreg)) return;
    if (!open_) {
        results_.push_back({event_->end, timing::port_of(event_->insn, 0), {}});
        open_ = &results_.back();
    }
    open_->writes.push_back({lreg, values, where});
}

term symbolic_unit::raw_cell(unsigned at) {
    if (cells[at] != no_term) return cells[at];
    if (!start_.empty() && start_[at] != no_term) return start_[at];
    return initial_cell(pool_, at);
}

term symbolic_unit::cell(const dst_slice& slice, unsigned lane) {
    const unsigned upper = slice.row_of(lane) * 16 + slice.column_of(lane);
    if (!slice.wide) return raw_cell(upper);
    const term lower = raw_cell((upper + lower_half_distance * 16) % symbolic_cells);
    return pool_.or_of(pool_.route(raw_cell(upper), 16), lower);
}

void symbolic_unit::load(const instruction& insn, unsigned mode, const dst_slice& slice) {
    expect_lanes_apart(has_own_cells(slice));
    if (insn.vd >= isa::general_lregs) return;
    const bool reads = mode != isa::dst_mode::zero;
    const lane_terms values = by_lane([&](unsigned lane) {
        const term found = reads ? cell(slice, lane) : pool_.constant(0);
        return loaded_word(pool_, mode, found, lreg_[insn.vd][lane]);
    });
    write_result(insn.vd, values, mode == isa::dst_mode::int32_all ? all_of(pool_.truth(true)) : enabled_);
}

void symbolic_unit::load_immediate(const instruction& insn) {
    if (insn.vd >= isa::general_lregs) return;
    const auto imm = static_cast<std::uint32_t>(insn.imm);
    const lane_terms& old = lreg_[insn.vd];
    const auto fill = [&](std::uint32_t value) { write_result(insn.vd, all_of(pool_.constant(value))); };
    switch (insn.mod) {
    case 0: return fill(imm << 16);
    case 1: return fill((imm & 0x8000u) << 16 | ((imm >> 10 & 0x1fu) + 112u) << 23 | (imm & 0x3ffu) << 13);
    case 2: return fill(imm);
    case 4: return fill((imm & 0x8000u) ? imm | 0xffff0000u : imm);
    case 8:
        return write_result(insn.vd, by_lane([&](unsigned lane) {
                                return pool_.or_of(pool_.constant(imm << 16), pool_.keep(old[lane], 0xffffu));
                            }));
    case 10:
        return write_result(insn.vd, by_lane([&](unsigned lane) {
                                return pool_.or_of(pool_.constant(imm), pool_.keep(old[lane], 0xffff0000u));
                            }));
    default: return give_up("an undefined mode of SFPLOADI");
    }
}

void symbolic_unit::put(const instruction& insn, unsigned mode, const dst_slice& slice) {
    expect_lanes_apart(has_own_cells(slice));
    store made{slice, by_lane([&](unsigned lane) { return stored_cell(pool_, mode, lreg_[insn.vd][lane]); }),
               mode == isa::dst_mode::int32_all ? all_of(pool_.truth(true)) : enabled_};
    stores_.push_back(made);
}

} // namespace sfpu::analysis
