// The stepper: a program, a position in it, and what can be asked there.
#pragma once

#include "machine_history.h"

#include <sfpu/analysis/tensor_layout.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::cli::debug {

/// What `print`, `watch` and `who` name: lanes of a register, of lane flags, or of rows of Dst.
struct target {
    enum class kind : std::uint8_t { lreg, flags, dst } what = kind::lreg;
    std::string name; ///< "L3", "flags", "dst 0x40", "y"
    unsigned lreg = 0;
    // Rows of Dst, by the slice of each.
    std::vector<analysis::dst_slice> rows;
    unsigned first_row = 0; ///< of rows[0], for a tensor
    bool is_tensor = false;
    unsigned first_lane = 0, end_lane = lane_count;
    std::optional<isa::data_type> type; ///< nothing: hexadecimal
};

/// Who gave something its value.
struct writer {
    execution by;
    std::int64_t visible = 0; ///< the first cycle that sees it
};

/// The position is the end of a cycle: everything up to it has happened. -1 is before the first.
///
/// All questions are answered by running the program again from the start, as far as necessary.
class session {
public:
    /// Runs the program once, to know its length and its hazards. Both must outlive the session.
    session(kernel_run& kernel, platform::program_runner& runner);

    const kernel_run& kernel() const { return kernel_; }
    std::int64_t position() const { return position_; }
    std::int64_t last_cycle() const { return last_cycle_; }
    /// In order of time; the first ones if there are very many.
    const std::vector<diagnostic>& hazards() const { return hazards_.list; }
    std::uint64_t hazard_count() const { return hazards_.count; }

    void move_to(std::int64_t cycle);
    const cycle_record& record(std::int64_t cycle);
    const machine_state& state();
    /// State at the end of another cycle.
    machine_state state_at(std::int64_t cycle);

    /// Throws user_error if the text names nothing.
    target parse_target(std::string_view text) const;
    /// The bits of a target's lane: of a register, a flag, or a cell of Dst.
    static std::uint32_t bits_of(const machine_state& state, const target& what, std::size_t row,
                                 unsigned lane);
    static bool differs(const machine_state& a, const machine_state& b, const target& what);

    /// The first cycle from `from` on that fulfils the condition; nothing if none does or the user pressed Ctrl-C.
    std::optional<std::int64_t> find(std::int64_t from, const search::condition& wanted);
    /// Who wrote what the lane of a target holds at the position; nothing if it has the value of the start.
    std::optional<writer> last_writer(const target& what, std::size_t row, unsigned lane);

    std::string location(std::int64_t word) const { return kernel_.location(word); }
    /// The source line of an issued word, 0 if it has none.
    unsigned line_of(std::int64_t word) const;

private:
    struct hazard_list : diagnostic_sink {
        std::vector<diagnostic> list;
        std::uint64_t count = 0;
        void diagnose(const diagnostic& what) override;
    };

    void run(probe::pipeline_observer& observer, std::int64_t last_cycle,
             const std::function<bool()>& enough = nullptr);
    bool stores_wide(const isa::instruction& insn) const;
    bool writes(const execution& what, const target& of, std::size_t row, unsigned lane) const;
    bool is_later(const execution& a, const execution& b) const;

    kernel_run& kernel_;
    platform::program_runner& runner_;
    std::int64_t last_cycle_ = -1, position_ = -1;
    hazard_list hazards_;
    std::unique_ptr<recording> recent_; ///< around the position
    std::optional<machine_state> state_;
};

} // namespace sfpu::cli::debug
