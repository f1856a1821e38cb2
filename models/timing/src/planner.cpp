#include <sfpu/timing/planner.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sfpu::timing {
namespace {

/// Shorter loops are not worth cutting a plan for.
constexpr unsigned shortest_loop = 4;

/// Whether cycles without an issue leave the state as it is.
bool is_settled(const planner_state& state) {
    const issue_state& issue = state.issue;
    return issue.producers.empty() && issue.believed_busy.bytes() == 0 && issue.exclusive_for == 0 &&
           issue.shuffle_second_cycle == 0 && !state.neighbours.swap && !state.neighbours.shuffle &&
           state.results.empty() && state.simple_held_for == 0 && state.round_held_for == 0 &&
           state.on_chip.is_settled();
}

} // namespace

// --- cache -------------------------------------------------------------------------------------------------

void plan_cache::clear() {
    for (auto& set : plans_)
        for (auto& place : set) place.reset();
    seen_.fill({});
}

plan* plan_cache::find(std::uint64_t hash, pushed_words words, unsigned length, const planner_state& state,
                       std::int64_t limit) {
    for (auto& known : plans_[hash % sets])
        if (known && known->hash == hash && known->length == length && known->duration <= limit &&
            known->begins(words) && known->before == state)
            return known.get();
    return nullptr;
}

bool plan_cache::comes_again(std::uint64_t hash) {
    auto& set = seen_[(hash >> 16) % seen_.size()];
    const auto upper = static_cast<std::uint32_t>(hash >> 32);
    const auto known = std::find(set.begin(), set.end(), upper);
    const bool again = known != set.end();
    std::copy_backward(set.begin(), again ? known : set.end() - 1, again ? known + 1 : set.end());
    set[0] = upper;
    return again;
}

plan& plan_cache::remember(plan& made, std::uint64_t hash) {
    auto& set = plans_[hash % sets];
    const auto number_of = [](const auto& place) { return place ? place->number : 0; };
    auto& place = *std::min_element(
        set.begin(), set.end(), [&](const auto& a, const auto& b) { return number_of(a) < number_of(b); });
    if (!place) place = std::make_unique<plan>();
    std::swap(*place, made);
    place->number = next_number_++;
    place->hash = hash;
    place->next = {};
    place->steps.shrink_to_fit();
    place->notes.shrink_to_fit();
    return *place;
}

// --- planner -----------------------------------------------------------------------------------------------

void planner::reset(const isa::machine& machine) {
    machine_ = machine;
    library_.reset(machine_);
    builder_.reset(machine_);
    cache_.clear();
    restart();
}

void planner::restart() {
    now_ = cycles{};
    state_ = planner_state{};
    current_ = &state_;
    rules_ = rule_inputs{};
    expected_word_ = 0;
    latest_ = nullptr;
    made_is_foreseen_ = false;
    idle_ = false;
    before_idle_ = {};
}

/// Plans that were made for nobody have no notes for observers.
void planner::set_observed(bool is_observed) {
    if (is_observed && !is_observed_) {
        make_current();
        latest_ = nullptr;
        made_is_foreseen_ = false;
        cache_.clear();
    }
    is_observed_ = is_observed;
    builder_.set_observed(is_observed);
}

/// From here on the state can be changed.
void planner::make_current() {
    if (current_ == &state_) return;
    state_ = *current_;
    current_ = &state_;
}

namespace {

/// Calls f for the place of each instruction that a planner's state names; it may be null.
template <class State, class Idle, class F>
void for_each_instruction(State& state, Idle& before_idle, F f) {
    for (auto& entry : state.slots.entries()) f(entry.insn);
    for (auto& p : state.issue.producers) f(p.insn);
    f(state.neighbours.swap);
    f(state.neighbours.shuffle);
    for (auto& p : before_idle.producers) f(p.insn);
}

} // namespace

planner_image planner::image() const {
    planner_image result{now_, *current_, before_idle_, {}, rules_, expected_word_, idle_since_, idle_};
    for_each_instruction(result.state, result.before_idle, [&](const isa::instruction*& insn) {
        result.instructions.push_back(insn ? *insn : isa::instruction{});
        insn = nullptr;
    });
    return result;
}

void planner::restore(const planner_image& image) {
    latest_ = nullptr;
    made_is_foreseen_ = false;
    now_ = image.now;
    state_ = image.state;
    current_ = &state_;
    before_idle_ = image.before_idle;
    rules_ = image.rules;
    expected_word_ = image.expected_word;
    idle_since_ = image.idle_since;
    idle_ = image.idle;
    auto next = image.instructions.begin();
    for_each_instruction(state_, before_idle_, [&](const isa::instruction*& insn) {
        if (next->op) insn = library_.keep(*next);
        ++next;
    });
}

void planner::keep(const std::vector<const isa::instruction**>& others) {
    for (const isa::instruction** other : others) *other = library_.keep(**other);
}

void planner::forget(const std::vector<const isa::instruction**>& others) {
    const planner_image here = image();
    std::vector<isa::instruction> copies;
    for (const isa::instruction** other : others) copies.push_back(**other);
    cache_.clear();
    library_.reset(machine_);
    restore(here);
    for (std::size_t i = 0; i < others.size(); ++i) *others[i] = library_.keep(copies[i]);
}

/// How many words from the first on are to be planned together: up to one behind which the rules may be
/// others, or to the first SFPLOADMACRO behind one that may write LoadMacroConfig. If that are too many, the
/// plan ends where the first word comes again, if it does: then a loop is cut alike however many repetitions
/// a push has.
unsigned planner::measure(pushed_words words) {
    run_.clear();
    unsigned length = 0, whole_loops = 0;
    bool writes_configuration = false;
    const auto may_go_on = [&](const library_word& changing) {
        return machine_.issue_width == 1 && !changing.changes_lanes;
    };
    const std::uint32_t first = words[0];
    for (; length < words.count; ++length) {
        const std::uint32_t word = words[length];
        if (word == first && length != 0) whole_loops = length;
        if (length == plan::capacity) {
            run_.push_back(&library_.decode(word));
            return whole_loops >= shortest_loop ? whole_loops : length;
        }
        const library_word& known = library_.decode(word);
        if (writes_configuration && known.insn.is(isa::opcode::sfploadmacro)) {
            run_.push_back(&known);
            return length;
        }
        run_.push_back(&known);
        if (known.changes_rules || known.insn.names_template()) {
            if (may_go_on(known)) {
                writes_configuration = true;
                continue;
            }
            ++length;
            // With two issue slots the next word may go in the same cycle.
            if (machine_.issue_width > 1 && length < words.count && length < plan::capacity)
                run_.push_back(&library_.decode(words[length++]));
            break;
        }
    }
    if (length < words.count) run_.push_back(&library_.decode(words[length]));
    return length;
}

/// Remembers which plan came behind the latest one, if nothing but its words and the state decides that.
void planner::link(const plan& found, std::int64_t distance) {
    if (!latest_) return;
    if (found.looked_ahead || found.saw_end) return;
    auto& next = latest_->next;
    auto place = std::find_if(next.begin(), next.end() - 1,
                              [&](const plan::successor& known) { return known.which == &found; });
    std::copy_backward(next.begin(), place, place + 1);
    next[0] = {&found, found.number, distance};
}

const plan& planner::find_or_make(pushed_words words, std::int64_t limit, word_source source,
                                  std::int64_t first_word, bool keep) {
    const std::int64_t distance = first_word - expected_word_;
    make_current();
    state_.rules = rules_;
    state_.source = source;
    state_.issue.rebase(distance);
    expected_word_ = first_word;

    const unsigned length = measure(words);
    std::uint64_t hash = length;
    for (unsigned i = 0; i < length; ++i) mix(hash, words[i]);
    hash_into(hash, state_);
    const auto fits = [&](const plan& known) {
        const bool has_more = run_.size() > length;
        if (known.saw_end) return !has_more;
        return !known.looked_ahead || (has_more && run_[length]->word == known.lookahead);
    };
    if (plan* known = cache_.find(hash, words, length, state_, limit)) {
        if (fits(*known)) {
            known->had_more |= run_.size() > length;
            link(*known, distance);
            return *known;
        }
    }
    if (made_is_foreseen_ && made_.hash == hash && made_.length == length && made_.duration <= limit &&
        made_.begins(words) && made_.before == state_ && fits(made_)) {
        made_is_foreseen_ = false;
        return made_;
    }
    made_is_foreseen_ = false;
    builder_.plan_words(state_, {run_.data(), length, run_.size() > length}, limit, made_);
    made_.hash = hash;
    if (made_.length == 0) latest_ = nullptr; // it may not be executed, and the state has been rebased
    made_.had_more = made_.length == length && run_.size() > length;
    if (made_.length != length || !(keep || cache_.comes_again(hash))) return made_;
    plan* const before = latest_;
    plan& kept = cache_.remember(made_, hash);
    if (before != &kept) link(kept, distance);
    else latest_ = nullptr;
    return kept;
}

const plan* planner::expect(pushed_words words, word_source source, std::int64_t first_word) {
    constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    const std::int64_t distance = first_word - expected_word_;
    const plan& found = find_or_make(words, no_limit, source, first_word, true);
    // As for foresee(): the state is counted from this word now.
    if (distance != 0) latest_ = nullptr;
    return &found != &made_ ? &found : nullptr;
}

const plan& planner::foresee(pushed_words words, word_source source, std::int64_t first_word) {
    constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    if (const plan* next = predicted(words, no_limit, source, first_word)) return *next;
    const std::int64_t distance = first_word - expected_word_;
    const plan& found = find_or_make(words, no_limit, source, first_word);
    made_is_foreseen_ = &found == &made_;
    // The state is counted from this word now, and what came behind the latest plan from another one.
    if (distance != 0) latest_ = nullptr;
    return found;
}

const plan* planner::plan_idle(cycles until) {
    if (until <= now_) return nullptr;
    if (!idle_) {
        idle_ = true;
        idle_since_ = now_;
        before_idle_ = current_->issue;
    }
    // A second cycle that is under way counts as busy, with or without a result.
    const bool holds_units = current_->simple_held_for != 0 || current_->round_held_for != 0;
    if (!current_->moves() && !holds_units) {
        if (!is_settled(*current_)) {
            make_current();
            latest_ = nullptr;
            state_.advance_idle((until - now_).count());
        }
        rules_.backdoor_changed = false;
        now_ = until;
        return nullptr;
    }
    make_current();
    latest_ = nullptr;
    state_.rules = rules_;
    made_is_foreseen_ = false;
    builder_.plan_idle(state_, (until - now_).count(), made_);
    return &made_;
}

unsigned planner::wait(const isa::instruction& insn, cycles offered, hold_cause& cause) const {
    const bool has_passed = idle_ && offered < now_;
    const cycles since = has_passed ? idle_since_ : now_;
    const issue_state& state = has_passed ? before_idle_ : current_->issue;
    const auto later = static_cast<unsigned>(std::clamp<std::int64_t>((offered - since).count(), 0, 64));
    return builder_.rules().wait(state, insn, plan_builder::role_of(insn, rules_), later, cause);
}

} // namespace sfpu::timing
