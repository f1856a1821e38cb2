#include <sfpu/probe/dependence_cycle.h>
#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>

#include "value_flow.h"

#include <sfpu/isa/word_effects.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace sfpu::probe {

/// A value that a result is made of.
struct dependence_edge {
    value_maker maker = no_maker;
    std::int64_t cycles = 0; ///< from the maker's cycle to the first that can read its value
    std::uint8_t value = 0;  ///< index of a register, or dst_value

    bool operator==(const dependence_edge& other) const {
        return maker == other.maker && value == other.value;
    }
};

namespace {

constexpr std::size_t nothing = static_cast<std::size_t>(-1);
constexpr register_set every_general = (1u << isa::general_lregs) - 1;
constexpr std::uint8_t dst_value = 0xff; ///< in the place of a register

/// Lanes of a result that are made of the same values.
struct alike_lanes {
    lane_mask lanes = 0;
    std::vector<dependence_edge> from;
};

/// These lanes are made of one value more; parts of which that is true for some lanes are split.
void add_edge(std::vector<alike_lanes>& parts, lane_mask lanes, const dependence_edge& edge) {
    const std::size_t count = parts.size();
    for (std::size_t i = 0; i < count; ++i) {
        const lane_mask both = parts[i].lanes & lanes;
        if (!both) continue;
        if (both != parts[i].lanes) {
            parts.push_back({parts[i].lanes & ~both, parts[i].from});
            parts[i].lanes = both;
        }
        std::vector<dependence_edge>& from = parts[i].from;
        if (std::find(from.begin(), from.end(), edge) == from.end()) from.push_back(edge);
    }
}

/// An instruction whose work shows elsewhere than in a register.
bool has_other_effect(const execution_event& event) {
    // Where the chips differ (SFPPUSHC that complements flags), the stack is used on both.
    const isa::word_effects effects = isa::effects_of(event.insn, architecture::blackhole);
    return writes_dst(event) || effects.writes_flags || effects.uses_stack ||
           event.insn.is(isa::opcode::sfpconfig);
}

std::string name_of_value(std::uint8_t value) {
    return value == dst_value ? "Dst" : "L" + std::to_string(lreg_of(value));
}

} // namespace

/// A result of an instruction that was executed, or a part of one, or its effect elsewhere.
struct dependence_link {
    std::int64_t place = -1; ///< of its word in the loop; negative outside
    std::int64_t iteration = 0;
    isa::sub_unit unit{};
    isa::instruction insn;
    std::int64_t latency = 0; ///< of its register result
    bool is_seen = false;     ///< it has an effect elsewhere
    std::size_t first_edge = 0, edges = 0;

    /// The same in each iteration.
    std::pair<std::int64_t, isa::sub_unit> identity() const { return {place, unit}; }
};

struct dependence_watch::implementation {
    std::int64_t first_word, words, iterations, store_to_load;
    std::vector<dependence_link> links; ///< what a result is made of stands before it
    std::vector<dependence_edge> edges;
    lane_values values;
    bool stores = false; ///< something reached Dst

    dependence_link link_of(const execution_event& event) const {
        const std::int64_t word = event.word - first_word;
        const bool in_loop = word >= 0 && word / words < iterations;
        dependence_link link;
        link.place = in_loop ? word % words : -1;
        link.iteration = in_loop ? word / words : -1;
        link.unit = event.unit;
        link.insn = event.insn;
        link.latency = (event.end - event.begin).count() + 1;
        return link;
    }
    value_maker add(dependence_link link, const std::vector<dependence_edge>& from) {
        link.first_edge = edges.size();
        link.edges = from.size();
        edges.insert(edges.end(), from.begin(), from.end());
        links.push_back(std::move(link));
        return static_cast<value_maker>(links.size() - 1);
    }

    /// What lanes of a result are made of.
    std::vector<alike_lanes> made_of(const execution_event& event, const std::vector<flow_source>& sources,
                                     bool from_dst, lane_mask lanes) const {
        std::vector<alike_lanes> parts{{lanes, {}}};
        const cycles at = reading_cycle(event);
        for (const flow_source& source : sources)
            values.read(source, lanes, at, [&](lane_mask some, value_maker by) {
                if (by == no_maker) return;
                const std::int64_t waited = links[by].latency - (at - event.begin).count();
                add_edge(parts, some, {by, waited, static_cast<std::uint8_t>(source.index)});
            });
        if (from_dst)
            values.read_dst(shown_dst_address(event), lanes, event.begin.count(), store_to_load,
                            [&](lane_mask some, value_maker by) {
                                add_edge(parts, some, {by, store_to_load, dst_value});
                            });
        return parts;
    }
    void write(const execution_event& event, const register_access& access, const dependence_link& link) {
        const lane_mask lanes = written_lanes(event);
        for (const value_flow& flow : flows_of(event, access))
            for (const alike_lanes& part : made_of(event, flow.from, flow.from_dst, lanes))
                if (part.lanes) values.write(event, flow, part.lanes, add(link, part.from));
    }
    /// An instruction that is seen elsewhere depends on everything that it reads; a store on the lanes that
    /// it writes.
    void note_effect(const execution_event& event, register_set reads, dependence_link link) {
        std::vector<dependence_edge> from;
        const lane_mask lanes = writes_dst(event) ? event.lanes : all_lanes;
        for (const alike_lanes& part : made_of(event, sources_of(event, reads), false, lanes))
            for (const dependence_edge& edge : part.from)
                if (std::find(from.begin(), from.end(), edge) == from.end()) from.push_back(edge);
        link.is_seen = true;
        const value_maker by = add(std::move(link), from);
        if (!writes_dst(event)) return;
        values.write_dst(event, by);
        stores = true;
    }
    /// An indirect operand may be any register: whoever made what stands there counts as read.
    void read_any() {
        values.each_maker([this](value_maker by) { links[by].is_seen = true; });
    }
    void write_any(const execution_event& event) {
        read_any();
        for (unsigned index = 0; index < isa::general_lregs; ++index)
            values.write(event, {index, true, true, false, {}}, written_lanes(event), no_maker);
    }

    std::vector<bool> needed() const;
    struct longest {
        std::vector<std::int64_t> depth;
        std::vector<std::size_t> edge; ///< by which it is reached
    };
    longest longest_chains() const;
    std::size_t deepest_at_end(const std::vector<std::int64_t>& depth, const std::vector<bool>& live) const;
};

dependence_watch::dependence_watch(std::int64_t first_word, std::int64_t words, std::int64_t iterations,
                                   std::int64_t store_to_load)
    : impl_(new implementation{first_word, words, iterations, store_to_load, {}, {}, {}, false}) {}
dependence_watch::~dependence_watch() = default;

void dependence_watch::executed(const execution_event& event) {
    if (!event.takes_effect || event.discarded || event.unit == isa::sub_unit::front_end) return;
    register_access access = registers_of(event);
    // Which one an indirect operand means is not known here.
    const bool on_mad = event.unit == isa::sub_unit::mad;
    const bool reads_any = on_mad && (access.reads & every_general) == every_general;
    const bool writes_any = on_mad && (access.writes & every_general) == every_general;
    impl_->values.settle(event.begin);
    if (reads_any) {
        impl_->read_any();
        access.reads = 0;
    }
    const dependence_link link = impl_->link_of(event);
    if (has_other_effect(event)) impl_->note_effect(event, access.reads, link);
    if (writes_any) impl_->write_any(event);
    else impl_->write(event, access, link);
}

/// Links whose value reaches Dst, lane flags or the configuration; what nobody reads holds nobody up. Where
/// nothing is stored, the registers are what a kernel leaves.
std::vector<bool> dependence_watch::implementation::needed() const {
    std::vector<bool> live(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) live[i] = links[i].is_seen;
    if (!stores) values.each_maker([&](value_maker by) { live[by] = true; });
    for (std::size_t i = links.size(); i-- > 0;) {
        if (!live[i]) continue;
        for (std::size_t e = links[i].first_edge; e < links[i].first_edge + links[i].edges; ++e)
            live[edges[e].maker] = true;
    }
    return live;
}

dependence_watch::implementation::longest dependence_watch::implementation::longest_chains() const {
    longest found{std::vector<std::int64_t>(links.size()), std::vector<std::size_t>(links.size(), nothing)};
    for (std::size_t i = 0; i < links.size(); ++i)
        for (std::size_t e = links[i].first_edge; e < links[i].first_edge + links[i].edges; ++e) {
            const std::int64_t depth = found.depth[edges[e].maker] + edges[e].cycles;
            if (found.edge[i] != nothing && depth <= found.depth[i]) continue;
            found.depth[i] = depth;
            found.edge[i] = e;
        }
    return found;
}

/// Only a chain that closes grows from iteration to iteration. The one that decides grows fastest.
std::size_t dependence_watch::implementation::deepest_at_end(const std::vector<std::int64_t>& depth,
                                                             const std::vector<bool>& live) const {
    // Begin and end of the run are left out: there, instructions of neighbouring iterations are missing.
    const std::int64_t middle = iterations / 2, last = iterations * 3 / 4;
    struct growth {
        std::optional<std::int64_t> at_middle;
        std::size_t at_end = nothing;
    };
    std::map<std::pair<std::int64_t, isa::sub_unit>, growth> seen;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (links[i].place < 0 || !live[i]) continue;
        growth& known = seen[links[i].identity()];
        if (links[i].iteration == middle) known.at_middle = std::max(known.at_middle.value_or(0), depth[i]);
        if (links[i].iteration == last && (known.at_end == nothing || depth[i] > depth[known.at_end]))
            known.at_end = i;
    }
    std::size_t deepest = nothing;
    std::int64_t most = 0;
    for (const auto& [identity, known] : seen) {
        if (!known.at_middle || known.at_end == nothing) continue;
        if (depth[known.at_end] - *known.at_middle <= most) continue;
        most = depth[known.at_end] - *known.at_middle;
        deepest = known.at_end;
    }
    return deepest;
}

dependence_cycle dependence_watch::critical_cycle() const {
    const std::vector<dependence_link>& links = impl_->links;
    const implementation::longest chains = impl_->longest_chains();
    const std::size_t deepest = impl_->deepest_at_end(chains.depth, impl_->needed());
    dependence_cycle result;
    if (deepest == nothing) return result;

    const auto before = [&](std::size_t at) {
        const std::size_t edge = chains.edge[at];
        return edge == nothing ? nothing : static_cast<std::size_t>(impl_->edges[edge].maker);
    };
    // Backwards along the chain until an instruction comes again.
    std::vector<std::size_t> chain;
    std::map<std::pair<std::int64_t, isa::sub_unit>, std::size_t> place_in_chain;
    for (std::size_t at = deepest; at != nothing && links[at].place >= 0; at = before(at)) {
        const auto [known, fresh] = place_in_chain.try_emplace(links[at].identity(), chain.size());
        chain.push_back(at);
        if (fresh) continue;
        const std::size_t end = chain[known->second];
        result.cycles = chains.depth[end] - chains.depth[at];
        result.iterations = links[end].iteration - links[at].iteration;
        for (std::size_t i = chain.size() - 1; i > known->second; --i) {
            const std::size_t maker = chain[i], reader = chain[i - 1];
            result.steps.push_back({links[maker].place, links[maker].insn,
                                    name_of_value(impl_->edges[chains.edge[reader]].value),
                                    chains.depth[reader] - chains.depth[maker]});
        }
        return result;
    }
    return result;
}

} // namespace sfpu::probe
