// T16, T17: nothing that is issued reads a register whose new value an issued instruction of the MAD class
// brings, nor one of a shuffle that does not hold issue: it would be held, or reported.
#include "rule_writer.h"

#include <sfpu/isa/table.h>

#include <algorithm>

namespace sfpu::optimizer {

isa::register_set seen_in_unused_fields(const node& of, const form& issued, architecture chip) {
    isa::instruction as_issued = issued.insn;
    constexpr unsigned constant = 9;
    // Fields that an instruction does not use keep the register of the plain code.
    as_issued.va = issued.operand_of[va] < 0 ? of.insn.va : constant;
    as_issued.vb = issued.operand_of[vb] < 0 ? of.insn.vb : constant;
    as_issued.vc = issued.operand_of[vc] < 0 ? of.insn.vc : constant;
    as_issued.vd = constant;
    return as_issued.op->use(as_issued, chip).seen_reads & isa::general_registers;
}

bool vd_is_seen(const form& issued, architecture chip) {
    isa::instruction probe = issued.insn;
    probe.va = probe.vb = probe.vc = 0;
    probe.vd = 5;
    return isa::contains(probe.op->use(probe, chip).seen_reads, 5) && !issued.vb_is_vd;
}

namespace {

class stall_rules : rule_writer {
public:
    explicit stall_rules(formula_state& of) : rule_writer(of) {}

    void write_all() {
        begin(group::stalls);
        for (const event& e : events_)
            if (!e.host_only && (!e.is_load || !e.chosen.empty()))
                readers_.push_back({&e, slots_of(e, 0, 0)});
        for (const int index : operations_) write_for(event_at(index));
    }

private:
    struct reader {
        const event* is;
        std::vector<literal> slot; ///< in which it is issued
    };
    /// A register that is written, and the slots in which its value is on the way.
    struct flight {
        const registers_of& written;
        const std::vector<literal>& slot;
    };

    /// Slots that are `first` to `last` cycles behind the issued event.
    std::vector<literal> slots_of(const event& e, int first, int last) {
        std::vector<literal> slot;
        slot.reserve(static_cast<std::size_t>(period_));
        for (int s = 0; s < period_; ++s) slot.push_back(make());
        for (int x = 0; x < horizon_; ++x)
            for (int k = first; k <= last; ++k) add({-e.issued, -at(e, x), slot[slot_of(x + k)]});
        return slot;
    }

    void write_for(const event& writer) {
        const node& n = node_of(writer);
        unsigned latency = 1;
        for (const form& f : n.forms)
            if (f.unit == isa::sub_unit::mad ||
                (f.insn.latency == isa::latency_class::shuffle && !machine_.stalls_for_results))
                latency = std::max(latency, f.latency);
        if (latency < 2) return;
        const std::vector<literal> flying = slots_of(writer, 1, static_cast<int>(latency) - 1);
        std::vector<registers_of> brought;
        for (const int index : writer.instances) brought.push_back(instance_at(index).lreg);
        if (n.writes_by_number) brought.assign(1, every_register()); // INDIRECT_VD counts as writing them all
        for (const registers_of& written : brought)
            for (const reader& each : readers_) avoid_operands({written, flying}, each);
    }

    registers_of every_register() const {
        registers_of all(rows_);
        for (auto& of_row : all) of_row.fill(always);
        return all;
    }
    registers_of only_register(unsigned lreg) const {
        registers_of one(rows_);
        for (auto& of_row : one) {
            of_row.fill(never);
            of_row[lreg] = always;
        }
        return one;
    }

    /// All that the stall logic takes for operands of the reader.
    void avoid_operands(const flight& of, const reader& by) {
        const event& e = *by.is;
        const node& n = node_of(e);
        for (const registers_of& lreg : e.reads_from) avoid(of, by, lreg, always);
        if (e.is_load) return;
        for (std::size_t f = 0; f < n.forms.size(); ++f) {
            const isa::register_set unused = seen_in_unused_fields(n, n.forms[f], machine_.chip);
            for (unsigned r = 0; r < isa::general_lregs; ++r) {
                if (!isa::contains(unused, r)) continue;
                state_.distinguished |= isa::only(r);
                avoid(of, by, only_register(r), e.alternative[f]);
            }
        }
        if (e.instances.empty()) return;
        if (n.reads_by_number) {
            avoid(of, by, every_register(), always); // INDIRECT_VA counts as reading every register
            return;
        }
        for (std::size_t f = 0; f < n.forms.size(); ++f)
            if (vd_is_seen(n.forms[f], machine_.chip))
                avoid(of, by, instance_at(e.instances[0]).lreg, e.alternative[f]);
    }

    void avoid(const flight& of, const reader& by, const registers_of& lreg, literal when,
               clause_site site = clause_site::here()) {
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned q = 0; q < rows_; ++q)
                for (int s = 0; s < period_; ++s) {
                    const int rows_between = static_cast<int>(p) - static_cast<int>(q);
                    const literal issued = by.slot[slot_of(s + rows_between * interval_)];
                    for (unsigned r = 0; r < place_count; ++r) {
                        if (r == l16 || of.written[p][r] == never || lreg[q][r] == never) continue;
                        add({-when, -of.slot[static_cast<unsigned>(s)], -issued, -of.written[p][r],
                             -lreg[q][r]},
                            site);
                    }
                }
    }

    std::vector<reader> readers_;
};

} // namespace

void keep_free_of_stalls(formula_state& of) { stall_rules(of).write_all(); }

} // namespace sfpu::optimizer
