#include <sfpu/analysis/firmware_point.h>

#include "tile_share.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/platform/tile_ending.h>
#include <sfpu/platform/tile_run.h>
#include <sfpu/riscv/elf_image.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

riscv::elf_image read_program(const std::string& file) {
    try {
        riscv::elf_image program = riscv::elf_image::read(file);
        if (!program.symbol("tohost"))
            throw user_error(shown_name(file) +
                             ": found no symbol 'tohost', so that nothing could end the run");
        return program;
    } catch (const riscv::elf_error& error) {
        throw input_error(error.what());
    }
}

platform::tile_result run_on(platform::tile_run& tile, const riscv::elf_image& program,
                             const std::string& file, diagnostic_sink* diagnostics) {
    platform::tile_listeners listeners;
    listeners.diagnostics = diagnostics;
    tile.reset(listeners);
    try {
        tile.load(program);
    } catch (const load_error& error) {
        throw input_error(shown_name(file) + ": " + error.what());
    }
    return tile.run(cycles{platform::default_cycle_limit});
}

/// What firmware leaves: Dst and L1.
struct firmware_outputs {
    platform::dst_image dst;
    std::vector<unsigned char> l1;

    bool operator==(const firmware_outputs& other) const { return dst == other.dst && l1 == other.l1; }
};

firmware_outputs outputs_of(platform::tile_run& tile) {
    firmware_outputs outputs{tile.dst(), {}};
    for (const memory::region& each : tile.map().regions())
        if (each.name == "l1") {
            outputs.l1.resize(each.size);
            tile.read(static_cast<std::uint32_t>(each.base), outputs.l1.data(), each.size);
        }
    return outputs;
}

/// How many diagnostics come.
class tile_diagnostics : public diagnostic_sink {
public:
    void diagnose(const diagnostic&) override { ++count; }
    std::uint64_t count = 0;
};

void add_shares(point_result& result, const std::vector<tile_share>& shares, std::uint64_t cycles_run) {
    result.binds = busiest_text(shares, cycles_run);
    for (const tile_share& each : shares) {
        const std::uint64_t busy = std::min(each.busy, cycles_run);
        const std::uint64_t blocked = std::min(each.blocked, cycles_run - busy);
        result.resources.push_back({each.name, static_cast<double>(busy), static_cast<double>(blocked),
                                    static_cast<double>(cycles_run - busy - blocked)});
    }
}

} // namespace

point_result run_firmware_point(const std::string& file, const machine_choice& machine,
                                const machine_choice& baseline) {
    const riscv::elf_image program = read_program(file);
    // Both before simulated time begins: SystemC takes no modules after that.
    const parameters config = resolved_configuration(machine);
    platform::tile_run tile("tile", config);
    platform::tile_run reference("baseline", resolved_configuration(baseline));

    reference.reset({});
    tile_diagnostics diagnostics;
    const platform::tile_result run = run_on(tile, program, file, &diagnostics);
    const bool good = platform::succeeded(run);
    point_result result;
    result.status = good ? point_status::ok : point_status::failed;
    if (!good) result.error = shown_name(file) + ": " + platform::ending(run, program);
    result.counters = counters_of(tile.vector_unit_counters(), run.cycles_run);
    result.hazards = diagnostics.count;
    add_shares(result, shares_of(tile), static_cast<std::uint64_t>(run.cycles_run.count()));
    result.chip = config.arch;
    const firmware_outputs outputs = outputs_of(tile);
    if (platform::succeeded(run_on(reference, program, file, nullptr)))
        result.valid = good && outputs == outputs_of(reference);
    if (result.valid == true) result.equality = "tested"; // of one run
    return result;
}

} // namespace sfpu::analysis
