#include "timeline.h"

#include <sfpu/isa/machine.h>
#include <sfpu/isa/table.h>
#include <sfpu/timing/write_back.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis::debug {
namespace {

constexpr std::int64_t recorded_cycles = 2048; ///< at a time
constexpr std::size_t most_hazards = 10000;    ///< that are listed

} // namespace

void timeline::hazard_list::diagnose(const diagnostic& what) {
    if (allowed.take(what.id)) return;
    ++count;
    if (list.size() < most_hazards) list.push_back(what);
}

timeline::timeline(kernel_run& kernel, platform::program_runner& runner, session how)
    : kernel_(kernel), runner_(runner), how_(std::move(how)) {
    hazards_.allowed = allowances(kernel_.kernel());
    kernel_.request().diagnostics = &hazards_;
    last_cycle_ = runner_.run(kernel_.request()).last_cycle.count();
    kernel_.request().diagnostics = nullptr;
    std::stable_sort(hazards_.list.begin(), hazards_.list.end(),
                     [](const diagnostic& a, const diagnostic& b) { return a.at < b.at; });
}

/// Runs the program up to the end of a cycle, or a little further. Each word takes a slot of its own, so that
/// later words need not be there.
void timeline::run(probe::pipeline_observer& observer, std::int64_t last_cycle,
                   const std::function<bool()>& enough) {
    platform::run_request request = kernel_.request();
    request.observer = &observer;
    auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(last_cycle, 0) + 2) *
                request.config.sfpu_issue_width;
    for (platform::program_segment& segment : request.segments) {
        const std::uint64_t length = segment.words.size();
        if (length == 0) continue;
        segment.repeat = std::min<std::uint64_t>(segment.repeat, left / length + 1);
        left -= std::min(left, length * segment.repeat);
        if (left == 0) break;
    }
    if (enough) request.stop = [&](std::uint64_t) { return enough() || how_.is_interrupted(); };
    runner_.run(request);
}

void timeline::move_to(std::int64_t cycle) {
    position_ = std::clamp<std::int64_t>(cycle, -1, last_cycle_);
    state_.reset();
}

const cycle_record& timeline::record(std::int64_t cycle) {
    if (!recent_ || !recent_->holds(cycle)) {
        const std::int64_t first = std::max<std::int64_t>(0, cycle - recorded_cycles / 2);
        const std::int64_t last = first + recorded_cycles - 1;
        recent_ = std::make_unique<recording>(runner_, first, last);
        run(*recent_, last);
    }
    return recent_->of(cycle);
}

machine_state timeline::state_at(std::int64_t cycle) {
    if (cycle < 0) {
        record(0);
        return recent_->state_after(-1);
    }
    record(cycle);
    return recent_->state_after(cycle);
}

const machine_state& timeline::state() {
    if (!state_) state_ = state_at(position_);
    return *state_;
}

std::optional<std::int64_t> timeline::find(std::int64_t from, const search::condition& wanted) {
    search looking(runner_, from, wanted);
    run(looking, last_cycle_, [&] { return looking.found().has_value(); });
    return how_.is_interrupted() ? std::nullopt : looking.found();
}

bool timeline::stores_wide(const isa::instruction& insn) const {
    const isa::backend_configuration& backend = kernel_.request().thread.backend();
    return isa::dst_mode::store_is_32_bit(
        isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format));
}

bool timeline::writes(const execution& what, const target& of, std::size_t row, unsigned lane) const {
    const probe::execution_event& event = what.event;
    if (!event.takes_effect) return false;
    switch (of.what) {
    case target::kind::lreg:
        return isa::contains(event.insn.use.writes, of.lreg) && (event.lanes >> lane & 1u);
    case target::kind::flags: return false;
    case target::kind::dst: break;
    }
    if (!event.insn.is(isa::opcode::sfpstore) || event.insn.names_template()) return false;
    const dst_slice to =
        slice_at(event.dst_address, stores_wide(event.insn), kernel_.request().thread.backend().rows);
    const dst_slice& cells = of.dst_rows[row];
    const auto meets = [&](unsigned a, unsigned b) {
        return (to.wide || a == 0) && (cells.wide || b == 0) &&
               to.row + a * lower_half_distance == cells.row + b * lower_half_distance;
    };
    return to.odd == cells.odd && (event.lanes >> lane & 1u) &&
           (meets(0, 0) || meets(0, 1) || meets(1, 0) || meets(1, 1));
}

/// Of two results that arrive in one cycle, which one is written last (T2a).
bool timeline::is_later(const execution& a, const execution& b) const {
    if (a.event.end != b.event.end) return b.event.end < a.event.end;
    const auto order = timing::port_order(isa::make_machine(kernel_.request().config).write_order);
    const auto place = [&](const execution& one) {
        return std::find(order.begin(), order.end(), timing::port_of(one.event.insn, 0)) - order.begin();
    };
    return place(b) <= place(a);
}

std::optional<last_write> timeline::last_writer(const target& what, std::size_t row, unsigned lane) {
    std::optional<last_write> latest;
    const auto note = [&](std::int64_t at, const cycle_record& record, const machine_state&) {
        if (at > position_) return true;
        for (const execution& one : record.executed) {
            if (one.event.end.count() > position_ || !writes(one, what, row, lane)) continue;
            if (!latest || is_later(one, latest->by)) latest = last_write{one, one.event.end.count() + 1};
        }
        return false;
    };
    find(0, note);
    return latest;
}

} // namespace sfpu::analysis::debug
