#include <sfpu/views/optimize.h>

#include "page_parts.h"
#include "source_parts.h"

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace sfpu::views {
namespace {

using analysis::optimize_answer;
using analysis::optimized_schedule;
using analysis::proof_status;
using analysis::refuted_interval;
using optimize_json = nlohmann::ordered_json;

optimize_json schedule_json(const optimized_schedule& best) {
    return {{"cycles_per_row", best.cycles_per_row}, {"rows_per_iteration", best.rows_per_iteration},
            {"verdict", best.verdict.name},          {"macros", best.macros},
            {"templates", best.templates},           {"lregs", best.registers},
            {"tail_words", best.tail_words},         {"spilled_values", best.spilled_values}};
}

optimize_json refuted_json(const refuted_interval& each, const optimize_answer& answer) {
    optimize_json because = optimize_json::array(), relaxations = optimize_json::array();
    for (const std::string& group : each.because) because.push_back(group);
    for (const auto& change : each.relaxations)
        relaxations.push_back({{"parameter", change.parameter},
                               {"value", change.value},
                               {"cycles_per_row", change.cycles_per_row}});
    optimize_json one = {{"cycles_per_row", each.cycles_per_row},
                         {"rows_per_iteration", each.rows_per_iteration},
                         {"horizon", each.horizon},
                         {"copies", each.copies},
                         {"because", because}};
    if (answer.why_was_asked) one["relaxations"] = relaxations;
    one["seconds"] = each.seconds;
    if (answer.why_was_asked) {
        optimize_json about = optimize_json::object();
        for (std::size_t g = 0; g < each.instructions.size() && g < each.because.size(); ++g)
            about[each.because[g]] = each.instructions[g];
        one["instructions"] = about;
    }
    return one;
}

std::string rewrites_text(const optimize_answer& answer) {
    std::string text;
    for (const analysis::applied_rewrite& each : answer.rewrites)
        text += fmt::format("rewritten        {}{}: bound {:g} to {:g}{}\n", each.rule,
                            each.times > 1 ? fmt::format(", {} times", each.times) : "", each.bound_before,
                            each.bound_after, each.assumed.empty() ? "" : "; assumed: " + each.assumed);
    if (!answer.rewrites.empty())
        text += fmt::format("rewritten row    {} equal to the given one\n", to_string(answer.rewrites_are));
    return text;
}

optimize_json rewrites_json(const optimize_answer& answer) {
    optimize_json list = optimize_json::array();
    for (const analysis::applied_rewrite& each : answer.rewrites)
        list.push_back(
            {{"rule", each.rule},
             {"help", each.help},
             {"times", each.times},
             {"bound_before", each.bound_before},
             {"bound_after", each.bound_after},
             {"assumed", each.assumed.empty() ? optimize_json(nullptr) : optimize_json(each.assumed)}});
    return list;
}

std::string head_text(const optimize_answer& answer) {
    const auto& best = answer.best;
    std::string text = fmt::format("{:<16} {:g} cycles a row{}\n",
                                   answer.retimed ? "on its machine" : "plain", answer.plain_cycles_per_row,
                                   answer.plain_verdict.robust() ? "" : ", " + answer.plain_verdict.name);
    if (answer.retimed) text += fmt::format("structure        {}\n", to_string(answer.structure));
    if (best && !answer.best_was_given.empty())
        text += fmt::format(
            "found            nothing shorter than {}: {:g} cycles a row, {} macros, {} templates, "
            "{} registers, {}\n",
            shown_name(answer.best_was_given), best->cycles_per_row, best->macros, best->templates,
            best->registers, best->verdict.name);
    else if (best)
        text += fmt::format("found            {:g} cycles a row, {} macros, {} templates, {} registers, {}\n",
                            best->cycles_per_row, best->macros, best->templates, best->registers,
                            best->verdict.name);
    else
        text += !answer.plain_serves ? "found            no schedule for this machine\n"
                                     : "found            nothing shorter\n";
    return text +
           fmt::format("bound            {:g} ({})\n", answer.bound_cycles_per_row, answer.bound_reason);
}

/// `best`: cycles a row of what was found, if anything was.
std::string refuted_text(const refuted_interval& each, std::optional<double> best) {
    const bool free = each.free_rows > 1;
    std::string rows =
        fmt::format("{} rotating row{}", each.rotating_rows, each.rotating_rows == 1 ? "" : "s");
    if (free && each.rotating_rows == 1) rows = fmt::format("{} free rows", each.free_rows);
    else if (free)
        rows = fmt::format("{} free rows, {} times with other registers", each.free_rows, each.rotating_rows);
    std::string text =
        fmt::format("refuted          {:g} with {}, horizon {}, {} copies of a load, in {:.1f} s{}\n",
                    each.cycles_per_row, rows, each.horizon, each.copies, each.seconds,
                    best && *best <= each.cycles_per_row ? "; found with other rows" : "");
    if (!each.because.empty()) text += fmt::format("  because of     {}\n", fmt::join(each.because, ", "));
    for (std::size_t g = 0; g < each.instructions.size() && g < each.because.size(); ++g)
        if (!each.instructions[g].empty())
            text += fmt::format("    {:<12} {}\n", each.because[g], fmt::join(each.instructions[g], "; "));
    for (const auto& change : each.relaxations)
        text += fmt::format("  possible with  {} = {}\n", change.parameter, change.value);
    if (each.relaxations_tried && each.relaxations.empty())
        text += "  possible with  none of the single changes that were tried\n";
    return text;
}

/// "12 to 13, 15"
std::string undecided_text(const analysis::schedule_proof& proof) {
    std::vector<std::string> ranges;
    for (const auto& [from, to] : proof.undecided)
        ranges.push_back(from == to ? fmt::format("{:g}", from) : fmt::format("{:g} to {:g}", from, to));
    return fmt::format("{}", fmt::join(ranges, ", "));
}

std::string proof_text(const optimize_answer& answer) {
    const analysis::schedule_proof& proof = answer.proof;
    switch (proof.status) {
    case proof_status::bound: return "proved           it takes what the bound says\n";
    case proof_status::optimal: return "proved           no shorter one exists within these limits\n";
    case proof_status::optimal_in_form:
        return fmt::format("in this form     none is shorter. Left out: {}\n",
                           fmt::join(proof.left_out, "; "));
    case proof_status::open: break;
    }
    std::string known =
        proof.undecided.empty() ? "the search ended early" : "undecided " + undecided_text(proof);
    if (proof.refuted_up_to) known += fmt::format(", refuted up to {:g}", *proof.refuted_up_to);
    return fmt::format("not proved       {}\n", known);
}

optimize_json proof_json(const analysis::schedule_proof& proof) {
    optimize_json undecided = optimize_json::array();
    for (const auto& [from, to] : proof.undecided) undecided.push_back({from, to});
    return {
        {"status", to_string(proof.status)},
        {"left_out", proof.left_out},
        {"refuted_up_to", proof.refuted_up_to ? optimize_json(*proof.refuted_up_to) : optimize_json(nullptr)},
        {"undecided", undecided}};
}

} // namespace

std::string to_text(const optimize_answer& answer) {
    std::string text = head_text(answer) + rewrites_text(answer);
    const auto best = answer.best ? std::optional(answer.best->cycles_per_row) : std::nullopt;
    for (const refuted_interval& each : answer.refuted) text += refuted_text(each, best);
    if (const unsigned count = answer.best ? answer.best->spilled_values : 0; count != 0)
        text += fmt::format("stored aside     {} value{} of a row, in Dst\n", count, count == 1 ? "" : "s");
    else if (answer.why_was_asked && !answer.no_spill.empty())
        text += fmt::format("stored aside     nothing in Dst: {}\n", answer.no_spill);
    text += proof_text(answer);
    const bool tried = std::any_of(answer.refuted.begin(), answer.refuted.end(),
                                   [](const refuted_interval& each) { return each.relaxations_tried; });
    if (answer.why_was_asked && answer.proof.status == proof_status::bound && !tried)
        text += "why              the bound alone rules out fewer cycles: what it counts binds, and no "
                "change of the machine was tried\n";
    if (answer.why_was_asked && answer.proof.status == proof_status::open)
        for (const std::string& each : answer.proof.left_out)
            text += fmt::format("not looked at    {}\n", each);
    if (!answer.not_met.empty()) text += fmt::format("not met          {}\n", answer.not_met);
    return text + fmt::format("time             {:.1f} s\n", answer.seconds);
}

std::string to_json(const optimize_answer& answer) {
    const auto& best = answer.best;
    optimize_json refuted = optimize_json::array();
    for (const refuted_interval& each : answer.refuted) refuted.push_back(refuted_json(each, answer));
    optimize_json document = {
        {"kernel", answer.kernel},
        {"arch", short_name(answer.arch)},
        {"plain", {{"cycles_per_row", answer.plain_cycles_per_row}, {"verdict", answer.plain_verdict.name}}},
        {"best", best ? schedule_json(*best) : optimize_json(nullptr)},
        {"bound", {{"cycles_per_row", answer.bound_cycles_per_row}, {"reason", answer.bound_reason}}},
        {"proved", answer.proved},
        {"refuted", refuted},
        {"rewrites", rewrites_json(answer)},
        {"rewritten_row",
         answer.rewrites.empty() ? optimize_json(nullptr) : optimize_json(to_string(answer.rewrites_are))},
        {"no_rewrite", answer.no_rewrite.empty() ? optimize_json(nullptr) : optimize_json(answer.no_rewrite)},
        {"no_spill", answer.no_spill.empty() ? optimize_json(nullptr) : optimize_json(answer.no_spill)},
        {"checked",
         {{"cells", best ? best->cells : 0},
          {"exhaustive", best && best->exhaustive},
          {"bubbles", best && best->verdict.survives_bubbles},
          {"equal", best.has_value()},
          {"verdict", best ? optimize_json(to_string(best->strength)) : optimize_json(nullptr)}}},
        {"seconds", answer.seconds},
        {"proof", proof_json(answer.proof)},
        {"not_met", answer.not_met.empty() ? optimize_json(nullptr) : optimize_json(answer.not_met)},
        {"best_was_given",
         answer.best_was_given.empty() ? optimize_json(nullptr) : optimize_json(answer.best_was_given)}};
    if (answer.retimed) document["structure"] = to_string(answer.structure);
    add_source(document, answer.given);
    return document_text(document);
}

} // namespace sfpu::views
