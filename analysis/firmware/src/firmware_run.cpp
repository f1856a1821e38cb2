#include <sfpu/analysis/firmware_run.h>

#include "run_remains.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/platform/program_host.h>
#include <sfpu/platform/tile_ending.h>
#include <sfpu/platform/tile_run.h>

namespace sfpu::analysis {
namespace {

riscv::elf_image read_program(const std::string& file) {
    try {
        return riscv::elf_image::read(file);
    } catch (const riscv::elf_error& error) {
        throw input_error(error.what());
    }
}

void load_program(platform::tile_run& tile, const riscv::elf_image& program, const std::string& file,
                  unsigned hart) {
    try {
        if (hart == platform::tile_run::b_core) tile.load(program, hart);
        else tile.load(program);
    } catch (const load_error& error) {
        throw input_error(shown_name(file) + ": " + error.what());
    }
}

platform::tile_listeners listeners_of(const firmware_options& how, const parameters& config,
                                      diagnostic_sink& diagnostics, const session& caller) {
    platform::tile_listeners listeners{how.observer, &diagnostics, how.hazards, how.retired};
    listeners.retired_from = how.retired_from;
    listeners.retired_to = how.retired_to;
    const double period_ps = static_cast<double>(config.period_ps());
    listeners.stop = [&how, &caller, period_ps] {
        const double now = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS);
        caller.advance(static_cast<std::uint64_t>(now / period_ps),
                       static_cast<std::uint64_t>(how.most_cycles.value_or(0)));
        return caller.is_interrupted() || caller.is_late();
    };
    return listeners;
}

} // namespace

firmware read_firmware(const std::string& file, const std::string& b_file, bool limited) {
    protect_from_outputs(file);
    if (!b_file.empty()) protect_from_outputs(b_file);
    firmware programs;
    programs.file = file;
    programs.b_file = b_file;
    if (!b_file.empty()) programs.b_program = read_program(b_file);
    programs.program = read_program(file);
    const bool b_ends_it = programs.b_program && programs.b_program->symbol("tohost");
    if (!programs.program.symbol("tohost") && !b_ends_it && !limited)
        throw user_error(shown_name(file) + ": found no symbol 'tohost', so that nothing could end the run; "
                                            "expected one, or --max-cycles");
    return programs;
}

firmware read_core_programs(const core_files& files, const kernel_files& kernels,
                            platform::loader_kind loader, bool limited) {
    firmware programs;
    programs.loader = loader;
    programs.has_cores = true;
    for (unsigned core = 0; core < kernels.names.size(); ++core) {
        if (kernels.names[core].empty()) continue;
        protect_from_outputs(kernels.names[core]);
        programs.cores.kernels[core] = read_program(kernels.names[core]);
    }
    programs.cores.buffers = kernels.buffers;
    programs.cores.arguments = kernels.arguments;
    bool ends = loader == platform::loader_kind::llk || programs.cores.has_kernels();
    for (unsigned core = 0; core < files.size(); ++core) {
        if (files[core].empty()) continue;
        protect_from_outputs(files[core]);
        const riscv::elf_image& program = programs.cores.of[core].emplace(read_program(files[core]));
        if (!programs.file.empty()) programs.file += ", ";
        programs.file += files[core];
        if (program.symbol("tohost")) ends = true;
        // The one whose file explains how the run ended: the first, or the one that ends it.
        if (programs.program.segments().empty() || program.symbol("tohost")) programs.program = program;
    }
    if (programs.file.empty()) throw user_error("tile: found no program of a core");
    if (!ends && !limited)
        throw user_error(programs.file + ": found no symbol 'tohost', so that nothing could end the run; "
                                         "expected one, --loader llk, kernels, or --max-cycles");
    return programs;
}

namespace {

/// Programs get into the tile; the host that goes on with it, if there is one.
std::optional<platform::program_host> load_programs(platform::tile_run& tile, const parameters& config,
                                                    const firmware& programs) {
    if (!programs.has_cores) {
        load_program(tile, programs.program, programs.file, 0);
        if (programs.b_program)
            load_program(tile, *programs.b_program, programs.b_file, platform::tile_run::b_core);
        return std::nullopt;
    }
    try {
        return platform::program_host(tile, config.arch, programs.loader, programs.cores);
    } catch (const load_error& error) {
        throw input_error(shown_name(programs.file) + ": " + error.what());
    }
}

void fill_dst(platform::tile_run& tile, const std::vector<dst_tiles_at>& given) {
    if (given.empty()) return;
    dst::image rows = tile.dst();
    for (const dst_tiles_at& each : given) put_tiles(rows, each.tensor, each.first, each.upper_halves);
    tile.set_dst(rows);
}

} // namespace

namespace {

/// One run, and what it leaves behind.
firmware_answer run_once(platform::tile_run& tile, const parameters& config, const firmware& programs,
                         const firmware_options& how, const session& caller, run_remains& left) {
    firmware_answer answer;
    answer.file = programs.file;
    answer.arch = config.arch;
    answer.diagnostics = diagnostic_summary(how.strict);
    tile.reset(listeners_of(how, config, answer.diagnostics, caller));
    tile.set_console([&](unsigned core, std::string_view text) {
        if (how.jitter) left.printed[core] += text;
        if (how.console) how.console(core, text);
    });
    std::optional<platform::program_host> host = load_programs(tile, config, programs);
    fill_dst(tile, how.dst);
    for (const memory_bytes& each : how.loads)
        tile.write(each.address, reinterpret_cast<const unsigned char*>(each.bytes.data()),
                   each.bytes.size());
    answer.result =
        tile.run(cycles{how.most_cycles.value_or(platform::default_cycle_limit)}, host ? &*host : nullptr);
    answer.succeeded = succeeded(answer.result);
    answer.ending = ending(answer.result, programs.program);
    answer.parts = tile.counters();
    answer.vector_unit = tile.vector_unit_counters();
    answer.dst = tile.dst();
    for (const memory_range& each : how.dumps) {
        std::string& bytes = answer.dumps.emplace_back(each.length, '\0');
        tile.read(each.address, reinterpret_cast<unsigned char*>(bytes.data()), bytes.size());
    }
    tile.set_console({});
    return answer;
}

/// What the comparison of two runs looks at. L1 stands at address 0.
void look_at_remains(platform::tile_run& tile, const firmware_answer& answer, run_remains& left) {
    left.succeeded = answer.succeeded;
    left.tohost = answer.result.tohost;
    left.ending = answer.ending;
    left.cycles_run = answer.result.cycles_run;
    left.dst = answer.dst;
    const memory::address_map& map = tile.map();
    left.l1.resize(std::size_t{map.regions()[static_cast<std::size_t>(map.find(0, 0))].last()} + 1);
    tile.read(0, left.l1.data(), left.l1.size());
    left.registers = tile.registers();
    for (unsigned i = 0; i < report_count; ++i)
        left.reports[i] = answer.diagnostics.of(static_cast<report_id>(i)).count;
}

} // namespace

firmware_answer run_firmware(platform::tile_run& tile, const parameters& config, const firmware& programs,
                             const firmware_options& how, const session& caller) {
    run_remains without, with;
    tile.set_jitter(std::nullopt);
    if (how.jitter) {
        firmware_options quiet = how;
        quiet.console = {};
        quiet.observer = nullptr;
        quiet.retired = false;
        quiet.dumps.clear();
        firmware_answer first = run_once(tile, config, programs, quiet, caller, without);
        if (first.interrupted()) return first;
        look_at_remains(tile, first, without);
        tile.set_jitter(how.jitter);
    }
    firmware_answer answer = run_once(tile, config, programs, how, caller, with);
    if (!how.jitter || answer.interrupted()) return answer;
    look_at_remains(tile, answer, with);
    answer.jitter = compare_runs(without, with);
    answer.jitter->how = *how.jitter;
    answer.jitter->done = tile.jitter();
    tile.set_jitter(std::nullopt);
    return answer;
}

} // namespace sfpu::analysis
