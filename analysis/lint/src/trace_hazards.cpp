#include "trace_hazards.h"

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace sfpu::analysis {
namespace {

using step_list = std::vector<int>;

const execution_step& step_at(const execution_trace& trace, int index) {
    return trace.steps[static_cast<std::size_t>(index)];
}

/// By step: the steps that read one of its results.
std::vector<step_list> readers_of(const execution_trace& trace) {
    std::vector<step_list> readers(trace.steps.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
        for (const auto& [what, by] : trace.steps[i].reads)
            if (by != nobody) readers[static_cast<std::size_t>(by)].push_back(static_cast<int>(i));
    return readers;
}

/// "sfpcast L0, L16, 0, scheduled in line 48"
std::string described(const hazard_context& context, const execution_step& step) {
    return fmt::format("{}, {} in line {},", isa::text(step.event.insn, context.words),
                       step.scheduled() ? "scheduled" : "issued", context.program.line(step.event.word));
}

std::string part_name(unsigned part) {
    if (part < first_sequence) return fmt::format("template {}", part);
    return part < misc_part ? fmt::format("sequence {}", (part - first_sequence) % isa::largest::macros)
                            : "Misc";
}

std::string part_names(configuration_parts parts) {
    std::string names;
    const configuration_parts halves = (1u << isa::largest::macros) - 1;
    parts |= (parts >> first_upper_half & halves) << first_sequence; // a sequence is named once
    parts &= ~(halves << first_upper_half);
    for (unsigned part = 0; part <= misc_part; ++part)
        if (parts >> part & 1u) names += (names.empty() ? "" : ", ") + part_name(part);
    return names;
}

class lost_result_search {
public:
    explicit lost_result_search(const hazard_context& context)
        : context_(context), trace_(context.trace), readers_(readers_of(trace_)) {}

    void run() {
        for (const execution_trace::overwriting& one : trace_.overwritten) judge(one);
    }

private:
    void judge(const execution_trace::overwriting& one) const {
        if (!is_register(one.what)) return;
        const execution_step& loser = step_at(trace_, one.loser);
        const execution_step& winner = step_at(trace_, one.winner);
        // To load a place of Dst again is a way to have it in time for two macros.
        const bool is_loaded_by_macro = loser.event.insn.is(isa::opcode::sfploadmacro) &&
                                        winner.event.insn.is(isa::opcode::sfploadmacro) &&
                                        loser.event.dst_address != winner.event.dst_address;
        if ((!loser.scheduled() && !is_loaded_by_macro) || winner.event.lanes != all_lanes) return;
        const bool is_l16 = one.what == macro_register;
        const bool may_mislead = is_l16 || winner.is_load();
        const bool is_unused =
            loser.scheduled() && never_read(one); // what a macro loads may be meant for nobody
        if (!is_unused && !(may_mislead && missed_by_own_macro(one))) return;
        context_.reporter.report(
            is_l16 ? report_id::hazard_l16_overwritten : report_id::hazard_lreg_overwritten, winner.event.end,
            winner.event.word, [&] {
                return fmt::format("the result of {} in L{} is overwritten by {} before it is used",
                                   described(context_, loser), one.what, described(context_, winner));
            });
    }

    bool never_read(const execution_trace::overwriting& one) const {
        return readers_[static_cast<std::size_t>(one.loser)].empty() &&
               any_later_read(one, [](const execution_step&, int) { return true; }) &&
               !reader_is_left_out(one);
    }

    /// The first and last rows of a pipeline leave out words that the others have: whether the same word's
    /// result is read elsewhere, and always because of a word that is not to be found here before the result
    /// is lost.
    bool reader_is_left_out(const execution_trace::overwriting& one) const {
        const execution_step& lost = step_at(trace_, one.loser);
        bool is_read_elsewhere = false;
        for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
            const execution_step& like = trace_.steps[i];
            if (word(like.event.word) != word(lost.event.word) ||
                like.event.insn.word != lost.event.insn.word || like.event.unit != lost.event.unit ||
                like.scheduled() != lost.scheduled())
                continue;
            for (const int reader : readers_[i]) {
                const std::int64_t by = step_at(trace_, reader).event.word;
                const std::int64_t last =
                    std::max(step_at(trace_, one.winner).event.word, lost.event.word + by - like.event.word);
                for (std::int64_t here = lost.event.word; here <= last; ++here)
                    if (word(here) == word(by)) return false;
                is_read_elsewhere = true;
            }
        }
        return is_read_elsewhere;
    }
    /// A word of the program; nothing before its first and behind its last.
    std::optional<std::uint32_t> word(std::int64_t index) const {
        if (index < 0 || index >= static_cast<std::int64_t>(context_.program.size())) return std::nullopt;
        return context_.program.word(static_cast<std::size_t>(index)).word;
    }

    bool missed_by_own_macro(const execution_trace::overwriting& one) const {
        const std::int64_t macro = step_at(trace_, one.loser).event.word;
        const step_list& users = readers_[static_cast<std::size_t>(one.loser)];
        const bool only_strangers = std::all_of(users.begin(), users.end(), [&](int reader) {
            const execution_step& step = step_at(trace_, reader);
            return step.scheduled() && step.event.word != macro;
        });
        return only_strangers && any_later_read(one, [&](const execution_step& reader, int provider) {
                   return reader.scheduled() && reader.event.word == macro &&
                          step_at(trace_, provider).event.word != macro;
               });
    }

    /// Whether a step that reads the register after the loss satisfies `wanted(reader, step that wrote the
    /// value)`.
    template <class Wanted>
    bool any_later_read(const execution_trace::overwriting& one, Wanted wanted) const {
        const cycles lost = step_at(trace_, one.winner).event.end;
        for (const execution_step& step : trace_.steps) {
            if (step.event.begin <= lost) continue;
            for (const auto& [what, by] : step.reads)
                if (what == one.what && by != nobody && wanted(step, by)) return true;
        }
        return false;
    }

    const hazard_context& context_;
    const execution_trace& trace_;
    std::vector<step_list> readers_;
};

/// The steps whose results reach the final contents of a slice.
std::vector<bool> contributors(const execution_trace& trace, resource slice) {
    std::vector<bool> marked(trace.steps.size(), false);
    step_list open;
    const auto mark = [&](int step) {
        if (step == nobody || marked[static_cast<std::size_t>(step)]) return;
        marked[static_cast<std::size_t>(step)] = true;
        open.push_back(step);
    };
    mark(trace.last_writer[slice]);
    while (!open.empty()) {
        const execution_step& step = step_at(trace, open.back());
        open.pop_back();
        for (const auto& [what, by] : step.reads) mark(by);
    }
    return marked;
}

} // namespace

std::vector<stale_configuration> stale_configurations(const execution_trace& trace) {
    constexpr configuration_parts misc = 1u << misc_part;
    std::vector<stale_configuration> found;
    configuration_parts written = 0;
    bool is_told = false; // that Misc has not been written, where it does not matter
    for (const execution_step& step : trace.steps) {
        const configuration_parts stale = step.configured_by & ~written;
        const bool is_harmless = stale == misc && !step.needs_misc;
        if (stale != 0 && !(is_harmless && is_told)) found.push_back({&step, stale, is_harmless});
        is_told |= is_harmless;
        // Once is enough.
        written |= step.configured | (step.needs_misc ? stale : stale & ~misc);
    }
    return found;
}

void report_stale_configuration(const hazard_context& context) {
    for (const stale_configuration& each : stale_configurations(context.trace))
        context.reporter.report(
            report_id::macro_stale_configuration, each.step->event.begin, each.step->event.word, [&] {
                return fmt::format("macro {} uses {}, which this program has not written",
                                   each.step->event.insn.macro_index, part_names(each.parts));
            });
}

void report_lost_results(const hazard_context& context) { lost_result_search(context).run(); }

void report_unwritten_reads(const hazard_context& context, resource slice) {
    const std::vector<bool> matters = contributors(context.trace, slice);
    for (std::size_t i = 0; i < matters.size(); ++i) {
        if (!matters[i]) continue;
        const execution_step& step = context.trace.steps[i];
        for (const auto& [what, by] : step.reads) {
            if (by != nobody || !is_register(what)) continue;
            const resource unwritten = what; // a lambda may not name a structured binding
            context.reporter.report(report_id::hazard_unwritten_read, step.event.begin, step.event.word, [&] {
                return fmt::format("{} reads L{}, which this program has not written by then",
                                   described(context, step), unwritten);
            });
        }
    }
}

} // namespace sfpu::analysis
