// Times and registers of a plan, instruction by instruction, and how far they are from a schedule.
#pragma once

#include "heuristic_plan.h"

#include <sfpu/optimizer/schedule.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sfpu::optimizer::heuristic {

/// Cycles of an interval, as bits.
class slot_set {
public:
    static constexpr unsigned most = 640;
    void clear() { bits_.fill(0); }
    void add(unsigned slot) { bits_[slot / 64] |= std::uint64_t{1} << slot % 64; }
    void add(const slot_set& other) {
        for (std::size_t w = 0; w < bits_.size(); ++w) bits_[w] |= other.bits_[w];
    }
    bool has(unsigned slot) const { return bits_[slot / 64] >> slot % 64 & 1u; }
    bool meets(const slot_set& other) const {
        for (std::size_t w = 0; w < bits_.size(); ++w)
            if (bits_[w] & other.bits_[w]) return true;
        return false;
    }

private:
    std::array<std::uint64_t, most / 64> bits_{};
};

class placement {
public:
    static constexpr int unplaced = -(1 << 28);

    placement(const row_facts& of, unsigned interval);

    /// How much is wrong: 0 for a schedule. What is beyond `most` is not followed to its end.
    int place(const plan& now, int most = std::numeric_limits<int>::max());
    /// What was placed last. Only if nothing was wrong.
    schedule written() const;

private:
    struct web {
        slot_set live;
        int pinned = -1, color = -1;
        isa::register_set banned = 0;
        int members = 0;
    };
    struct pair_of_slots { // Simple and Round: 0 nothing, 1 a result to a register, 2 one to L16, 3 no result
        std::uint8_t simple = 0, round = 0;
    };

    const operation_plan& plan_of(int node) const { return plan_->operations[static_cast<unsigned>(node)]; }
    const host& host_at(int h) const { return plan_->hosts[static_cast<unsigned>(h)]; }
    bool is_load(int node) const { return of_.at(node).what == node::kind::load; }
    unsigned slot(int time) const {
        const int rest = time % interval_;
        return static_cast<unsigned>(rest < 0 ? rest + interval_ : rest);
    }
    int& time_of_host(int h);
    int item_of_host(int h) const;
    const form& form_of(int operation) const;
    int host_of_load(int node) const;

    // Times.
    void begin();
    void find_uses();
    int source_of(int node, int operand) const;
    int instance_of(int node, int operand) const;
    int earliest(int node, bool of_copy) const;
    int latest(int node, bool of_copy, int copy_host) const;
    int latest_for_readers(int node, bool of_copy, int copy_host) const;
    void keep_in_frame(int& low, int& high) const;
    void place_next(int node);
    void place_load(int node, int h, int target);
    void place_issued(int node);
    void place_scheduled(int node);
    bool place_with_host(int node, int low, int high);
    bool can_host_at(int h, int time) const;
    bool can_issue(int time, const form* how) const;
    bool can_execute(int node, const form& how, bool to_l16, int time) const;
    void occupy_issue(int time, const form* how);
    void execute(int node, const form& how, bool to_l16, int time);
    void begin_effect(int time);
    bool has_effect_at_begin(int h) const;
    bool flags_allow(int node, int time) const;
    void mark_lanes_off(int node);
    void finish(int node);
    void check_order();
    void check_flags();
    void check_stores();
    void check_l16();

    // Registers.
    void find_webs();
    void join(int a, int b);
    int root(int instance) const;
    void join_of_operation(int node);
    void join_of_load(int node, int h);
    void join_fields(int node, const hosting& way, const operation_plan& p);
    void pin(int instance, int lreg);
    void live_of_value(int value);
    void add_life(int instance, int first, int last);
    void find_lives();
    void keep_from_stalls();
    void keep_reader_from(int writer, int written, int reader, int h);
    void color();
    int best_color(int w) const;
    void count_pressure();

    // The schedule.
    void write_loads(schedule& done, std::vector<int>& place) const;
    void write_operations(schedule& done, const std::vector<int>& place) const;
    void write_tables(schedule& done) const;
    unsigned lreg_of(int instance) const;
    unsigned lreg_of_operand(int node, int operand) const;

    const row_facts& of_;
    const int interval_, count_, values_;
    const plan* plan_ = nullptr;

    std::vector<int> time_;       ///< by node, then by host: of extra copies
    std::vector<bool> load_used_; ///< by node
    std::vector<int> waits_for_;  ///< by node: so many that it needs are not placed
    std::vector<std::pair<double, int>> ready_;
    std::vector<std::vector<int>> copies_; ///< by node: hosts that are extra copies of a load
    std::vector<int> host_of_load_;        ///< by node
    std::vector<bool> issue_used_, held_;
    std::array<std::vector<bool>, 4> unit_used_;
    std::vector<pair_of_slots> port_;
    std::vector<bool> lanes_off_;
    std::vector<std::array<int, 4>> delay_; ///< by macro and unit; -1: free
    int clock_ = 0, first_effect_ = 0, last_effect_ = 0;
    bool any_effect_ = false;

    int overflow_ = 0, faults_ = 0, uncolored_ = 0, pressure_ = 0;

    std::vector<int> parent_; ///< of instances: values, then copies
    std::vector<web> webs_;   ///< by root
    std::vector<int> roots_;
    std::vector<std::pair<int, int>> apart_; ///< instances
    slot_set l16_live_;
    std::vector<bool> in_l16_; ///< by instance
    std::vector<unsigned> live_count_;
};

} // namespace sfpu::optimizer::heuristic
