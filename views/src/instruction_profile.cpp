#include <sfpu/views/instruction_profile.h>

#include "page_parts.h"
#include "source_parts.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace sfpu::views {

using namespace analysis;

namespace {

using json = nlohmann::ordered_json;

// As text ---------------------------------------------------------------------------------------------------

enum profile_column : unsigned {
    at_line,
    at_instruction,
    at_unit,
    at_executed,
    at_waited,
    at_latency,
    at_slack,
    at_issue,
    at_busy,
    at_notes,
    profile_columns
};
using profile_row = std::array<std::string, profile_columns>;

bool is_flushed_left(unsigned column) {
    return column == at_instruction || column == at_unit || column == at_notes;
}

template <class Number>
std::string number_text(const std::optional<Number>& number) {
    return number ? fmt::format("{}", *number) : "-";
}
std::string percent_text(const std::optional<double>& share) {
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

/// "mad-dependence 32"
std::vector<std::string> wait_texts(const waits_by_cause& waited) {
    std::vector<std::string> texts;
    for (unsigned cause = 0; cause < waited.size(); ++cause)
        if (waited[cause] != 0)
            texts.push_back(fmt::format("{} {}", probe::to_string(static_cast<probe::stall_cause>(cause)),
                                        waited[cause]));
    return texts;
}

std::string notes_of(bool on_recurrence, bool on_busiest, const waits_by_cause& waited,
                     std::uint64_t discarded) {
    std::vector<std::string> notes;
    if (on_recurrence) notes.emplace_back("recurrence");
    if (on_busiest) notes.emplace_back("busiest");
    for (std::string& each : wait_texts(waited)) notes.push_back(std::move(each));
    if (discarded != 0) notes.push_back(fmt::format("discarded {}", discarded));
    return fmt::format("{}", fmt::join(notes, ", "));
}

std::string place_text(const isa::word_origin& origin) {
    if (origin.line != 0) return std::to_string(origin.line);
    return origin.address ? fmt::format("0x{:x}", *origin.address) : "-";
}

profile_row row_of(const instruction_facts& facts) {
    profile_row row;
    row[at_instruction] = facts.text;
    row[at_unit] = facts.unit == isa::sub_unit::front_end ? "-" : isa::to_string(facts.unit);
    row[at_executed] = std::to_string(facts.executed);
    row[at_latency] = number_text(facts.latency);
    row[at_slack] = number_text(facts.slack);
    row[at_busy] = percent_text(facts.unit_share);
    row[at_notes] = notes_of(facts.on_recurrence, facts.on_busiest, {}, facts.discarded);
    return row;
}

void add_word_rows(std::vector<profile_row>& rows, const word_facts& word, bool with_busiest) {
    profile_row row = row_of(word);
    row[at_line] = place_text(word.origin);
    row[at_waited] = std::to_string(word.all_waited());
    row[at_issue] = percent_text(word.issue_share);
    row[at_notes] =
        notes_of(word.on_recurrence, with_busiest && word.on_busiest, word.waited, word.discarded);
    rows.push_back(std::move(row));
    for (std::size_t i = 0; i < word.made.size(); ++i) {
        rows.push_back(row_of(word.made[i]));
        std::string& text = rows.back()[at_instruction];
        text.insert(0, word.is_scheduled[i] ? "  *" : "  ");
    }
}

std::string cut(std::string text, std::size_t width) {
    if (text.size() <= width) return text;
    return width < 2 ? text.substr(0, width) : text.substr(0, width - 2) + "..";
}

/// Rows of one cell are headings. Instructions and notes are cut where lines have a width.
std::string table_text(std::vector<profile_row> rows, unsigned columns) {
    std::array<std::size_t, profile_columns> widths{};
    for (const profile_row& row : rows)
        for (unsigned i = 0; i < profile_columns; ++i) widths[i] = std::max(widths[i], row[i].size());
    if (columns != 0) {
        constexpr std::size_t least_instruction = 24;
        std::size_t others = 2 * (profile_columns - 1);
        for (unsigned i = 0; i < profile_columns; ++i)
            if (i != at_instruction && i != at_notes) others += widths[i];
        const std::size_t rest = columns > others ? columns - others : 0;
        const std::size_t notes =
            std::min(widths[at_notes], rest > least_instruction ? rest - least_instruction : 0);
        widths[at_instruction] = std::min(widths[at_instruction], rest - notes);
        widths[at_notes] = notes;
    }
    std::string out;
    for (profile_row& row : rows) {
        std::string line;
        for (unsigned i = 0; i < profile_columns; ++i) {
            const std::string cell = cut(std::move(row[i]), widths[i]);
            line += i == 0 ? "" : "  ";
            line += is_flushed_left(i) ? fmt::format("{:<{}}", cell, widths[i])
                                       : fmt::format("{:>{}}", cell, widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

/// A note that stands at each word of the loop tells none from another.
bool tells_busiest(const instruction_profile& profile) {
    return std::any_of(profile.words.begin(), profile.words.end(), [](const word_facts& word) {
        return word.part == kernel_part::loop && !word.on_busiest;
    });
}

std::string head_text(const instruction_profile& profile) {
    if (!profile.unknown.empty())
        return fmt::format("profile: no steady state: {}; slack and shares are unknown\n", profile.unknown);
    const double interval = profile.cycles_per_row * profile.rows_per_iteration;
    std::string text = fmt::format("profile: an iteration takes {:g} cycles (II)", interval);
    if (profile.rows_per_iteration > 1) text += fmt::format(", {:.2f} a row", profile.cycles_per_row);
    text += "; " + profile.binds.text;
    std::vector<std::string> busiest;
    for (const isa::sub_unit each : profile.binds.busiest) busiest.push_back(resource_name(each));
    if (!busiest.empty())
        text += fmt::format("\nbusiest: {}, {:.2f} cycles a row", fmt::join(busiest, ", "),
                            profile.binds.busiest_cycles_per_row);
    if (profile.binds.recurrence_cycles_per_row > 0)
        text +=
            fmt::format("; longest recurrence: {:.2f} cycles a row", profile.binds.recurrence_cycles_per_row);
    return text + "\n";
}

std::string lines_text(const instruction_profile& profile) {
    std::vector<std::vector<std::string>> rows{{"line", "executed", "waited", "slack", "issue", "notes"}};
    for (const line_facts& line : profile.lines) {
        std::uint64_t waited = 0;
        for (const std::uint64_t each : line.waited) waited += each;
        rows.push_back(
            {fmt::format("{}:{}", shown_name(line.file), line.line), std::to_string(line.executed),
             std::to_string(waited), number_text(line.slack), percent_text(line.issue_share),
             notes_of(line.on_recurrence, tells_busiest(profile) && line.on_busiest, line.waited, 0)});
    }
    return rows.size() == 1 ? "" : "\n" + page_table_text(rows);
}

// As JSON ---------------------------------------------------------------------------------------------------

template <class Number>
json number_json(const std::optional<Number>& number) {
    return number ? json(*number) : json(nullptr);
}
json share_json(const std::optional<double>& share) {
    return share ? json(std::round(*share * 1e6) / 1e6) : json(nullptr);
}
json waits_json(const waits_by_cause& waited) {
    json object = json::object();
    for (unsigned cause = 0; cause < waited.size(); ++cause)
        if (waited[cause] != 0)
            object[probe::to_string(static_cast<probe::stall_cause>(cause))] = waited[cause];
    return object;
}
std::string unit_name(isa::sub_unit unit) {
    return unit == isa::sub_unit::front_end ? "front-end" : isa::to_string(unit);
}

void add_facts(json& object, const instruction_facts& facts) {
    object["text"] = facts.text;
    object["unit"] = unit_name(facts.unit);
    object["executed"] = facts.executed;
    object["discarded"] = facts.discarded;
    object["latency"] = number_json(facts.latency);
    object["slack"] = number_json(facts.slack);
    object["unit_share"] = share_json(facts.unit_share);
    object["on_recurrence"] = facts.on_recurrence;
    object["on_busiest_resource"] = facts.on_busiest;
}

json word_json(const word_facts& word) {
    json object{{"part", to_string(word.part)}, {"place", word.place}, {"file", word.origin.file}};
    put_place(object, "", word.origin);
    add_facts(object, word);
    object["waits"] = waits_json(word.waited);
    object["issue_share"] = share_json(word.issue_share);
    json made = json::array();
    for (std::size_t i = 0; i < word.made.size(); ++i) {
        json one{{"scheduled", bool{word.is_scheduled[i]}}};
        add_facts(one, word.made[i]);
        made.push_back(std::move(one));
    }
    object["made"] = std::move(made);
    return object;
}

json line_facts_json(const line_facts& line) {
    return {{"file", line.file},
            {"line", line.line},
            {"is_cpp", line.is_cpp},
            {"executed", line.executed},
            {"waits", waits_json(line.waited)},
            {"issue_share", share_json(line.issue_share)},
            {"slack", number_json(line.slack)},
            {"on_recurrence", line.on_recurrence},
            {"on_busiest_resource", line.on_busiest},
            {"instructions", line.words}};
}

json steady_json(const steady_state& state, const kernel_run& kernel) {
    if (!state.reached_in(kernel.iterations())) return nullptr;
    json events = json::array();
    for (const steady_event& each : state.events) {
        if (!state.in_period(each)) continue;
        const std::int64_t shift = state.from - state.reference;
        json event{{"cycle", each.begin + shift}};
        if (each.held) event["held"] = probe::to_string(*each.held);
        else {
            event["unit"] = unit_name(each.key.unit);
            event["text"] = isa::text(each.insn, kernel.kernel().words);
            event["scheduled"] = each.key.from == probe::origin::macro;
            event["discarded"] = each.discarded;
        }
        event["instruction"] = each.key.place;
        events.push_back(std::move(event));
    }
    return {{"iteration", state.first},
            {"iterations", state.period},
            {"from_cycle", state.from},
            {"to_cycle", state.from + state.cycles - 1},
            {"events", std::move(events)}};
}

} // namespace

std::string to_text(const instruction_profile& profile, unsigned columns) {
    std::vector<profile_row> rows{
        {"line", "instruction", "unit", "executed", "waited", "latency", "slack", "issue", "busy", "notes"}};
    std::optional<kernel_part> part;
    for (const word_facts& word : profile.words) {
        if (part != word.part) {
            profile_row heading;
            heading[at_instruction] = std::string(".") + to_string(word.part);
            rows.push_back(std::move(heading));
        }
        part = word.part;
        add_word_rows(rows, word, tells_busiest(profile));
    }
    return head_text(profile) + "\n" + table_text(std::move(rows), columns) + lines_text(profile);
}

json json_of(const instruction_profile& profile) {
    json words = json::array(), lines = json::array(), busiest = json::array();
    for (const word_facts& each : profile.words) words.push_back(word_json(each));
    for (const line_facts& each : profile.lines) lines.push_back(line_facts_json(each));
    for (const isa::sub_unit each : profile.binds.busiest) busiest.push_back(resource_name(each));
    const bool known = profile.unknown.empty();
    const auto if_known = [known](const json& value) { return known ? value : json(nullptr); };
    return {{"unknown", known ? json(nullptr) : json(profile.unknown)},
            {"cycles_per_iteration", if_known(profile.cycles_per_row * profile.rows_per_iteration)},
            {"rows_per_iteration", profile.rows_per_iteration},
            {"cycles_per_row", if_known(profile.cycles_per_row)},
            {"binds", if_known(profile.binds.text)},
            {"busiest", if_known({{"resources", busiest},
                                  {"cycles_per_row", profile.binds.busiest_cycles_per_row},
                                  {"binds", profile.binds.resource_binds}})},
            {"recurrence", if_known({{"cycles_per_row", profile.binds.recurrence_cycles_per_row},
                                     {"binds", profile.binds.recurrence_binds}})},
            {"executed", profile.executed},
            {"waits", waits_json(profile.waited)},
            {"instructions", std::move(words)},
            {"lines", std::move(lines)}};
}

std::string to_json(const instruction_profile& profile) { return document_text(json_of(profile)); }

std::string steady_state_text(const steady_state& state, const kernel_run& kernel) {
    if (!state.exists()) return fmt::format("all cycles, as there is no steady state: {}\n\n", state.unknown);
    if (!state.reached_in(kernel.iterations()))
        return fmt::format("all cycles, as {} iteration{} too few for the steady state\n\n",
                           kernel.iterations(), kernel.iterations() == 1 ? " is" : "s are");
    const std::int64_t last = state.first + state.period - 1;
    const std::string which = state.period == 1 ? fmt::format("iteration {}", state.first)
                                                : fmt::format("iterations {} to {}", state.first, last);
    return fmt::format("cycles {} to {}: {} of 0 to {}, in steady state; --all shows all cycles\n\n",
                       state.from, state.from + state.cycles - 1, which, kernel.iterations() - 1);
}

std::string schedule_json(const kernel_run& kernel, const simulation& run, const steady_state& state,
                          const instruction_profile& profile, const given_source& given) {
    json answer{{"kernel", kernel.kernel().file},
                {"arch", short_name(kernel.request().config.arch)},
                {"rows", kernel.rows()},
                {"cycles", run.result.cycles_used.count()},
                {"steady_state", steady_json(state, kernel)},
                {"profile", json_of(profile)}};
    add_source(answer, given);
    return document_text(answer);
}

} // namespace sfpu::views
