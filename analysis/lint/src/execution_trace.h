// What a run executed, and which value each instruction saw: for every read, the instruction that wrote it.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Something that instructions read and write: an LReg, the lane flags, the flag stack, a slice of Dst.
using resource = std::uint32_t;
constexpr resource macro_register = isa::macro_lreg; ///< below it: L0 to L7 and L12 to L14
/// L11 is -1 by convention; these hold whatever the latest program put there.
constexpr unsigned first_free_constant = 12, last_free_constant = 14;
constexpr resource lane_flags = 17;
constexpr resource flag_stack = 18;
constexpr resource first_slice = 32; ///< storage rows 0 to 3, even columns
constexpr resource resource_count = first_slice + 2 * 256;
/// The slice of a cell of raw Dst storage.
constexpr resource slice_of(unsigned row, unsigned column) { return first_slice + row / 4 * 2 + column % 2; }
constexpr bool is_register(resource what) { return what <= macro_register; }

/// Bits for the parts of LoadMacroConfig: templates, sequences, their upper halves where SFPCONFIG writes
/// them alone, Misc.
using configuration_parts = std::uint32_t;
constexpr unsigned first_sequence = isa::largest::templates,
                   first_upper_half = first_sequence + isa::largest::macros,
                   misc_part = first_upper_half + isa::largest::macros;

constexpr int nobody = -1; ///< the contents before the run

/// One executed (or discarded) instruction. Writes that leave some lanes alone also read what they write.
struct execution_step {
    probe::execution_event event;
    std::vector<std::pair<resource, int>>
        reads; ///< with the index of the step that wrote the value, or nobody
    std::vector<resource> writes;
    configuration_parts configured = 0;    ///< parts that it wrote
    configuration_parts configured_by = 0; ///< SFPLOADMACRO: parts that say what it schedules
    /// SFPLOADMACRO: Misc says what it schedules: it stores, or a delay is not 0. Of delays of 0 the kind
    /// does not matter (T11).
    bool needs_misc = false;

    bool scheduled() const { return event.from == probe::origin::macro; }
    bool is_load() const { return event.unit == isa::sub_unit::load; }
    int provider_of(resource what) const; ///< the step whose value it read; nobody if it did not read it
    /// Identifies the instruction in other runs of the same program.
    std::uint64_t key() const {
        return static_cast<std::uint64_t>(event.word) << 4 | (scheduled() ? 8u : 0u) |
               static_cast<unsigned>(event.unit);
    }
};

struct execution_trace {
    struct overwriting {
        resource what;
        int loser, winner; ///< steps
    };

    std::vector<execution_step> steps;    ///< by begin
    std::vector<overwriting> overwritten; ///< values of steps that were replaced, in the order of time
    std::vector<probe::forgotten_event> forgotten; ///< scheduled instructions that never executed
    std::array<int, resource_count> last_writer{}; ///< at the end

    /// If the word is an SFPLOADMACRO: the words that wrote its sequence, SFPCONFIG last, before it the
    /// SFPLOADIs that made the value.
    std::vector<std::int64_t> words_of_sequence(std::int64_t macro_word) const;
};

/// Records the trace of one run. Reads the runner's state while it runs, because events do not carry lane
/// flags and macro configuration.
class trace_recorder : public probe::pipeline_observer {
public:
    /// `before` is what the run starts with.
    trace_recorder(const isa::vector_state& state, const isa::thread_state& thread,
                   const isa::word_encoding& words, const isa::vector_state& before);

    void executed(const probe::execution_event& event) override;
    void forgotten(const probe::forgotten_event& event) override { trace_.forgotten.push_back(event); }

    /// The complete trace, after the run.
    execution_trace take();

private:
    struct pending_write {
        cycles end;
        unsigned order; ///< among writes of the same cycle (T2a)
        resource what;
        int by;
    };

    void record_effects(execution_step& step);
    void record_registers(execution_step& step);
    unsigned registers_read(const execution_step& step) const;
    void record_flags(execution_step& step);
    void record_slices(execution_step& step);
    void record_configuration(execution_step& step);
    configuration_parts parts_written(const isa::instruction& insn) const;
    bool writes_template(const isa::instruction& insn) const;
    void read(execution_step& step, resource what);
    void write(execution_step& step, resource what);
    void commit_before(cycles at);

    const isa::vector_state& state_;
    const isa::thread_state& thread_;
    isa::word_encoding words_;
    execution_trace trace_;
    std::vector<pending_write> pending_;
    lane_mask flags_, use_flags_; ///< after the latest step
};

} // namespace sfpu::analysis
