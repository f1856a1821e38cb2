#include <sfpu/frontend/front_end.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/riscv/push_order.h>
#include <sfpu/vector_unit/push_payload.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace sfpu::frontend {
namespace {

constexpr unsigned word_bytes = 4;

/// Registers of the synchronisation space.
constexpr std::uint64_t pc_buffer = 0x00, coprocessor_done = 0x04, mop_done = 0x08, first_semaphore = 0x20;

/// The checks that all registers share.
tlm::tlm_response_status check_register(const tlm::tlm_generic_payload& trans, std::uint64_t end) {
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (trans.get_address() >= end || trans.get_address() % word_bytes != 0)
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (trans.get_data_length() != word_bytes || trans.get_streaming_width() < word_bytes)
        return tlm::TLM_BURST_ERROR_RESPONSE;
    return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

std::uint32_t get_word(const tlm::tlm_generic_payload& trans) {
    std::uint32_t word;
    std::memcpy(&word, trans.get_data_ptr(), sizeof word);
    return word;
}

/// One more who sleeps, until it wakes up or its process is reset.
class sleeper {
public:
    explicit sleeper(unsigned& all) : all_(all) { ++all_; }
    ~sleeper() { --all_; }
    sleeper(const sleeper&) = delete;
    sleeper& operator=(const sleeper&) = delete;

private:
    unsigned& all_;
};

void set_word(tlm::tlm_generic_payload& trans, std::uint32_t word) {
    std::memcpy(trans.get_data_ptr(), &word, sizeof word);
}

} // namespace

front_end::front_end(const sc_core::sc_module_name& name, vector_unit& unit, unsigned thread,
                     sync_unit* semaphores, front_end_group* group)
    : sc_module(name), unit_(unit),
      thread_(module_argument(*this, "thread", thread, 0, isa::thread_count - 1)),
      semaphores_(semaphores ? *semaphores : own_semaphores_), group_(group),
      port_(insn_isock_, unit, thread_) {
    if (group_ && group_->threads.has(thread_)) {
        const std::string text =
            fmt::format("{}: thread {} has another front end in its group", this->name(), thread_);
        SC_REPORT_ERROR(module_argument_report, text.c_str());
        group_ = nullptr;
    }
    if (group_) pipeline_.join(group_->threads);
    push_tsock.register_b_transport(this, &front_end::push);
    bus_push_tsock.register_b_transport(this, &front_end::push_by_bus);
    b_push_tsock.register_b_transport(this, &front_end::push_by_b);
    mop_config_tsock.register_b_transport(this, &front_end::write_mop_config);
    sync_tsock.register_b_transport(this, &front_end::synchronise);
    mop_config_tsock.register_transport_dbg(this, &front_end::look_at_mop_config);
    sync_tsock.register_transport_dbg(this, &front_end::look_at_semaphores);
    semaphores_.add(*this);
    reset(parameters{});
}

void front_end::reset(const parameters& config, probe::pipeline_observer* observer) {
    port_.reset(sc_core::sc_time_stamp(), config);
    own_semaphores_.reset();
    words_pushed_ = 0;
    if (group_) group_->threads.reset(config);
    pipeline_.reset(config, thread_, thread_pipeline::feed::fifo, semaphores_, port_, observer);
    ++generation_; // whoever sleeps here gives up
    released_.notify(sc_core::SC_ZERO_TIME);
    if (has_sleepers()) group_->changed.notify(sc_core::SC_ZERO_TIME);
}

void front_end::discard_unexpanded() {
    pipeline_.discard_unexpanded(cycle_at(sc_core::sc_time_stamp()));
    released_.notify(sc_core::SC_ZERO_TIME);
    if (has_sleepers()) group_->changed.notify(sc_core::SC_ZERO_TIME);
}

cycles front_end::catch_up(const sc_core::sc_time& until) {
    const cycles end = cycle_at(until);
    pipeline_.advance(end);
    port_.bring_unit_to(until);
    return end;
}

void front_end::drain() {
    pipeline_.run_to_end();
    unit_.drain();
}

/// Simulated time that is waited for here is time of the initiator: its thread sleeps. What it was ahead
/// counts.
template <class Attempt>
bool front_end::complete(sc_core::sc_time& delay, Attempt attempt) {
    const unsigned generation = generation_;
    const sc_core::sc_time asked = sc_core::sc_time_stamp() + delay;
    std::optional<cycles> done = attempt(cycle_at(asked));
    while (!done) {
        wait(released_);
        if (generation != generation_) return false;
        done = attempt(cycle_at(std::max(asked, sc_core::sc_time_stamp())));
    }
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time until = std::max(port_.time_of(*done), asked);
    delay = until > now ? until - now : sc_core::SC_ZERO_TIME;
    return true;
}

/// The same among several front ends: asks in each cycle in which the answer can change, at that time.
template <class Attempt>
bool front_end::complete_in_time(sc_core::sc_time& delay, Attempt attempt) {
    const unsigned generation = generation_;
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    for (;;) {
        if (generation != generation_) return false;
        const cycles now = cycle_at(sc_core::sc_time_stamp());
        const std::optional<cycles> done = attempt(now);
        if (done) {
            delay = port_.time_of(std::max(*done, now)) - sc_core::sc_time_stamp();
            return true;
        }
        const cycles next = port_.vector_unit_moves(now) ? now + one_cycle : group_->threads.next_action(now);
        const sleeper here(group_->sleepers);
        if (next == forever) wait(group_->changed);
        else wait(port_.time_of(next) - sc_core::sc_time_stamp(), group_->changed);
    }
}

void front_end::wake_sleepers(const sc_core::sc_time& after) {
    if (has_sleepers()) group_->changed.notify(after);
}

// --- pushes ------------------------------------------------------------------------------------------------

void front_end::push(payload& trans, sc_core::sc_time& delay) {
    if (trans.get_address() != 0) return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    push_words(trans, delay, source::t_core);
}

void front_end::push_by_bus(payload& trans, sc_core::sc_time& delay) {
    if (trans.get_address() % word_bytes != 0)
        return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    push_words(trans, delay, source::t_core);
}

void front_end::push_by_b(payload& trans, sc_core::sc_time& delay) {
    if (trans.get_address() % word_bytes != 0)
        return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    push_words(trans, delay, source::b_core);
}

void front_end::push_words(payload& trans, sc_core::sc_time& delay, source from) {
    const unsigned length = trans.get_data_length();
    const tlm::tlm_response_status verdict = check_push(trans);
    trans.set_response_status(verdict);
    if (verdict != tlm::TLM_OK_RESPONSE) return;
    const unsigned char* bytes = trans.get_data_ptr();
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    const cycles first = cycle_at(begin);
    auto* order = trans.get_extension<riscv::push_order>();
    if (order && (!order->after || order->period != port_.period() || port_.time_of(first) != begin))
        order = nullptr;
    cycles asked = first, accepted{};
    bool at_once = false;
    for (unsigned at_byte = 0; at_byte < length; at_byte += word_bytes) {
        std::uint32_t word;
        std::memcpy(&word, bytes + at_byte, sizeof word);
        if (order) asked = first + cycles{order->after[at_byte / word_bytes]};
        else if (at_byte != 0) asked = accepted + one_cycle;
        const std::int64_t index = words_pushed_++;
        at_once = false;
        if (from == source::t_core) {
            if (const std::optional<cycles> taken = pipeline_.push_at_once(word, index, asked)) {
                at_once = true;
                accepted = *taken;
                if (has_sleepers()) wake_sleepers(delay_until(accepted));
                continue;
            }
        }
        delay = delay_until(asked);
        const bool is_pushed =
            is_shared() ? push_word_in_time(word, index, delay, from) : push_word(word, index, delay, from);
        if (!is_pushed) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        accepted = cycle_at(sc_core::sc_time_stamp() + delay) - one_cycle;
    }
    if (at_once) delay = delay_until(accepted + one_cycle);
    if (!order || from != source::t_core) return;
    order->width = pipeline_.push_width();
    order->sure = pipeline_.sure_room();
    order->late = static_cast<std::uint32_t>((accepted - asked).count());
}

/// From now to the beginning of a cycle; zero if that is over.
sc_core::sc_time front_end::delay_until(cycles at) const {
    const sc_core::sc_time now = sc_core::sc_time_stamp(), wanted = port_.time_of(at);
    return wanted > now ? wanted - now : sc_core::SC_ZERO_TIME;
}

bool front_end::push_word(std::uint32_t word, std::int64_t index, sc_core::sc_time& delay, source from) {
    return complete(delay, [&](cycles at) {
        const std::optional<cycles> accepted =
            from == source::t_core ? pipeline_.push(word, index, at) : pipeline_.push_b(word, index, at);
        return accepted ? std::optional(*accepted + one_cycle) : std::nullopt;
    });
}

bool front_end::push_word_in_time(std::uint32_t word, std::int64_t index, sc_core::sc_time& delay,
                                  source from) {
    const cycles asked = cycle_at(sc_core::sc_time_stamp() + delay);
    const bool is_pushed = complete_in_time(delay, [&](cycles at) {
        const std::optional<cycles> accepted = from == source::t_core
                                                   ? pipeline_.push_now(word, index, asked, at)
                                                   : pipeline_.push_b_now(word, index, at);
        return accepted ? std::optional(*accepted + one_cycle) : std::nullopt;
    });
    if (is_pushed) wake_sleepers(delay);
    return is_pushed;
}

// --- registers ---------------------------------------------------------------------------------------------

void front_end::write_mop_config(payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status =
        trans.is_read() ? tlm::TLM_COMMAND_ERROR_RESPONSE
                        : check_register(trans, mop_expander::config_words * word_bytes);
    trans.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    pipeline_.set_mop_config(static_cast<unsigned>(trans.get_address() / word_bytes), get_word(trans),
                             cycle_at(sc_core::sc_time_stamp() + delay));
}

void front_end::synchronise(payload& trans, sc_core::sc_time& delay) {
    const std::uint64_t address = trans.get_address();
    const std::uint64_t end = first_semaphore + sync_unit::count * word_bytes;
    tlm::tlm_response_status status = check_register(trans, end);
    // Nothing lies between the checks and the semaphores.
    if (status == tlm::TLM_OK_RESPONSE && address > mop_done && address < first_semaphore)
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (status == tlm::TLM_OK_RESPONSE && address == pc_buffer && trans.is_read() && !pop_pc_buffer_)
        status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    trans.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;

    const cycles now = cycle_at(sc_core::sc_time_stamp() + delay);
    if (address >= first_semaphore) {
        const unsigned index = static_cast<unsigned>((address - first_semaphore) / word_bytes);
        if (trans.is_read()) {
            pipeline_.advance(now);
            return set_word(trans, semaphores_.value(index));
        }
        return semaphores_.write(index, get_word(trans), now);
    }
    if (trans.is_write()) return;
    if (address == pc_buffer) return read_pc_buffer(trans);
    set_word(trans, 0);
    if (!wait_for_check(address == coprocessor_done, delay))
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

/// Until no word is under way, or no MOP.
bool front_end::wait_for_check(bool for_all_words, sc_core::sc_time& delay) {
    if (!is_shared())
        return complete(delay, [&](cycles at) {
            return for_all_words ? pipeline_.idle_from(at) : pipeline_.mop_idle_from(at);
        });
    return complete_in_time(delay, [&](cycles at) {
        pipeline_.advance(at);
        const bool is_done = for_all_words ? pipeline_.is_idle(at) : pipeline_.is_mop_idle();
        return is_done ? std::optional(at) : std::nullopt;
    });
}

void front_end::wait_until_idle() {
    sc_core::sc_time delay;
    if (wait_for_check(true, delay) && delay != sc_core::SC_ZERO_TIME) wait(delay);
}

void front_end::read_pc_buffer(payload& trans) {
    std::uint32_t word = 0;
    if (!pop_pc_buffer_(word)) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    set_word(trans, word);
}

unsigned front_end::look_at_mop_config(payload& trans) {
    const std::uint64_t address = trans.get_address();
    if (!trans.is_read() || !trans.get_data_ptr() || trans.get_data_length() < word_bytes ||
        address % word_bytes != 0 || address >= mop_expander::config_words * word_bytes)
        return 0;
    pipeline_.advance(cycle_at(sc_core::sc_time_stamp()));
    set_word(trans, pipeline_.mop_config(static_cast<unsigned>(address / word_bytes)));
    return word_bytes;
}

unsigned front_end::look_at_semaphores(payload& trans) {
    const std::uint64_t address = trans.get_address();
    if (!trans.is_read() || !trans.get_data_ptr() || trans.get_data_length() < word_bytes ||
        address % word_bytes != 0 || address < first_semaphore ||
        address >= first_semaphore + sync_unit::count * word_bytes)
        return 0;
    pipeline_.advance(cycle_at(sc_core::sc_time_stamp()));
    set_word(trans, semaphores_.value(static_cast<unsigned>((address - first_semaphore) / word_bytes)));
    return word_bytes;
}

void front_end::semaphores_changed(cycles at) {
    pipeline_.semaphores_changed(at);
    wake_sleepers(sc_core::SC_ZERO_TIME);
    released_.notify(sc_core::SC_ZERO_TIME); // who sleeps asks the pipeline again, which knows the right time
}

std::uint32_t front_end::status_csr(unsigned csr, const sc_core::sc_time& at) {
    constexpr unsigned queue_status = 0xbc0, busy_status = 0xbc1;
    constexpr unsigned any_lane_enabled = 11, copy = 13, busy_copy = 11, vector_unit_bit = 9;
    if (csr != queue_status && csr != busy_status) return 0;
    catch_up(at);
    std::uint32_t bits = pipeline_.queued_status(cycle_at(at)); // a core may have pushed ahead of time
    if (csr == busy_status) {
        if (port_.vector_unit_busy(cycle_at(at))) bits |= 1u << vector_unit_bit;
        return bits | bits << busy_copy;
    }
    const std::uint32_t lanes = unit_.state().vector.enabled() != 0 ? 1u << any_lane_enabled : 0u;
    const std::uint32_t half = bits | lanes;
    return half | half << copy;
}

std::uint32_t front_end::instruction_buffer_status(const sc_core::sc_time& at) {
    constexpr std::uint32_t all_free = 0x77;
    constexpr unsigned empty_bits = 4;
    catch_up(at);
    std::uint32_t bits = all_free;
    if (pipeline_.replay_fifo_full()) bits &= ~(1u << thread_);
    if (!pipeline_.replay_fifo_empty()) bits &= ~(1u << (thread_ + empty_bits));
    return bits;
}

} // namespace sfpu::frontend
