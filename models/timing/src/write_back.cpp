#include <sfpu/timing/write_back.h>

#include <cstddef>
#include <cstring>

namespace sfpu::timing {

std::array<result_port, result_port_count> port_order(write_order order) {
    std::array<result_port, result_port_count> result{};
    unsigned next = 0;
    const auto add = [&](result_port first, result_port second) {
        result[next++] = first;
        result[next++] = second;
    };
    for (unsigned i = 0; i < write_port_count; ++i) {
        switch (static_cast<write_port>(order >> (4 * i) & 15u)) {
        case write_port::mad: add(result_port::mad, result_port::second_mad); break;
        case write_port::second_cycle: add(result_port::swap, result_port::shuffle); break;
        case write_port::simple: result[next++] = result_port::simple; break;
        case write_port::round: result[next++] = result_port::round; break;
        case write_port::load: add(result_port::load, result_port::second_load); break;
        }
    }
    return result;
}

void write_back::reset(const isa::machine& machine) {
    depth_ = 1;
    for (const unsigned latency : machine.latency)
        while (depth_ < latency) depth_ *= 2;
    sets_.resize(std::size_t{result_port_count} * depth_);
    for (isa::write_set& set : sets_) set.clear();
    order_ = port_order(machine.write_order);
}

void write_back::read_exchange(cycles at, const isa::vector_state& state) {
    isa::write_set& set = this->set(result_port::swap, at);
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

void write_back::commit(cycles at, port_set ports, isa::vector_state& state, collision& found) {
    find_collision(at, ports, found);
    for (result_port port : order_)
        if (ports & only(port)) write(set(port, at), state);
}

void write_back::find_collision(cycles at, port_set ports, collision& found) {
    struct claim {
        lane_mask mask = 0;
        const isa::write_set* by = nullptr;
    };
    std::array<claim, isa::lreg_count> claims;
    for (result_port port : order_) {
        if (!(ports & only(port))) continue;
        const isa::write_set& set = this->set(port, at);
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
