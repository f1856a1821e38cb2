#include <sfpu/timing/schedule_recorder.h>

#include <sfpu/isa/state.h>
#include <sfpu/timing/write_back.h>

#include <algorithm>
#include <utility>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;

} // namespace

void schedule_recorder::start(cycles now, const parameters& config, std::vector<pending_result> pending,
                              unsigned launches) {
    recording_ = true;
    spoilt_ = false;
    start_ = now;
    config_ = config;
    pending_ = std::move(pending);
    launches_ = launches;
    issued_ = 0;
    last_effect_ = -1;
    executions_.clear();
}

void schedule_recorder::executed(const isa::instruction& insn, isa::sub_unit unit, cycles at, unsigned launch,
                                 cycles effect) {
    const bool scheduled = insn.scheduled();
    execution what{};
    what.step.insn = &insn;
    what.step.at = static_cast<std::uint16_t>((at - start_).count());
    what.step.unit = unit;
    what.step.what = scheduled                       ? schedule_step::action::scheduled
                     : insn.is(opcode::sfploadmacro) ? schedule_step::action::launch
                                                     : schedule_step::action::issued;
    what.step.origin = static_cast<std::uint8_t>(scheduled ? launch : issued_);
    what.first = what.step.at;
    what.last = what.first + latency_of(insn, config_) - 1;
    what.reads = insn.use.reads;
    what.writes = insn.use.results();
    what.is_swap = insn.latency == isa::latency_class::swap;
    if (!scheduled) ++issued_;
    if (insn.is(opcode::sfpconfig)) spoil(); // what it changes is no part of a situation
    last_effect_ = std::max(last_effect_, effect < start_ ? -1 : (effect - start_).count());
    if (insn.latency != isa::latency_class::none) executions_.push_back(what);
}

bool schedule_recorder::finish(cycles end) {
    recording_ = false;
    duration_ = static_cast<unsigned>((end - start_).count());
    return !spoilt_;
}

/// Whether the registers that an instruction writes belong to it alone from its first cycle to its last: nobody else
/// reads them who has not read them yet, and no other result goes to them.
bool schedule_recorder::is_alone(const execution& what, unsigned index) const {
    if (what.is_swap || what.last >= duration_) return false;
    const auto meets = [&](unsigned cycle) { return what.first <= cycle && cycle <= what.last; };
    for (const pending_result& p : pending_)
        if (meets(p.commit) && (p.lregs & what.writes)) return false;
    for (unsigned i = 0; i < executions_.size(); ++i) {
        const execution& other = executions_[i];
        if (i == index) continue;
        const bool both_work = other.first <= what.last && what.first <= other.last;
        if (both_work && (other.writes & what.writes)) return false;
        // (What SFPSWAP reads late, it writes.)
        const bool reads_afterwards = meets(other.first) && (other.first != what.first || i > index);
        if (reads_afterwards && (other.reads & what.writes)) return false;
    }
    return true;
}

std::vector<schedule_step> schedule_recorder::steps() const {
    using action = schedule_step::action;
    std::vector<bool> begins(duration_), ends(duration_);
    for (const pending_result& p : pending_) {
        if (p.commit >= duration_) continue;
        ends[p.commit] = true;
        if (p.reads_late) begins[p.commit] = true;
    }
    std::vector<schedule_step> result;
    for (unsigned i = 0; i < executions_.size(); ++i) {
        const execution& what = executions_[i];
        if (is_alone(what, i) || what.writes == 0 || what.last >= duration_) continue;
        ends[what.last] = true;
        if (what.is_swap) begins[what.last] = true;
    }
    const auto add = [&](action what, unsigned at) {
        schedule_step step;
        step.what = what;
        step.at = static_cast<std::uint16_t>(at);
        result.push_back(step);
    };
    unsigned next = 0;
    for (unsigned cycle = 0; cycle < duration_; ++cycle) {
        if (begins[cycle]) add(action::begin_cycle, cycle);
        for (; next < executions_.size() && executions_[next].first == cycle; ++next) {
            result.push_back(executions_[next].step);
            result.back().alone = is_alone(executions_[next], next);
        }
        if (ends[cycle]) add(action::end_cycle, cycle);
    }
    return result;
}

} // namespace sfpu::timing
