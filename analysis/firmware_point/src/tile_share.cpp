#include "tile_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sfpu::analysis {
namespace {

std::uint64_t counter(const probe::counter_group& group, std::string_view name) {
    for (const auto& [known, count] : group.counters)
        if (known == name) return count;
    return 0;
}

bool begins_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

tile_share share_of_hart(const probe::counter_group& hart) {
    const std::uint64_t stalled = counter(hart, "stalled");
    tile_share share{hart.name, counter(hart, "cycles") - std::min(counter(hart, "cycles"), stalled), stalled,
                     "", true};
    std::uint64_t most = 0;
    for (const probe::counter_group& causes : hart.groups)
        for (const auto& [cause, count] : causes.counters)
            if (count > most) {
                most = count;
                share.cause = cause;
            }
    return share;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return fmt::format("{:.1f} %", whole ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0);
}

} // namespace

std::vector<tile_share> shares_of(const platform::tile_run& tile) {
    std::vector<tile_share> shares, others;
    for (const probe::counter_group& group : tile.counters()) {
        if (begins_with(group.name, "hart")) shares.push_back(share_of_hart(group));
        if (begins_with(group.name, "front_end"))
            others.push_back(
                {group.name, counter(group, "words_out"), counter(group, "wait_gate_cycles"), ""});
        if (begins_with(group.name, "tensorload"))
            for (const probe::counter_group& part : group.groups)
                others.push_back(
                    {"TensorLoad " + part.name, counter(part, "busy"), counter(part, "waited"), ""});
    }
    const probe::unit_counters& counters = tile.vector_unit_counters();
    for (const isa::sub_unit unit : {isa::sub_unit::load, isa::sub_unit::simple, isa::sub_unit::mad,
                                     isa::sub_unit::round, isa::sub_unit::store})
        others.push_back({fmt::format("SFPU {}", isa::to_string(unit)),
                          counters.busy[static_cast<unsigned>(unit)], 0, ""});
    for (tile_share& each : others)
        if (each.busy) shares.push_back(std::move(each));
    return shares;
}

std::string busiest_text(const std::vector<tile_share>& shares, std::uint64_t cycles) {
    const auto most =
        std::max_element(shares.begin(), shares.end(),
                         [](const tile_share& a, const tile_share& b) { return a.busy < b.busy; });
    if (most == shares.end()) return "";
    std::vector<std::string> names;
    for (const tile_share& each : shares)
        if (each.busy == most->busy) names.push_back(each.name);
    // What works in less than half of the cycles leaves most of them to something else.
    const std::string work =
        fmt::format("{} of {} cycles ({})", most->busy, cycles, percent(most->busy, cycles));
    std::string text;
    if (2 * most->busy < cycles)
        text = fmt::format("No resource binds by itself: {}, the busiest, {} in {}",
                           fmt::join(names, " and "), names.size() > 1 ? "work" : "works", work);
    else
        text = fmt::format("{} {} busiest: {}", fmt::join(names, " and "), names.size() > 1 ? "are" : "is",
                           work);
    for (const tile_share& each : shares)
        if (each.is_hart && each.blocked)
            text += fmt::format("; {} is stalled for {} ({}, most by {})", each.name, each.blocked,
                                percent(each.blocked, cycles), each.cause);
    return text + ".";
}

} // namespace sfpu::analysis
