// Times: instructions in the order of the plan, each in the first cycle that has room.
#include "heuristic_placement.h"

#include "rule_writer.h"

#include <algorithm>
#include <functional>

namespace sfpu::optimizer::heuristic {

namespace {

constexpr int far = 1 << 27;

bool takes_two_cycles(const form& how) {
    return how.insn.latency == isa::latency_class::swap || how.insn.latency == isa::latency_class::shuffle;
}

/// Later first.
bool later(const std::pair<double, int>& a, const std::pair<double, int>& b) { return a > b; }

} // namespace

placement::placement(const row_facts& of, unsigned interval)
    : of_(of), interval_(static_cast<int>(interval)), count_(static_cast<int>(of.nodes.size())),
      values_(static_cast<int>(of.row.values.size())), copies_(of.nodes.size()) {}

int& placement::time_of_host(int h) { return time_[static_cast<unsigned>(item_of_host(h))]; }
int placement::item_of_host(int h) const {
    const host& each = host_at(h);
    return each.extra ? count_ + h : each.node;
}
const form& placement::form_of(int operation) const {
    const operation_plan& p = plan_of(operation);
    const unsigned f = p.host < 0 ? p.form : of_.facts(operation).hostings[static_cast<unsigned>(p.way)].form;
    return of_.at(operation).forms[f];
}
int placement::host_of_load(int node) const { return host_of_load_[static_cast<unsigned>(node)]; }

/// The host whose copy an operand reads, -1: the first copy.
int placement::source_of(int node, int operand) const {
    const struct operand& o = of_.at(node).operands[static_cast<unsigned>(operand)];
    const int from = of_.row.values[static_cast<unsigned>(o.value)].node;
    if (from < 0 || !is_load(from) || o.distance > 0) return -1;
    const operation_plan& p = plan_of(node);
    if (p.host >= 0) {
        const hosting& way = of_.facts(node).hostings[static_cast<unsigned>(p.way)];
        const host& by = host_at(p.host);
        if (way.loaded == operand && by.node == from && !by.host_only) return by.extra ? p.host : -1;
    }
    const int source = plan_->source[of_.facts(node).first_operand + static_cast<unsigned>(operand)];
    if (source < 0 || source >= static_cast<int>(plan_->hosts.size())) return -1;
    const host& copy = host_at(source);
    return copy.used && copy.extra && !copy.host_only && copy.node == from ? source : -1;
}

int placement::instance_of(int node, int operand) const {
    const int value = of_.at(node).operands[static_cast<unsigned>(operand)].value;
    const int source = source_of(node, operand);
    return source < 0 ? value : values_ + source;
}

int placement::place(const plan& now, int most) {
    plan_ = &now;
    begin();
    find_uses();
    const auto wrong_times = [&] { return 6 * (overflow_ + faults_); };
    while (!ready_.empty()) {
        if (wrong_times() > most) return wrong_times();
        std::pop_heap(ready_.begin(), ready_.end(), later);
        const int next = ready_.back().second;
        ready_.pop_back();
        place_next(next);
        finish(next);
    }
    // Hosts of nothing, and what waits for itself.
    for (int n = 0; n < count_; ++n)
        if (!is_load(n) && of_.facts(n).exists && time_[static_cast<unsigned>(n)] == unplaced) ++faults_;
    check_order();
    check_flags();
    check_stores();
    check_l16();
    if (wrong_times() > most) return wrong_times();
    find_webs();
    find_lives();
    keep_from_stalls();
    count_pressure();
    color();
    return wrong_times() + 3 * uncolored_ + pressure_;
}

void placement::begin() {
    const auto slots = static_cast<std::size_t>(interval_);
    time_.assign(static_cast<std::size_t>(count_) + plan_->hosts.size(), unplaced);
    load_used_.assign(static_cast<std::size_t>(count_), false);
    waits_for_.assign(static_cast<std::size_t>(count_), 0);
    host_of_load_.assign(static_cast<std::size_t>(count_), -1);
    for (auto& each : copies_) each.clear();
    issue_used_.assign(slots, false);
    held_.assign(slots, false);
    lanes_off_.assign(slots, false);
    port_.assign(slots, {});
    for (auto& each : unit_used_) each.assign(slots, false);
    delay_.assign(of_.machine.macros, {{-1, -1, -1, -1}});
    clock_ = first_effect_ = last_effect_ = overflow_ = faults_ = uncolored_ = pressure_ = 0;
    any_effect_ = false;
    ready_.clear();
}

void placement::find_uses() {
    for (std::size_t h = 0; h < plan_->hosts.size(); ++h) {
        const host& each = plan_->hosts[h];
        if (!each.used) continue;
        if (each.extra && !each.host_only)
            copies_[static_cast<unsigned>(each.node)].push_back(static_cast<int>(h));
        if (!each.extra) {
            host_of_load_[static_cast<unsigned>(each.node)] = static_cast<int>(h);
            load_used_[static_cast<unsigned>(each.node)] = true;
        }
    }
    for (int n = 0; n < count_; ++n) {
        if (!of_.facts(n).exists) continue;
        for (std::size_t j = 0; j < of_.at(n).operands.size(); ++j) {
            const int value = of_.at(n).operands[j].value;
            if (value < 0 || source_of(n, static_cast<int>(j)) >= 0) continue;
            const int from = of_.row.values[static_cast<unsigned>(value)].node;
            if (from >= 0 && is_load(from)) load_used_[static_cast<unsigned>(from)] = true;
        }
    }
    for (const value& each : of_.row.values)
        if (each.live_out && each.node >= 0 && is_load(each.node))
            load_used_[static_cast<unsigned>(each.node)] = true;
    for (int n = 0; n < count_; ++n) {
        if (!of_.facts(n).exists) continue;
        int& waits = waits_for_[static_cast<unsigned>(n)];
        for (const int need : of_.facts(n).needs) waits += of_.facts(need).exists;
        if (waits == 0) ready_.emplace_back(plan_->key[static_cast<unsigned>(n)], n);
    }
    std::make_heap(ready_.begin(), ready_.end(), later);
}

void placement::finish(int node) {
    for (const int freed : of_.facts(node).frees) {
        if (!of_.facts(freed).exists || --waits_for_[static_cast<unsigned>(freed)] > 0) continue;
        ready_.emplace_back(plan_->key[static_cast<unsigned>(freed)], freed);
        std::push_heap(ready_.begin(), ready_.end(), later);
    }
}

/// The first cycle that its operands and its order allow.
int placement::earliest(int node, bool of_copy) const {
    int low = -far;
    const struct node& n = of_.at(node);
    for (std::size_t j = 0; j < n.operands.size(); ++j) {
        const operand& o = n.operands[j];
        if (o.value < 0) continue;
        const int from = of_.row.values[static_cast<unsigned>(o.value)].node;
        if (from < 0) continue;
        const int source = of_copy ? -1 : source_of(node, static_cast<int>(j));
        const int made = time_[static_cast<unsigned>(source < 0 ? from : count_ + source)];
        if (made == unplaced) continue;
        const int latency =
            is_load(from)
                ? static_cast<int>(of_.machine.latency[static_cast<unsigned>(isa::result_class::load)])
                : static_cast<int>(form_of(from).latency);
        const int early = cycles_until_merged(n, j);
        low = std::max(low, made + latency - early - static_cast<int>(o.distance) * interval_);
    }
    for (const order& each : of_.facts(node).behind) {
        const auto after = [&](int made) {
            if (made != unplaced) low = std::max(low, made + each.cycles - each.rows * interval_);
        };
        after(time_[static_cast<unsigned>(each.other)]);
        for (const int copy : copies_[static_cast<unsigned>(each.other)])
            after(time_[static_cast<unsigned>(count_ + copy)]);
    }
    return low;
}

/// The last cycle in which those that are placed still find it in time.
int placement::latest(int node, bool of_copy, int copy_host) const {
    int high = latest_for_readers(node, of_copy, copy_host);
    for (const order& each : of_.facts(node).before) {
        const auto until = [&](int other) {
            if (other != unplaced) high = std::min(high, other - each.cycles + each.rows * interval_);
        };
        until(time_[static_cast<unsigned>(each.other)]);
        for (const int copy : copies_[static_cast<unsigned>(each.other)])
            until(time_[static_cast<unsigned>(count_ + copy)]);
    }
    return high;
}

int placement::latest_for_readers(int node, bool of_copy, int copy_host) const {
    int high = far;
    const struct node& n = of_.at(node);
    const int latency =
        is_load(node) ? static_cast<int>(of_.machine.latency[static_cast<unsigned>(isa::result_class::load)])
                      : static_cast<int>(form_of(node).latency);
    for (const result& out : n.results)
        for (const reading& each : of_.readers[static_cast<unsigned>(out.value)]) {
            const int read = time_[static_cast<unsigned>(each.node)];
            if (read == unplaced || each.node == node) continue;
            if (is_load(node) && source_of(each.node, each.operand) != (of_copy ? copy_host : -1)) continue;
            high = std::min(high, read + each.early + each.rows * interval_ - latency);
        }
    return high;
}

void placement::keep_in_frame(int& low, int& high) const {
    if (!any_effect_) return;
    low = std::max(low, last_effect_ - interval_ + 1);
    high = std::min(high, first_effect_ + interval_ - 1);
}

void placement::begin_effect(int time) {
    first_effect_ = any_effect_ ? std::min(first_effect_, time) : time;
    last_effect_ = any_effect_ ? std::max(last_effect_, time) : time;
    any_effect_ = true;
}

bool placement::has_effect_at_begin(int h) const {
    for (const int o : host_at(h).operation)
        if (o >= 0 && (of_.at(o).effect || plan_of(o).l16)) return true;
    return !host_at(h).host_only && of_.at(host_at(h).node).effect;
}

void placement::place_next(int node) {
    if (is_load(node)) {
        if (load_used_[static_cast<unsigned>(node)] && time_[static_cast<unsigned>(node)] == unplaced)
            place_load(node, -1, far);
        return;
    }
    // Copies that it reads, where nobody has placed them yet.
    const operation_plan& p = plan_of(node);
    const int own = p.host < 0 ? -1 : p.host;
    for (std::size_t j = 0; j < of_.at(node).operands.size(); ++j) {
        if (of_.at(node).operands[j].value < 0) continue;
        const int source = source_of(node, static_cast<int>(j));
        if (source < 0 || source == own || time_[static_cast<unsigned>(count_ + source)] != unplaced)
            continue;
        const int low = earliest(node, false);
        place_load(host_at(source).node, source, low == -far ? clock_ : std::max(low, clock_));
    }
    if (p.host < 0) place_issued(node);
    else place_scheduled(node);
}

/// `h`: of an extra copy, or -1. `target`: the cycle of who reads it, if that is known.
void placement::place_load(int node, int h, int target) {
    const bool copy = h >= 0 && host_at(h).extra;
    const int by = h >= 0 ? h : host_of_load(node);
    int low = earliest(node, copy), high = latest(node, copy, h);
    const bool effect = by >= 0 ? has_effect_at_begin(by) : of_.at(node).effect;
    if (effect) keep_in_frame(low, high);
    const int wish = target < far ? target - 1 : clock_ + plan_->wait[static_cast<unsigned>(node)];
    int at = unplaced;
    const auto fits = [&](int t) {
        return can_issue(t, nullptr) && (by < 0 || can_host_at(by, t)) && flags_allow(node, t);
    };
    if (target < far) // as late as it may be
        for (int t = std::min(wish, high); t > wish - interval_ && t >= low && at == unplaced; --t)
            if (fits(t)) at = t;
    const int first = std::max(low, std::min(wish, high));
    for (int t = first; t < first + interval_ && t <= high && at == unplaced; ++t)
        if (fits(t)) at = t;
    for (int t = first - 1; t >= std::max(low, first - interval_) && at == unplaced; --t)
        if (fits(t)) at = t;
    if (at == unplaced) {
        ++overflow_;
        at = first;
    } else {
        occupy_issue(at, nullptr);
    }
    time_[static_cast<unsigned>(copy ? count_ + h : node)] = at;
    if (effect) begin_effect(at);
}

/// Entries of a macro with delays that are known must find their sub-units free.
bool placement::can_host_at(int h, int time) const {
    const host& by = host_at(h);
    if (by.macro < 0) return true;
    for (std::size_t unit = 0; unit < 4; ++unit) {
        const int o = by.operation[unit], delay = delay_[static_cast<unsigned>(by.macro)][unit];
        if (o >= 0 && delay >= 0 && time_[static_cast<unsigned>(o)] == unplaced &&
            unit_used_[unit][slot(time + 1 + delay)])
            return false;
    }
    return true;
}

bool placement::can_issue(int time, const form* how) const {
    const unsigned s = slot(time);
    if (issue_used_[s] || held_[s]) return false;
    if (!how || !takes_two_cycles(*how)) return true;
    if (how->insn.latency != isa::latency_class::swap && !of_.machine.stalls_for_results) return true;
    for (int later = 1; later < static_cast<int>(how->latency); ++later)
        if (issue_used_[slot(time + later)] || slot(time + later) == s) return false;
    return true;
}

void placement::occupy_issue(int time, const form* how) {
    issue_used_[slot(time)] = true;
    if (!how || !takes_two_cycles(*how)) return;
    if (how->insn.latency != isa::latency_class::swap && !of_.machine.stalls_for_results) return;
    for (int later = 1; later < static_cast<int>(how->latency); ++later) held_[slot(time + later)] = true;
}

bool placement::can_execute(int node, const form& how, bool to_l16, int time) const {
    const unsigned unit = number(how.unit), s = slot(time);
    if (unit >= 4) return true;
    if (unit_used_[unit][s]) return false;
    const unsigned simple = number(isa::sub_unit::simple), round = number(isa::sub_unit::round);
    if (takes_two_cycles(how)) {
        const unsigned next = slot(time + 1);
        if (next == s || unit_used_[simple][next] || unit_used_[round][next]) return false;
        if (how.insn.latency == isa::latency_class::swap && unit_used_[number(isa::sub_unit::mad)][s])
            return false;
    }
    if (!of_.machine.write_port_rule || (unit != simple && unit != round)) return true;
    if (of_.at(node).results.empty()) return true;
    const std::uint8_t other = unit == simple ? port_[s].round : port_[s].simple;
    return other == 0 || other == (to_l16 ? 1 : 2);
}

void placement::execute(int node, const form& how, bool to_l16, int time) {
    const unsigned unit = number(how.unit), s = slot(time);
    if (unit >= 4) return;
    const unsigned simple = number(isa::sub_unit::simple), round = number(isa::sub_unit::round);
    unit_used_[unit][s] = true;
    if (takes_two_cycles(how)) {
        unit_used_[simple][slot(time + 1)] = unit_used_[round][slot(time + 1)] = true;
        if (how.insn.latency == isa::latency_class::swap) unit_used_[number(isa::sub_unit::mad)][s] = true;
    }
    if (of_.at(node).results.empty()) return;
    if (unit == simple) port_[s].simple = to_l16 ? 2 : 1;
    if (unit == round) port_[s].round = to_l16 ? 2 : 1;
}

void placement::place_issued(int node) {
    const form& how = form_of(node);
    int low = earliest(node, false), high = latest(node, false, -1);
    if (of_.at(node).effect) keep_in_frame(low, high);
    const int wait = plan_->wait[static_cast<unsigned>(node)];
    const int first = low == -far || of_.facts(node).is_source ? std::max(low, clock_ + wait) : low + wait;
    int at = unplaced;
    const auto fits = [&](int t) {
        return can_issue(t, &how) && can_execute(node, how, false, t) && flags_allow(node, t);
    };
    for (int t = std::max(low, std::min(first, high)); t < first + interval_ && t <= high && at == unplaced;
         ++t)
        if (fits(t)) at = t;
    for (int t = first - 1; t >= std::max(low, first - interval_) && at == unplaced; --t)
        if (t <= high && fits(t)) at = t;
    if (at == unplaced) {
        ++overflow_;
        at = std::max(first, low);
    } else {
        occupy_issue(at, &how);
        execute(node, how, false, at);
    }
    time_[static_cast<unsigned>(node)] = at;
    clock_ = std::max(clock_, at);
    if (of_.at(node).effect) begin_effect(at);
    mark_lanes_off(node);
}

void placement::place_scheduled(int node) {
    const operation_plan& p = plan_of(node);
    const form& how = form_of(node);
    const host& by = host_at(p.host);
    int low = earliest(node, false), high = latest(node, false, -1);
    const int begun = time_of_host(p.host);
    bool placed = false;
    if (begun == unplaced) {
        placed = place_with_host(node, low, high);
    } else {
        int& delay = delay_[static_cast<unsigned>(by.macro)][number(how.unit)];
        const int first = delay >= 0 ? begun + 1 + delay : begun + 1;
        const int last = delay >= 0 ? first : begun + 1 + static_cast<int>(of_.machine.longest_delay());
        for (int t = std::max(first, low); t <= std::min(last, high) && !placed; ++t) {
            if (!can_execute(node, how, p.l16, t) || !flags_allow(node, t)) continue;
            placed = true;
            delay = t - begun - 1;
            time_[static_cast<unsigned>(node)] = t;
            execute(node, how, p.l16, t);
        }
        if (!placed) time_[static_cast<unsigned>(node)] = std::max(low, first);
    }
    if (!placed) ++faults_;
    if (time_[static_cast<unsigned>(node)] == unplaced)
        time_[static_cast<unsigned>(node)] = std::max(low == -far ? clock_ : low, clock_);
    clock_ = std::max(clock_, time_[static_cast<unsigned>(node)] - 2);
    mark_lanes_off(node);
}

/// The load that starts its macro is issued for it, as late as its delay allows.
bool placement::place_with_host(int node, int low, int high) {
    const operation_plan& p = plan_of(node);
    const host& by = host_at(p.host);
    const form& how = form_of(node);
    int first_host = by.host_only ? -far : earliest(by.node, by.extra),
        last_host = by.host_only ? far : latest(by.node, by.extra, p.host);
    const bool effect = has_effect_at_begin(p.host);
    if (effect) keep_in_frame(first_host, last_host);
    int& delay = delay_[static_cast<unsigned>(by.macro)][number(how.unit)];
    const int least = delay >= 0 ? delay : 0,
              most = delay >= 0 ? delay : static_cast<int>(of_.machine.longest_delay());
    const int wait = plan_->wait[static_cast<unsigned>(node)];
    const int first = std::max(low == -far ? clock_ : low + wait, first_host == -far ? low : first_host + 1);
    for (int t = std::max(first, low); t < first + interval_ + 8 && t <= high; ++t) {
        if (!can_execute(node, how, p.l16, t) || !flags_allow(node, t)) continue;
        for (int d = least; d <= most; ++d) {
            const int begun = t - 1 - d;
            if (begun < first_host || begun > last_host) continue;
            if (!can_issue(begun, nullptr) || !can_host_at(p.host, begun)) continue;
            if (!by.host_only && !flags_allow(by.node, begun)) continue;
            time_of_host(p.host) = begun;
            occupy_issue(begun, nullptr);
            delay = d;
            time_[static_cast<unsigned>(node)] = t;
            execute(node, how, p.l16, t);
            if (effect) begin_effect(begun);
            return true;
        }
    }
    time_of_host(p.host) = first - 1;
    ++overflow_;
    return false;
}

// --- lane flags
// ----------------------------------------------------------------------------------------------

/// In a cycle in which lanes are off only what wants just those.
bool placement::flags_allow(int node, int time) const {
    const struct node& n = of_.at(node);
    if (!n.reads_flags || n.writes_flags || !of_.facts(node).may_be_elsewhere) return true;
    if (!lanes_off_[slot(time)]) return true;
    const std::vector<int>& writers = of_.row.flag_writers;
    const auto when = [&](std::size_t j) { return time_[static_cast<unsigned>(writers[j])]; };
    const std::size_t count = writers.size();
    if (n.version > 0 && (when(n.version - 1) == unplaced || time <= when(n.version - 1))) return false;
    if (n.version < count && when(n.version) != unplaced && time > when(n.version)) return false;
    if (n.version == 0 && when(count - 1) != unplaced && time <= when(count - 1) - interval_) return false;
    return n.version < count || when(0) == unplaced || time <= when(0) + interval_;
}

void placement::mark_lanes_off(int node) {
    if (!of_.at(node).writes_flags) return;
    const std::vector<int>& writers = of_.row.flag_writers;
    const auto at =
        static_cast<std::size_t>(std::find(writers.begin(), writers.end(), node) - writers.begin());
    const auto mark = [&](int first, int last) {
        for (int t = first; t <= std::min(last, first + interval_ - 1); ++t) lanes_off_[slot(t)] = true;
    };
    const int now = time_[static_cast<unsigned>(node)];
    if (at > 0 && !of_.row.all_on[at]) mark(time_[static_cast<unsigned>(writers[at - 1])] + 1, now);
    if (at + 1 == writers.size() && !of_.row.all_on[at + 1])
        mark(now + 1, time_[static_cast<unsigned>(writers[0])] + interval_);
}

/// A load and what it schedules are placed at once: they may not wait for each other.
void placement::check_order() {
    for (int n = 0; n < count_; ++n) {
        if (!of_.facts(n).exists) continue;
        const int time = time_[static_cast<unsigned>(n)];
        if (time != unplaced && time < earliest(n, false)) ++faults_;
        for (const int copy : copies_[static_cast<unsigned>(n)]) {
            const int begun = time_[static_cast<unsigned>(count_ + copy)];
            if (begun != unplaced && begun < earliest(n, true)) ++faults_;
        }
    }
    if (any_effect_ && last_effect_ - first_effect_ >= interval_) ++faults_;
}

void placement::check_flags() {
    if (of_.row.flag_writers.empty()) return;
    for (int n = 0; n < count_; ++n) {
        if (!of_.facts(n).exists) continue;
        const auto check = [&](int time) {
            if (time != unplaced && !flags_allow(n, time)) ++faults_;
        };
        check(time_[static_cast<unsigned>(n)]);
        for (const int copy : copies_[static_cast<unsigned>(n)])
            check(time_[static_cast<unsigned>(count_ + copy)]);
    }
}

// --- stores and L16
// ------------------------------------------------------------------------------------------

/// A macro's stores take the mode of the load, or all one mode.
void placement::check_stores() {
    std::vector<bool> takes(of_.machine.macros, true);
    const std::size_t unit = number(isa::sub_unit::store);
    for (const host& each : plan_->hosts)
        if (each.used && each.macro >= 0 && each.operation[unit] >= 0 &&
            of_.at(each.node).mode != of_.at(each.operation[unit]).mode)
            takes[static_cast<unsigned>(each.macro)] = false;
    int common = -1;
    for (const host& each : plan_->hosts) {
        if (!each.used || each.macro < 0 || each.operation[unit] < 0) continue;
        if (takes[static_cast<unsigned>(each.macro)]) continue;
        const int mode = static_cast<int>(of_.at(each.operation[unit]).mode);
        if (common >= 0 && common != mode) ++faults_;
        common = mode;
    }
}

void placement::check_l16() {
    for (const int o : of_.operations) {
        const operation_plan& p = plan_of(o);
        const node& n = of_.at(o);
        if (n.what == node::kind::store) {
            if (p.host < 0 || !of_.facts(o).hostings[static_cast<unsigned>(p.way)].from_l16) continue;
            const int j = form_of(o).operand_of[vd];
            const int from =
                of_.row.values[static_cast<unsigned>(n.operands[static_cast<unsigned>(j)].value)].node;
            if (from < 0 || is_load(from) || plan_of(from).host < 0 || !plan_of(from).l16) ++faults_;
            continue;
        }
        if (!p.l16) continue;
        for (const reading& each : of_.readers[static_cast<unsigned>(n.results[0].value)]) {
            const operation_plan& reader = plan_of(each.node);
            if (reader.host < 0 || each.rows > 0 ||
                !of_.facts(each.node).hostings[static_cast<unsigned>(reader.way)].from_l16)
                ++faults_;
        }
    }
}

} // namespace sfpu::optimizer::heuristic
