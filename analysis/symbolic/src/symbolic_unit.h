// The vector unit on terms: registers, lane flags, flag stack, random numbers, and Dst.
#pragma once

#include "word_functions.h"

#include <sfpu/analysis/symbolic_execution.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/machine.h>
#include <sfpu/probe/observer.h>
#include <sfpu/timing/write_back.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A word or condition for each lane.
using lane_terms = std::array<term, lane_count>;

/// The stack of lane flags; see isa::flag_stack, which this is on terms.
class symbolic_flag_stack {
public:
    struct entry {
        lane_terms flags, use;
    };
    void start(const isa::flag_stack& from, term_pool& pool);
    unsigned depth() const { return depth_; }
    bool empty() const { return depth_ == 0; }
    const entry& top() const { return entries_[(depth_ - 1) % isa::flag_stack::capacity]; }
    void push(const entry& pushed) {
        entries_[depth_ % isa::flag_stack::capacity] = pushed;
        depth_ = (depth_ + 1) % 16;
    }
    void pop() { depth_ = (depth_ + 15) % 16; }
    void replace_top(const entry& by) { entries_[(depth_ + 15) % isa::flag_stack::capacity] = by; }
    void replace_bottom(const entry& by) { entries_[0] = by; }

private:
    std::array<entry, isa::flag_stack::capacity> entries_;
    unsigned depth_ = 0;
};

/// Instructions come in the order of their cycles, those of one cycle in any order.
class symbolic_unit {
public:
    symbolic_unit(term_pool& pool, const platform::run_request& request, const std::vector<term>& start,
                  computed_lanes which);

    /// Executes an instruction of a run; `slice` and `mode` (SRCB resolved) of loads and stores.
    void execute(const probe::execution_event& event, unsigned mode, const dst_slice& slice);
    /// Everything has been issued: what is under way arrives.
    void finish();

    std::string unknown; ///< the first reason to give up
    std::vector<term> cells;
    bool uses_random = false;
    bool order_matters = false;  ///< two results met in a register in one cycle
    bool knows_its_lane = false; ///< of the first lane: a constant that is another one elsewhere was read

private:
    struct write {
        unsigned lreg;
        lane_terms values, where; ///< conditions
    };
    /// Results that become visible together, at the end of a cycle.
    struct result {
        cycles commit;
        timing::result_port port;
        std::vector<write> writes;
    };
    /// An exchange of registers, which are read again in its last cycle (T8).
    struct exchange {
        cycles commit;
        unsigned c, d;
        lane_terms where;
    };
    struct store {
        dst_slice slice;
        lane_terms cells, where;
    };
    using instruction = isa::instruction;

    void give_up(const std::string& why) {
        if (unknown.empty()) unknown = why;
    }
    /// The first lane stands for the others only if each does the same with what is its own.
    void expect_lanes_apart(bool apart) {
        if (which_ == computed_lanes::first && !apart) give_up("its lanes do not do the same");
    }
    void move_to(cycles at);
    void end_cycle();
    void note_order();
    void begin_exchanges(cycles at);
    bool writes_template(const instruction& insn);
    void check_units(const instruction& insn);
    void take_configuration(const std::array<std::uint32_t, column_count>& columns);

    void load(const instruction& insn, unsigned mode, const dst_slice& slice);
    void load_immediate(const instruction& insn);
    void put(const instruction& insn, unsigned mode, const dst_slice& slice);
    term cell(const dst_slice& slice, unsigned lane);
    term raw_cell(unsigned at);

    void execute_mad(const instruction& insn);
    void execute_move(const instruction& insn);
    void execute_exchange(const instruction& insn);
    void execute_transposition();
    void execute_shuffle(const instruction& insn);
    void execute_words(const instruction& insn);
    void write_word_flags(const instruction& insn, const lane_terms& words);
    bool execute_flags(const instruction& insn);
    void set_condition(const instruction& insn);
    void enable_conditions(const instruction& insn);
    void push_flags(const instruction& insn);
    void pop_flags(const instruction& insn);
    void complement_flags();
    void compare(const instruction& insn);
    void configure(const instruction& insn);
    void configure_lanes(const instruction& insn);

    void write_result(unsigned lreg, const lane_terms& values) { write_result(lreg, values, enabled_); }
    void write_result(unsigned lreg, const lane_terms& values, const lane_terms& where);
    /// Changes flags (use: whether they count) where a condition holds.
    void set_flags(const lane_terms& where, const lane_terms& to);
    void set_use(const lane_terms& to) { next_use_ = to; }
    lane_terms enabled_lanes();
    lane_terms step_random(const lane_terms& where);
    /// L0 of the first row as constants; false, and no answer, if it is none.
    bool constant_columns(std::array<std::uint32_t, column_count>& columns);
    term boolean(unsigned mod, term a, term b);

    template <class F>
    lane_terms by_lane(F f) const {
        lane_terms made;
        if (which_ == computed_lanes::first) { // in the others stands the same: nobody asks for it
            made.fill(f(0u));
            return made;
        }
        for (unsigned lane = 0; lane < lane_count; ++lane) made[lane] = f(lane);
        return made;
    }
    lane_terms all_of(term same) const {
        lane_terms made;
        made.fill(same);
        return made;
    }

    term_pool& pool_;
    computed_lanes which_;
    isa::machine machine_;
    std::array<timing::result_port, timing::result_port_count> order_;
    std::array<lane_terms, isa::lreg_count> lreg_;
    lane_terms flags_, use_, random_, shuffle_source_;
    lane_terms next_flags_, next_use_; ///< behind this cycle
    symbolic_flag_stack stack_;
    std::array<std::uint32_t, column_count> configuration_; ///< LaneConfig
    const std::vector<term>& start_;
    isa::register_set uneven_ = 0; ///< constants that differ by lane

    cycles now_{-1};
    unsigned units_seen_ = 0; ///< that executed in this cycle, a bit each
    bool random_seen_ = false;
    lane_terms enabled_;
    const probe::execution_event* event_ = nullptr;
    std::vector<result> results_;
    std::vector<exchange> exchanges_;
    std::vector<store> stores_; ///< of this cycle
    std::vector<write> constants_;
    result* open_ = nullptr;
};

} // namespace sfpu::analysis
