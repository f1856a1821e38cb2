// What orders instructions beside their operands: effects and sums.
#include "row_builder.h"

#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::optimizer {

void row_builder::find_random() {
    const auto uses = [&](const isa::instruction& insn) {
        return isa::effects_of(insn, words_.arch).uses_random;
    };
    const bool somebody_takes_some =
        std::any_of(effects_.begin(), effects_.end(), [](const observed_effects& e) { return e.random; }) ||
        std::any_of(plain_.tail.begin(), plain_.tail.end(), [&](const isa::source_word& each) {
            return isa::classify(each.word, words_.arch) == isa::word_kind::sfpu &&
                   uses(isa::decode(each.word, words_));
        });
    if (!somebody_takes_some) return; // SFPSTOCHRND steps the generators in every mode
    for (node& n : graph_.nodes) n.uses_random = uses(n.insn);
}

void row_builder::order_random() {
    std::vector<int> users;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].uses_random) users.push_back(static_cast<int>(i));
    if (users.size() < 2) return;
    for (std::size_t i = 0; i + 1 < users.size(); ++i)
        graph_.memory.push_back({users[i], users[i + 1], 0, false});
    graph_.memory.push_back({users.back(), users.front(), 1, false});
}

void row_builder::mark_effects() {
    for (node& n : graph_.nodes)
        if (n.what == node::kind::store || n.uses_random) n.effect = true;
    for (bool again = true; again;) {
        again = false;
        for (node& n : graph_.nodes) {
            if (n.effect) continue;
            const bool carries = std::any_of(n.operands.begin(), n.operands.end(), [&](const operand& o) {
                if (o.value < 0) return false;
                const node& from =
                    graph_.nodes[static_cast<unsigned>(graph_.values[static_cast<unsigned>(o.value)].node)];
                return o.distance > 0 || (from.effect && !from.writes_flags && !from.uses_random);
            });
            const bool out = std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
                return graph_.values[static_cast<unsigned>(r.value)].live_out ||
                       graph_.values[static_cast<unsigned>(r.value)].pinned >= 0;
            });
            if (carries || out) n.effect = again = true;
        }
    }
}

void row_builder::find_chains() {
    const auto uses_of = [&](int v) {
        std::vector<std::pair<int, int>> uses;
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            for (std::size_t j = 0; j < graph_.nodes[i].operands.size(); ++j)
                if (graph_.nodes[i].operands[j].value == v)
                    uses.emplace_back(static_cast<int>(i), static_cast<int>(j));
        return uses;
    };
    const auto links = [&](const node& n) {
        return n.what == node::kind::operation && n.operands.size() == 2 && n.results.size() == 1 &&
               n.results[0].where == result::place::destination && n.results[0].merge < 0 &&
               !n.writes_flags && n.forms.size() > 1 && n.operands[0].distance + n.operands[1].distance == 0;
    };
    const auto alike = [](const node& a, const node& b) {
        return a.forms[0].word == b.forms[0].word && a.version == b.version;
    };
    std::vector<bool> inner(graph_.nodes.size(), false);
    const auto inner_of = [&](const node& n, std::size_t j) {
        const int v = n.operands[j].value;
        if (v < 0) return -1;
        const int from = graph_.values[static_cast<unsigned>(v)].node;
        const node& source = graph_.nodes[static_cast<unsigned>(from)];
        if (!links(source) || !alike(source, n) || uses_of(v).size() != 1 ||
            graph_.values[static_cast<unsigned>(v)].live_out || source.effect != n.effect)
            return -1;
        return from;
    };
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (links(graph_.nodes[i]))
            for (std::size_t j = 0; j < 2; ++j)
                if (const int from = inner_of(graph_.nodes[i], j); from >= 0)
                    inner[static_cast<unsigned>(from)] = true;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const node& root = graph_.nodes[i];
        if (!links(root) || inner[i]) continue;
        const form& how = root.forms[0];
        std::vector<unsigned> fields;
        for (const unsigned f : {va, vb, vc})
            if (how.operand_of[f] >= 0) fields.push_back(f);
        if (fields.size() != 2 || !probe_.reorders(how.insn, fields[0], fields[1])) continue;
        exchangeable_chain chain;
        std::vector<int> work{static_cast<int>(i)};
        while (!work.empty()) {
            const int at = work.back();
            work.pop_back();
            for (std::size_t j = 0; j < 2; ++j) {
                const int from = inner_of(graph_.nodes[static_cast<unsigned>(at)], j);
                if (from >= 0) work.push_back(from);
                else chain.uses.emplace_back(at, static_cast<int>(j));
            }
        }
        if (chain.uses.size() > 2) graph_.chains.push_back(std::move(chain));
    }
}

} // namespace sfpu::optimizer
