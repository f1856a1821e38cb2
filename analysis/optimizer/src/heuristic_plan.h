// What the heuristic scheduler changes: who is scheduled by whom with which template, and in which order
// instructions are placed. Times and registers follow from it.
#pragma once

#include "heuristic_row.h"

#include <random>

namespace sfpu::optimizer::heuristic {

/// A load that starts a macro, or another copy of one whose value some operands read.
struct host {
    bool used = false;
    int node = -1;          ///< the load; or the store whose address it names
    bool host_only = false; ///< its value is nobody's
    bool extra = false;     ///< a copy beside the first
    int macro = -1;
    std::array<int, 4> operation{{-1, -1, -1, -1}}; ///< by sub-unit
};

struct operation_plan {
    int host = -1;    ///< -1: issued
    int way = 0;      ///< scheduled: of its hostings
    int table = -1;   ///< template
    bool l16 = false; ///< its result goes there
    unsigned form = 0;
};

struct plan {
    explicit plan(const row_facts& of);

    std::vector<host> hosts;
    std::vector<operation_plan> operations; ///< by node
    std::vector<int> source;                ///< by operand: the host whose copy it reads; -1: the first copy
    std::vector<double> key;                ///< by node: the least is placed first
    std::vector<int> wait;                  ///< by node: cycles more than it must
};

/// The templates that a plan needs.
struct template_plan {
    std::uint32_t word = 0; ///< 0: unused
    std::array<int, field_count> constant{{-1, -1, -1, -1}};
    std::array<bool, field_count> names_value{};
    bool needs_vd = false;
};
/// False if two instructions of one template want other constants.
bool make_templates(const row_facts& of, const plan& from, std::vector<template_plan>& templates);

/// Random changes of a plan.
class plan_changer {
public:
    plan_changer(const row_facts& of, unsigned seed) : of_(of), random_(seed) {}

    /// False if nothing came of it; `changed` is then of no use.
    bool change(plan& changed);
    double chance() { return static_cast<double>(random_()) / 4294967296.0; }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % count; }
    const hosting& way_of(const plan& in, int operation) const;

    bool move_in_order(plan& in);
    bool add_host(plan& in);
    bool fill_new_macro(plan& in, int to, int macro, int first);
    bool join_macro(plan& in, int to, int macro);
    bool extend_macro(plan& in);
    bool remove_host(plan& in);
    bool remove_entry(plan& in);
    bool swap_operation(plan& in);
    bool pass_through_l16(plan& in);
    bool read_other_copy(plan& in);
    bool take_other_form(plan& in);
    /// A slot for a load that starts a macro: for an operation that reads its value, if there is one.
    int new_host(plan& in, int for_operation);
    /// An operation that is issued, near a place of the row.
    int issued_near(const plan& in, int place);
    /// Schedules the operation by a host, if need be with what the entry of another host has (`like`).
    bool attach(plan& in, int operation, int to, int unit, int like);
    void detach(plan& in, int operation);
    int template_for(const plan& in, int operation, const hosting& way);
    /// Forgets loads that start nothing and that nobody reads.
    void drop_useless_hosts(plan& in) const;
    bool change_something(plan& in);
    std::vector<int> hosts_of(const plan& in, int macro) const;

    const row_facts& of_;
    std::mt19937 random_;
    std::vector<template_plan> templates_;
};

} // namespace sfpu::optimizer::heuristic
