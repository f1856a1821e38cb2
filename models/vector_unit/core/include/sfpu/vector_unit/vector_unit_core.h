// A vector unit (SFPU) in plain C++: planner, executor, sub-units and state, linked by direct calls. The
// SystemC component around the same parts is vector_unit.h.
#pragma once

#include <sfpu/dst/slice_memory.h>
#include <sfpu/vector_unit/dst_units.h>
#include <sfpu/vector_unit/issue_core.h>
#include <sfpu/vector_unit/plan_executor.h>
#include <sfpu/vector_unit/sub_units.h>
#include <sfpu/vector_unit/unit_state.h>

#include <array>
#include <cstdint>

namespace sfpu {

/// Simulates up to the moment at which its inputs are known. Nothing outside it is written but its Dst and
/// its listeners: any number of units run on as many threads.
///
/// Whoever shows Dst to others calls complete() first, or never calls may_put_off().
class vector_unit_core {
public:
    /// `memory` must outlive the unit. `push_ports`: 1 to isa::thread_count; port n brings the words of
    /// thread n.
    explicit vector_unit_core(dst::slice_memory& memory, unsigned push_ports = 1);
    /// Continues from where the other unit stands, on a memory that must hold what the other's holds once
    /// other.complete() has been called. Nobody listens; nothing learned of words is taken over.
    vector_unit_core(vector_unit_core& other, dst::slice_memory& memory);
    vector_unit_core(const vector_unit_core&) = delete;
    vector_unit_core& operator=(const vector_unit_core&) = delete;

    /// Everything as after construction, with this configuration. The parameters must have no problems().
    void reset(const parameters& config, const unit_listeners& to = {});
    /// The same to all but the time that it takes: what was learned of words stays if the machine does, and
    /// if nobody observes it or did so before.
    void restart(const parameters& config, const unit_listeners& to = {});
    /// Another Dst from the next reset() or restart() on, which comes before the next word. It must outlive
    /// the unit.
    void move_to(dst::slice_memory& memory) {
        complete();
        load_.move_to(memory);
        store_.move_to(memory);
    }
    /// Others listen from now on.
    void listen(const unit_listeners& to);

    /// Words, watermarks, the passing of time: see issue_core.
    issue_core& issue() { return issue_; }
    /// The end of a program: see issue_core::drain(). Observers hear the last cycle.
    void drain();

    /// Executes the words that have been issued and put off. Everything below that shows state does so first.
    void complete() { issue_.complete(); }

    /// Architectural state behind the words that were pushed so far: ask again after the next push. Change it
    /// between reset() and the first push only.
    unit_state& state() {
        complete();
        return state_;
    }
    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() {
        complete();
        return executor_.last_effect();
    }
    /// First issued word to the last architectural effect, inclusive; 0 without effects.
    cycles cycles_used() {
        complete();
        return issue_.cycles_used();
    }
    /// T20
    bool busy() { return planner().busy(); }
    /// Whether an instruction is in any stage: outstanding, or with a result under way.
    bool is_working() { return planner().busy() || planner().has_results(); }
    /// Whether something would still change if nothing more was issued.
    bool moves() { return planner().moves(); }
    /// The next cycle to be simulated.
    cycles now() { return planner().now(); }

private:
    /// Hands steps to the sub-units by calls.
    struct direct_link {
        static constexpr bool executes_unheard = true;
        vector_unit_core* unit = nullptr;
        unit_step next; ///< one for all units

        [[gnu::always_inline]] void execute_unheard(isa::sub_unit which, const isa::instruction& insn) {
            unit->registers_[static_cast<unsigned>(which)].execute_unheard(insn);
        }

        struct unit_receiver {
            direct_link& link;
            isa::sub_unit which;
            unit_step& step() const { return link.next; }
            void execute() const { link.execute(which); }
        };
        unit_receiver receiver(isa::sub_unit which) { return {*this, which}; }
        void execute(isa::sub_unit which);
        // Not inlined into the loop over steps, whose other cases would be slower for it.
        [[gnu::noinline]] void load() { unit->load_.execute(next); }
        [[gnu::noinline]] void store() { unit->store_.execute(next); }
        void take_thread(std::uint8_t thread, isa::thread_state& state) {
            next.thread = thread;
            next.thread_state = &state;
        }
    };
    class executor final : public plan_executor<direct_link>, public plan_sink {
    public:
        using plan_executor::plan_executor;
        void execute(const plan_order& order) override;
    };

    const timing::planner& planner() {
        complete();
        return issue_.planner();
    }
    void reset_units();
    void reset(const parameters& config, const unit_listeners& to, bool keeps_plans);

    unit_state state_;
    std::array<register_unit, 3> registers_; ///< Simple, MAD and Round, by isa::sub_unit
    dst::slice stored_, loaded_;             ///< of the latest store and load
    lanes stored_cells_, loaded_cells_;
    store_unit store_;
    load_unit load_;
    executor executor_;
    issue_core issue_;
};

} // namespace sfpu
