// What bubbles change, and where.
#include "linter.h"
#include "reordering.h"

#include <sfpu/isa/disassembler.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {

linter::effect linter::effect_of(unsigned data, const run_outcome& outcome) const {
    const data_set& usual = runs_.data(data);
    return {find_difference(usual.expected, outcome.changed), outcome.discards > usual.discards};
}

linter::effect linter::tried(planned_run what) {
    run_outcome outcome = runs_.play(what);
    const effect found = effect_of(what.data, outcome);
    if (outcome.changes_registers) report_.registers_changed = true;
    trials_.push_back({std::move(what), std::move(outcome)});
    return found;
}

// --- one bubble --------------------------------------------------------------------------------------------

/// Bubbles of all lengths, because entries that count cycles can meet a word in one cycle and in no other.
/// The results of the shortest and the longest are tried under other answers to open questions, too.
void linter::try_single_bubbles() {
    const std::vector<std::size_t> positions = program_.positions();
    const std::size_t group =
        std::max<std::size_t>(runs_.batch() / (longest_bubble * lint_runs::data_count), 1);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (runs_.prepares() && i % group == 0)
            prepare_single_bubbles(positions, i, std::min(i + group, positions.size()));
        for (unsigned length = 1; length <= longest_bubble; ++length) {
            const bool is_end = length == 1 || length == longest_bubble;
            for (unsigned data = 0; data < lint_runs::data_count; ++data) {
                const lint_boundary* known = known_boundary(positions[i]);
                if (!is_end && known && known->first_difference) continue;
                const planned_run what{data, 0, single_bubble(positions[i], length)};
                const effect found = is_end ? tried(what) : play(what);
                if (found.any() && (!known || (found.difference && !known->first_difference)))
                    add_boundary(what, positions[i], found, false);
            }
        }
        ++report_.positions;
    }
    runs_.forget_prepared();
}

/// First the shortest and the longest at each of the positions; then the others, unless the shortest changes
/// a result.
void linter::prepare_single_bubbles(const std::vector<std::size_t>& positions, std::size_t from,
                                    std::size_t to) {
    runs_.forget_prepared();
    std::vector<planned_run> ends, others;
    for (std::size_t i = from; i < to; ++i)
        for (const unsigned length : {1u, longest_bubble})
            for (unsigned data = 0; data < lint_runs::data_count; ++data)
                ends.push_back({data, 0, single_bubble(positions[i], length)});
    runs_.prepare(ends);
    for (std::size_t i = from; i < to; ++i) {
        bool changes = false;
        for (unsigned data = 0; data < lint_runs::data_count; ++data) {
            const run_outcome* shortest = runs_.prepared({data, 0, single_bubble(positions[i], 1)});
            changes = changes || !shortest || !shortest->changed.empty();
        }
        for (unsigned length = 2; !changes && length < longest_bubble; ++length)
            for (unsigned data = 0; data < lint_runs::data_count; ++data)
                others.push_back({data, 0, single_bubble(positions[i], length)});
    }
    runs_.prepare(others);
}

// --- random bubbles ----------------------------------------------------------------------------------------

void linter::try_random_bubbles() {
    random_source random(options_.seed);
    const std::size_t at_a_time = runs_.prepares() ? runs_.batch() : 1;
    std::vector<planned_run> next;
    for (unsigned done = 0; done < options_.schedules;) {
        next.clear();
        for (unsigned i = done; i < options_.schedules && next.size() < at_a_time; ++i)
            next.push_back(
                {i % lint_runs::data_count, 0, random_bubbles(program_, options_.bubble_rate, random)});
        if (runs_.prepares()) prepare_random_bubbles(next);
        for (planned_run& each : next) {
            const effect found = tried(each);
            if (found.difference) ++report_.random_changed;
            if (found.discards) ++report_.random_discarded;
            ++report_.random_schedules;
            if (found.any()) narrow_down(std::move(each));
        }
        done += static_cast<unsigned>(next.size());
    }
    runs_.forget_prepared();
}

/// And what narrow_down() asks first, if it will find no new place before.
void linter::prepare_random_bubbles(const std::vector<planned_run>& runs) {
    runs_.forget_prepared();
    runs_.prepare(runs);
    std::vector<planned_run> narrower;
    for (const planned_run& each : runs)
        if (const run_outcome* outcome = runs_.prepared(each);
            outcome && effect_of(each.data, *outcome).any())
            narrower.push_back({each.data, 0, without_known(each.bubbles)});
    runs_.prepare(narrower);
}

/// Without the bubbles before words where one is known to matter.
bubble_schedule linter::without_known(bubble_schedule bubbles) {
    for (std::size_t i = 0; i < bubbles.size(); ++i)
        if (known_boundary(program_.position_of(i))) bubbles[i] = 0;
    return bubbles;
}

/// Finds a boundary that is not known yet, if the bubbles before known ones do not explain the effect.
void linter::narrow_down(planned_run what) {
    what.bubbles = without_known(std::move(what.bubbles));
    if (!play(what).any()) return;
    for (unsigned& bubble : what.bubbles) { // leave out whatever is not needed
        if (bubble == 0) continue;
        const unsigned length = bubble;
        bubble = 0;
        if (!play(what).any()) bubble = length;
    }
    const effect found = play(what);
    const bubble_schedule& bubbles = what.bubbles;
    const auto is_bubble = [](unsigned length) { return length != 0; };
    const auto last = std::find_if(bubbles.rbegin(), bubbles.rend(), is_bubble);
    const auto position = static_cast<std::size_t>(bubbles.rend() - last) - 1;
    add_boundary(what, position, found, std::count_if(bubbles.begin(), bubbles.end(), is_bubble) > 1);
}

// --- places ------------------------------------------------------------------------------------------------

lint_boundary* linter::known_boundary(std::size_t position) {
    const auto found =
        std::find_if(report_.boundaries.begin(), report_.boundaries.end(), [&](const lint_boundary& each) {
            return program_.position_of(static_cast<std::size_t>(each.word)) == position;
        });
    return found == report_.boundaries.end() ? nullptr : &*found;
}

/// A boundary at the same place that was found without a difference is replaced.
void linter::add_boundary(const planned_run& what, std::size_t position, const effect& found,
                          bool needs_others) {
    const isa::source_word& word = program_.word(position);
    lint_boundary boundary;
    boundary.word = static_cast<std::int64_t>(position);
    boundary.line = word.line;
    boundary.previous_line = program_.line(boundary.word - 1);
    boundary.text = isa::disassemble(word.word, words_);
    boundary.gap = program_.gap_before(position);
    boundary.bubble = what.bubbles[position];
    boundary.needs_others = needs_others;
    boundary.inside_iteration = program_.continues_iteration(position);
    boundary.first_difference = found.difference;
    const execution_trace& before = runs_.data(what.data).trace;
    const execution_trace after = runs_.traced(what);
    if (found.difference) {
        const resource slice = slice_of(found.difference->row, found.difference->column);
        if (const auto reordered = find_reordering(before, after, slice)) {
            boundary.moved = instruction_of(reordered->moved);
            boundary.against = instruction_of(reordered->against);
        }
    }
    if (found.discards) name_discarded(boundary, before, after);
    find_dependence(boundary, what);
    if (lint_boundary* known = known_boundary(program_.position_of(position))) *known = std::move(boundary);
    else report_.boundaries.push_back(std::move(boundary));
}

/// The first instruction that is discarded with bubbles only, and what took its place.
void linter::name_discarded(lint_boundary& boundary, const execution_trace& before,
                            const execution_trace& after) const {
    for (const execution_step& lost : after.steps) {
        if (!lost.event.discarded) continue;
        const auto same = std::find_if(before.steps.begin(), before.steps.end(),
                                       [&](const execution_step& each) { return each.key() == lost.key(); });
        if (same == before.steps.end() || same->event.discarded) continue;
        boundary.discarded = instruction_of(&lost);
        if (!boundary.moved.text.empty()) return;
        boundary.against = boundary.discarded;
        for (const execution_step& other : after.steps)
            if (other.scheduled() && other.event.unit == lost.event.unit &&
                other.event.begin == lost.event.begin)
                boundary.moved = instruction_of(&other);
        return;
    }
}

/// Whether the same bubbles give another result under another answer to an open question.
void linter::find_dependence(lint_boundary& boundary, const planned_run& what) {
    std::vector<planned_run> all{what};
    for (unsigned machine = 1; machine <= answers_.size(); ++machine)
        all.push_back({what.data, machine, what.bubbles});
    runs_.prepare(all);
    const changed_rows usual = runs_.play(what).changed;
    for (unsigned machine = 1; machine <= answers_.size(); ++machine) {
        const std::string& parameter = answers_[machine - 1].parameter;
        const bool known = !boundary.depends_on.empty() && boundary.depends_on.back() == parameter;
        if (!known && runs_.play(all[machine]).changed != usual) boundary.depends_on.push_back(parameter);
    }
}

} // namespace sfpu::analysis
