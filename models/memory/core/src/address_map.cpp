#include <sfpu/memory/address_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace sfpu::memory {
namespace {

constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();

bool sees(const region& r, unsigned initiator) {
    return initiator < max_initiators && (r.visible_to >> initiator & 1u);
}

bool is_name(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string span_text(const region& r) { return fmt::format("{:#010x} to {:#010x}", r.base, r.last()); }

/// How far an address lies outside a region.
std::uint64_t distance(const region& r, std::uint64_t address) {
    if (address < r.base) return r.base - address;
    return address > r.last() ? address - r.last() : 0;
}

std::string size_text(std::uint64_t size) {
    constexpr std::uint64_t kib = 1024, mib = kib * kib;
    if (size % mib == 0) return fmt::format("{} MiB", size / mib);
    if (size % kib == 0) return fmt::format("{} KiB", size / kib);
    return fmt::format("{} bytes", size);
}

} // namespace

address_map::address_map(std::vector<region> regions) : regions_(std::move(regions)) {
    std::stable_sort(regions_.begin(), regions_.end(),
                     [](const region& a, const region& b) { return a.base < b.base; });
}

std::vector<std::string> address_map::problems() const {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        const region& r = regions_[i];
        if (!is_name(r.name))
            found.push_back(fmt::format("region at {:#x}: the name '{}' is not made of letters, digits and "
                                        "underscores",
                                        r.base, r.name));
        const bool is_shown = std::any_of(regions_.begin(), regions_.end(),
                                          [&r](const region& other) { return other.target == r.name; });
        if (r.visible_to == 0 && !is_shown)
            found.push_back(fmt::format("region {}: no initiator sees it", r.name));
        if (r.size == 0) {
            found.push_back(fmt::format("region {}: its size is 0", r.name));
            continue;
        }
        if (r.size - 1 > highest - r.base) {
            found.push_back(
                fmt::format("region {}: {:#x} bytes from {:#x} on exceed 64 bits", r.name, r.size, r.base));
            continue;
        }
        if (!r.target.empty()) {
            const int shown = index_of(r.target);
            if (shown == none || !regions_[static_cast<std::size_t>(shown)].target.empty())
                found.push_back(fmt::format(
                    "region {}: its target '{}' is no region with a target of its own", r.name, r.target));
        }
        for (std::size_t j = 0; j < i; ++j) {
            const region& other = regions_[j];
            if (other.name == r.name) found.push_back(fmt::format("two regions have the name {}", r.name));
            if (other.size == 0 || other.size - 1 > highest - other.base) continue;
            if ((other.visible_to & r.visible_to) != 0 && r.base <= other.last())
                found.push_back(fmt::format("regions {} ({}) and {} ({}) overlap", other.name,
                                            span_text(other), r.name, span_text(r)));
        }
    }
    return found;
}

int address_map::find(std::uint64_t address, unsigned initiator) const {
    auto next = std::upper_bound(regions_.begin(), regions_.end(), address,
                                 [](std::uint64_t a, const region& r) { return a < r.base; });
    // Regions of other initiators may lie in between.
    while (next != regions_.begin()) {
        --next;
        if (!sees(*next, initiator)) continue;
        return address <= next->last() ? static_cast<int>(next - regions_.begin()) : none;
    }
    return none;
}

int address_map::index_of(std::string_view name) const {
    for (std::size_t i = 0; i < regions_.size(); ++i)
        if (regions_[i].name == name) return static_cast<int>(i);
    return none;
}

address_map::range address_map::gap_around(std::uint64_t address, unsigned initiator) const {
    range gap{0, highest};
    for (const region& r : regions_) {
        if (!sees(r, initiator)) continue;
        if (r.last() < address) gap.first = std::max(gap.first, r.last() + 1);
        else if (r.base > address) gap.last = std::min(gap.last, r.base - 1);
    }
    return gap;
}

std::string address_map::explain(std::uint64_t address, std::uint64_t length, unsigned initiator) const {
    const int index = find(address, initiator);
    if (index != none) {
        const region& r = regions_[static_cast<std::size_t>(index)];
        if (length <= r.last() - address + 1 || length == 0) return {};
        return fmt::format("{} bytes from {:#010x} on do not end in region {} ({})", length, address, r.name,
                           span_text(r));
    }
    const region* nearest = nullptr;
    for (const region& r : regions_)
        if (sees(r, initiator) && (!nearest || distance(r, address) < distance(*nearest, address)))
            nearest = &r;
    if (!nearest) return fmt::format("{:#010x} is in no region: the map is empty", address);
    return fmt::format("{:#010x} is in no region; the nearest is {} ({})", address, nearest->name,
                       span_text(*nearest));
}

std::string address_map::table() const {
    std::string text = "| addresses | size | region | what it is |\n|---|---|---|---|\n";
    for (const region& r : regions_)
        text += fmt::format("| `{:#010x}` to `{:#010x}` | {} | `{}` | {} |\n", r.base, r.last(),
                            size_text(r.size), r.name, r.meaning);
    return text;
}

} // namespace sfpu::memory
