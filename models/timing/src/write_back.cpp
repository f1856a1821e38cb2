#include <sfpu/timing/write_back.h>

#include <cstring>

namespace sfpu::timing {

unsigned latency_of(result_port port, const parameters& config) {
    switch (port) {
    case result_port::mad: return config.latency_mad;
    case result_port::swap: return config.latency_swap;
    case result_port::shuffle: return config.latency_shuffle;
    case result_port::simple: return config.latency_simple;
    case result_port::round: return config.latency_round;
    case result_port::load: return config.latency_load;
    }
    return 1;
}

std::array<result_port, result_port_count> port_order(write_order order) {
    std::array<result_port, result_port_count> result{};
    unsigned next = 0;
    for (unsigned i = 0; i < write_port_count; ++i) {
        switch (static_cast<write_port>(order >> (4 * i) & 15u)) {
        case write_port::mad: result[next++] = result_port::mad; break;
        case write_port::second_cycle:
            result[next++] = result_port::swap;
            result[next++] = result_port::shuffle;
            break;
        case write_port::simple: result[next++] = result_port::simple; break;
        case write_port::round: result[next++] = result_port::round; break;
        case write_port::load: result[next++] = result_port::load; break;
        }
    }
    return result;
}

void write_back::reset(const parameters& config) {
    for (auto& of_port : sets_)
        for (isa::write_set& set : of_port) set.clear();
    due_.fill({});
    last_ = cycles{-1};
    order_ = port_order(config.sfpu_write_order);
}

void write_back::describe(cycles now, situation& to) const {
    for (cycles at = now; at <= last_; ++at) {
        const due& then = due_[slot(at)];
        to.add(std::uint64_t{then.ports} << 32 | then.lregs);
    }
}

std::vector<pending_result> write_back::pending(cycles now) const {
    std::vector<pending_result> result;
    for (cycles at = now; at <= last_; ++at) {
        const due& then = due_[slot(at)];
        const bool swaps = then.ports >> static_cast<unsigned>(result_port::swap) & 1;
        if (then.ports != 0) result.push_back({static_cast<unsigned>((at - now).count()), then.lregs, swaps});
    }
    return result;
}

void write_back::read_exchange(cycles at, const isa::vector_state& state) {
    isa::write_set& set = sets_[static_cast<unsigned>(result_port::swap)][slot(at)];
    const auto put = [&](unsigned lreg, const lanes& value, lane_mask mask) {
        if (mask != 0) set.add(lreg, mask) = value;
    };
    for (unsigned pair = 0; pair < set.exchange_count; ++pair) {
        const auto [c, d] = set.exchange[pair];
        // Lanes that compute argmin and argmax keep their values in L0 to L3 only; constants never change.
        const lane_mask values = set.exchange_mask[pair];
        const auto lanes_of = [&](unsigned lreg) -> lane_mask {
            if (lreg >= isa::general_lregs) return 0;
            return pair == 0 && lreg >= 4 ? values & ~set.exchange_index_mask : values;
        };
        put(c, state.lreg[d], lanes_of(c));
        put(d, state.lreg[c], lanes_of(d));
    }
}

namespace {

void write_masked(lanes& target, const lanes& value, lane_mask mask) {
    if (mask == all_lanes) {
        std::memcpy(&target, &value, sizeof(lanes));
        return;
    }
    for (unsigned n = 0; n < lane_count; ++n) target.v[n] = (mask >> n & 1u) ? value.v[n] : target.v[n];
}

} // namespace

void write_back::write(isa::write_set& set, isa::vector_state& state) {
    for (unsigned i = 0; i < set.count; ++i)
        write_masked(state.lreg[set.entries[i].lreg], set.storage[set.entries[i].buffer],
                     set.entries[i].mask);
    set.clear();
}

void write_back::apply(cycles at, unsigned ports, isa::vector_state& state, collision& found) {
    find_collision(at, ports, found);
    for (result_port port : order_)
        if (ports >> static_cast<unsigned>(port) & 1)
            write(sets_[static_cast<unsigned>(port)][slot(at)], state);
}

void write_back::find_collision(cycles at, unsigned ports, collision& found) const {
    struct claim {
        lane_mask mask = 0;
        const isa::write_set* by = nullptr;
    };
    std::array<claim, isa::lreg_count> claims;
    for (result_port port : order_) {
        if (!(ports >> static_cast<unsigned>(port) & 1)) continue;
        const isa::write_set& set = sets_[static_cast<unsigned>(port)][slot(at)];
        for (unsigned i = 0; i < set.count; ++i) {
            claim& previous = claims[set.entries[i].lreg];
            if ((previous.mask & set.entries[i].mask) && previous.by != &set) {
                found = {set.entries[i].lreg, previous.by, &set};
            }
            previous = {previous.mask | set.entries[i].mask, &set};
        }
    }
}

} // namespace sfpu::timing
