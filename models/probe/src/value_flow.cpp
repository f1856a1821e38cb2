#include "value_flow.h"

#include <sfpu/probe/event_meaning.h>

#include <sfpu/isa/table.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sfpu::probe {
namespace {

constexpr unsigned columns = 8; ///< lanes of a row

template <class Source>
constexpr lane_map map_of(Source source_of) {
    lane_map map{};
    for (unsigned lane = 0; lane < lane_count; ++lane) map[lane] = static_cast<std::int8_t>(source_of(lane));
    return map;
}
constexpr lane_map rotated_right =
    map_of([](unsigned lane) { return lane % columns ? lane - 1 : lane + columns - 1; });
/// What comes in is zero, or on Wormhole what an earlier rotation saw: no value that is followed.
constexpr lane_map shifted_right =
    map_of([](unsigned lane) { return lane % columns ? static_cast<int>(lane) - 1 : -1; });
constexpr lane_map moved_down =
    map_of([](unsigned lane) { return lane + columns < lane_count ? static_cast<int>(lane + columns) : -1; });

/// SFPTRANSP: row `row` of result `to` is row `to` of register `row`; other rows come from other registers.
constexpr lane_map transposed(unsigned to, unsigned row) {
    return map_of([=](unsigned lane) {
        return lane / columns == row ? static_cast<int>(to * columns + lane % columns) : -1;
    });
}
constexpr std::array<std::array<lane_map, 4>, 4> transposed_maps() {
    std::array<std::array<lane_map, 4>, 4> maps{};
    for (unsigned to = 0; to < 4; ++to)
        for (unsigned row = 0; row < 4; ++row) maps[to][row] = transposed(to, row);
    return maps;
}
constexpr std::array<std::array<lane_map, 4>, 4> transpose_maps = transposed_maps();

/// Nothing for constants.
std::optional<unsigned> index_of(unsigned lreg) {
    if (lreg == isa::macro_lreg) return l16_index;
    return lreg < isa::general_lregs ? std::optional(lreg) : std::nullopt;
}

/// Halves come from halves of the same kind.
void add_moves(std::vector<value_flow>& flows, unsigned to, std::optional<unsigned> from,
               const lane_map* lanes = nullptr) {
    for (const register_half half : both_halves) {
        value_flow flow{to, half == register_half::low, half == register_half::high, false, {}};
        if (from) flow.from.push_back({*from, half, lanes});
        flows.push_back(std::move(flow));
    }
}

/// The instruction writes one half of a register and leaves the other.
std::vector<value_flow> half_written(unsigned index, register_half written, bool from_dst) {
    const bool low = written == register_half::low;
    const register_half kept = low ? register_half::high : register_half::low;
    return {{index, low, !low, from_dst, {}}, {index, !low, low, false, {{index, kept, nullptr}}}};
}

std::vector<value_flow> flows_of_transpose() {
    std::vector<value_flow> flows;
    for (unsigned to = 0; to < isa::general_lregs; ++to)
        for (const register_half half : both_halves) {
            value_flow flow{to, half == register_half::low, half == register_half::high, false, {}};
            for (unsigned row = 0; row < 4; ++row)
                flow.from.push_back({to / 4 * 4 + row, half, &transpose_maps[to % 4][row]});
            flows.push_back(std::move(flow));
        }
    return flows;
}

/// Modes 0 to 4 move lanes.
std::vector<value_flow> flows_of_shuffle(const isa::instruction& insn) {
    std::vector<value_flow> flows;
    if (insn.mod < 3) { // L0 = L1, L1 = L2, L2 = L3
        for (unsigned to = 0; to < 3; ++to) add_moves(flows, to, to + 1);
        if (insn.mod == 0) add_moves(flows, 3, std::nullopt);
        else if (insn.mod == 1) add_moves(flows, 3, 0u, &moved_down);
        else add_moves(flows, 3, index_of(insn.vc), &rotated_right);
    } else if (const auto to = index_of(insn.vd)) {
        add_moves(flows, *to, index_of(insn.vc), insn.mod == 3 ? &rotated_right : &shifted_right);
    }
    return flows;
}

/// Mode SWAP.
std::vector<value_flow> flows_of_exchange(const isa::instruction& insn) {
    const auto c = index_of(insn.vc), d = index_of(insn.scheduled() ? insn.vb : insn.vd);
    std::vector<value_flow> flows;
    if (c) add_moves(flows, *c, d);
    if (d) add_moves(flows, *d, c);
    return flows;
}

bool is_exchange(const isa::instruction& insn) { return insn.is(isa::opcode::sfpswap) && insn.mod == 0; }

/// Everything that is written depends on everything that is read.
std::vector<value_flow> flows_of_any(const execution_event& event, const register_access& access) {
    std::vector<value_flow> flows;
    for (unsigned index = 0; index < tracked_registers; ++index)
        if (access.writes >> index & 1)
            flows.push_back({index, true, true, reads_dst(event), sources_of(event, access.reads)});
    return flows;
}

} // namespace

std::vector<value_flow> flows_of(const execution_event& event, const register_access& access) {
    const isa::instruction& insn = event.insn;
    if (access.writes == 0) return {};
    constexpr unsigned upper = 8, lower = 10; // modes of SFPLOADI
    const auto written = index_of(insn.vd);
    if (insn.is(isa::opcode::sfploadi) && written && (insn.mod == upper || insn.mod == lower))
        return half_written(*written, insn.mod == upper ? register_half::high : register_half::low, false);
    if (reads_dst(event) && written && insn.mod >= isa::dst_mode::lo16_only)
        return half_written(
            *written, insn.mod == isa::dst_mode::hi16_only ? register_half::high : register_half::low, true);
    if (insn.is(isa::opcode::sfptransp)) return flows_of_transpose();
    if (insn.is(isa::opcode::sfpshft2) && insn.mod <= 4) return flows_of_shuffle(insn);
    if (is_exchange(insn)) return flows_of_exchange(insn);
    return flows_of_any(event, access);
}

std::vector<flow_source> sources_of(const execution_event& event, register_set reads) {
    bool low = true, high = true;
    if (writes_dst(event)) {
        high = event.insn.mod != isa::dst_mode::uint16 && event.insn.mod != isa::dst_mode::lo16_only;
        low = event.insn.mod != isa::dst_mode::hi16_only;
    }
    std::vector<flow_source> sources;
    for (unsigned index = 0; index < tracked_registers; ++index) {
        if (!(reads >> index & 1)) continue;
        if (low) sources.push_back({index, register_half::low, nullptr});
        if (high) sources.push_back({index, register_half::high, nullptr});
    }
    return sources;
}

cycles reading_cycle(const execution_event& event) {
    return is_exchange(event.insn) ? event.begin + one_cycle : event.begin;
}

void lane_values::put(std::vector<part>& parts, const part& what) {
    for (part& each : parts) each.lanes &= ~what.lanes;
    parts.erase(std::remove_if(parts.begin(), parts.end(), [](const part& each) { return !each.lanes; }),
                parts.end());
    parts.push_back(what);
}

std::vector<lane_values::part> lane_values::makers(const flow_source& from, cycles at) const {
    std::vector<part> parts = registers_[from.index][static_cast<unsigned>(from.half)];
    for (const late& each : late_) {
        if (each.visible_from > at) break;
        if (each.index == from.index && each.half == from.half) put(parts, each.what);
    }
    if (!from.lanes) return parts;
    std::vector<part> moved;
    for (const part& each : parts) {
        part there{0, each.by};
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const int source = (*from.lanes)[lane];
            if (source >= 0 && (each.lanes >> source & 1)) there.lanes |= lane_mask{1} << lane;
        }
        if (there.lanes) moved.push_back(there);
    }
    return moved;
}

void lane_values::write(const execution_event& event, const value_flow& to, lane_mask lanes, value_maker by) {
    if (lanes == 0) return;
    for (const register_half half : both_halves) {
        if (!(half == register_half::low ? to.low : to.high)) continue;
        const late written{event.end + one_cycle, write_rank(event.insn), to.index, half, {lanes, by}};
        const auto later =
            std::upper_bound(late_.begin(), late_.end(), written, [](const late& a, const late& b) {
                return std::pair(a.visible_from.count(), a.rank) < std::pair(b.visible_from.count(), b.rank);
            });
        late_.insert(later, written);
    }
}

void lane_values::write_dst(const execution_event& event, value_maker by) {
    constexpr std::size_t most = 8; // two that came too late to be seen hide none that were not
    std::vector<stored_part>& stored = dst_[shown_dst_address(event)];
    stored.push_back({event.lanes, by, event.begin.count()});
    if (stored.size() <= most) return;
    lane_mask covered = 0;
    for (auto each = stored.rbegin() + 2; each != stored.rend(); ++each) {
        each->lanes &= ~covered;
        covered |= each->lanes;
    }
    stored.erase(std::remove_if(stored.begin(), stored.end(), [](const auto& each) { return !each.lanes; }),
                 stored.end());
}

void lane_values::settle(cycles at) {
    auto each = late_.begin();
    for (; each != late_.end() && each->visible_from <= at; ++each)
        put(registers_[each->index][static_cast<unsigned>(each->half)], each->what);
    late_.erase(late_.begin(), each);
}

} // namespace sfpu::probe
