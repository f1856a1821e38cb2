// RISC-V firmware, run once on a whole tile: how it ended, where the time went, what was reported.
#pragma once

#include <sfpu/analysis/diagnostic_summary.h>
#include <sfpu/analysis/jitter.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/tile_tensor.h>
#include <sfpu/common/parameters.h>
#include <sfpu/platform/core_programs.h>
#include <sfpu/platform/dst_rows.h>
#include <sfpu/platform/tile_result.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/unit_counters.h>
#include <sfpu/riscv/elf_image.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::platform {
class tile_run;
} // namespace sfpu::platform

namespace sfpu::analysis {

/// Programs of the cores, 32-bit ELF files.
struct firmware {
    std::string file, b_file; ///< their names
    riscv::elf_image program;
    std::optional<riscv::elf_image> b_program; ///< of the B core

    /// Programs of single cores instead of those above, and how they begin.
    platform::core_programs cores = {};
    platform::loader_kind loader = platform::loader_kind::plain;
    bool has_cores = false;
};

/// The name of a program's file for each core, T0 to T2 and B; an empty one for none.
using core_files = std::array<std::string, platform::b_core_number + 1>;
/// Kernels that tt-metal's firmware of T0 to T2 is to run, and what belongs to them.
struct kernel_files {
    std::array<std::string, platform::b_core_number> names; ///< an empty one for none
    std::vector<platform::circular_buffer> buffers;
    std::vector<std::uint32_t> arguments;
};
/// As read_firmware(), for programs of single cores. Throws user_error if there is none.
firmware read_core_programs(const core_files& files, const kernel_files& kernels,
                            platform::loader_kind loader, bool limited);

/// No output may replace the files afterwards. `b_file` may be empty. Throws input_error for what is no such
/// program, and user_error if no store could end the run, unless it is `limited` to some cycles.
firmware read_firmware(const std::string& file, const std::string& b_file, bool limited);

/// Bytes of the tile's memory, by the tile's addresses.
struct memory_bytes {
    std::uint32_t address = 0;
    std::string bytes;
};
struct memory_range {
    std::uint32_t address = 0;
    std::uint64_t length = 0; ///< bytes
};

/// Tiles in Dst, from tile `first` on.
struct dst_tiles_at {
    tile_tensor tensor;
    unsigned first = 0;
    bool upper_halves = false; ///< of 32-bit cells, which the 16-bit elements stand in
};

struct firmware_options {
    bool strict = false; ///< what leaves something undone is an error
    hazard_policy hazards = hazard_policy::warn;
    std::optional<std::int64_t> most_cycles; ///< after which it is given up; nothing: a thousand million
    std::vector<memory_bytes> loads;         ///< put there before the run; they win over the program's own
    std::vector<memory_range> dumps;         ///< read behind the run
    std::vector<dst_tiles_at> dst;           ///< put into Dst before the run
    std::function<void(unsigned core, std::string_view text)> console; ///< what programs print; may be empty
    probe::pipeline_observer* observer = nullptr;                      ///< told of everything that happens
    bool retired = false; ///< it wants every instruction of the harts
    /// Of these cycles, both inclusive.
    cycles retired_from{}, retired_to{std::numeric_limits<std::int64_t>::max()};
    /// Run it twice: without delays, which nobody hears of, and with these, which is what the answer shows.
    std::optional<riscv::push_jitter> jitter;
};

struct firmware_answer {
    std::string file;
    architecture arch{};
    platform::tile_result result;
    bool succeeded = false;                  ///< the program came to its end and said that all is well
    std::string ending;                      ///< what went wrong if something did, in words
    std::vector<probe::counter_group> parts; ///< of the tile
    probe::unit_counters vector_unit;
    diagnostic_summary diagnostics;
    platform::dst_image dst{};
    std::vector<std::string> dumps;      ///< the bytes of firmware_options::dumps
    std::optional<jitter_answer> jitter; ///< if it was asked for, and neither run was interrupted

    bool interrupted() const { return result.why == platform::tile_result::outcome::interrupted; }
    bool ok() const {
        return succeeded && !diagnostics.any_error() &&
               !(jitter && (jitter->changed() || !jitter->succeeded_without));
    }
};

/// `tile` is reset first; it has the configuration `config`. The session is told of cycles, and may end the
/// run. Throws input_error if a program does not fit into the tile.
firmware_answer run_firmware(platform::tile_run& tile, const parameters& config, const firmware& programs,
                             const firmware_options& how, const session& caller);

} // namespace sfpu::analysis
