// `tile`: RISC-V firmware on the whole tile, and the report of where the time went.
#include "command.h"
#include "core_arguments.h"
#include "interrupts.h"
#include "memory_files.h"
#include "program.h"
#include "progress.h"
#include "run_outputs.h"
#include "tile_outputs.h"
#include <sfpu/analysis/firmware_run.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/views/firmware.h>
#include <sfpu/views/run.h>

#include <sfpu/platform/tile_run.h>

#include <tlm>

#include <optional>

namespace sfpu::cli {
namespace {

class tile_command : public command {
public:
    const char* name() const override { return "tile"; }
    const char* description() const override { return "Run RISC-V firmware on the tile"; }
    bool writes_traces() const override { return true; }

    void add_options(CLI::App& app) override {
        app.add_option("FIRMWARE", firmware_, "RISC-V program, a 32-bit ELF file");
        cores_.add_options(app);
        memory_.add_options(app);
        tiles_.add_options(app);
        app.add_option("--dst-dump", dst_dump_name_,
                       "where to write Dst: 1024 x 16 little-endian 16-bit cells")
            ->type_name("FILE");
        app.add_option("--b-core", b_firmware_, "program of the B core, a 32-bit ELF file; sets hart.b_core")
            ->type_name("ELF");
        lanes_.add_options(app);
        app.add_option("--max-cycles", max_cycles_, "give up after so many cycles; 1000000000 if not given")
            ->type_name("N")
            ->check(integer_between(std::int64_t{1}, std::int64_t{1} << 50));
        app.add_option("--jitter", jitter_seed_,
                       "run it again with pushes delayed by NOPs, and say what that changes")
            ->type_name("SEED")
            ->check(integer_between(std::int64_t{0}, std::int64_t{1} << 62));
        app.add_option("--jitter-most", jitter_most_, "longest of these delays, in NOPs; 100 if not given")
            ->type_name("N")
            ->check(integer_between(std::int64_t{1}, std::int64_t{riscv::push_jitter::longest}));
        app.add_flag("--json", json_, "as JSON, without what the program prints");
        app.add_option("--quantum", quantum_,
                       "cycles that models may run ahead of each other; 0: none. Results do not depend on it")
            ->type_name("N")
            ->check(integer_between(std::int64_t{0}, std::int64_t{1} << 40));
    }

    int run(const common_options& options) override {
        const bool has_cores = cores_.are_given();
        if (jitter_most_ && !jitter_seed_) throw user_error("tile: --jitter-most needs --jitter");
        if (firmware_.empty() && !has_cores) throw user_error("tile: FIRMWARE is missing");
        if (has_cores && !(firmware_.empty() && b_firmware_.empty()))
            throw user_error(
                "tile: found both FIRMWARE or --b-core and programs of single cores; expected one");
        firmware_options how;
        how.hazards = hazards(options);
        how.strict = options.strict;
        how.most_cycles = max_cycles_;
        if (jitter_seed_)
            how.jitter = {static_cast<std::uint64_t>(*jitter_seed_),
                          static_cast<unsigned>(jitter_most_.value_or(riscv::push_jitter{}.most))};
        parameters config = resolved_configuration(options);
        const bool limited = max_cycles_.has_value();
        const firmware programs =
            has_cores ? cores_.read(limited) : read_firmware(firmware_, b_firmware_, limited);
        const std::string& name = programs.file;
        if (quantum_) set_quantum(config);
        if (programs.b_program) config.hart.b_core = true;
        cores_.adapt(config, programs);

        platform::tile_run tile("tile", config);
        tile_outputs outputs(tile, config, options, horizon(config), lanes_.chosen());
        how.loads = memory_.loads(tile.map());
        how.dumps = memory_.open_dumps(tile.map());
        tiles_.open(tile.map(), how);
        if (!json_) how.console = [](unsigned, std::string_view text) { write_report(text); };
        output_file dst_dump(dst_dump_name_);
        outputs.listen(how);
        const interrupt_guard guard;
        progress_line progress(name, !options.quiet);
        session caller;
        caller.advanced = [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all, "cycles"); };
        caller.interrupted = interrupt_guard::interrupted;
        const firmware_answer answer = run_firmware(tile, config, programs, how, caller);
        progress.end();

        outputs.finish(answer);
        memory_.write_dumps(answer.dumps);
        tiles_.write(answer);
        if (dst_dump.is_wanted()) dst_dump.stream() << dst_bytes(answer.dst);
        dst_dump.commit();
        if (json_) write_output("", to_json(answer));
        else if (!options.quiet) write_report(to_text(answer, outputs.written()));
        complain(not_modelled_lines(name, answer.vector_unit, config.arch));
        complain(failure_lines(answer));
        if (answer.interrupted()) return exit_interrupted;
        return answer.ok() ? exit_success : exit_program_failed;
    }

private:
    void set_quantum(const parameters& config) const {
        const sc_core::sc_time period(static_cast<double>(config.period_ps()), sc_core::SC_PS);
        tlm::tlm_global_quantum::instance().set(period * static_cast<double>(*quantum_));
    }
    static cycles horizon(const parameters& config) {
        const double quantum =
            tlm::tlm_global_quantum::instance().get() / sc_core::sc_time(1, sc_core::SC_PS);
        return platform::tile_run::longest_lag +
               cycles{static_cast<std::int64_t>(quantum / static_cast<double>(config.period_ps())) + 1};
    }

    std::string firmware_, b_firmware_, dst_dump_name_;
    core_arguments cores_;
    memory_arguments memory_;
    tile_arguments tiles_;
    lane_arguments lanes_;
    std::optional<std::int64_t> max_cycles_, quantum_, jitter_seed_, jitter_most_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<command> make_tile_command() { return std::make_unique<tile_command>(); }

} // namespace sfpu::cli
