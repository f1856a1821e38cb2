// `silicon`: the model against published measurements on the chips.
#include "command.h"
#include "interrupts.h"
#include "own_kernel_kit.h"
#include "program.h"
#include "progress.h"
#include "pushing_time.h"

#include <sfpu/views/silicon.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace sfpu::cli {
namespace {

class silicon_command : public command {
public:
    const char* name() const override { return "silicon"; }
    const char* description() const override {
        return "Compare the model with published measurements on the chips";
    }
    void add_options(CLI::App& app) override {
        app.add_option(
               "--llk", checkouts_,
               "a copy of the public kernel library; without one only published words are run. Again: "
               "another, for rows of which the ones before have no words that count")
            ->type_name("DIR")
            ->expected(1)
            ->take_all();
        app.add_option("--measurements", measurements_, "a table like data/silicon.csv, instead of it")
            ->type_name("FILE");
        app.add_option("--kernels", kernels_,
                       "how kernels are called, like data/silicon_kernels.json, instead of it")
            ->type_name("FILE");
        app.add_option("--jobs", jobs_, "compilers at once; as many as there are cores unless given")
            ->check(integer_between(1u, 1024u))
            ->type_name("N");
        app.add_option("--core-compiler", core_compiler_,
                       "compiler for the cores of the tile, of rows whose words are computed at run time")
            ->capture_default_str()
            ->type_name("PROGRAM");
        app.add_flag("--markdown", markdown_, "as docs/silicon.md");
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        if (json_ && markdown_) throw user_error("silicon: --json and --markdown exclude each other");
        silicon_request request{
            {},
            measured_kernels(kernels_),
            checkouts_,
            {},
            jobs_ ? jobs_ : std::max(1u, std::thread::hardware_concurrency()),
            options.settings,
            options.config_file,
            architecture::blackhole,
            pushing_time,
            core_compiler_,
            core_time,
        };
        request.measurements = read_measurements(measurements_);
        request.config_chip = file_configuration(options).arch;
        if (!checkouts_.empty()) request.tools = {chosen_compiler(), {}, own_kernel_kit()};
        const interrupt_guard guard;
        session of;
        of.interrupted = interrupt_guard::interrupted;
        const auto board = [&] {
            const working_line shown("silicon", !options.quiet);
            return compare_with_silicon(request, of);
        }();
        if (!board) return exit_interrupted;
        if (json_) write_output("", to_json(*board).dump(2) + "\n");
        else if (markdown_) write_output("", to_markdown(*board));
        else if (!options.quiet) write_output("", to_text(*board));
        return exit_success;
    }

private:
    std::vector<std::string> checkouts_;
    std::string measurements_, kernels_, core_compiler_ = silicon_request().core_compiler;
    unsigned jobs_ = 0;
    bool json_ = false, markdown_ = false;
};

} // namespace

std::unique_ptr<command> make_silicon_command() { return std::make_unique<silicon_command>(); }

} // namespace sfpu::cli
