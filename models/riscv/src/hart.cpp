#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn: the same in SystemC 2.3.4 and 3.0

#include "granted_regions.h"
#include "retired_texts.h"

#include <sfpu/common/pipelined_delay.h>
#include <sfpu/riscv/hart.h>
#include <sfpu/riscv/push_order.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace sfpu::riscv {

/// Joins the core to sockets, simulated time and the observer.
class hart::adapter final : public memory_interface, public tensix_port, public hart_listener {
public:
    adapter(hart& module, coprocessor* unit) : core(*this, this, unit), module_(module) {
        processes->owner = this;
        core.set_listener(this);
        pushes_.set_command(tlm::TLM_WRITE_COMMAND);
        pushes_.set_streaming_width(4);
        pushes_.set_extension(&order_);
        pushes_.set_extension(&on_its_way_);
        payload_.set_extension(&on_its_way_);
        payload_.set_extension(&question_);
    }
    ~adapter() override {
        pushes_.clear_extension(&order_);
        pushes_.clear_extension(&on_its_way_);
        payload_.clear_extension(&on_its_way_);
        payload_.clear_extension(&question_);
        processes->owner = nullptr;
        processes->started.notify(sc_core::SC_ZERO_TIME);
    }
    adapter(const adapter&) = delete;
    adapter& operator=(const adapter&) = delete;

    static constexpr unsigned longest_push = 64;
    static constexpr sc_dt::uint64 top = 0xffffffffu; ///< address
    hart_core core;
    status_function status_of;
    hart_listener* listener = nullptr;
    probe::pipeline_observer* observer = nullptr;
    retired_texts retirements;
    cycles limit{std::numeric_limits<std::int64_t>::max()};
    unsigned longest = longest_push;
    outcome state = outcome::stopped;
    sc_core::sc_event ended{"ended"};

    /// What the processes of a hart share with it. SystemC cannot end them from outside a simulation: those
    /// of a hart that is destroyed end, or wait for ever, when simulated time passes next.
    struct lifeline {
        adapter* owner;
        sc_core::sc_event started{"started"}, left{"left"}, interrupted{"interrupted"};
    };
    const std::shared_ptr<lifeline> processes = std::make_shared<lifeline>();

    void reset(const parameters& config, const hart_setup& setup, probe::reporter* reporter) {
        leave_access();
        config_ = config;
        setup_ = setup;
        reporter_ = reporter;
        period_ = sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
        order_.period = period_;
        epoch_ = sc_core::sc_time_stamp();
        instance_ = static_cast<std::uint8_t>(setup.hart_id);
        begin_anew(setup);
    }
    void hold() {
        leave_access();
        state = outcome::stopped;
        halt_wanted_ = stepping_ = false;
        waiting_.count = 0; // words that were to be pushed later
        ++generation_;
    }
    void start(std::uint32_t pc) {
        leave_access();
        hart_setup setup = setup_;
        setup.reset_pc = pc;
        begin_anew(setup);
        core.wait_until(cycle_at(sc_core::sc_time_stamp()));
    }
    /// The core forgets its pins with everything else; they do not change by its reset.
    void begin_anew(const hart_setup& setup) {
        granted_.clear();
        waiting_.count = 0;
        ways_ = {};
        sure_ = 0;
        core.reset(config_, setup);
        core.publish(observer != nullptr);
        for (unsigned interrupt = 0; interrupt < 32; ++interrupt)
            if (pins_ >> interrupt & 1u) core.set_interrupt(interrupt, true);
        state = halts_at_start_ ? outcome::halted : outcome::running;
        halts_at_start_ = halt_wanted_ = stepping_ = false;
        ++generation_;
        processes->started.notify(sc_core::SC_ZERO_TIME);
    }
    void halt() {
        if (executing_) {
            halt_wanted_ = true;
            core.stop();
        } else if (state == outcome::running) {
            state = outcome::halted;
            ++generation_;
        } else if (state == outcome::stopped) {
            halts_at_start_ = true;
        }
    }
    void resume(bool one_instruction) {
        if (state != outcome::halted) return;
        core.wait_until(cycle_at(sc_core::sc_time_stamp()));
        core.pass_breakpoint();
        halt_wanted_ = false;
        stepping_ = one_instruction;
        state = outcome::running;
        ++generation_;
        processes->started.notify(sc_core::SC_ZERO_TIME);
    }
    /// The limit may come while the hart executes, by what its present instruction does.
    void set_limit(cycles wanted) {
        limit = wanted;
        if (executing_) core.stop();
    }
    void set_interrupt(unsigned interrupt, bool pending) {
        pins_ = pending ? pins_ | 1u << interrupt : pins_ & ~(1u << interrupt);
        core.set_interrupt(interrupt, pending);
        processes->interrupted.notify(sc_core::SC_ZERO_TIME);
    }
    void stop() {
        stop_wanted_ = true;
        core.stop();
    }
    void forget_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last) {
        granted_.clear();
        core.forget_direct_memory(static_cast<std::uint32_t>(std::min(first, top)),
                                  static_cast<std::uint32_t>(std::min(last, top)));
    }

    void share(hart_turns& turns, std::vector<address_range> private_addresses) {
        turns_ = &turns;
        private_addresses_ = std::move(private_addresses);
    }

    /// Simulated time comes to this cycle, if it has not passed it, and this hart's turn comes. False if
    /// meanwhile the end was set to a cycle before it.
    bool synchronise(cycles at) override {
        if (!turns_) return true;
        hand_on();
        const sc_core::sc_time wanted = time_of(at), now = sc_core::sc_time_stamp();
        if (wanted > now) let_time_pass(wanted - now);
        turns_->wait_for(instance_);
        if (at < limit) return true;
        core.stop();
        return false;
    }

    // --- the thread ----------------------------------------------------------------------------------------

    static void run_for_ever(const std::shared_ptr<lifeline>& line) {
        if (line->owner) line->owner->executing_ = false;
        while (line->owner) {
            if (line->owner->state == outcome::running) line->owner->run_a_while();
            else sc_core::wait(line->started);
        }
    }
    sc_core::sc_process_handle thread; ///< in which run_for_ever() runs

    /// A thread that sleeps inside an access starts over; what it was in the middle of is not done.
    void start_over() {
        if (executing_) thread.reset();
    }

private:
    /// Processes can be reset only while simulated time passes: if it does not, this one is before anything
    /// else happens.
    void leave_access() {
        if (!executing_) return;
        state = outcome::stopped;
        if (sc_core::sc_get_status() == sc_core::SC_RUNNING) start_over();
        else processes->left.notify();
    }
    /// In the thread. If the hart is destroyed meanwhile, what called this is gone, too, and there is no way
    /// back to it.
    void let_time_pass(const sc_core::sc_time& duration) {
        const std::shared_ptr<lifeline> line = processes;
        sc_core::wait(duration);
        if (!line->owner) sc_core::wait(sc_core::sc_event());
    }

    /// Executes up to the end of the quantum, or one instruction, and lets simulated time follow.
    void run_a_while() {
        const unsigned generation = generation_;
        const std::shared_ptr<lifeline> line = processes;
        line->started.cancel(); // it has
        stop_wanted_ = false;
        // Somebody may have let time pass inside a call. (Of a shared access the answer says how much of it
        // counts.)
        if (!turns_) core.wait_until(cycle_at(sc_core::sc_time_stamp()));
        executing_ = true;
        const run_result result = stepping_ ? run_one() : core.run(std::min(horizon(), limit));
        hand_on();
        executing_ = false;
        outcome next = outcome::running;
        if (result == run_result::halted || halt_wanted_ || stepping_) next = outcome::halted;
        halt_wanted_ = stepping_ = false;
        if (result == run_result::trapped) next = outcome::trapped;
        else if (result == run_result::stopped && stop_wanted_) next = outcome::stopped;
        else if (core.now() >= limit) next = outcome::cycle_limit;

        const sc_core::sc_time own_time = time_of(core.now());
        if (own_time > sc_core::sc_time_stamp())
            sc_core::wait(own_time - sc_core::sc_time_stamp(), line->started);
        if (result == run_result::waiting && next == outcome::running)
            while (line->owner && generation == generation_ && !core.has_wanted_interrupt())
                sc_core::wait(line->interrupted | line->started);
        if (!line->owner || generation != generation_) return;
        if (result == run_result::waiting) core.resume_after_wait(cycle_at(sc_core::sc_time_stamp()));
        if (next == outcome::running) return;
        state = next;
        ended.notify();
    }
    /// Waiting for a line of the instruction cache is no instruction yet.
    run_result run_one() {
        const hart_counters& counters = core.counters();
        const std::uint64_t before = counters.instructions + counters.traps;
        run_result result = run_result::time_over;
        while (result == run_result::time_over && counters.instructions + counters.traps == before &&
               core.now() < limit)
            result = core.run(std::min(core.now() + one_cycle, limit));
        return result;
    }
    cycles horizon() const {
        const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().compute_local_quantum();
        if (quantum == sc_core::SC_ZERO_TIME) return core.now() + one_cycle;
        return std::max(cycle_at(sc_core::sc_time_stamp() + quantum), core.now() + one_cycle);
    }

    // --- time ----------------------------------------------------------------------------------------------

    sc_core::sc_time time_of(cycles at) const {
        return epoch_ +
               sc_core::sc_time::from_value(period_.value() * static_cast<sc_dt::uint64>(at.count()));
    }
    /// The first cycle that begins at this time or later.
    cycles cycle_at(const sc_core::sc_time& time) const {
        return time <= epoch_ ? cycles{} : whole_cycles(time - epoch_);
    }
    cycles whole_cycles(const sc_core::sc_time& span) const {
        const sc_dt::uint64 period = period_.value();
        return cycles{static_cast<std::int64_t>((span.value() + period - 1) / period)};
    }

    // --- memory --------------------------------------------------------------------------------------------

    memory_answer load(std::uint32_t address, unsigned size, cycles at) override {
        if (is_shared(address) && !synchronise(at)) return {0, at, false};
        return access(tlm::TLM_READ_COMMAND, address, size, 0, at);
    }
    memory_answer store(std::uint32_t address, unsigned size, std::uint32_t value, cycles at) override {
        if (size == 4 && is_push_address(address)) {
            if (!may_wait(way::bus, address, 1, at)) return push_by(way::bus, address, &value, 1, at);
            return {value, let_wait(&value, 1, at), false};
        }
        if (is_shared(address) && !synchronise(at)) return {value, at, false};
        return access(tlm::TLM_WRITE_COMMAND, address, size, value, at);
    }
    memory_answer fetch(std::uint32_t address, cycles at) override {
        return access(tlm::TLM_READ_COMMAND, address, 4, 0, at);
    }

    bool is_shared(std::uint32_t address) const {
        if (!turns_) return false;
        return std::none_of(private_addresses_.begin(), private_addresses_.end(),
                            [=](const address_range& r) { return r.first <= address && address <= r.last; });
    }

    memory_answer access(tlm::tlm_command command, std::uint32_t address, unsigned size, std::uint32_t value,
                         cycles at) {
        hand_on();
        memory_answer answer;
        answer.value = value;
        prepare(command, address, reinterpret_cast<unsigned char*>(&answer.value), size, size);
        answer.done = transport(module_.bus_isock, payload_, at);
        answer.fault = payload_.is_response_error();
        return answer;
    }
    void prepare(tlm::tlm_command command, sc_dt::uint64 address, unsigned char* data, unsigned length,
                 unsigned width) {
        payload_.set_command(command);
        payload_.set_address(address);
        payload_.set_data_ptr(data);
        payload_.set_data_length(length);
        payload_.set_streaming_width(width);
        payload_.set_byte_enable_ptr(nullptr);
        payload_.set_dmi_allowed(false);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    /// Sends the payload at the beginning of a cycle; returns the cycle that begins when it is done. Writes
    /// are posted: the hart does not wait for what they take on their way.
    template <class Socket>
    cycles transport(Socket& socket, tlm::tlm_generic_payload& payload, cycles at) {
        const sc_core::sc_time now = sc_core::sc_time_stamp(), wanted = time_of(at);
        sc_core::sc_time delay = wanted > now ? wanted - now : sc_core::SC_ZERO_TIME;
        on_its_way_.delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        if (sc_core::sc_time_stamp() != now)
            core.stop(); // the target waited: take up the new time before going on
        sc_core::sc_time done = sc_core::sc_time_stamp() + delay;
        if (payload.is_write()) done -= std::min(on_its_way_.delay, done);
        return std::max(at, cycle_at(done));
    }

    bool find_direct(std::uint32_t address, direct_memory& found) override {
        if (const direct_memory* known = granted_.find(address)) {
            found = *known;
            return true;
        }
        prepare(tlm::TLM_READ_COMMAND, address, nullptr, 4, 4);
        tlm::tlm_dmi dmi;
        question_.clock = nullptr;
        if (!module_.bus_isock->get_direct_mem_ptr(payload_, dmi) || !dmi.is_read_allowed()) return false;
        const sc_dt::uint64 first = dmi.get_start_address(), last = std::min(dmi.get_end_address(), top);
        if (address < first || address > last) return false;
        found = {static_cast<std::uint32_t>(first),
                 static_cast<std::uint32_t>(last),
                 dmi.get_dmi_ptr(),
                 dmi.is_write_allowed(),
                 whole_cycles(dmi.get_read_latency()),
                 whole_cycles(dmi.get_write_latency()),
                 is_shared(address),
                 question_.clock != nullptr};
        granted_.add(found, question_.clock);
        return true;
    }
    cycles note_direct(const unsigned char* place, unsigned size, bool is_write, cycles at) override {
        direct_access_clock* const clock = granted_.clock_of(place);
        return clock ? whole_cycles(clock->note(place, size, is_write, time_of(at))) : cycles{};
    }

    // --- Tensix words --------------------------------------------------------------------------------------

    // A word that certainly has room when it comes waits here, since the answer is known: the hart goes on in
    // the next cycle that it can. It goes to the target before anything else leaves the hart, and before
    // others run.

    cycles push(const std::uint32_t* words, unsigned count, cycles at) override {
        const bool by_bus = module_.tensix_isock.size() == 0;
        const way by = by_bus ? way::bus : way::port;
        const std::uint32_t address = by_bus ? push_address : 0;
        if (may_wait(by, address, count, at)) return let_wait(words, count, at);
        const memory_answer answer = push_by(by, address, words, count, at);
        return answer.fault ? cycles{-1} : answer.done;
    }

    enum class way : std::uint8_t { port, bus };
    /// What is known of a way to the target.
    struct way_state {
        bool answers = false; ///< the target takes a push_order
        unsigned width = 0;   ///< words that it takes in one cycle
    };
    struct waiting_words {
        way by{};
        std::uint32_t address = 0;
        cycles first{};
        unsigned count = 0;
        std::array<std::uint32_t, longest_push> words, after; ///< after: cycles after `first`

        void add(std::uint32_t word, cycles at) {
            words[count] = word;
            after[count++] = static_cast<std::uint32_t>((at - first).count());
        }
    };

    /// Whether words that one cycle sends together can wait, those before them being for the same address:
    /// the target has said that it takes them at once.
    bool may_wait(way by, std::uint32_t address, unsigned count, cycles at) const {
        return count <= sure_ && by == waiting_.by && address == waiting_.address &&
               waiting_.count + count < longest && count <= ways_[static_cast<unsigned>(by)].width &&
               at >= present_;
    }
    /// Returns the cycle in which the hart goes on.
    cycles let_wait(const std::uint32_t* words, unsigned count, cycles at) {
        if (waiting_.count == 0) waiting_.first = at;
        for (unsigned i = 0; i < count; ++i) waiting_.add(words[i], at);
        sure_ -= count;
        return at + time_of_push_;
    }

    /// Pushes words that one cycle sends together, and those that wait.
    memory_answer push_by(way by, std::uint32_t address, const std::uint32_t* words, unsigned count,
                          cycles at) {
        if (by != waiting_.by || address != waiting_.address || waiting_.count + count > longest) {
            hand_on();
            waiting_.by = by;
            waiting_.address = address;
        }
        if (sure_ == 0 && by == way::bus && is_shared(address) && !synchronise(at))
            return {words[0], at, false};
        const way_state& known = ways_[static_cast<unsigned>(by)];
        if (waiting_.count == 0) waiting_.first = at;
        if (known.answers && count <= longest) {
            for (unsigned i = 0; i < count; ++i) waiting_.add(words[i], at);
            return send_waiting();
        }
        memory_answer all{0, at, false};
        for (unsigned i = 0; i < count && !all.fault; ++i) {
            waiting_.first = at;
            waiting_.add(words[i], at);
            const memory_answer one = send_waiting();
            all.done = std::max(all.done, one.done);
            all.fault = one.fault;
        }
        return all;
    }
    void hand_on() override {
        if (waiting_.count != 0) send_waiting();
        sure_ = 0;
    }
    /// Sends the words; the answer is that of the last.
    memory_answer send_waiting() {
        const unsigned count = waiting_.count;
        const cycles at = waiting_.first + cycles{waiting_.after[count - 1]};
        order_.after = waiting_.after.data();
        order_.width = order_.sure = 0;
        order_.late = 0;
        pushes_.set_address(waiting_.address);
        pushes_.set_data_ptr(reinterpret_cast<unsigned char*>(waiting_.words.data()));
        pushes_.set_data_length(4 * count);
        pushes_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sure_ = 0;
        const sc_core::sc_time begin = sc_core::sc_time_stamp();
        const cycles done = waiting_.by == way::port
                                ? transport(module_.tensix_isock, pushes_, waiting_.first)
                                : transport(module_.bus_isock, pushes_, waiting_.first);
        waiting_.count = 0;
        const memory_answer answer{0, std::max(done, at), pushes_.is_response_error()};
        way_state& known = ways_[static_cast<unsigned>(waiting_.by)];
        known.answers = order_.width != 0 && !answer.fault;
        known.width = order_.width;
        // What comes before the present would be held up to it.
        present_ = cycle_at(begin);
        time_of_push_ = answer.done - at - cycles{order_.late};
        if (known.answers && sc_core::sc_time_stamp() == begin && at >= present_ &&
            time_of_push_ >= one_cycle)
            sure_ = order_.sure;
        return answer;
    }
    std::uint32_t status(unsigned csr, cycles at) override {
        hand_on();
        synchronise(at);
        return status_of ? status_of(csr, std::max(time_of(at), sc_core::sc_time_stamp())) : 0;
    }

    // --- events --------------------------------------------------------------------------------------------

    void trapped(const unhandled_trap& trap) override {
        hand_on();
        synchronise(trap.at); // another hart may end the run before
        if (listener) listener->trapped(trap);
    }
    void watched_store(std::uint32_t address, unsigned size, std::uint32_t value, cycles at) override {
        hand_on();
        if (listener) listener->watched_store(address, size, value, at);
    }
    bool host_called(std::uint32_t operation, std::uint32_t parameter, std::uint32_t& result,
                     cycles at) override {
        return listener && listener->host_called(operation, parameter, result, at);
    }
    void misaligned(const odd_access& what) override {
        if (listener) listener->misaligned(what);
        report(report_id::hart_misaligned, what, [&] {
            switch (what.action) {
            case misaligned_access::bytes: return std::string("done byte by byte");
            case misaligned_access::round_down:
                return fmt::format("done at {:#010x}", what.address - what.address % what.size);
            default: return std::string("a trap");
            }
        });
    }
    void refused(const odd_access& what) override {
        if (listener) listener->refused(what);
        report(report_id::hart_bus_error, what,
               [] { return "refused by what is there, or nothing is; an access fault"; });
    }
    template <class Outcome>
    void report(report_id id, const odd_access& what, Outcome outcome) {
        if (!reporter_) return;
        reporter_->report(id, what.at, -1, [&] {
            return fmt::format("hart {}: {} of {} byte{} at {:#010x}, pc {:#010x}: {}", instance_,
                               what.is_store ? "store" : "load", what.size, what.size == 1 ? "" : "s",
                               what.address, what.pc, outcome());
        });
    }
    void retired(const retired_instruction& insn) override {
        if (listener) listener->retired(insn);
        if (observer && retirements.wants(insn))
            publish(insn.begin, insn.end, "retire", "busy", retirements.of(insn));
    }
    void stalled(stall_cause cause, cycles from, cycles until) override {
        if (listener) listener->stalled(cause, from, until);
        if (observer) publish(from, until - one_cycle, "stall", to_string(cause), to_string(cause));
    }
    void publish(cycles begin, cycles end, const char* lane, const char* kind, std::string_view what) {
        observer->acted({begin, end, probe::tile_unit::hart, instance_, lane, kind, what, 0});
    }

    hart& module_;
    sc_core::sc_time epoch_, period_{1, sc_core::SC_NS};
    unsigned generation_ = 0; ///< of resets
    bool executing_ = false;  ///< when others run, the thread sleeps inside an access
    bool stop_wanted_ = false, halt_wanted_ = false;
    bool stepping_ = false, halts_at_start_ = false; ///< after one instruction; before the first
    hart_turns* turns_ = nullptr;                    ///< if others see what this hart does
    std::vector<address_range> private_addresses_;
    std::uint8_t instance_ = 0;
    parameters config_;
    hart_setup setup_;
    std::uint32_t pins_ = 0; ///< bit n: interrupt n
    probe::reporter* reporter_ = nullptr;
    tlm::tlm_generic_payload payload_;
    pipelined_delay on_its_way_; ///< of the latest transaction
    direct_access_question question_;
    granted_regions granted_;

    tlm::tlm_generic_payload pushes_;
    waiting_words waiting_;
    push_order order_;
    std::array<way_state, 2> ways_{};
    unsigned sure_ = 0;     ///< words that the target takes at once, until somebody else may have pushed
    cycles time_of_push_{}; ///< from such a word to the cycle in which the hart goes on
    cycles present_{};      ///< simulated time when that was found out
};

hart::hart(const sc_core::sc_module_name& name, coprocessor* unit)
    : sc_module(name), bus_isock("bus_isock"), tensix_isock("tensix_isock"),
      adapter_(std::make_unique<adapter>(*this, unit)) {
    bus_isock.register_invalidate_direct_mem_ptr(this, &hart::invalidate_direct_memory);
}

void hart::end_of_elaboration() {
    const std::shared_ptr<adapter::lifeline> line = adapter_->processes;
    sc_core::sc_spawn_options options;
    options.set_stack_size(0x100000); // sanitizers need room
    adapter_->thread = sc_core::sc_spawn([line] { adapter::run_for_ever(line); }, "execute", &options);
    sc_core::sc_spawn_options at_once;
    at_once.spawn_method();
    at_once.dont_initialize();
    at_once.set_sensitivity(&line->left);
    const auto start_over = [line] {
        if (line->owner) line->owner->start_over();
    };
    sc_core::sc_spawn(start_over, "start_over", &at_once);
}

hart::~hart() = default;

void hart::invalidate_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last) {
    adapter_->forget_direct_memory(first, last);
}

void hart::set_tensix_status(status_function status) { adapter_->status_of = std::move(status); }

void hart::reset(const parameters& config, const hart_setup& setup, probe::pipeline_observer* observer,
                 probe::reporter* reporter) {
    adapter_->observer = observer;
    adapter_->reset(config, setup, reporter);
}

void hart::share(hart_turns& turns, std::vector<address_range> private_addresses) {
    adapter_->share(turns, std::move(private_addresses));
}
bool hart::synchronise(cycles at) { return adapter_->synchronise(at); }
void hart::hold() { adapter_->hold(); }
void hart::start(std::uint32_t pc) { adapter_->start(pc); }
void hart::set_interrupt(unsigned interrupt, bool pending) { adapter_->set_interrupt(interrupt, pending); }
void hart::expect_interrupts() { adapter_->core.expect_interrupts(); }
void hart::halt() { adapter_->halt(); }
void hart::resume() { adapter_->resume(false); }
void hart::step() { adapter_->resume(true); }
void hart::set_cycle_limit(cycles limit) { adapter_->set_limit(limit); }
void hart::stop() { adapter_->stop(); }
hart::outcome hart::state() const { return adapter_->state; }
const sc_core::sc_event& hart::ended_event() const { return adapter_->ended; }
void hart::set_longest_push(unsigned words) {
    adapter_->longest = std::clamp(words, 1u, adapter::longest_push);
}
void hart::publish_retired(bool wanted, cycles from, cycles to) {
    adapter_->retirements.publish(wanted, from, to);
}
hart_core& hart::core() { return adapter_->core; }
const hart_core& hart::core() const { return adapter_->core; }
void hart::set_listener(hart_listener* listener) { adapter_->listener = listener; }

} // namespace sfpu::riscv
