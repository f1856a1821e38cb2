// What a hart core remembers of each 4 KiB page: where its bytes are, how long loads take, and its decoded
// instructions.
#pragma once

#include <sfpu/riscv/hart_ports.h>
#include <sfpu/riscv/instruction_set.h>

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace sfpu::riscv {

constexpr std::uint32_t page_bytes = 4096;
constexpr std::uint32_t page_of(std::uint32_t address) { return address & ~(page_bytes - 1); }

/// The instructions of a page. An entry that has not been decoded, or whose word has been overwritten, has
/// page_map::undecoded() as its execute function.
struct code_page {
    std::array<decoded_instruction, page_bytes / 4> at;
};

/// A page as loads and stores see it.
struct data_page {
    static constexpr std::uint32_t no_page = 1; ///< no address of a page

    std::uint32_t loads_from = no_page; ///< the page if loads may go straight to `bytes`
    std::uint32_t stores_to = no_page;  ///< the page if stores may
    std::uint32_t page = no_page;
    unsigned char* bytes = nullptr; ///< of the page's first byte; null: no direct memory
    code_page* code = nullptr;      ///< decoded instructions of the page
    cycles region_latency{};        ///< of loads
    cycles load_time{};             ///< what direct memory adds to it
    cycles store_time{};            ///< direct stores: how long memory is busy, at least one cycle
    bool can_store = false;         ///< there is direct memory, and it may be written
    bool is_memory = false;         ///< of a region that is memory, not a device
    bool is_shared = false;         ///< direct memory that others use, too
    bool is_timed = false;          ///< direct memory that is asked how long each access takes
};

/// Whether stores to an address are posted (memory) or hold the hart until they are accepted (devices).
bool is_memory_region(std::uint32_t address);
/// Cycles from a load to the first instruction that can use its result, by address region (K1).
cycles load_latency(std::uint32_t address, const parameters& config);
/// Where stores push Tensix words (K2).
constexpr bool is_push_address(std::uint32_t address) {
    return address >= 0xffe40000u && address <= 0xffe6ffffu;
}
constexpr std::uint32_t push_address = 0xffe40000u;

class page_map {
public:
    /// `undecoded` is what entries without a decoded instruction execute.
    void reset(const parameters& config, memory_interface& memory, execute_function undecoded);

    /// The page of an address in its place of the small table in front, which may hold another page still.
    data_page& place(std::uint32_t address) { return recent_[address / page_bytes % recent_count]; }
    /// The page of an address.
    data_page& find(std::uint32_t address) {
        data_page& found = place(address);
        return found.page == page_of(address) ? found : fill(found, address);
    }
    /// Stores to this page and, if they straddle its end, to the next never go straight to memory.
    void watch(std::uint32_t first, std::uint32_t length);

    /// The decoded instructions of the page of `pc`; made if it has none yet.
    code_page& code(std::uint32_t pc);
    /// Frees decoded instructions if there are very many. None may be in use.
    void bound_code();
    /// A word has been stored: what was decoded of it is void.
    void overwrite(const data_page& page, std::uint32_t address) const {
        if (page.code) page.code->at[address % page_bytes / 4].execute = undecoded_;
    }

    void forget_direct_memory();
    void forget_code();

private:
    static constexpr unsigned recent_count = 256;
    static constexpr unsigned most_code_pages = 1024; ///< then all are decoded anew

    bool is_watched(std::uint32_t page) const;
    data_page& fill(data_page& found, std::uint32_t address);

    parameters config_;
    memory_interface* memory_ = nullptr;
    execute_function undecoded_ = nullptr;
    std::array<data_page, recent_count> recent_;
    std::unordered_map<std::uint32_t, std::unique_ptr<code_page>> code_;
    std::uint32_t watched_first_ = 0, watched_length_ = 0;
};

} // namespace sfpu::riscv
