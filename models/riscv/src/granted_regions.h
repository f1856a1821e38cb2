// Memory that a hart may access through pointers, as the owners of that memory granted it.
#pragma once

#include <sfpu/common/direct_access_clock.h>
#include <sfpu/riscv/hart_ports.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sfpu::riscv {

class granted_regions {
public:
    void clear() { regions_.clear(); }
    /// `clock`: of an owner that wants to know of each access; null: the region's times are fixed.
    void add(const direct_memory& memory, direct_access_clock* clock) { regions_.push_back({memory, clock}); }

    /// The region with this address; null: none.
    const direct_memory* find(std::uint32_t address) const {
        const auto found = std::find_if(regions_.begin(), regions_.end(), [=](const region& each) {
            return each.memory.first <= address && address <= each.memory.last;
        });
        return found == regions_.end() ? nullptr : &found->memory;
    }
    /// The clock of the region with this byte; null: none.
    direct_access_clock* clock_of(const unsigned char* place) const {
        const auto found = std::find_if(regions_.begin(), regions_.end(), [=](const region& each) {
            const direct_memory& memory = each.memory;
            return each.clock && memory.bytes <= place &&
                   place <= memory.bytes + (memory.last - memory.first);
        });
        return found == regions_.end() ? nullptr : found->clock;
    }

private:
    struct region {
        direct_memory memory;
        direct_access_clock* clock;
    };
    std::vector<region> regions_;
};

} // namespace sfpu::riscv
