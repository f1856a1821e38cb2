// What each row of the instruction table does to a hart, and how long it takes. Included by the table only.
#pragma once

#include <sfpu/riscv/hart_core.h>

#include "integer_operations.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace sfpu::riscv {

/// All functions execute `d` on `h`; h.pc_ is the address behind it already.
struct execution {
    using word = std::uint32_t;
    using binary = word (*)(word, word);
    using unary = word (*)(word);
    using condition = bool (*)(word, word);
    using insn = decoded_instruction;

    // --- integer registers ---------------------------------------------------------------------------------

    /// The instruction issues, once its operands are ready. Returns the cycle.
    static cycles issue(hart_core& h, const insn& d) {
        const cycles ready = std::max(h.ready_[d.rs1], h.ready_[d.rs2]);
        if (ready > h.now_) h.wait_for_operands(d, ready);
        h.issued_ = h.now_;
        return h.now_;
    }
    static void write(hart_core& h, unsigned rd, word value, cycles ready) {
        h.x_[rd] = value;
        h.ready_[rd] = ready;
    }
    static void finish(hart_core& h, const insn& d, word value, cycles at) {
        write(h, d.rd, value, at + h.alu_latency_);
        h.now_ = at + one_cycle;
    }

    template <binary Operation>
    static void registers(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        finish(h, d, Operation(h.x_[d.rs1], h.x_[d.rs2]), at);
    }
    template <binary Operation>
    static void immediate(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        finish(h, d, Operation(h.x_[d.rs1], d.immediate), at);
    }
    template <unary Operation>
    static void single(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        finish(h, d, Operation(h.x_[d.rs1]), at);
    }
    /// lui and auipc: the decoder has computed the value.
    static void constant(hart_core& h, const insn& d) { finish(h, d, d.immediate, issue(h, d)); }

    template <binary Operation>
    static void multiply(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        const cycles ready = at + h.multiply_latency_;
        write(h, d.rd, Operation(h.x_[d.rs1], h.x_[d.rs2]), ready);
        h.from_multiplier_[d.rd] = true;
        h.slowest_result_ = std::max(h.slowest_result_, ready);
        h.now_ = at + one_cycle;
        if (h.multiply_blocks_) h.hold(stall_cause::multiply, ready);
    }
    template <binary Operation, bool Signed>
    static void divide(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        const word a = h.x_[d.rs1], b = h.x_[d.rs2];
        const cycles ready = at + division_time(h, a, b, Signed);
        write(h, d.rd, Operation(a, b), ready);
        h.now_ = at + one_cycle;
        h.hold(stall_cause::divide, ready);
    }
    static cycles division_time(const hart_core& h, word a, word b, bool is_signed) {
        const hart_parameters& limits = h.config_.hart;
        const bool overflows = is_signed && a == operations::sign_bit && b == ~0u;
        if (b <= 1 || overflows) return cycles{limits.latency_divide_trivial};
        const unsigned bits = operations::bit_width(is_signed ? operations::magnitude(a) : a);
        return cycles{std::min(std::max(bits + 1, limits.latency_divide_least), limits.latency_divide_most)};
    }

    // --- control flow --------------------------------------------------------------------------------------

    template <condition Taken>
    static void branch(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        const bool taken = Taken(h.x_[d.rs1], h.x_[d.rs2]);
        ++h.counters_.branches;
        h.now_ = at + one_cycle;
        if (taken) {
            if (d.immediate & 3u) return h.trap(cause::misaligned_fetch, d.immediate);
            h.pc_ = d.immediate;
        }
        if (taken != d.predicted_taken) mispredicted(h);
    }
    static void jal(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        if (d.immediate & 3u) return h.trap(cause::misaligned_fetch, d.immediate);
        finish(h, d, h.pc_, at);
        h.pc_ = d.immediate;
        ++h.counters_.branches;
        if (!d.predicted_taken) mispredicted(h);
    }
    static void jalr(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        const word target = (h.x_[d.rs1] + d.immediate) & ~1u;
        if (target & 3u) return h.trap(cause::misaligned_fetch, target);
        finish(h, d, h.pc_, at);
        h.pc_ = target;
        ++h.counters_.branches;
        if (!d.predicted_taken) mispredicted(h);
    }
    static void mispredicted(hart_core& h) {
        if (h.config_.hart.predictor == branch_predictor::perfect) return;
        ++h.counters_.mispredicted;
        h.hold(stall_cause::branch, h.now_ + h.mispredict_penalty_);
    }

    // --- memory --------------------------------------------------------------------------------------------

    /// Masks with which an address must be its page: anything left means another page, or misaligned.
    template <class T>
    static constexpr word page_and_alignment = ~(page_bytes - 1) | (sizeof(T) - 1);

    template <class T>
    static void load(hart_core& h, const insn& d) {
        issue(h, d);
        const word address = h.x_[d.rs1] + d.immediate;
        const data_page& page = h.pages_.place(address);
        ++h.counters_.loads;
        if ((address & page_and_alignment<T>) != page.loads_from)
            return h.load_slowly(address, sizeof(T), std::is_signed_v<T>, d.rd);
        h.wait_for_far_load(page.region_latency);
        h.now_ = h.issued_ + one_cycle;
        T value;
        std::memcpy(&value, page.bytes + address % page_bytes, sizeof value);
        h.loaded(d.rd, static_cast<word>(value), h.issued_ + page.load_time + page.region_latency);
    }
    template <class T>
    static void store(hart_core& h, const insn& d) {
        issue(h, d);
        const word address = h.x_[d.rs1] + d.immediate;
        const T value = static_cast<T>(h.x_[d.rs2]);
        const data_page& page = h.pages_.place(address);
        ++h.counters_.stores;
        if ((address & page_and_alignment<T>) != page.stores_to) {
            h.store_slowly(address, sizeof(T), h.x_[d.rs2]);
            return;
        }
        const cycles sent = h.place_in_store_queue();
        std::memcpy(page.bytes + address % page_bytes, &value, sizeof value);
        h.pages_.overwrite(page, address);
        h.queue_store(sent + page.store_time);
        h.now_ = h.issued_ + one_cycle;
    }
    template <binary Operation>
    static void atomic(hart_core& h, const insn& d) {
        issue(h, d);
        h.modify_atomically(h.x_[d.rs1], h.x_[d.rs2], Operation, d.rd);
    }
    /// For stores and the coprocessor; where it does not, it is a nop, and so is fence.i, which leaves the
    /// instruction cache.
    static constexpr bool fence_waits(architecture arch) {
        switch (arch) {
        case architecture::blackhole: return true;
        case architecture::wormhole: return false;
        }
        __builtin_unreachable();
    }
    static void fence(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        h.now_ = at + one_cycle;
        if (!fence_waits(h.config_.arch)) return;
        if (h.coprocessor_) h.hold(stall_cause::coprocessor, h.coprocessor_in_order().drained(at));
        h.hold(stall_cause::serialize, std::max(h.last_store_taken(), h.retired_after(at)));
    }
    static void fence_i(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        h.now_ = at + one_cycle;
        // Decoded instructions are this program's own cache: the register with which software clears the
        // chip's is missing.
        if (!fence_waits(h.config_.arch)) return h.pages_.forget_code();
        h.hold(stall_cause::serialize, std::max(h.last_store_taken(), h.retired_after(at)));
        h.forget_code();
    }

    // --- system --------------------------------------------------------------------------------------------

    enum class csr_action { write, set, clear };
    template <csr_action Action, bool FromRegister>
    static void csr(hart_core& h, const insn& d) {
        const cycles at = FromRegister ? issue(h, d) : (h.issued_ = h.now_);
        const word operand = FromRegister ? h.x_[d.rs1] : d.rs1;
        const bool writes = Action == csr_action::write || d.rs1 != 0;
        word old = 0;
        if ((writes && csr::is_read_only(d.immediate)) || !h.read_csr(d.immediate, old)) return illegal(h, d);
        const word value = Action == csr_action::write ? operand
                           : Action == csr_action::set ? old | operand
                                                       : old & ~operand;
        if (writes && !h.write_csr(d.immediate, value)) return illegal(h, d);
        finish(h, d, old, at);
        h.hold(stall_cause::serialize, h.retired_after(at));
    }
    static void ecall(hart_core& h, const insn& d) {
        issue(h, d);
        h.trap(cause::machine_call, 0);
    }
    static void ebreak(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        if (h.call_host()) h.now_ = at + one_cycle;
        else h.trap(cause::breakpoint, h.pc_ - 4);
    }
    /// Stands in the place of an instruction that has a breakpoint.
    static void breakpoint(hart_core& h, const insn&) { h.reach_breakpoint(); }
    static void mret(hart_core& h, const insn& d) {
        h.now_ = issue(h, d) + one_cycle;
        h.return_from_trap();
    }
    static void wfi(hart_core& h, const insn& d) {
        h.now_ = issue(h, d) + one_cycle;
        h.wait_for_interrupt();
    }
    static void nop(hart_core& h, const insn& d) { h.now_ = issue(h, d) + one_cycle; }
    static void illegal(hart_core& h, const insn& d) {
        h.issued_ = h.now_;
        h.trap(cause::illegal_instruction, d.word);
    }

    // --- other units ---------------------------------------------------------------------------------------

    static void tensix(hart_core& h, const insn& d) {
        issue(h, d);
        h.push_tensix_words(d);
    }
    static void coprocessor(hart_core& h, const insn& d) {
        const cycles at = issue(h, d);
        const coprocessor_answer answer = h.coprocessor_in_order().issue(d.word, h.x_[d.rs1], at);
        if (answer.result == coprocessor_answer::outcome::trap) return h.trap(answer.cause, answer.value);
        h.now_ = at + one_cycle;
        h.hold(stall_cause::coprocessor, answer.next);
    }
};

} // namespace sfpu::riscv
