#include "firmware_point.h"

#include "../program.h"
#include "../run_outputs.h"
#include "point_columns.h"
#include "tile_share.h"

#include <sfpu/platform/tile_ending.h>
#include <sfpu/platform/tile_run.h>
#include <sfpu/riscv/elf_image.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::cli {
namespace {

riscv::elf_image read_program(const std::string& file) {
    try {
        riscv::elf_image program = riscv::elf_image::read(file);
        if (!program.symbol("tohost"))
            throw user_error(file + ": found no symbol 'tohost', so that nothing could end the run");
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
        throw input_error(file + ": " + error.what());
    }
    return tile.run(cycles{platform::default_cycle_limit});
}

/// What firmware leaves: Dst and L1.
std::string outputs_of(platform::tile_run& tile) {
    std::string bytes = dst_bytes(tile.dst());
    const std::size_t dst_size = bytes.size();
    for (const memory::region& each : tile.map().regions())
        if (each.name == "l1") {
            bytes.resize(dst_size + each.size);
            tile.read(static_cast<std::uint32_t>(each.base),
                      reinterpret_cast<unsigned char*>(bytes.data() + dst_size), each.size);
        }
    return bytes;
}

} // namespace

point_result run_firmware_point(const sweep& of, const point_id& id) {
    const std::string& file = of.kernels[id.kernel].firmware;
    const riscv::elf_image program = read_program(file);
    // Both before simulated time begins: SystemC takes no modules after that.
    const parameters config = resolved_configuration(options_of(of, of.settings(id.point)));
    platform::tile_run tile("tile", config);
    platform::tile_run baseline("baseline", resolved_configuration(options_of(of, of.baseline)));

    baseline.reset({});
    diagnostic_summary diagnostics(false);
    const platform::tile_result run = run_on(tile, program, file, &diagnostics);
    point_result result = empty_result(schedule_choice::keep, succeeded(run) ? "ok" : "failed",
                                       succeeded(run) ? "" : file + ": " + ending(run, program));
    fill_in_counters(result, tile.vector_unit_counters(), run.cycles_run);
    std::uint64_t hazards = 0;
    for (unsigned i = 0; i < report_count; ++i) hazards += diagnostics.of(static_cast<report_id>(i)).count;
    result["hazards"] = hazards;
    const auto cycles_run = static_cast<std::uint64_t>(run.cycles_run.count());
    const std::vector<tile_share> shares = shares_of(tile);
    result["binds"] = busiest_text(shares, cycles_run);
    for (const tile_share& each : shares) {
        const std::uint64_t busy = std::min(each.busy, cycles_run);
        const std::uint64_t blocked = std::min(each.blocked, cycles_run - busy);
        result[result_parts::slots][each.name] = {busy, blocked, cycles_run - busy - blocked};
    }
    result[result_parts::chip] = long_name(config.arch);
    const std::string outputs = outputs_of(tile);
    if (succeeded(run_on(baseline, program, file, nullptr)))
        result["valid"] = succeeded(run) && outputs == outputs_of(baseline) ? "true" : "false";
    return result;
}

} // namespace sfpu::cli
