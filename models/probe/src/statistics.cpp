#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/statistics.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace sfpu::probe {
namespace {

using json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

json meta(const statistics_input& input) {
    json config = json::parse(input.config, nullptr, false);
    if (config.is_discarded()) throw std::invalid_argument("statistics: the configuration is not JSON");
    json result;
    result["version"] = input.version;
    if (input.systemc.empty()) result["systemc"] = nullptr;
    else result["systemc"] = input.systemc;
    result["compiler"] = input.compiler;
    result["arch"] = short_name(input.arch);
    result["config_hash"] = fnv1a_64_hex(config.dump());
    result["config"] = std::move(config);
    return result;
}

json throughput(const statistics_input& input) {
    json result;
    result["rows"] = input.rows;
    result["cycles"] = input.cycles;
    result["cycles_per_row"] = input.cycles_per_row ? json(*input.cycles_per_row) : json(nullptr);
    const std::uint64_t executed = input.counters.executed();
    result["instructions"] = executed;
    result["ipc"] = ratio(executed, input.cycles);
    return result;
}

json issue(const statistics_input& input) {
    const issue_slots slots = issue_slots_of(input.counters, input.cycles, input.issue_width);
    return {{"slots", slots.slots}, {"issued", slots.issued}, {"held", slots.held}, {"idle", slots.idle}};
}

json units(const statistics_input& input) {
    json result;
    for (const unit_column& column : pipeline_columns) {
        const auto unit = static_cast<unsigned>(column.unit);
        const unit_counters& counted = input.counters;
        json& entry = result[isa::to_string(column.unit)];
        entry["busy"] = counted.busy[unit];
        entry["utilisation"] = ratio(counted.busy[unit], input.cycles);
        entry["issued"] = counted.issued[unit];
        entry["scheduled"] = counted.scheduled[unit];
        entry["discarded"] = counted.discarded[unit];
    }
    return result;
}

json steady_state(const steady_state_statistics& input) {
    json slots = json::object(), held = json::object(), relaxations = json::array();
    for (const auto& each : input.slots)
        slots[each.resource] = {{"busy", each.busy}, {"blocked", each.blocked}, {"idle", each.idle}};
    for (const auto& [cause, count] : input.held) held[cause] = count;
    for (const auto& each : input.relaxations)
        relaxations.push_back({{"resource", each.resource},
                               {"change", each.change},
                               {"cycles_per_row", each.cycles_per_row},
                               {"then", each.then}});
    return {{"cycles_per_row", input.cycles_per_row},
            {"binds", input.binds},
            {"slots", std::move(slots)},
            {"held", std::move(held)},
            {"relaxations", std::move(relaxations)},
            {"critical_cycle",
             {{"cycles_per_row", input.dependence_cycles_per_row}, {"dependences", input.dependences}}}};
}

json stalls(const unit_counters::by_stall_cause& counted) {
    json result = json::object();
    for (unsigned cause = 0; cause < stall_cause_count; ++cause)
        if (counted[cause]) result[to_string(static_cast<stall_cause>(cause))] = counted[cause];
    return result;
}

json stalls_by_thread(const statistics_input& input) {
    json result = json::array();
    for (const auto& counted : input.counters.stalls_by_thread) result.push_back(stalls(counted));
    return result;
}

json hazards(const statistics_input& input) {
    json result = json::object();
    for (unsigned id = 0; id < report_count; ++id)
        if (input.hazards[id]) result[describe(static_cast<report_id>(id)).name] = input.hazards[id];
    return result;
}

json allowed(const statistics_input& input) {
    json result = json::array();
    for (const auto& each : input.allowed)
        result.push_back({{"id", describe(each.id).name},
                          {"count", each.count},
                          {"line", each.line},
                          {"reason", each.reason}});
    return result;
}

json group(const counter_group& input) {
    json result = json::object();
    for (const auto& [name, count] : input.counters) result[name] = count;
    for (const counter_group& part : input.groups) result[part.name] = group(part);
    return result;
}

} // namespace

issue_slots issue_slots_of(const unit_counters& counters, std::uint64_t cycles, unsigned issue_width) {
    issue_slots slots;
    slots.slots = cycles * issue_width;
    // Words after the last effect have no cycle among these.
    slots.issued = std::min(counters.words, slots.slots);
    const std::uint64_t held =
        std::accumulate(counters.stalls.begin(), counters.stalls.end(), std::uint64_t{0});
    slots.held = std::min(held * issue_width, slots.slots - slots.issued);
    slots.idle = slots.slots - slots.issued - slots.held;
    return slots;
}

std::string statistics_json(const statistics_input& input) {
    json result;
    result["meta"] = meta(input);
    if (input.source)
        result["source"] = {
            {"file", input.source->file},
            {"function", input.source->function.empty() ? json(nullptr) : json(input.source->function)},
            {"form", input.source->form}};
    result["throughput"] = throughput(input);
    result["issue"] = issue(input);
    if (input.bound)
        result["bound"] = {{"cycles_per_row", input.bound->cycles_per_row}, {"reason", input.bound->reason}};
    if (input.steady_state) result["steady_state"] = steady_state(*input.steady_state);
    result["units"] = units(input);
    result["stalls"] = stalls(input.counters.stalls);
    result["stalls_by_thread"] = stalls_by_thread(input);
    result["hazards"] = hazards(input);
    if (!input.allowed.empty()) result["allowed"] = allowed(input);
    result["dst"] = {{"reads", input.counters.dst_reads}, {"writes", input.counters.dst_writes}};
    result["macro"] = {{"launched", input.counters.macros_launched},
                       {"forgotten", input.counters.macros_forgotten},
                       {"max_outstanding", input.counters.macro_max_outstanding}};
    json& not_modelled = result["not_modelled"] = json::object();
    for (const auto& [mnemonic, count] : input.not_modelled) not_modelled[mnemonic] = count;
    if (input.results)
        result["results"] = {
            {"changed", input.results->changed ? json(*input.results->changed) : json(nullptr)},
            {"cells", input.results->cells},
            {"verdict", !input.results->changed   ? json(nullptr)
                        : *input.results->changed ? json("different")
                                                  : json("tested")}};
    if (!input.tile.empty()) result["tile"] = group({"tile", {}, input.tile});
    return result.dump(2, ' ', false, json::error_handler_t::replace) + '\n'; // names may be no UTF-8
}

std::string fnv1a_64_hex(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

} // namespace sfpu::probe
