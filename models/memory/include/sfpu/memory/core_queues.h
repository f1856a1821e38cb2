// Queues between the cores of a tile: mailboxes between pairs, and the PCBuf from core B to each T core.
//
// Source: tt-isa-documentation, BabyRISCV, Mailboxes and PCBufs.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace sfpu::memory {

/// Cores are numbered as the mailboxes are: 0 is B, 1 to 3 are T0 to T2.
///
/// A core sees 4 KiB of its mailboxes for each partner. A store there puts a word into the mailbox to the
/// partner and waits while four words are in all mailboxes of the core together. A load at an address with
/// bit 2 clear takes a word from the mailbox that comes from the partner, and waits until there is one; with
/// bit 2 set it tells whether there is one (1 or 0).
///
/// A PCBuf holds 16 words. B stores at its end, which waits while it is full. A load of B waits until the T
/// core has taken all of them, waits itself for another one, and nothing of its thread is under way; it gives
/// 0. The T core takes words with pop_pc_buffer().
///
/// Waiting calls wait() in b_transport, so initiators must be threads in their own time. An access that waits
/// while reset() is called is answered with TLM_GENERIC_ERROR_RESPONSE. Responses otherwise:
/// TLM_ADDRESS_ERROR_RESPONSE misaligned and outside, TLM_BURST_ERROR_RESPONSE for another size than 4,
/// TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables. A debug read of a mailbox gives its first word, or
/// whether there is one, and takes nothing; debug writes move nothing.
class core_queues : public sc_core::sc_module {
public:
    static constexpr unsigned cores = 4, threads = 3;
    static constexpr std::size_t mailbox_words = 4, pc_buffer_words = 16;

    explicit core_queues(const sc_core::sc_module_name& name);

    using target_socket =
        tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    /// What a core sees of its mailboxes, 16 KiB; may stay unbound. A core or thread that is none is an
    /// SC_ERROR, "/sfpu/module/argument".
    target_socket& mailboxes_tsock(unsigned core);
    /// B's end of the PCBuf to T core `thread`, 64 KiB; may stay unbound.
    target_socket& pc_buffer_tsock(unsigned thread);

    void reset();
    /// A core enters its reset: the mailboxes to which it writes lose their words.
    void core_reset_begins(unsigned core);
    /// T core `thread` leaves its reset: its PCBuf loses its words.
    void core_reset_ends(unsigned thread);

    /// A load of a T core: waits for a word. False if reset() came first.
    bool pop_pc_buffer(unsigned thread, std::uint32_t& word);

    /// How B's load waits until nothing of a thread is under way, in the process that calls it. May be empty.
    void set_wait_until_idle(std::function<void(unsigned thread)> wait) {
        wait_until_idle_ = std::move(wait);
    }

private:
    using socket = tlm_utils::simple_target_socket_tagged_optional<core_queues, 32>;
    using queue = std::deque<std::uint32_t>;

    queue& mailbox(unsigned from, unsigned to) { return mailboxes_[from][to]; }
    std::size_t words_written_by(unsigned core) const;
    bool wait_for_change();
    void access_mailbox(int core, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned look_at_mailbox(int core, tlm::tlm_generic_payload& trans);
    void access_pc_buffer(int thread, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    void changed() { changed_.notify(sc_core::SC_ZERO_TIME); }

    std::array<std::unique_ptr<socket>, cores> mailbox_sockets_;
    std::array<std::unique_ptr<socket>, threads> pc_buffer_sockets_;
    std::array<std::array<queue, cores>, cores> mailboxes_;
    std::array<queue, threads> pc_buffers_;
    std::array<unsigned, threads> waiting_{}; ///< loads of the T core that wait for a word
    std::function<void(unsigned)> wait_until_idle_;
    sc_core::sc_event changed_{"changed"};
    unsigned generation_ = 0; ///< of resets
};

} // namespace sfpu::memory
