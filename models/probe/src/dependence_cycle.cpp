#include <sfpu/probe/dependence_cycle.h>
#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace sfpu::probe {
namespace {

constexpr std::size_t nothing = static_cast<std::size_t>(-1);
constexpr register_set every_general = (1u << isa::general_lregs) - 1;

} // namespace

/// An instruction that was executed, and the longest chain of values that leads to it.
struct dependence_link {
    std::int64_t place = -1; ///< of its word in the loop; negative outside
    std::int64_t iteration = 0;
    isa::sub_unit unit{};
    isa::instruction insn;
    std::int64_t begin = 0;
    std::int64_t latency = 0; ///< of its register result
    std::int64_t depth = 0;   ///< cycles of the chain before it
    std::size_t before = nothing;
    std::string value; ///< that the link before it has made

    /// The same in each iteration.
    std::pair<std::int64_t, isa::sub_unit> identity() const { return {place, unit}; }
};

struct dependence_watch::implementation {
    std::int64_t first_word, words, iterations, store_to_load;
    std::vector<dependence_link> links;
    value_tracker<std::size_t> values;
    std::map<std::uint32_t, std::size_t> stores; ///< the latest by Dst address

    /// The value that a link has made reaches another one `cycles` later.
    void follow(dependence_link& reader, std::size_t writer, std::int64_t cycles, std::string value) const {
        const std::int64_t depth = links[writer].depth + cycles;
        if (reader.before != nothing && depth <= reader.depth) return;
        reader.depth = depth;
        reader.before = writer;
        reader.value = std::move(value);
    }
};

dependence_watch::dependence_watch(std::int64_t first_word, std::int64_t words, std::int64_t iterations,
                                   std::int64_t store_to_load)
    : impl_(new implementation{first_word, words, iterations, store_to_load, {}, {}, {}}) {}
dependence_watch::~dependence_watch() = default;

void dependence_watch::executed(const execution_event& event) {
    if (!event.takes_effect || event.discarded || event.unit == isa::sub_unit::front_end) return;
    register_access access = registers_of(event);
    // Which one an indirect operand means is not known here.
    const bool reads_any =
        (access.reads & every_general) == every_general && event.unit == isa::sub_unit::mad;
    const bool writes_any =
        (access.writes & every_general) == every_general && event.unit == isa::sub_unit::mad;
    if (reads_any) access.reads = 0;
    const std::int64_t word = event.word - impl_->first_word;
    dependence_link now;
    const bool in_loop = word >= 0 && word / impl_->words < impl_->iterations;
    now.place = in_loop ? word % impl_->words : -1;
    now.iteration = in_loop ? word / impl_->words : -1;
    now.unit = event.unit;
    now.insn = event.insn;
    now.begin = event.begin.count();
    now.latency = (event.end - event.begin).count() + 1;
    impl_->values.read(access.reads, event.begin, [&](unsigned index, std::size_t writer) {
        if (writer != nothing)
            impl_->follow(now, writer, impl_->links[writer].latency, "L" + std::to_string(lreg_of(index)));
    });
    if (const auto stored = impl_->stores.find(shown_dst_address(event));
        reads_dst(event) && stored != impl_->stores.end())
        if (now.begin - impl_->links[stored->second].begin >=
            impl_->store_to_load) // else it sees an older one
            impl_->follow(now, stored->second, impl_->store_to_load, "Dst");
    const std::size_t index = writes_any ? nothing : impl_->links.size();
    impl_->links.push_back(std::move(now));
    if (access.writes) impl_->values.write(access.writes, event, index);
    if (writes_dst(event)) impl_->stores[shown_dst_address(event)] = index;
}

dependence_cycle dependence_watch::critical_cycle() const {
    // Only a chain that closes grows from iteration to iteration. The one that decides grows fastest.
    const std::vector<dependence_link>& links = impl_->links;
    // Begin and end of the run are left out: there, instructions of neighbouring iterations are missing.
    const std::int64_t middle = impl_->iterations / 2, last = impl_->iterations * 3 / 4;
    std::map<std::pair<std::int64_t, isa::sub_unit>, std::pair<std::optional<std::int64_t>, std::size_t>>
        seen;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (links[i].place < 0) continue;
        auto& [depth_at_middle, at_end] =
            seen.try_emplace(links[i].identity(), std::nullopt, nothing).first->second;
        if (links[i].iteration == middle) depth_at_middle = links[i].depth;
        if (links[i].iteration == last) at_end = i;
    }
    std::size_t deepest = nothing;
    std::int64_t most = 0;
    for (const auto& [identity, known] : seen) {
        const auto& [depth_at_middle, at_end] = known;
        if (!depth_at_middle || at_end == nothing || links[at_end].depth - *depth_at_middle <= most) continue;
        most = links[at_end].depth - *depth_at_middle;
        deepest = at_end;
    }
    dependence_cycle result;
    if (deepest == nothing) return result;

    // Backwards along the chain until an instruction comes again.
    std::vector<std::size_t> chain;
    std::map<std::pair<std::int64_t, isa::sub_unit>, std::size_t> place_in_chain;
    for (std::size_t at = deepest; at != nothing && links[at].place >= 0; at = links[at].before) {
        const auto [known, fresh] = place_in_chain.try_emplace(links[at].identity(), chain.size());
        chain.push_back(at);
        if (fresh) continue;
        const dependence_link& end = links[chain[known->second]];
        result.cycles = end.depth - links[at].depth;
        result.iterations = end.iteration - links[at].iteration;
        for (std::size_t i = chain.size() - 1; i > known->second; --i) {
            const dependence_link &maker = links[chain[i]], &reader = links[chain[i - 1]];
            result.steps.push_back({maker.place, maker.insn, reader.value, reader.depth - maker.depth});
        }
        return result;
    }
    return result;
}

} // namespace sfpu::probe
