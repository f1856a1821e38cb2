// Memory and devices of a Tensix tile as a baby core sees them while one function of a program runs on it.
//
// Nothing else runs in the tile: what other threads, cores and units would answer is assumed, and noted.
#pragma once

#include "run_notes.h"
#include "word_expander.h"

#include <sfpu/common/parameters.h>
#include <sfpu/memory/address_map.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/hart_core.h>
#include <sfpu/riscv/hart_ports.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Where a function returns to. No memory, and no device of the chip.
constexpr std::uint32_t return_place = 0xfffffff0u;

/// Bytes of RAM that are there once they are touched.
class sparse_ram {
public:
    static constexpr std::uint32_t page_bytes = 4096;
    static constexpr std::size_t most_pages = 4096; ///< 16 MiB; then user_error

    explicit sparse_ram(const riscv::elf_image& program);

    /// Whether the program has a segment there.
    bool has_program_at(std::uint32_t address) const;
    /// An aligned value of 1, 2 or 4 bytes; nothing if the program does not have all of them and nobody wrote
    /// them.
    std::optional<std::uint32_t> load(std::uint32_t address, unsigned size);
    void store(std::uint32_t address, unsigned size, std::uint32_t value);

private:
    struct page {
        std::array<unsigned char, page_bytes> bytes{};
        std::bitset<page_bytes> known;
    };

    /// Where a segment can be seen.
    struct view {
        std::uint64_t first = 0;
        const riscv::elf_segment* segment = nullptr;
    };
    static void sort(std::vector<view>& views);
    static bool covers(const std::vector<view>& views, std::uint32_t address);
    static void fill(page& to, std::uint32_t base, const std::vector<view>& views);
    page& page_at(std::uint32_t address);

    /// Where a loader puts the segments, and where the program sees them, which wins.
    std::vector<view> physical_, virtual_;
    std::unordered_map<std::uint32_t, std::unique_ptr<page>> pages_;
};

class core_memory final : public riscv::memory_interface, public riscv::tensix_port {
public:
    core_memory(const riscv::elf_image& program, const parameters& config, word_expander& front_end,
                thread_backend& backend, run_notes& notes);

    /// Of whose accesses these are.
    void attach(riscv::hart_core& core) { core_ = &core; }
    /// Whether the function has returned, and in which cycle.
    const std::optional<cycles>& returned() const { return returned_; }
    void run_again() { returned_.reset(); }
    sparse_ram& ram() { return ram_; }

    riscv::memory_answer load(std::uint32_t address, unsigned size, cycles at) override;
    riscv::memory_answer store(std::uint32_t address, unsigned size, std::uint32_t value, cycles at) override;
    riscv::memory_answer fetch(std::uint32_t address, cycles at) override;
    bool find_direct(std::uint32_t, riscv::direct_memory&) override { return false; }
    cycles push(const std::uint32_t* words, unsigned count, cycles at) override;
    std::uint32_t status(unsigned csr, cycles at) override;

private:
    std::uint32_t pc() const { return core_->pc() - 4; }
    /// The region of an address, or null.
    const memory::region* region_of(std::uint32_t address) const;
    bool is_ram(std::uint32_t address, const memory::region* region) const;
    std::string text_of(std::uint32_t address, const memory::region* region);
    void progress();

    std::uint32_t unknown(std::uint32_t address, const memory::region* region);
    unsigned times_polled(std::uint32_t address);
    riscv::memory_answer load_device(std::uint32_t address, const memory::region& region, cycles at);
    riscv::memory_answer load_sync(std::uint32_t offset, cycles at);
    std::uint32_t load_semaphore(unsigned index);
    void store_device(std::uint32_t address, const memory::region& region, unsigned size, std::uint32_t value,
                      cycles at);
    void store_semaphore(unsigned index, std::uint32_t value);

    parameters config_;
    sparse_ram ram_;
    const riscv::elf_image& program_;
    memory::address_map map_;
    word_expander& front_end_;
    thread_backend& backend_;
    run_notes& notes_;
    riscv::hart_core* core_ = nullptr;
    std::optional<cycles> returned_;
    std::unordered_map<std::uint32_t, std::string_view> names_; ///< symbols by address, once they are wanted
    std::array<unsigned, 8> semaphores_{};
    /// How often an instruction has loaded from an address since the function did anything else that shows.
    std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> polled_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> noted_; ///< such loads that have been told
};

} // namespace sfpu::analysis
