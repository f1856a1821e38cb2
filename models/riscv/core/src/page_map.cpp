#include <sfpu/riscv/page_map.h>

#include <algorithm>

namespace sfpu::riscv {
namespace {

/// Where devices begin: everything below is memory, L1 and local RAM included.
constexpr std::uint32_t first_device = 0xffb10000u;

/// Loads from addresses up to `last`, from where the row before ends, take as long as the parameter says.
struct latency_row {
    std::uint32_t last;
    unsigned hart_parameters::*cycles;
};
constexpr latency_row latencies[] = {
    {0x7fffffffu, &hart_parameters::latency_l1},      // L1, and what a platform puts behind it
    {0xffafffffu, &hart_parameters::latency_ram},     // plain RAM at 0x80000000
    {0xffb0ffffu, &hart_parameters::latency_local},   // local data RAM
    {0xffb13fffu, &hart_parameters::latency_control}, // tile control, debug, status, interrupt controller
    {0xffb1dfffu, &hart_parameters::latency_l1},      // local data RAM of other cores
    {0xffbcffffu, &hart_parameters::latency_control}, // NoC
    {0xffdfffffu, &hart_parameters::latency_dst},     // the Dst window
    {0xffe3ffffu, &hart_parameters::latency_config},  // GPRs
    {0xffe7ffffu, &hart_parameters::latency_control}, // push addresses cannot be loaded from
    {0xffeeffffu, &hart_parameters::latency_sync},    // PCBufs, synchronisation, semaphores, mailboxes
    {0xffffffffu, &hart_parameters::latency_config},  // back-end configuration
};

} // namespace

bool is_memory_region(std::uint32_t address) { return address < first_device; }

cycles load_latency(std::uint32_t address, const parameters& config) {
    const auto* row = std::find_if(std::begin(latencies), std::end(latencies),
                                   [&](const latency_row& r) { return address <= r.last; });
    return cycles{config.hart.*row->cycles};
}

void page_map::reset(const parameters& config, memory_interface& memory, execute_function undecoded) {
    config_ = config;
    memory_ = &memory;
    undecoded_ = undecoded;
    code_.clear();
    forget_direct_memory();
}

bool page_map::is_watched(std::uint32_t page) const {
    if (watched_length_ == 0) return false;
    // Modulo 2^32: either the page holds the first watched address, or they hold the page's first.
    return watched_first_ - page < page_bytes || page - watched_first_ < watched_length_;
}

/// Fills the place with the page of this address.
data_page& page_map::fill(data_page& found, std::uint32_t address) {
    const std::uint32_t page = page_of(address);
    found = data_page{};
    found.page = page;
    found.is_memory = is_memory_region(address);
    found.region_latency = load_latency(address, config_);
    if (const auto code = code_.find(page); code != code_.end()) found.code = code->second.get();
    direct_memory direct;
    if (!memory_->find_direct(address, direct)) return found;
    const std::uint32_t last = page + (page_bytes - 1);
    if (direct.first > page || direct.last < last)
        return found; // only part of the page: not worth a shortcut
    found.bytes = direct.bytes + (page - direct.first);
    found.can_store = direct.writable;
    found.load_time = direct.load_time;
    found.store_time = std::max(direct.store_time, one_cycle);
    found.is_shared = direct.shared;
    found.is_timed = direct.timed;
    if (direct.shared || direct.timed) return found; // loads and stores take the long way
    found.loads_from = page;
    if (direct.writable && found.is_memory && !is_watched(page)) found.stores_to = page;
    return found;
}

void page_map::watch(std::uint32_t first, std::uint32_t length) {
    watched_first_ = first;
    watched_length_ = length;
    forget_direct_memory();
}

code_page& page_map::code(std::uint32_t pc) {
    const std::uint32_t page = page_of(pc);
    if (const auto found = code_.find(page); found != code_.end()) return *found->second;
    auto& made = code_[page] = std::make_unique<code_page>();
    for (decoded_instruction& entry : made->at) entry.execute = undecoded_;
    if (data_page& seen = place(pc); seen.page == page) seen.code = made.get();
    return *made;
}

void page_map::bound_code() {
    if (code_.size() < most_code_pages) return;
    code_.clear();
    forget_direct_memory(); // which also refers to them
}

void page_map::forget_direct_memory() { recent_.fill(data_page{}); }

void page_map::forget_code() {
    for (auto& [page, code] : code_)
        for (decoded_instruction& entry : code->at) entry.execute = undecoded_;
}

} // namespace sfpu::riscv
