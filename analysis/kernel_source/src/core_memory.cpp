#include "core_memory.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/memory/tile_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sfpu::analysis {
namespace {

/// So many loads of one address by one instruction, with nothing in between that others could see, are a loop
/// that waits for another value.
constexpr unsigned loads_until_polling = 8;
constexpr unsigned most_polls = 1024; ///< then no answer ends the loop
constexpr std::size_t most_polled_places = 4096, most_noted_loads = 1000;
constexpr std::uint32_t jump_to_itself = 0x0000006fu;

// Offsets: tt-isa-documentation, PCBufs, TTSync; tile.md K8.
constexpr std::uint32_t coprocessor_done = 4, mop_done = 8, first_semaphore = 0x20, last_semaphore = 0x3c;
// Offsets in the debug registers.
constexpr std::uint32_t wall_clock_low = 0x1f0, wall_clock_high_now = 0x1f4, wall_clock_high = 0x1f8;

/// What a loop that waits is told when it asks for the n-th time: its bits clear, set, then numbers.
std::uint32_t poll_answer(unsigned n) { return n == 0 ? 0 : n == 1 ? ~0u : n - 1; }

std::vector<memory::region> regions_of_core(const parameters& config) {
    std::vector<memory::region> regions = memory::tile_regions(config);
    for (const memory::space_not_modelled& each : memory::spaces_not_modelled()) {
        memory::region space;
        space.base = each.base;
        space.size = each.size;
        space.name = each.name;
        space.meaning = each.what;
        regions.push_back(std::move(space));
    }
    return regions;
}

} // namespace

// --- RAM ---------------------------------------------------------------------------------------------------

sparse_ram::sparse_ram(const riscv::elf_image& program) {
    for (const riscv::elf_segment& each : program.segments()) {
        if (each.address != each.virtual_address) physical_.push_back({each.address, &each});
        virtual_.push_back({each.virtual_address, &each});
    }
    sort(physical_);
    sort(virtual_);
}

void sparse_ram::sort(std::vector<view>& views) {
    std::stable_sort(views.begin(), views.end(),
                     [](const view& a, const view& b) { return a.first < b.first; });
}

bool sparse_ram::covers(const std::vector<view>& views, std::uint32_t address) {
    const auto behind = std::upper_bound(views.begin(), views.end(), address,
                                         [](std::uint32_t at, const view& each) { return at < each.first; });
    return behind != views.begin() && address - std::prev(behind)->first < std::prev(behind)->segment->size;
}

bool sparse_ram::has_program_at(std::uint32_t address) const {
    return covers(virtual_, address) || covers(physical_, address);
}

/// Copies what the segments have in a page. Of segments that overlap, which only a damaged program has, some
/// bytes may be left out.
void sparse_ram::fill(page& to, std::uint32_t base, const std::vector<view>& views) {
    auto each = std::upper_bound(views.begin(), views.end(), base,
                                 [](std::uint32_t at, const view& one) { return at < one.first; });
    if (each != views.begin()) --each;
    const std::uint64_t end = std::uint64_t{base} + page_bytes;
    for (; each != views.end() && each->first < end; ++each) {
        const std::vector<unsigned char>& bytes = each->segment->bytes;
        const std::uint64_t first = std::max<std::uint64_t>(base, each->first);
        const std::uint64_t last = std::min(end, each->first + each->segment->size);
        if (first >= last) continue;
        const std::uint64_t offset = first - each->first;
        const std::uint64_t in_file =
            offset < bytes.size() ? std::min(last - first, bytes.size() - offset) : 0;
        if (in_file != 0) std::memcpy(&to.bytes[first - base], &bytes[offset], in_file);
        std::memset(to.bytes.data() + (first - base) + in_file, 0, last - first - in_file);
        if (last - first == page_bytes) to.known.set();
        else
            for (std::uint64_t at = first; at < last; ++at) to.known.set(at - base);
    }
}

sparse_ram::page& sparse_ram::page_at(std::uint32_t address) {
    std::unique_ptr<page>& found = pages_[address / page_bytes];
    if (found) return *found;
    if (pages_.size() > most_pages)
        throw user_error(fmt::format("the function touches more than {} MiB, the last at {:#010x}",
                                     most_pages * page_bytes >> 20, address));
    found = std::make_unique<page>();
    const std::uint32_t base = address & ~(page_bytes - 1);
    fill(*found, base, physical_);
    fill(*found, base, virtual_);
    return *found;
}

std::optional<std::uint32_t> sparse_ram::load(std::uint32_t address, unsigned size) {
    const page& from = page_at(address);
    const std::uint32_t first = address % page_bytes;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i) {
        if (!from.known[first + i]) return std::nullopt;
        value |= static_cast<std::uint32_t>(from.bytes[first + i]) << 8 * i;
    }
    return value;
}

void sparse_ram::store(std::uint32_t address, unsigned size, std::uint32_t value) {
    page& to = page_at(address);
    const std::uint32_t first = address % page_bytes;
    for (unsigned i = 0; i < size; ++i) {
        to.bytes[first + i] = static_cast<unsigned char>(value >> 8 * i);
        to.known.set(first + i);
    }
}

// --- addresses ---------------------------------------------------------------------------------------------

core_memory::core_memory(const riscv::elf_image& program, const parameters& config, word_expander& front_end,
                         thread_backend& backend, run_notes& notes)
    : config_(config), ram_(program), program_(program), map_(regions_of_core(config)), front_end_(front_end),
      backend_(backend), notes_(notes) {}

const memory::region* core_memory::region_of(std::uint32_t address) const {
    const int index = map_.find(address, 0);
    return index == memory::address_map::none ? nullptr : &map_.regions()[static_cast<std::size_t>(index)];
}

bool core_memory::is_ram(std::uint32_t address, const memory::region* region) const {
    if (!region) return ram_.has_program_at(address);
    return region->base == memory::l1_base || region->base == memory::ram_base ||
           region->base == memory::local_ram_base || ram_.has_program_at(address);
}

/// "0xffb12040 (debug_registers)", or with the name that the program has for it.
std::string core_memory::text_of(std::uint32_t address, const memory::region* region) {
    if (names_.empty())
        for (const auto& [symbol, value] : program_.symbols()) names_.emplace(value, symbol);
    const auto named = names_.find(address);
    std::string name = region ? region->name : "";
    if (named != names_.end()) name = named->second;
    return name.empty() ? fmt::format("{:#010x}", address) : fmt::format("{:#010x} ({})", address, name);
}

void core_memory::progress() {
    if (!polled_.empty()) polled_.clear();
}

// --- loads -------------------------------------------------------------------------------------------------

/// How often it has been loaded before.
unsigned core_memory::times_polled(std::uint32_t address) {
    if (polled_.size() > most_polled_places) polled_.clear();
    const unsigned times = polled_[{pc(), address}]++;
    if (times > most_polls)
        throw user_error(fmt::format("{}: a loop waits for another value of {}, and {} different ones do not "
                                     "end it",
                                     notes_.place(pc()), text_of(address, region_of(address)), times));
    return times;
}

/// The value of what nobody has written.
std::uint32_t core_memory::unknown(std::uint32_t address, const memory::region* region) {
    const unsigned times = times_polled(address);
    if (times < loads_until_polling) {
        if (noted_.size() < most_noted_loads && noted_.insert({pc(), address}).second)
            notes_.assumes(pc(), "a load of " + text_of(address, region) + ", which nobody has written",
                           "0 is assumed");
        return 0;
    }
    if (times == loads_until_polling)
        notes_.waits(pc(), "a loop waits for another value of " + text_of(address, region));
    return poll_answer(times - loads_until_polling);
}

riscv::memory_answer core_memory::load(std::uint32_t address, unsigned size, cycles at) {
    const memory::region* const region = region_of(address);
    if (is_ram(address, region)) {
        const auto value = ram_.load(address, size);
        return {value ? *value : unknown(address, region), at, false};
    }
    if (!region) return {0, at, true};
    const unsigned shift = 8 * (address & 3u);
    riscv::memory_answer answer = load_device(address & ~3u, *region, at);
    answer.value >>= shift;
    if (size < 4) answer.value &= (1u << 8 * size) - 1;
    return answer;
}

riscv::memory_answer core_memory::load_device(std::uint32_t address, const memory::region& region,
                                              cycles at) {
    const auto offset = static_cast<std::uint32_t>(address - region.base);
    const auto known = [at](std::uint32_t value) { return riscv::memory_answer{value, at, false}; };
    switch (region.base) {
    case memory::pc_buffer_base: return load_sync(offset, at);
    case memory::mailboxes_base:
        notes_.waits(pc(), "a mailbox is read that another core writes (" + text_of(address, &region) + ")");
        return known(0);
    case memory::gpr_base:
        if (offset / 4 >= thread_backend::gpr_count) break;
        if (const auto value = backend_.load_gpr(offset / 4)) return known(*value);
        break;
    case memory::config_base:
        if (const auto value = backend_.load_config(offset / 4)) return known(*value);
        break;
    case memory::debug_registers_base:
        if (offset == wall_clock_low) return known(static_cast<std::uint32_t>(at.count()));
        if (offset == wall_clock_high_now || offset == wall_clock_high)
            return known(static_cast<std::uint32_t>(at.count() >> 32));
        break;
    default: break;
    }
    return known(unknown(address, &region));
}

riscv::memory_answer core_memory::load_sync(std::uint32_t offset, cycles at) {
    if (offset == coprocessor_done || offset == mop_done) // the thread itself, which is done when it is done
        return {0, std::max(at, cycles{front_end_.idle_from()}), false};
    if (offset >= first_semaphore && offset <= last_semaphore)
        return {load_semaphore((offset - first_semaphore) / 4), at, false};
    notes_.waits(pc(), "a word is read from the buffer that core B writes (PCBuf)");
    return {0, at, false};
}

/// Who asks again gets another value: that of a thread that has posted or taken meanwhile.
std::uint32_t core_memory::load_semaphore(unsigned index) {
    unsigned& value = semaphores_[index];
    if (times_polled(static_cast<std::uint32_t>(memory::pc_buffer_base) + first_semaphore + 4 * index) > 0)
        value = (value + 1) & 15u;
    notes_.waits(pc(), fmt::format("semaphore {} is read, which other threads change", index));
    return value;
}

// --- stores ------------------------------------------------------------------------------------------------

riscv::memory_answer core_memory::store(std::uint32_t address, unsigned size, std::uint32_t value,
                                        cycles at) {
    const memory::region* const region = region_of(address);
    if (is_ram(address, region)) {
        ram_.store(address, size, value);
        const bool narrow = region && region->base == memory::l1_base;
        return {0, at + cycles{narrow ? config_.memory.l1_narrow_write : 1}, false};
    }
    if (!region) return {0, at, true};
    store_device(address, *region, size, value, at);
    return {0, at + one_cycle, false};
}

void core_memory::store_device(std::uint32_t address, const memory::region& region, unsigned size,
                               std::uint32_t value, cycles at) {
    progress();
    const auto offset = static_cast<std::uint32_t>(address - region.base);
    const bool whole = size == 4;
    switch (region.base) {
    case memory::instruction_push_base:
        if (!whole) break;
        if (!front_end_.push(value, pc(), at.count(), true)) core_->stop();
        return;
    case memory::mop_config_base:
        if (!whole) break;
        front_end_.set_mop_config(offset / 4, value);
        return;
    case memory::gpr_base:
        if (!whole || offset / 4 >= thread_backend::gpr_count) break;
        backend_.store_gpr(offset / 4, value);
        return;
    case memory::config_base:
        if (!whole) break;
        backend_.store_config(offset / 4, value, pc());
        return;
    case memory::pc_buffer_base:
        if (offset >= first_semaphore && offset <= last_semaphore)
            store_semaphore((offset - first_semaphore) / 4, value);
        return;                          // the other words begin a wait for the thread itself
    case memory::mailboxes_base: return; // for another core
    default: break;
    }
    notes_.assumes(pc(), "a store to " + text_of(address, &region), "without effect on the kernel");
}

void core_memory::store_semaphore(unsigned index, std::uint32_t value) {
    unsigned& count = semaphores_[index];
    if (value & 1) count -= count > 0;
    else count += count < 15;
}

// --- code and pushes ---------------------------------------------------------------------------------------

riscv::memory_answer core_memory::fetch(std::uint32_t address, cycles at) {
    if (address == return_place) {
        returned_ = at;
        core_->stop();
        return {jump_to_itself, at, false};
    }
    const memory::region* const region = region_of(address);
    if (!is_ram(address, region)) return {0, at, true};
    const auto word = ram_.load(address, 4);
    return {word.value_or(0), at, !word};
}

cycles core_memory::push(const std::uint32_t* words, unsigned count, cycles at) {
    progress();
    for (unsigned i = 0; i < count; ++i)
        if (!front_end_.push(words[i], pc() + 4 * i, at.count(), i == 0)) core_->stop();
    return at + one_cycle;
}

std::uint32_t core_memory::status(unsigned csr, cycles) {
    notes_.assumes(pc(), fmt::format("the status register {:#x} is read", csr), "an idle thread is assumed");
    return 0;
}

} // namespace sfpu::analysis
