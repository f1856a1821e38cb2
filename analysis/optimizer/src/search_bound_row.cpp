#include "search_bound_row.h"

#include "rule_writer.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sfpu::optimizer {

namespace {

/// The longest way from one node of a row to those behind it.
class row_paths {
public:
    row_paths(const graph& of, const isa::machine& machine)
        : of_(of), machine_(machine), in_(of.nodes.size()) {
        for (const exchangeable_chain& chain : of.chains)
            for (const auto& use : chain.uses) exchanged_.insert(use);
        for (std::size_t i = 0; i < of.nodes.size(); ++i)
            if (!of.nodes[i].optional) read_operands(i);
        for (const memory_order& each : of.memory) keep_memory(each);
        keep_flags();
    }

    /// -1 if the second does not wait for the first.
    int longest(int first, int second) const {
        std::vector<int> at(of_.nodes.size(), -1);
        at[static_cast<unsigned>(first)] = 0;
        for (int n = first + 1; n <= second; ++n)
            for (const auto& [from, cycles] : in_[static_cast<unsigned>(n)])
                if (at[static_cast<unsigned>(from)] >= 0)
                    at[static_cast<unsigned>(n)] =
                        std::max(at[static_cast<unsigned>(n)], at[static_cast<unsigned>(from)] + cycles);
        return at[static_cast<unsigned>(second)];
    }

private:
    void wait(int first, int second, int cycles) {
        if (first < second) in_[static_cast<unsigned>(second)].emplace_back(first, cycles);
    }
    int least_latency(const node& n) const {
        if (n.what == node::kind::load || n.forms.empty())
            return static_cast<int>(machine_.latency[static_cast<unsigned>(isa::result_class::load)]);
        return static_cast<int>(
            std::min_element(n.forms.begin(), n.forms.end(), [](const form& a, const form& b) {
                return a.latency < b.latency;
            })->latency);
    }
    /// A leaf of a chain may stand elsewhere in it.
    void read_operands(std::size_t i) {
        const node& n = of_.nodes[i];
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            const operand& o = n.operands[j];
            if (o.value < 0 || o.distance > 0) continue;
            if (exchanged_.count({static_cast<int>(i), static_cast<int>(j)})) continue;
            const int from = of_.values[static_cast<unsigned>(o.value)].node;
            if (from < 0) continue;
            const int early = cycles_until_merged(n, j);
            wait(from, static_cast<int>(i),
                 std::max(0, least_latency(of_.nodes[static_cast<unsigned>(from)]) - early));
        }
    }
    void keep_memory(const memory_order& each) {
        const node &one = of_.nodes[static_cast<unsigned>(each.first)],
                   &other = of_.nodes[static_cast<unsigned>(each.second)];
        if (each.rows != 0 || one.optional || other.optional) return;
        wait(each.first, each.second,
             each.store_to_load             ? static_cast<int>(machine_.store_load_visible)
             : one.what == node::kind::load ? 0
                                            : 1);
    }
    void keep_flags() {
        const std::vector<int>& writers = of_.flag_writers;
        for (std::size_t j = 0; j + 1 < writers.size(); ++j) wait(writers[j], writers[j + 1], 1);
        for (std::size_t i = 0; i < of_.nodes.size(); ++i) {
            const node& n = of_.nodes[i];
            const bool elsewhere = of_.all_on[n.version] || n.more_lanes_allowed;
            if (n.optional || !n.reads_flags || n.writes_flags || elsewhere) continue;
            if (n.version > 0) wait(writers[n.version - 1], static_cast<int>(i), 1);
            if (n.version < writers.size()) wait(static_cast<int>(i), writers[n.version], 0);
        }
    }

    const graph& of_;
    const isa::machine& machine_;
    std::vector<std::vector<std::pair<int, int>>> in_; ///< by node: for whom it waits, and how long
    std::set<std::pair<int, int>> exchanged_;          ///< node and operand
};

} // namespace

unsigned cycles_of_flags(const graph& of, const isa::machine& machine) {
    const std::vector<int>& writers = of.flag_writers;
    if (writers.empty()) return 0;
    const row_paths paths(of, machine);
    unsigned sum = 0;
    for (std::size_t first = 0, last = 0; first < writers.size(); first = last + 1) {
        for (last = first; last + 1 < writers.size() && !of.all_on[last + 1];) ++last;
        sum += 1 + static_cast<unsigned>(std::max(0, paths.longest(writers[first], writers[last])));
    }
    return sum;
}

namespace {

/// The registers that are no values in the fields of a template, -1: none, or one that may stand elsewhere.
using constant_fields = std::array<int, field_count>;

constant_fields constants_of(const graph& of, int index, const form& how) {
    constant_fields found{{-1, -1, -1, -1}};
    const node& n = of.nodes[static_cast<unsigned>(index)];
    for (unsigned f = 0; f < field_count; ++f) {
        const int j = how.operand_of[f];
        if (j < 0 || n.operands[static_cast<unsigned>(j)].value >= 0) continue;
        const bool exchanged = std::any_of(of.chains.begin(), of.chains.end(), [&](const auto& chain) {
            return std::find(chain.uses.begin(), chain.uses.end(), std::pair{index, j}) != chain.uses.end();
        });
        if (!exchanged) found[f] = n.operands[static_cast<unsigned>(j)].constant;
    }
    return found;
}

/// What templates with one word take, the one that takes most first: by the field in which registers differ
/// most. What has no register there may go with any.
std::vector<unsigned> sizes_of(const std::vector<constant_fields>& instructions) {
    std::vector<unsigned> best{static_cast<unsigned>(instructions.size())};
    for (unsigned f = 0; f < field_count; ++f) {
        std::map<int, unsigned> by_register;
        unsigned any = 0;
        for (const constant_fields& each : instructions) {
            if (each[f] < 0) ++any;
            else ++by_register[each[f]];
        }
        if (by_register.empty()) continue;
        std::vector<unsigned> sizes;
        for (const auto& [lreg, count] : by_register) sizes.push_back(count);
        std::sort(sizes.rbegin(), sizes.rend());
        sizes[0] += any;
        if (sizes[0] < best[0]) best = sizes;
    }
    return best;
}

} // namespace

template_cover::template_cover(const graph& of) {
    std::map<std::uint32_t, std::map<int, constant_fields>> by_word; // and instruction
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        if (of.nodes[i].what != node::kind::operation) continue;
        const int index = static_cast<int>(i);
        for (const form& how : of.nodes[i].forms) {
            if (!how.can_schedule) continue;
            const constant_fields here = constants_of(of, index, how);
            const auto [known, is_new] = by_word[how.word].emplace(index, here);
            if (is_new) continue; // with its operands the other way round, too
            for (unsigned f = 0; f < field_count; ++f)
                if (known->second[f] != here[f]) known->second[f] = -1;
        }
    }
    for (const auto& [word, instructions] : by_word) {
        std::vector<constant_fields> all;
        for (const auto& [index, fields] : instructions) all.push_back(fields);
        for (const unsigned size : sizes_of(all)) sizes_.push_back(size);
    }
    std::sort(sizes_.rbegin(), sizes_.rend());
}

unsigned template_cover::most(unsigned templates, unsigned loads, unsigned rows, bool set_again) const {
    unsigned sum = 0;
    for (std::size_t t = 0; t < sizes_.size(); ++t) {
        const unsigned taken = std::min(loads, rows * sizes_[t]);
        if (t < templates) sum += taken;
        else if (set_again && taken > 1) sum += taken - 1;
    }
    return sum;
}

} // namespace sfpu::optimizer
