// Which instruction made what stands in each half and lane of a register and in each lane of Dst, and which
// of them an instruction reads for which result.
#pragma once

#include <sfpu/probe/dependence_tracker.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sfpu::probe {

/// A number that stands for whoever made a value.
using value_maker = std::uint32_t;
constexpr value_maker no_maker = ~value_maker{0};

/// A register holds two values that can be written one by one (SFPLOADI UPPER and LOWER).
enum class register_half : std::uint8_t { low, high };
constexpr register_half both_halves[] = {register_half::low, register_half::high};

/// For each lane of a result the lane that it comes from; negative: from none.
using lane_map = std::array<std::int8_t, lane_count>;

/// Half of a register that a result is made of.
struct flow_source {
    unsigned index = 0; ///< of the register, as in register_set
    register_half half{};
    const lane_map* lanes = nullptr; ///< null: each lane comes from itself
};

/// What halves of a register are made of. A half that an instruction leaves alone is made of itself.
struct value_flow {
    unsigned index = 0; ///< of the register
    bool low = true, high = true;
    bool from_dst = false;
    std::vector<flow_source> from;
};

/// The results of an instruction that takes effect, without those that go to an indirect operand.
std::vector<value_flow> flows_of(const execution_event& event, const register_access& access);

/// What of the registers in a set an instruction uses that has another effect than a result: halves that a
/// store does not write are left out.
std::vector<flow_source> sources_of(const execution_event& event, register_set reads);

/// The cycle at whose start an instruction reads the values of its results: SFPSWAP in mode SWAP reads in its
/// second one (T8).
cycles reading_cycle(const execution_event& event);

/// The values of all registers and of Dst. Times must not decrease.
class lane_values {
public:
    struct part {
        lane_mask lanes;
        value_maker by;
    };

    /// Calls use(lanes, maker) for the parts of `lanes` of a result that come from one maker each.
    template <class Use>
    void read(const flow_source& from, lane_mask lanes, cycles at, Use use) const {
        for (const part& each : makers(from, at))
            if (each.lanes & lanes) use(each.lanes & lanes, each.by);
    }
    /// The same of Dst: what stores of `distance` cycles ago and earlier have left there.
    template <class Use>
    void read_dst(std::uint32_t address, lane_mask lanes, std::int64_t at, std::int64_t distance,
                  Use use) const {
        const auto found = dst_.find(address);
        if (found == dst_.end()) return;
        for (auto stored = found->second.rbegin(); stored != found->second.rend() && lanes; ++stored) {
            if (at - stored->begin < distance) continue; // it sees an older one
            if (stored->lanes & lanes) use(stored->lanes & lanes, stored->by);
            lanes &= ~stored->lanes;
        }
    }

    /// The event writes lanes of halves of a register; seen from the cycle behind its end on.
    void write(const execution_event& event, const value_flow& to, lane_mask lanes, value_maker by);
    void write_dst(const execution_event& event, value_maker by);
    /// What is visible before `at` counts as one state.
    void settle(cycles at);
    /// Calls use(maker) for everything that stands in a register or is on its way there.
    template <class Use>
    void each_maker(Use use) const {
        for (const auto& halves : registers_)
            for (const std::vector<part>& half : halves)
                for (const part& each : half)
                    if (each.by != no_maker) use(each.by);
        for (const late& each : late_)
            if (each.what.by != no_maker) use(each.what.by);
    }

private:
    struct late {
        cycles visible_from;
        unsigned rank;
        unsigned index;
        register_half half;
        part what;
    };
    struct stored_part {
        lane_mask lanes;
        value_maker by;
        std::int64_t begin;
    };

    static void put(std::vector<part>& parts, const part& what);
    std::vector<part> makers(const flow_source& from, cycles at) const;

    std::array<std::array<std::vector<part>, 2>, tracked_registers> registers_; ///< the rest has no maker
    std::vector<late> late_; ///< in the order in which they take effect
    std::map<std::uint32_t, std::vector<stored_part>> dst_;
};

} // namespace sfpu::probe
