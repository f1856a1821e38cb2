// What orders instructions beside their operands: effects, cells of Dst, sums.
#include "row_builder.h"

#include <sfpu/dst/dst_storage.h>

#include <algorithm>
#include <bitset>
#include <set>

namespace sfpu::optimizer {

using isa::instruction;

namespace {

/// Set of Dst storage cells, by row and parity of columns.
using cell_set = std::bitset<dst::row_count * 2>;
cell_set cells_of(unsigned address, bool wide, const dst_row_mapping& rows) {
    cell_set cells;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = (address & 0x3fcu) + i, parity = address >> 1 & 1u;
        if (!wide) {
            cells.set(dst::adjust16(row, rows.remap_addrs) * 2 + parity);
        } else {
            const unsigned at = dst::adjust32(row, rows.remap_addrs, rows.swizzle_32b) & 0x3ffu;
            cells.set(at * 2 + parity);
            cells.set(((at + 8) & 0x3ffu) * 2 + parity);
        }
    }
    return cells;
}

} // namespace

void row_builder::mark_effects() {
    for (node& n : graph_.nodes)
        if (n.what == node::kind::store) n.effect = true;
    for (bool again = true; again;) {
        again = false;
        for (node& n : graph_.nodes) {
            if (n.effect) continue;
            const bool carries = std::any_of(n.operands.begin(), n.operands.end(), [&](const operand& o) {
                if (o.value < 0) return false;
                const node& from =
                    graph_.nodes[static_cast<unsigned>(graph_.values[static_cast<unsigned>(o.value)].node)];
                return o.distance > 0 || (from.effect && !from.writes_flags);
            });
            const bool out = std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
                return graph_.values[static_cast<unsigned>(r.value)].live_out ||
                       graph_.values[static_cast<unsigned>(r.value)].pinned >= 0;
            });
            if (carries || out) n.effect = again = true;
        }
    }
}

void row_builder::order_memory() {
    const dst_row_mapping rows = start_.backend().rows;
    std::vector<int> accesses;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].what != node::kind::operation) accesses.push_back(static_cast<int>(i));
    const auto resolved = [&](unsigned mode) {
        return isa::resolve_srcb(mode, start_.backend().fp32_enabled, start_.backend().srcb_format);
    };
    const auto wide = [&](const node& n) {
        return n.what == node::kind::load ? isa::dst_mode::load_is_32_bit(resolved(n.mode))
                                          : isa::dst_mode::store_is_32_bit(resolved(n.mode));
    };
    const auto cells = [&](const node& n, unsigned row) {
        instruction insn = n.insn;
        insn.imm10 = static_cast<std::uint16_t>(n.address);
        isa::thread_state thread = start_;
        thread.rwc.dst =
            static_cast<unsigned>(static_cast<int>(thread.rwc.dst) + graph_.step * static_cast<int>(row)) &
            0x3ffu;
        return cells_of(thread.counted_address(insn), wide(n), rows);
    };
    std::vector<std::vector<cell_set>> touched;
    for (const int a : accesses) {
        std::vector<cell_set> of_rows;
        for (unsigned row = 0; row < graph_.rows; ++row)
            of_rows.push_back(cells(graph_.nodes[static_cast<unsigned>(a)], row));
        touched.push_back(std::move(of_rows));
    }
    for (std::size_t x = 0; x < accesses.size(); ++x) {
        for (std::size_t y = 0; y < accesses.size(); ++y) {
            const node &first = graph_.nodes[static_cast<unsigned>(accesses[x])],
                       &second = graph_.nodes[static_cast<unsigned>(accesses[y])];
            if (first.what != node::kind::store && second.what != node::kind::store) continue;
            std::set<int> distances;
            for (int i = 0; i < static_cast<int>(graph_.rows); ++i)
                for (int j = i; j < static_cast<int>(graph_.rows); ++j) {
                    if ((i == j && x >= y) || distances.count(j - i)) continue;
                    if ((touched[x][static_cast<unsigned>(i)] & touched[y][static_cast<unsigned>(j)]).any())
                        distances.insert(j - i);
                }
            // A later row comes later anyway, so that near ones decide; the formula knows which are near.
            for (const int distance : distances)
                graph_.memory.push_back({accesses[x], accesses[y], distance,
                                         first.what == node::kind::store && second.what == node::kind::load});
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
