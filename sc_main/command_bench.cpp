// `bench`: how fast the simulator itself is, untraced: through the SystemC modules and their sockets, or on
// the core.
#include "command.h"
#include "program.h"
#include "progress.h"
#include <sfpu/analysis/bench.h>
#include <sfpu/views/bench.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sfpu::cli {
namespace {

class bench_command : public command {
public:
    const char* name() const override { return "bench"; }
    const char* description() const override { return "Measure the speed of the simulator"; }

    void add_options(CLI::App& app) override {
        app.add_option("--kernel", kernel_,
                       fmt::format("what to run: {}", fmt::join(bench_kernel_names(), ", ")))
            ->type_name("NAME");
        app.add_option("--instructions", instructions_, "run exactly so many, once, without warm-up")
            ->type_name("N")
            ->check(integer_between(std::uint64_t{1}, maximum_instructions));
        app.add_option("--units", units_,
                       "vector units in one simulation; each runs the kernel (not tile and firmware)")
            ->type_name("N")
            ->check(integer_between(1u, maximum_units));
        app.add_flag("--core", core_, "on the core, without SystemC (not tile and firmware)");
        app.add_option("--threads", threads_, "with --core: share the units out over so many threads")
            ->type_name("N")
            ->check(integer_between(1u, maximum_threads));
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        const parameters config = resolved_configuration(options);
        if (threads_ != 1 && !core_) throw user_error("--threads: SystemC has one thread; use --core, too");
        const bench_answer answer = [&] {
            const working_line shown("bench", !options.quiet);
            return measure_speed({kernel_, config, instructions_, units_, core_, threads_});
        }();
        write_output("", json_ ? to_json(answer) : to_text(answer));
        return exit_success;
    }

private:
    static constexpr std::uint64_t maximum_instructions = 1'000'000'000'000;
    static constexpr unsigned maximum_units = 1024, maximum_threads = 1024;

    std::string kernel_;
    std::optional<std::uint64_t> instructions_;
    unsigned units_ = 1, threads_ = 1;
    bool core_ = false, json_ = false;
};

} // namespace

std::unique_ptr<command> make_bench_command() { return std::make_unique<bench_command>(); }

} // namespace sfpu::cli
