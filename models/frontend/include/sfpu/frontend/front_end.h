// The front end of one Tensix thread as a component: what harts push becomes what the vector unit issues.
#pragma once

#include <sfpu/dst/slice_protocol.h>
#include <sfpu/frontend/sync_unit.h>
#include <sfpu/frontend/thread_pipeline.h>
#include <sfpu/frontend/vector_unit_port.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>

namespace sfpu::frontend {

/// What the front ends share that push to one vector unit, each to a port of its own.
struct front_end_group {
    thread_group threads;
    sc_core::sc_event changed; ///< something came from outside that a sleeping member may wait for
    unsigned sleepers = 0;
};

/// FIFO, MOP expander, replay expander and wait gate in front of a vector unit. A lagging model like the
/// unit: words wait with the cycle of their arrival and are passed on when somebody needs to know. Whoever
/// looks at Dst must bring the front end to the present and not the unit alone:
/// dst_memory::attach(front_end).
///
/// The transport functions only add to the delay, with one exception. If a hart pushes to a full FIFO, or
/// waits for the coprocessor, while the wait gate waits for a semaphore that nothing in the front end will
/// change, then b_transport calls wait() until another initiator changes a semaphore. If none does, the hart
/// hangs, as on silicon, and `/sfpu/frontend/never-released` says why.
///
/// Front ends that push to one unit are members of one front_end_group: their words compete for the unit's
/// issue slot (T22), and whoever is held feels it in its FIFOs. They share their semaphores. What happens in
/// a cycle is decided for all of them together, when everything that comes before it is known: in a group of
/// several members a push to a full FIFO and the done checks call wait() until simulated time has come to the
/// cycle in which they are done, and whoever accesses the other sockets must do that in its own time
/// (riscv::hart::share()). Pushes that certainly have room only add to the delay.
///
/// The front end must be the only one that pushes to its port of the unit.
class front_end : public sc_core::sc_module, public dst::lagging_model, private sync_unit::user {
public:
    template <class Owner>
    using target_socket = tlm_utils::simple_target_socket_optional<Owner, 32>;

    /// Words of the thread's T core: writes of N x 4 bytes to address 0, little-endian, one a cycle from the
    /// annotated time on. The streaming width does not cut words (sfpu/vector_unit/push_payload.h).
    /// Transactions at the same annotated time bring words in one cycle (fused `.ttinsn`), as far as
    /// front_end.fifo.push_width allows. On return the delay has covered the acceptance of the last word, the
    /// stall for a full FIFO included. A riscv::push_order says for each word in which cycle it comes.
    target_socket<front_end> push_tsock{"push_tsock"};
    /// The same for stores that come by the bus (0xFFE40000 to 0xFFE4FFFF): any address that is a multiple of
    /// 4.
    target_socket<front_end> bus_push_tsock{"bus_push_tsock"};
    /// Words of the B core, which enter behind the MOP expander. Same protocol as bus_push_tsock.
    target_socket<front_end> b_push_tsock{"b_push_tsock"};
    /// 0xFFB80000: nine words of MOP configuration at 0 to 32. Write-only, 4 bytes at a time; a read is a
    /// command error. A debug access reads them.
    target_socket<front_end> mop_config_tsock{"mop_config_tsock"};
    /// 0xFFE80000: 4 bytes at a time.
    ///  - 0x04 CoprocessorDoneCheck: a read takes until no word is under way in the front end or the vector
    /// unit;
    ///  - 0x08 MOPExpanderDoneCheck: a read takes until no MOP waits or is being expanded;
    ///  - 0x20 + 4 n: semaphore n. A read gives its value, a write of an odd value is SEMGET, of an even one
    /// SEMPOST.
    ///  - 0x00 PCBuf: a read takes until there is a word for it (set_pc_buffer(); without one it is a command
    /// error). Reads of the checks give 0; writes to them, and to 0x00, are discarded. A debug access reads
    /// semaphores.
    ///
    /// An access to any of these sockets that waits while reset() is called is answered with
    /// TLM_GENERIC_ERROR_RESPONSE.
    target_socket<front_end> sync_tsock{"sync_tsock"};

    /// Instruction words for one push port of the unit; the platform binds it.
    tlm::tlm_initiator_socket<32>& insn_isock() { return insn_isock_; }

    /// `thread`: 0 to 2. `semaphores`: those of the tile, if several front ends share them. `group`: the
    /// front ends that push to the same unit, if there are several.
    front_end(const sc_core::sc_module_name& name, vector_unit& unit, unsigned thread = 0,
              sync_unit* semaphores = nullptr, front_end_group* group = nullptr);

    /// Everything as after construction; cycle 0 is the present simulated time. Reset the unit first: reports
    /// go to its reporter. The observer may be null.
    void reset(const parameters& config, probe::pipeline_observer* observer = nullptr);

    /// Writes to Dst that have to be done between the words, for as long as the front end lives.
    void set_timed_writes(timed_writes& writes) { port_.set_timed_writes(&writes); }

    /// What a read of the PCBuf calls, in the process of the reader: gives a word, or false if it was reset
    /// meanwhile.
    void set_pc_buffer(std::function<bool(std::uint32_t& word)> pop) { pop_pc_buffer_ = std::move(pop); }

    /// Waits, in the process that calls it, until no word is under way in the front end or the vector unit,
    /// or until reset().
    void wait_until_idle();

    /// The T core is reset now: what it has pushed and the MOP expander has not passed on is gone.
    void discard_unexpanded();

    /// Passes on what issues before `until`, and brings the unit to that time.
    cycles catch_up(const sc_core::sc_time& until) override;
    /// Only passes on. Where several front ends push to one unit, all of them must do that before the unit is
    /// brought to a time.
    void pass_on(const sc_core::sc_time& until) { pipeline_.advance(cycle_at(until)); }
    /// The end of a program: everything that can issue does, then the unit drains. What the gate holds for
    /// ever is reported.
    void drain();
    /// The T core stopped before this cycle, though it ran ahead: what it pushed from then on is forgotten.
    void forget_from(cycles at) { pipeline_.forget_from(at); }
    /// Only the first half of that. Where several front ends push to one unit, all of them do that before it
    /// drains.
    void hand_on_all() { pipeline_.run_to_end(); }

    /// The status CSRs of the T core, 0xBC0 (queues) and 0xBC1 (busy); 0 for other numbers. The bits that
    /// stand for all threads (all_threads_mask) show this one only: a platform with several adds the others'.
    std::uint32_t status_csr(unsigned csr, const sc_core::sc_time& at);
    static constexpr std::uint32_t all_threads_mask(unsigned csr) {
        return csr == 0xbc0 ? ~0u << 13 : ~0u << 11;
    }
    /// RISCV_DEBUG_REG_INSTRN_BUF_STATUS: the bits of this thread, 0 to 2 not full and 4 to 6 empty; those of
    /// the other threads read as not full and empty.
    std::uint32_t instruction_buffer_status(const sc_core::sc_time& at);

    const pipeline_counters& counters() const { return pipeline_.counters(); }
    /// The index of the first word that is pushed in this cycle or later.
    std::int64_t first_word_from(cycles at) const {
        return words_pushed_ - static_cast<std::int64_t>(pipeline_.pushed_from(at));
    }
    const thread_pipeline& pipeline() const { return pipeline_; }
    sync_unit& semaphores() { return semaphores_; }

private:
    using payload = tlm::tlm_generic_payload;

    void push(payload& trans, sc_core::sc_time& delay);
    void push_by_bus(payload& trans, sc_core::sc_time& delay);
    void push_by_b(payload& trans, sc_core::sc_time& delay);
    void write_mop_config(payload& trans, sc_core::sc_time& delay);
    void synchronise(payload& trans, sc_core::sc_time& delay);
    bool wait_for_check(bool for_all_words, sc_core::sc_time& delay);
    void read_pc_buffer(payload& trans);
    unsigned look_at_mop_config(payload& trans);
    unsigned look_at_semaphores(payload& trans);
    void bring_to(cycles at) override { pipeline_.advance(at); }
    void semaphores_changed(cycles at) override;

    enum class source { t_core, b_core };
    void push_words(payload& trans, sc_core::sc_time& delay, source from);
    /// Calls `attempt(cycle)` until it gives a cycle; in between waits for the outside world. Sets the delay
    /// to the result.
    /// False if everything was reset meanwhile.
    template <class Attempt>
    bool complete(sc_core::sc_time& delay, Attempt attempt);
    template <class Attempt>
    bool complete_in_time(sc_core::sc_time& delay, Attempt attempt);
    sc_core::sc_time delay_until(cycles at) const;
    bool has_sleepers() const { return group_ && group_->sleepers != 0; }
    bool push_word(std::uint32_t word, std::int64_t index, sc_core::sc_time& delay, source from);
    bool push_word_in_time(std::uint32_t word, std::int64_t index, sc_core::sc_time& delay, source from);
    bool is_shared() const { return group_ && group_->threads.is_shared(); }
    void wake_sleepers(const sc_core::sc_time& after);
    cycles cycle_at(const sc_core::sc_time& time) const { return unit_.cycle_at(time); }

    vector_unit& unit_;
    unsigned thread_;
    sync_unit own_semaphores_;
    sync_unit& semaphores_;
    front_end_group* group_;
    tlm_utils::simple_initiator_socket<front_end, 32> insn_isock_{"insn_isock"};
    vector_unit_port port_;
    thread_pipeline pipeline_;
    sc_core::sc_event released_; ///< a semaphore changed
    std::int64_t words_pushed_ = 0;
    std::function<bool(std::uint32_t&)> pop_pc_buffer_;
    unsigned generation_ = 0; ///< of resets
};

} // namespace sfpu::frontend
