// Cells of Dst: who comes before whom, what a row stores and loads again, and where it may put values aside.
#include "row_builder.h"

#include <sfpu/isa/table.h>

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

using isa::instruction;
namespace opcode = isa::opcode;

namespace {

row_builder::cells cells_at(unsigned address, bool wide, const dst_row_mapping& rows) {
    row_builder::cells found;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = (address & 0x3fcu) + i, parity = address >> 1 & 1u;
        if (!wide) {
            found.set(dst::adjust16(row, rows.remap_addrs) * 2 + parity);
        } else {
            const unsigned at = dst::adjust32(row, rows.remap_addrs, rows.swizzle_32b) & 0x3ffu;
            found.set(at * 2 + parity);
            found.set(((at + 8) & 0x3ffu) * 2 + parity);
        }
    }
    return found;
}

unsigned resolved(unsigned mode, const isa::thread_state& thread) {
    return isa::resolve_srcb(mode, thread.backend().fp32_enabled, thread.backend().srcb_format);
}

} // namespace

row_builder::cells row_builder::cells_of(const node& n, unsigned row) const {
    isa::thread_state thread = start_;
    thread.rwc.dst =
        static_cast<unsigned>(static_cast<int>(thread.rwc.dst) + graph_.step * static_cast<int>(row)) &
        0x3ffu;
    instruction insn = n.insn;
    insn.imm10 = static_cast<std::uint16_t>(n.address);
    const unsigned mode = resolved(n.mode, start_);
    const bool wide = n.what == node::kind::load ? isa::dst_mode::load_is_32_bit(mode)
                                                 : isa::dst_mode::store_is_32_bit(mode);
    return cells_at(thread.counted_address(insn), wide, start_.backend().rows);
}

void row_builder::order_memory() {
    std::vector<int> accesses;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        if (graph_.nodes[i].what != node::kind::operation) accesses.push_back(static_cast<int>(i));
    std::vector<std::vector<cells>> touched;
    for (const int a : accesses) {
        std::vector<cells> of_rows;
        for (unsigned row = 0; row < graph_.rows; ++row)
            of_rows.push_back(cells_of(graph_.nodes[static_cast<unsigned>(a)], row));
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

row_builder::cells row_builder::cells_of(const std::vector<isa::tensor>& tensors) const {
    cells found;
    for (const isa::tensor& each : tensors)
        for (unsigned row = 0; row < graph_.rows * graph_.rows_per_iteration; ++row) {
            instruction insn;
            insn.imm10 = static_cast<std::uint16_t>((each.address + 2 * row) & 0x3ffu);
            found |=
                cells_at(begin_.counted_address(insn), isa::has_wide_cells(each.type), begin_.backend().rows);
        }
    return found;
}

row_builder::cells row_builder::cells_of(const std::vector<isa::source_word>& words,
                                         isa::thread_state thread) const {
    cells found;
    for (const isa::source_word& each : words) {
        const isa::word_kind kind = isa::classify(each.word, words_.arch);
        if (kind != isa::word_kind::sfpu && kind != isa::word_kind::front_end) continue;
        const instruction insn = isa::decode(each.word, words_);
        if (kind == isa::word_kind::front_end) {
            thread.execute_front_end(insn);
            continue;
        }
        const bool load = insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro);
        if ((!load && !insn.is(opcode::sfpstore)) || insn.names_template()) continue;
        const unsigned mode = resolved(insn.mod, thread);
        // Whatever its width is.
        for (const bool wide : {false, true})
            found |= cells_at(thread.dst_address(insn, mode, load), wide, thread.backend().rows);
        thread.apply_addr_mod(insn.addr_mod);
    }
    return found;
}

bool row_builder::in_all_lanes(const node& n) const { return !n.reads_flags || graph_.all_on[n.version]; }

bool row_builder::keeps_all_bits(const node& n) const {
    const unsigned mode = resolved(n.mode, start_);
    // A store of FP32 makes subnormals zero on Blackhole.
    return (mode == isa::dst_mode::int32 || (mode == isa::dst_mode::fp32 && n.what == node::kind::load)) &&
           in_all_lanes(n);
}

bool row_builder::sets_lane_config() const {
    return std::any_of(plain_.init.begin(), plain_.init.end(), [&](const isa::source_word& each) {
        if (isa::classify(each.word, words_.arch) != isa::word_kind::sfpu) return false;
        const instruction insn = isa::decode(each.word, words_);
        return insn.is(opcode::sfpconfig) && insn.vd == 15;
    });
}

void row_builder::look_through_dst() {
    if (!options_.through_dst || sets_lane_config()) return;
    const cells outputs = cells_of(plain_.outputs);
    const cells outside = cells_of(plain_.tail, behind_the_loop());
    // Loads of what a store of the row has put there.
    std::vector<int> stored_by(graph_.nodes.size(), -1);
    for (const memory_order& order : graph_.memory)
        if (order.rows == 0 && order.store_to_load)
            stored_by[static_cast<unsigned>(order.second)] =
                std::max(stored_by[static_cast<unsigned>(order.second)], order.first);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        if (stored_by[i] < 0) continue;
        node& load = graph_.nodes[i];
        const node& store = graph_.nodes[static_cast<unsigned>(stored_by[i])];
        if (!keeps_all_bits(load) || !keeps_all_bits(store) || load.address != store.address ||
            load.results.size() != 1 || !load.operands.empty() || store.operands.size() != 1 ||
            store.operands[0].value < 0 || store.operands[0].distance != 0)
            continue;
        const int loaded = load.results[0].value, kept = store.operands[0].value;
        const value& v = graph_.values[static_cast<unsigned>(loaded)];
        if (v.pinned >= 0 || v.live_out) continue;
        for (node& n : graph_.nodes)
            for (operand& o : n.operands)
                if (o.value == loaded) o.value = kept;
        load.results[0].value = kept;
        load.optional = true;
    }
    // Stores that nobody needs but such loads.
    if (plain_.outputs.empty()) return;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        node& store = graph_.nodes[i];
        if (store.what != node::kind::store) continue;
        const bool needed =
            std::any_of(graph_.memory.begin(), graph_.memory.end(), [&](const memory_order& order) {
                return order.first == static_cast<int>(i) && order.store_to_load &&
                       (order.rows > 0 || !graph_.nodes[static_cast<unsigned>(order.second)].optional);
            });
        bool read = needed;
        for (unsigned row = 0; row < graph_.rows && !read; ++row)
            read = (cells_of(store, row) & (outputs | outside)).any();
        store.optional = !read;
    }
}

std::string row_builder::spill_problem() const {
    if (plain_.outputs.empty())
        return "the kernel declares no outputs (.output), so that every cell of Dst is one";
    if (sets_lane_config()) return ".init sets LaneConfig, which may change what loads and stores do";
    if (!graph_.flag_writers.empty() || !graph_.all_on[0])
        return "not all lanes are enabled everywhere in the row, and a store leaves the others alone";
    return "";
}

std::vector<int> row_builder::values_that_wait() const {
    constexpr int worth_it = 5; // cycles between the first and the last possible reader
    std::vector<int> ready(graph_.values.size(), 0), last_use(graph_.values.size(), 0);
    for (const node& n : graph_.nodes) {
        if (n.optional) continue;
        int start = 0;
        for (const operand& o : n.operands)
            if (o.value >= 0 && o.distance == 0)
                start = std::max(start, ready[static_cast<unsigned>(o.value)]);
        for (const operand& o : n.operands)
            if (o.value >= 0 && o.distance == 0)
                last_use[static_cast<unsigned>(o.value)] =
                    std::max(last_use[static_cast<unsigned>(o.value)], start);
        const auto latency = static_cast<int>(n.forms[0].latency);
        for (const result& r : n.results) ready[static_cast<unsigned>(r.value)] = start + latency;
    }
    std::vector<int> waiting;
    const auto waits = [&](int v) {
        return last_use[static_cast<unsigned>(v)] - ready[static_cast<unsigned>(v)];
    };
    for (int v = 0; v < static_cast<int>(graph_.values.size()); ++v) {
        const value& each = graph_.values[static_cast<unsigned>(v)];
        const node& from = graph_.nodes[static_cast<unsigned>(each.node)];
        const bool free =
            each.pinned < 0 && !each.live_out && from.what == node::kind::operation && !from.effect;
        if (free && waits(v) >= worth_it) waiting.push_back(v);
    }
    std::stable_sort(waiting.begin(), waiting.end(), [&](int a, int b) { return waits(a) > waits(b); });
    return waiting;
}

void row_builder::offer_spills() {
    constexpr std::size_t most = 2;
    graph_.no_spill = spill_problem();
    if (!graph_.no_spill.empty()) return;
    std::vector<int> waiting = values_that_wait();
    if (waiting.empty()) {
        graph_.no_spill = "no value waits long enough for its last reader";
        return;
    }
    waiting.resize(std::min(waiting.size(), most));
    for (const int v : waiting) {
        const std::optional<unsigned> address = free_cells();
        if (!address) {
            if (v == waiting.front()) graph_.no_spill = "no cells of Dst are free in every row";
            break;
        }
        constexpr unsigned mode = isa::dst_mode::int32;
        node store, load;
        for (node* const n : {&store, &load}) {
            const bool is_load = n == &load;
            n->what = is_load ? node::kind::load : node::kind::store;
            n->insn = isa::decode((is_load ? 0x70000000u : 0x72000000u) | mode << 16 | *address, words_);
            n->mode = mode;
            n->address = *address;
            n->optional = true;
            n->reads_flags = true;
            n->forms.push_back(make_form(n->insn.word, machine_));
        }
        store.effect = store.spills = true;
        store.operands.push_back({});
        store.operands[0].value = v;
        store.forms[0].operand_of[vd] = 0;
        load.results.push_back({});
        load.results[0].value = v;
        graph_.nodes.push_back(std::move(store));
        graph_.nodes.push_back(std::move(load));
    }
    graph_.memory.clear();
    order_memory();
}

isa::thread_state row_builder::behind_the_loop() const {
    isa::thread_state after = start_;
    const int moved = graph_.step * static_cast<int>(graph_.rows);
    after.rwc.dst = static_cast<unsigned>(static_cast<int>(start_.rwc.dst) + moved) & 0x3ffu;
    return after;
}

std::optional<unsigned> row_builder::free_cells() const {
    cells taken = cells_of(plain_.inputs) | cells_of(plain_.outputs) | cells_of(plain_.init, begin_) |
                  cells_of(plain_.tail, behind_the_loop());
    for (const node& n : graph_.nodes)
        for (unsigned row = 0; n.what != node::kind::operation && row < graph_.rows; ++row)
            taken |= cells_of(n, row);
    node store;
    store.what = node::kind::store;
    store.mode = isa::dst_mode::int32;
    // From the end of Dst, tile by tile, then wherever there is room.
    for (const unsigned apart : {64u, 2u})
        for (unsigned address = 1024 - apart;; address -= apart) {
            store.address = address;
            cells own;
            bool free = true;
            for (unsigned row = 0; row < graph_.rows && free; ++row) {
                const cells here = cells_of(store, row);
                free = (here & (taken | own)).none();
                if (graph_.step != 0) own |= here;
            }
            if (free) return address;
            if (address < apart) break;
        }
    return std::nullopt;
}

} // namespace sfpu::optimizer
