// `tile`: RISC-V firmware on the whole tile, and the report of where the time went.
#include "command.h"
#include "interrupts.h"
#include "memory_files.h"
#include "program.h"
#include "progress.h"
#include "run_outputs.h"
#include "tile_outputs.h"

#include <sfpu/platform/tile_ending.h>
#include <sfpu/platform/tile_run.h>

#include <fmt/format.h>

#include <tlm>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace sfpu::cli {
namespace {

double percent(std::uint64_t part, std::int64_t whole) {
    return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::uint64_t counter(const probe::counter_group& group, std::string_view name) {
    for (const auto& [known, count] : group.counters)
        if (known == name) return count;
    return 0;
}

bool begins_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

/// One line of the table of busy cycles.
std::string busy_line(const std::string& unit, std::uint64_t busy, std::int64_t all,
                      const std::string& what) {
    return fmt::format("{:<20} {:>12} {:>7.1f}%  {}\n", unit, busy, percent(busy, all), what);
}

std::string hart_lines(const probe::counter_group& hart, std::int64_t all) {
    const std::uint64_t stalled = counter(hart, "stalled"), total = counter(hart, "cycles");
    std::string text = busy_line(hart.name, total - std::min(total, stalled), all,
                                 fmt::format("{} instructions, {} Tensix words",
                                             counter(hart, "instructions"), counter(hart, "tensix_words")));
    for (const auto& [cause, count] : hart.groups.front().counters)
        text += busy_line("  " + cause, count, all, "stalled");
    return text;
}

std::string tensorload_lines(const probe::counter_group& engine, std::int64_t all) {
    std::string text;
    for (const probe::counter_group& part : engine.groups)
        text += busy_line(
            engine.name + " " + part.name, counter(part, "busy"), all,
            fmt::format("{} instructions, {} bytes", counter(part, "instructions"), counter(part, "bytes")));
    return text;
}

std::string front_end_lines(const probe::counter_group& front, std::int64_t all) {
    return busy_line(
        front.name, counter(front, "words_out"), all,
        fmt::format("{} words in, {} out of MOP, {} out of REPLAY, {} cycles full, {} held by waits",
                    counter(front, "words_in"), counter(front, "mop_words"), counter(front, "replay_words"),
                    counter(front, "full_cycles"), counter(front, "wait_gate_cycles")));
}

std::string vector_unit_lines(const probe::unit_counters& counters, std::int64_t all) {
    using isa::sub_unit;
    std::string text;
    for (const sub_unit unit :
         {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
        const auto i = static_cast<unsigned>(unit);
        text += busy_line(fmt::format("sfpu {}", isa::to_string(unit)),
                          counters.issued[i] + counters.scheduled[i], all,
                          fmt::format("{} issued, {} scheduled, {} discarded", counters.issued[i],
                                      counters.scheduled[i], counters.discarded[i]));
    }
    for (unsigned thread = 0; thread < counters.stalls_by_thread.size(); ++thread)
        for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
            if (const std::uint64_t held = counters.stalls_by_thread[thread][cause])
                text +=
                    busy_line(fmt::format("  {}", probe::to_string(static_cast<probe::stall_cause>(cause))),
                              held, all, fmt::format("a word of thread {} was held", thread));
    return text;
}

/// Where the time went.
std::string time_table(const platform::tile_run& tile, const platform::tile_result& result) {
    const std::int64_t all = result.cycles_run.count();
    std::string text = fmt::format("{:<20} {:>12} {:>8}\n", "unit", "cycles", "share");
    for (const probe::counter_group& group : tile.counters()) {
        if (begins_with(group.name, "hart")) text += hart_lines(group, all);
        if (begins_with(group.name, "front_end")) text += front_end_lines(group, all);
        if (begins_with(group.name, "tensorload")) text += tensorload_lines(group, all);
        if (group.name == "l1")
            text += fmt::format("{:<20} {:>12} {:>8}  {} reads, {} writes, {} bank conflicts\n", "l1", "", "",
                                counter(group, "reads"), counter(group, "writes"),
                                counter(group, "bank_conflicts"));
    }
    return text + vector_unit_lines(tile.vector_unit_counters(), all);
}

std::string hazard_lines(const diagnostic_summary& diagnostics) {
    std::string text;
    for (unsigned i = 0; i < report_count; ++i) {
        const auto id = static_cast<report_id>(i);
        const diagnostic_summary::entry& seen = diagnostics.of(id);
        if (seen.count == 0) continue;
        text += fmt::format("  {}: {} {}, first in cycle {}\n    {}: {}\n", describe(id).name, seen.count,
                            seen.count == 1 ? "time" : "times", seen.first.at.count(),
                            to_string(seen.first.level), seen.first.message);
    }
    return "hazards" + (text.empty() ? std::string("        none\n") : "\n" + text);
}

class tile_command : public command {
public:
    const char* name() const override { return "tile"; }
    const char* description() const override { return "Run RISC-V firmware on the tile"; }
    bool writes_traces() const override { return true; }

    void add_options(CLI::App& app) override {
        app.add_option("FIRMWARE", firmware_, "RISC-V program, a 32-bit ELF file");
        add_memory_option(app, "--l1-load", load_operands_, "ADDR=FILE",
                          "bytes to put into L1 before the run (repeatable)");
        add_memory_option(app, "--l1-dump", dump_operands_, "ADDR:LENGTH=FILE",
                          "bytes of L1 to write after the run (repeatable)");
        add_memory_option(app, "--load", load_operands_, "ADDR=FILE", "the same for any memory of the tile");
        add_memory_option(app, "--dump", dump_operands_, "ADDR:LENGTH=FILE",
                          "the same for any memory of the tile");
        app.add_option("--dst-dump", dst_dump_name_,
                       "where to write Dst: 1024 x 16 little-endian 16-bit cells")
            ->type_name("FILE");
        app.add_option("--b-core", b_firmware_, "program of the B core, a 32-bit ELF file; sets hart.b_core")
            ->type_name("ELF");
        lanes_.add_options(app);
        app.add_option("--max-cycles", max_cycles_, "give up after so many cycles; 1000000000 if not given")
            ->type_name("N")
            ->check(integer_between(std::int64_t{1}, std::int64_t{1} << 50));
        app.add_option("--quantum", quantum_,
                       "cycles that models may run ahead of each other; 0: none. Results do not depend on it")
            ->type_name("N")
            ->check(integer_between(std::int64_t{0}, std::int64_t{1} << 40));
    }

    int run(const common_options& options) override {
        if (firmware_.empty()) throw user_error("tile: FIRMWARE is missing");
        const hazard_policy policy = hazards(options);
        parameters config = resolved_configuration(options);
        protect_from_outputs(firmware_);
        if (!b_firmware_.empty()) protect_from_outputs(b_firmware_);
        const std::optional<riscv::elf_image> b_program = read_b_program();
        const riscv::elf_image program = read_program(b_program);
        if (quantum_) set_quantum(config);
        if (b_program) config.hart.b_core = true;

        platform::tile_run tile("tile", config);
        tile_outputs outputs(tile, config, options, horizon(config), lanes_.chosen());
        const std::vector<std::pair<memory_file, std::string>> loads = read_loads(tile);
        prepare_dumps(tile);
        const interrupt_guard guard;
        platform::tile_listeners listeners = outputs.listeners(policy);
        progress_line progress(firmware_, !options.quiet);
        const double period_ps = static_cast<double>(config.period_ps());
        listeners.stop = [&] {
            const double now = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS);
            progress.show(static_cast<std::uint64_t>(now / period_ps),
                          static_cast<std::uint64_t>(max_cycles_.value_or(0)), "cycles");
            return interrupt_guard::interrupted();
        };
        tile.reset(listeners);
        load(tile, program, b_program, loads);
        const platform::tile_result result =
            tile.run(cycles{max_cycles_.value_or(platform::default_cycle_limit)});
        progress.end();

        outputs.finish(tile, result);
        write_dumps(tile);
        const std::string end = platform::ending(result, program);
        if (!options.quiet) write_report(report(tile, config, outputs, result, end));
        complain_about_not_modelled(firmware_, tile.vector_unit_counters(), config.arch);
        return exit_code_of(outputs, result, end);
    }

private:
    /// An operand of a memory option, with the name of the option.
    using operands = std::vector<std::pair<std::string, std::string>>;

    static void add_memory_option(CLI::App& app, const std::string& name, operands& to, const char* shape,
                                  const char* help) {
        app.add_option_function<std::vector<std::string>>(
               name,
               [&to, name](const std::vector<std::string>& given) {
                   for (const std::string& each : given) to.emplace_back(name, each);
               },
               help)
            ->type_name(shape)
            ->type_size(1)
            ->allow_extra_args(false);
    }
    static bool is_for_l1(const memory_file& what) { return begins_with(what.option, "--l1"); }

    std::optional<riscv::elf_image> read_b_program() const {
        if (b_firmware_.empty()) return std::nullopt;
        try {
            return riscv::elf_image::read(b_firmware_);
        } catch (const riscv::elf_error& error) {
            throw input_error(error.what());
        }
    }
    riscv::elf_image read_program(const std::optional<riscv::elf_image>& b_program) const {
        try {
            riscv::elf_image program = riscv::elf_image::read(firmware_);
            const bool b_ends_it = b_program && b_program->symbol("tohost");
            if (!program.symbol("tohost") && !b_ends_it && !max_cycles_)
                throw user_error(firmware_ + ": found no symbol 'tohost', so that nothing could end the run; "
                                             "expected one, or --max-cycles");
            return program;
        } catch (const riscv::elf_error& error) {
            throw input_error(error.what());
        }
    }

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

    /// All dumps are checked, and their files opened, before the run.
    void prepare_dumps(const platform::tile_run& tile) {
        for (const auto& [option, text] : dump_operands_) {
            const memory_file what = parse_memory_file(option, text, memory_file_kind::dump);
            check_range(what, what.length, tile.map(), is_for_l1(what));
            dumps_.push_back({what, output_file(what.file)});
        }
        dst_dump_ = output_file(dst_dump_name_);
    }
    std::vector<std::pair<memory_file, std::string>> read_loads(const platform::tile_run& tile) const {
        std::vector<std::pair<memory_file, std::string>> loads;
        for (const auto& [option, text] : load_operands_) {
            const memory_file what = parse_memory_file(option, text, memory_file_kind::load);
            std::string bytes = read_input(what.file);
            check_range(what, bytes.size(), tile.map(), is_for_l1(what));
            loads.emplace_back(what, std::move(bytes));
        }
        return loads;
    }
    /// Data win over the program's own.
    void load(platform::tile_run& tile, const riscv::elf_image& program,
              const std::optional<riscv::elf_image>& b_program,
              const std::vector<std::pair<memory_file, std::string>>& loads) const {
        try {
            tile.load(program);
        } catch (const load_error& error) {
            throw input_error(firmware_ + ": " + error.what());
        }
        try {
            if (b_program) tile.load(*b_program, platform::tile_run::b_core);
        } catch (const load_error& error) {
            throw input_error(b_firmware_ + ": " + error.what());
        }
        for (const auto& [what, bytes] : loads)
            tile.write(static_cast<std::uint32_t>(what.address),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    }
    void write_dumps(platform::tile_run& tile) {
        for (auto& [what, file] : dumps_) {
            std::string bytes(what.length, '\0');
            tile.read(static_cast<std::uint32_t>(what.address),
                      reinterpret_cast<unsigned char*>(bytes.data()), bytes.size());
            file.stream() << bytes;
            file.commit();
        }
        if (dst_dump_.is_wanted()) dst_dump_.stream() << dst_bytes(tile.dst());
        dst_dump_.commit();
    }

    std::string report(const platform::tile_run& tile, const parameters& config, const tile_outputs& outputs,
                       const platform::tile_result& result, const std::string& end) const {
        std::string text;
        text += fmt::format("firmware       {}\n", firmware_);
        text += fmt::format("architecture   {} ({})\n", short_name(config.arch), long_name(config.arch));
        text += fmt::format("result         {}\n", end);
        text += fmt::format("cycles         {}\n\n", result.cycles_run.count());
        text += time_table(tile, result) + "\n";
        text += hazard_lines(outputs.diagnostics());
        for (const std::string& file : outputs.written()) text += "wrote " + file + "\n";
        return text;
    }

    int exit_code_of(const tile_outputs& outputs, const platform::tile_result& result,
                     const std::string& end) const {
        if (!platform::succeeded(result)) fmt::print(stderr, "{}: {}\n", firmware_, end);
        const diagnostic_summary& diagnostics = outputs.diagnostics();
        for (unsigned i = 0; i < report_count; ++i) {
            const diagnostic_summary::entry& seen = diagnostics.of(static_cast<report_id>(i));
            if (seen.count && seen.first.level == severity::error)
                fmt::print(stderr, "{}: error: cycle {}: {}: {}\n", firmware_, seen.first.at.count(),
                           describe(seen.first.id).name, seen.first.message);
        }
        if (result.why == platform::tile_result::outcome::interrupted) return exit_interrupted;
        return platform::succeeded(result) && !diagnostics.any_error() ? exit_success : exit_program_failed;
    }

    /// Memory to be written to a file.
    struct dump {
        memory_file what;
        output_file file;
    };

    std::string firmware_, b_firmware_, dst_dump_name_;
    operands load_operands_, dump_operands_;
    std::vector<dump> dumps_;
    output_file dst_dump_;
    lane_arguments lanes_;
    std::optional<std::int64_t> max_cycles_, quantum_;
};

} // namespace

std::unique_ptr<command> make_tile_command() { return std::make_unique<tile_command>(); }

} // namespace sfpu::cli
