#include "execution_trace.h"

#include <sfpu/dst/dst_storage.h>
#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/table.h>
#include <sfpu/timing/macro_program.h>
#include <sfpu/timing/neighbour_rules.h>
#include <sfpu/timing/write_back.h>

#include <algorithm>
#include <limits>

namespace sfpu::analysis {

namespace opcode = isa::opcode;

int execution_step::provider_of(resource what) const {
    for (const auto& [read, by] : reads)
        if (read == what) return by;
    return nobody;
}

std::vector<std::int64_t> execution_trace::words_of_sequence(std::int64_t macro_word) const {
    std::vector<std::int64_t> words;
    const auto launch = std::find_if(steps.begin(), steps.end(), [&](const execution_step& step) {
        return step.event.word == macro_word && step.event.insn.is(opcode::sfploadmacro);
    });
    if (launch == steps.end()) return words;
    for (const unsigned first : {first_sequence, first_upper_half}) {
        const configuration_parts part = 1u << (first + launch->event.insn.macro_index);
        const execution_step* config = nullptr;
        for (auto step = steps.begin(); step != launch; ++step)
            if (step->configured & part) config = &*step;
        if (!config) continue;
        words.push_back(config->event.word);
        unsigned modes_seen =
            0; // UPPER and LOWER keep the other half, so the chain goes on into older values
        for (int by = config->provider_of(0); by != nobody;
             by = steps[static_cast<std::size_t>(by)].provider_of(0)) {
            const execution_step& step = steps[static_cast<std::size_t>(by)];
            const unsigned mode = 1u << step.event.insn.mod;
            if (!step.event.insn.is(opcode::sfploadi) || (modes_seen & mode)) break;
            modes_seen |= mode;
            words.push_back(step.event.word);
        }
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

trace_recorder::trace_recorder(const isa::vector_state& state, const isa::thread_state& thread,
                               const isa::word_encoding& words, const isa::vector_state& before)
    : state_(state), thread_(thread), words_(words), flags_(before.flags), use_flags_(before.use_flags) {
    trace_.last_writer.fill(nobody);
}

void trace_recorder::executed(const probe::execution_event& event) {
    commit_before(event.begin);
    execution_step step;
    step.event = event;
    if (event.takes_effect && event.unit != isa::sub_unit::front_end) record_effects(step);
    const int index = static_cast<int>(trace_.steps.size());
    const unsigned order = static_cast<unsigned>(timing::port_of(event.insn, 0));
    for (const resource what : step.writes) pending_.push_back({event.end, order, what, index});
    trace_.steps.push_back(std::move(step));
}

void trace_recorder::record_effects(execution_step& step) {
    record_configuration(step);
    if (writes_template(step.event.insn)) return;
    record_registers(step);
    record_slices(step);
    record_flags(step);
}

bool trace_recorder::writes_template(const isa::instruction& insn) const {
    return insn.names_template() &&
           state_.config.lanes_with(isa::lane_configuration::disable_backdoor_load) != all_lanes;
}

void trace_recorder::read(execution_step& step, resource what) {
    for (const auto& [known, by] : step.reads)
        if (known == what) return;
    step.reads.emplace_back(what, trace_.last_writer[what]);
}

void trace_recorder::write(execution_step& step, resource what) {
    if (step.event.lanes != all_lanes) read(step, what);
    step.writes.push_back(what);
}

/// The registers that an instruction reads: as its row says, but of INDIRECT_VA only what L7 names. L7 still
/// holds what the instruction saw, because no result is written in a MAD's first cycle before its event is
/// published.
unsigned trace_recorder::registers_read(const execution_step& step) const {
    constexpr unsigned indirect_va = 4;
    constexpr isa::register_set every = isa::general_registers;
    const isa::instruction& insn = step.event.insn;
    if (insn.unit != isa::sub_unit::mad || (insn.use.reads & every) != every || !(insn.mod & indirect_va))
        return insn.use.reads;
    unsigned named = 1u << 7 | 1u << insn.vb | 1u << insn.vc;
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (step.event.lanes >> lane & 1u) named |= 1u << (state_.lreg[7][lane] & 15u);
    return named & every;
}

void trace_recorder::record_registers(execution_step& step) {
    const isa::instruction& insn = step.event.insn;
    // INDIRECT_VD may write any register, SFPSWAP reads both of its registers in its second cycle.
    const bool keeps_old =
        insn.use.writes == isa::general_registers || insn.latency == isa::latency_class::swap;
    const unsigned reads = registers_read(step) | (keeps_old ? insn.use.writes : 0u);
    const auto record = [&](unsigned lreg, resource what) {
        if (isa::contains(reads, lreg)) read(step, what);
        if (isa::contains(insn.use.writes, lreg)) write(step, what);
    };
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg) record(lreg, lreg);
    for (unsigned lreg = first_free_constant; lreg <= last_free_constant; ++lreg) record(lreg, lreg);
    record(isa::macro_lreg, macro_register);
}

/// Flags count as written when they change. Only Simple changes them, in place and before it publishes its
/// event.
void trace_recorder::record_flags(execution_step& step) {
    read(step, lane_flags);
    if (step.event.insn.is(opcode::sfppushc) || step.event.insn.is(opcode::sfppopc)) {
        read(step, flag_stack);
        step.writes.push_back(flag_stack);
    }
    if (step.event.unit != isa::sub_unit::simple) return;
    if (state_.flags != flags_ || state_.use_flags != use_flags_) step.writes.push_back(lane_flags);
    flags_ = state_.flags;
    use_flags_ = state_.use_flags;
}

void trace_recorder::record_slices(execution_step& step) {
    const isa::instruction& insn = step.event.insn;
    const bool is_store = insn.is(opcode::sfpstore);
    if (!is_store && !insn.is(opcode::sfpload) && !insn.is(opcode::sfploadmacro)) return;
    const isa::backend_configuration& backend = thread_.backend();
    const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
    if (mode == isa::dst_mode::zero && !is_store) return;
    const bool is_wide =
        is_store ? isa::dst_mode::store_is_32_bit(mode) : isa::dst_mode::load_is_32_bit(mode);
    const unsigned row = step.event.dst_address & ~3u, column = step.event.dst_address >> 1 & 1u;
    const auto touch = [&](unsigned storage_row) {
        const resource slice = slice_of(storage_row % dst::row_count, column);
        if (is_store) write(step, slice);
        else read(step, slice);
    };
    if (!is_wide) {
        touch(dst::adjust16(row, backend.rows.remap_addrs));
        return;
    }
    const unsigned upper = dst::adjust32(row, backend.rows.remap_addrs, backend.rows.swizzle_32b);
    touch(upper);
    touch(upper + 8);
}

/// What an SFPCONFIG writes of LoadMacroConfig.
configuration_parts trace_recorder::parts_written(const isa::instruction& insn) const {
    namespace vd = isa::config_destination_vd;
    if (insn.vd == vd::misc) return 1u << misc_part;
    if (insn.vd > vd::misc) return 0;
    const bool extended = words_.extended_index() && !(insn.mod & 9u); // as SFPCONFIG has it
    const auto index =
        extended ? isa::extended_index::of(static_cast<std::uint32_t>(insn.imm)) : isa::extended_index{};
    if (insn.vd < vd::first_sequence) return 1u << (insn.vd + index.plus_four);
    const unsigned sequence = insn.vd - vd::first_sequence + index.plus_four;
    const configuration_parts lower = 1u << (first_sequence + sequence),
                              upper = 1u << (first_upper_half + sequence);
    switch (index.which) {
    case isa::extended_index::part::lower: return lower;
    case isa::extended_index::part::upper: return upper;
    case isa::extended_index::part::whole: break;
    }
    return lower | upper;
}

void trace_recorder::record_configuration(execution_step& step) {
    const isa::instruction& insn = step.event.insn;
    if (writes_template(insn)) step.configured = 1u << (insn.vd - 12u);
    if (insn.is(opcode::sfpconfig)) step.configured = parts_written(insn);
    if (!insn.is(opcode::sfploadmacro)) return;
    const unsigned macro = isa::macro_index_of(insn.word, words_.wide_macro_index());
    constexpr auto store_unit = static_cast<unsigned>(isa::sub_unit::store);
    step.configured_by = 1u << (first_sequence + macro) | 1u << (first_upper_half + macro);
    for (unsigned unit = 0; unit < isa::scheduled_units; ++unit) {
        const timing::sequence_entry entry = timing::entry_of(state_.macro[0], macro, unit, words_);
        const unsigned selector = entry.selector();
        if (selector >= 2) step.configured_by |= 1u << misc_part;
        step.needs_misc |= selector >= 2 && (unit == store_unit || entry.delay() != 0);
        if (selector >= 4 && selector - 4 < isa::largest::templates)
            step.configured_by |= 1u << (selector - 4);
    }
}

void trace_recorder::commit_before(cycles at) {
    std::stable_sort(pending_.begin(), pending_.end(), [](const pending_write& a, const pending_write& b) {
        return a.end != b.end ? a.end < b.end : a.order < b.order;
    });
    std::size_t done = 0;
    for (; done < pending_.size() && pending_[done].end < at; ++done) {
        const pending_write& one = pending_[done];
        int& writer = trace_.last_writer[one.what];
        if (writer != nobody) trace_.overwritten.push_back({one.what, writer, one.by});
        writer = one.by;
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
}

execution_trace trace_recorder::take() {
    commit_before(cycles{std::numeric_limits<std::int64_t>::max()});
    return std::move(trace_);
}

} // namespace sfpu::analysis
