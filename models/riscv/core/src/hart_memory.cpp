// What loads, stores and fetches do when there is no shortcut: other pages, devices, misaligned and watched
// addresses.
#include <sfpu/riscv/hart_core.h>

#include "integer_operations.h"

#include <algorithm>
#include <cstring>

namespace sfpu::riscv {
namespace {

std::uint32_t extended(std::uint32_t value, unsigned size, bool sign_extend) {
    if (!sign_extend) return value;
    return size == 1 ? operations::sext_b(value) : size == 2 ? operations::sext_h(value) : value;
}

/// Where the MOP expander's nine words of configuration stand (tile.md K4).
constexpr bool is_mop_config(std::uint32_t address) { return address - 0xffb80000u < 9 * 4; }

/// Reads or writes the low bytes of a value; the host is little-endian, as TLM-2.0 would have it on this
/// hart.
std::uint32_t bytes_at(const data_page& page, std::uint32_t address, unsigned size) {
    std::uint32_t value = 0;
    std::memcpy(&value, page.bytes + address % page_bytes, size);
    return value;
}

} // namespace

memory_answer hart_core::fetch(std::uint32_t pc) {
    const data_page& page = pages_.find(pc);
    if (!page.bytes) return memory_.fetch(pc, now_);
    return {bytes_at(page, pc, 4), now_ + page.load_time, false};
}

// --- odd accesses ------------------------------------------------------------------------------------------

/// Tells of a misaligned access; returns what it does.
misaligned_access hart_core::misaligned(std::uint32_t address, unsigned size, bool is_store,
                                        misaligned_access action) {
    if (listener_) listener_->misaligned({address, size, is_store, pc_ - 4, issued_, action});
    return action;
}

void hart_core::access_fault(std::uint32_t address, unsigned size, bool is_store) {
    if (listener_) listener_->refused({address, size, is_store, pc_ - 4, issued_, {}});
    trap(is_store ? cause::store_fault : cause::load_fault, address);
}

/// Of loads with latency N, 5 or more, so many can issue in N - 1 cycles: that many loads later there is a
/// place again.
void hart_core::wait_for_place_of_far_load(cycles latency) {
    hold(stall_cause::load_queue,
         far_issued_[(far_issued_count_ - far_loads_) % far_places] + latency - one_cycle);
    issued_ = now_;
    far_issued_[far_issued_count_++ % far_places] = issued_;
}

// --- loads -------------------------------------------------------------------------------------------------

memory_answer hart_core::load_aligned(std::uint32_t address, unsigned size) {
    const data_page* page = &pages_.find(address);
    if (page->bytes && page->is_shared) {
        if (!memory_.synchronise(issued_)) return {0, issued_, false};
        page = &pages_.find(address); // direct access may have been taken back meanwhile
    }
    if (!page->bytes) return memory_.load(address, size, issued_);
    const cycles added = page->is_timed
                             ? memory_.note_direct(page->bytes + address % page_bytes, size, false, issued_)
                             : page->load_time;
    return {bytes_at(*page, address, size), issued_ + added, false};
}

void hart_core::loaded(unsigned rd, std::uint32_t value, cycles ready) {
    x_[rd] = value;
    ready_[rd] = ready;
    from_multiplier_[rd] = false;
    slowest_result_ = std::max(slowest_result_, ready);
}

/// A misaligned load that is done byte by byte is done all at once, and only in memory.
void hart_core::load_slowly(std::uint32_t address, unsigned size, bool sign_extend, unsigned rd) {
    const cycles region_latency = pages_.find(address).region_latency;
    if (address % size) {
        const misaligned_access action = misaligned(address, size, false, misaligned_);
        if (action == misaligned_access::trap) return trap(cause::misaligned_load, address);
        if (action == misaligned_access::round_down) address -= address % size;
    }
    wait_for_far_load(region_latency);
    now_ = issued_ + one_cycle;
    const unsigned step = address % size ? 1 : size;
    std::uint32_t value = 0;
    cycles done = issued_;
    for (unsigned i = 0; i < size; i += step) {
        const std::uint32_t part = address + i;
        if (step != size && !pages_.find(part).is_memory) return trap(cause::misaligned_load, address);
        const memory_answer answer = load_aligned(part, step);
        if (answer.fault) return access_fault(part, step, false);
        value |= answer.value << 8 * i;
        done = std::max(done, answer.done);
    }
    loaded(rd, extended(value, size, sign_extend), done + region_latency);
}

// --- stores ------------------------------------------------------------------------------------------------

/// Waits for a place in the store queue; returns the cycle in which memory can take the store.
cycles hart_core::place_in_store_queue() {
    hold(stall_cause::store_queue, store_taken_[(stores_queued_ - config_.hart.store_queue) % store_places]);
    issued_ = now_;
    return std::max(now_, last_store_taken());
}

/// False if it trapped.
bool hart_core::store_slowly(std::uint32_t address, unsigned size, std::uint32_t value) {
    if (address % size) {
        if (!prepare_misaligned_store(address, size, value)) return false;
        if (address % size) return true;
    }
    if (!store_aligned(address, size, value)) {
        access_fault(address, size, true);
        return false;
    }
    stored(address, size, value);
    return true;
}

/// Does a misaligned store byte by byte, or rounds its address down for it to be done. False if it trapped.
/// Each byte takes a place in the queue, and all of them must be in memory.
bool hart_core::prepare_misaligned_store(std::uint32_t& address, unsigned size, std::uint32_t value) {
    const misaligned_access action = misaligned(address, size, true, misaligned_);
    if (action == misaligned_access::round_down) {
        address -= address % size;
        return true;
    }
    if (action == misaligned_access::trap) {
        trap(cause::misaligned_store, address);
        return false;
    }
    for (unsigned i = 0; i < size; ++i) {
        const std::uint32_t part = address + i;
        if (!pages_.find(part).is_memory) {
            trap(cause::misaligned_store, address);
            return false;
        }
        if (!store_aligned(part, 1, value >> 8 * i)) {
            access_fault(part, 1, true);
            return false;
        }
    }
    stored(address, size, value);
    return true;
}

inline void hart_core::stored(std::uint32_t address, unsigned size, std::uint32_t value) {
    now_ = std::max(now_, issued_ + one_cycle);
    if (touches_watched(address, size) && listener_) listener_->watched_store(address, size, value, issued_);
}

/// False if the store faults; nothing has changed then.
inline bool hart_core::store_aligned(std::uint32_t address, unsigned size, std::uint32_t value) {
    const data_page& page = pages_.find(address);
    return page.is_memory ? store_to_memory(address, size, value) : store_to_device(address, size, value);
}

bool hart_core::store_to_memory(std::uint32_t address, unsigned size, std::uint32_t value) {
    const cycles asked = issued_, sent = place_in_store_queue();
    const cycles happens = in_atomic_ ? asked : sent;
    const data_page* page = &pages_.find(address);
    bool run_ends = false; // before it happens
    if (page->can_store && page->is_shared) {
        run_ends = !memory_.synchronise(happens);
        page = &pages_.find(address); // direct access may have been taken back meanwhile
    }
    cycles taken = sent + page->store_time;
    if (page->can_store) {
        unsigned char* const place = page->bytes + address % page_bytes;
        if (!run_ends && page->is_timed)
            taken = std::max(sent + one_cycle, sent + memory_.note_direct(place, size, true, happens));
        if (!run_ends) std::memcpy(place, &value, size);
    } else if (!run_ends) {
        const memory_answer answer = memory_.store(address, size, value, happens);
        if (answer.fault) return false;
        taken = std::max(sent + one_cycle,
                         answer.done + (sent - happens)); // the memory is asked early, not faster
    }
    pages_.overwrite(pages_.find(address), address);
    queue_store(taken);
    return true;
}

inline bool hart_core::store_to_device(std::uint32_t address, unsigned size, std::uint32_t value) {
    const bool is_push = is_push_address(address);
    if (delays_) {
        if (is_push && size == 4) {
            now_ = issued_;
            delay_push(0, address);
            issued_ = now_;
            delays_->pushed(value);
        } else if (is_mop_config(address)) {
            delays_->mop_configured(value);
        }
    }
    const memory_answer answer = memory_.store(address, size, value, issued_);
    if (answer.fault) return false;
    pages_.overwrite(pages_.find(address), address);
    counters_.tensix_words += is_push;
    now_ = issued_ + one_cycle;
    hold(is_push ? stall_cause::fifo_full : stall_cause::device, answer.done);
    return true;
}

// --- atomics -----------------------------------------------------------------------------------------------

void hart_core::modify_atomically(std::uint32_t address, std::uint32_t operand,
                                  std::uint32_t (*operation)(std::uint32_t, std::uint32_t), unsigned rd) {
    ++counters_.loads;
    ++counters_.stores;
    if (address % 4) {
        misaligned(address, 4, true, misaligned_access::trap);
        return trap(cause::misaligned_store, address);
    }
    const memory_answer old = load_aligned(address, 4);
    if (old.fault) return access_fault(address, 4, true);
    const cycles ready =
        old.done + pages_.find(address).region_latency + cycles{config_.hart.latency_atomic_extra};
    in_atomic_ = true;
    const bool is_stored = store_slowly(address, 4, operation(old.value, operand));
    in_atomic_ = false;
    if (is_stored) loaded(rd, old.value, ready);
}

// --- watching ----------------------------------------------------------------------------------------------

void hart_core::watch_stores(std::uint32_t address, std::uint32_t length) {
    watched_first_ = address;
    watched_length_ = length;
    pages_.watch(address, length);
}

bool hart_core::touches_watched(std::uint32_t address, unsigned size) const {
    return watched_length_ && (address - watched_first_ < watched_length_ || watched_first_ - address < size);
}

} // namespace sfpu::riscv
