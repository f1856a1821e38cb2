// Which address leads to which target: regions, their checks, the printed table. Plain C++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::memory {

/// The initiators of a bus that see a region: bit i is initiator i.
using initiator_mask = std::uint32_t;
constexpr unsigned max_initiators = 32;
constexpr initiator_mask all_initiators = 0xffffffffu;

/// Addresses base to base + size - 1 lead to one target, at address 0 and up.
struct region {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::string name;    ///< names the region's socket: letters, digits, underscores
    std::string meaning; ///< one line for the printed table
    initiator_mask visible_to = all_initiators;
    /// Empty: the region has a target of its own. Else the name of the region whose target it shows, from
    /// `target_offset` on.
    std::string target = {};
    std::uint64_t target_offset = 0;

    /// The last address, inclusive.
    std::uint64_t last() const { return base + (size - 1); }
};

/// Regions sorted by base. A map with problems() is not to be used.
class address_map {
public:
    address_map() = default;
    explicit address_map(std::vector<region> regions);

    /// All faults: empty or wrapping regions, names that are missing or double, regions that overlap for an
    /// initiator, a target that is no region with a target of its own.
    std::vector<std::string> problems() const;

    const std::vector<region>& regions() const& { return regions_; }
    /// Of a map that dies at the end of the expression, by value: `for (auto& each :
    /// tile.outside_map().regions())` keeps them.
    std::vector<region> regions() && { return std::move(regions_); }
    static constexpr int none = -1;
    /// Index of the region that holds this address for this initiator, or none.
    int find(std::uint64_t address, unsigned initiator) const;
    /// Index of the region of this name, or none.
    int index_of(std::string_view name) const;

    /// The addresses around an unmapped one that are unmapped too; both ends inclusive.
    struct range {
        std::uint64_t first, last;
    };
    range gap_around(std::uint64_t address, unsigned initiator) const;

    /// Why an access cannot be served, with the nearest region; empty if it can.
    std::string explain(std::uint64_t address, std::uint64_t length, unsigned initiator) const;

    /// The table as Markdown, one line a region in the order of addresses.
    std::string table() const;

private:
    std::vector<region> regions_;
};

} // namespace sfpu::memory
