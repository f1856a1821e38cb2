// What a user of the debugger names: a register, the lane flags, rows of Dst; and the state in which it has a
// value.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/tensor_layout.h>

#include <sfpu/isa/data_type.h>
#include <sfpu/platform/program_runner.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis::debug {

/// State as an instruction of the next cycle would read it.
struct machine_state {
    std::array<lanes, isa::lreg_count> lreg{}; ///< 32 lanes of 32 bits each
    lane_mask flags = 0, use_flags = 0;        ///< one bit a lane
    platform::dst_image dst{};                 ///< 1024 rows of 16 cells of 16 bits
};

/// Lanes of a register, of the lane flags, or of rows of Dst.
struct target {
    enum class kind : std::uint8_t { lreg, flags, dst } what = kind::lreg;
    std::string name; ///< "L3", "flags", "dst 0x40", "y"
    unsigned lreg = 0;
    std::vector<dst_slice> dst_rows; ///< of kind dst, at least one
    unsigned first_row = 0;          ///< of a tensor: which of its rows is dst_rows[0]
    bool is_tensor = false;
    unsigned first_lane = 0, end_lane = lane_count; ///< the end is exclusive
    std::optional<isa::data_type> type;             ///< of the values; nothing: hexadecimal

    /// Rows of 32 lanes: 1 but for a tensor.
    std::size_t rows() const { return what == kind::dst ? dst_rows.size() : 1; }
    /// Bits of a lane: 1 of flags, 16 of a narrow cell of Dst, else 32.
    unsigned bits() const {
        return what == kind::flags ? 1 : what == kind::dst && !dst_rows[0].wide ? 16 : 32;
    }
};

/// How targets are written, for messages.
constexpr const char* target_forms = "L3, L3[5], L3[0:8], flags, dst 0x40[0:4], or the name of an .input or "
                                     ".output with rows and lanes: y[2, 0:4]";

/// "L3[0:8]", "y[2, 0:4] as f32". Throws user_error if the text names nothing that the kernel or the machine
/// has.
target parse_target(std::string_view text, const kernel_run& kernel);

/// The bits of one lane: of a register, a flag, or a cell of Dst. `row` is below rows().
std::uint32_t bits_of(const machine_state& state, const target& what, std::size_t row, unsigned lane);
bool differs(const machine_state& a, const machine_state& b, const target& what);

} // namespace sfpu::analysis::debug
