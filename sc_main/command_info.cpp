// `info`: what the program knows about itself and the machine.
#include "command.h"
#include "help_text.h"
#include "kernel_argument.h"
#include "program.h"
#include "versions.h"
#include <sfpu/views/assembly_document.h>
#include <sfpu/views/instruction_page.h>
#include <sfpu/views/isa_document.h>
#include <sfpu/views/kernel_facts.h>
#include <sfpu/views/machine_pages.h>
#include <sfpu/views/report_document.h>

namespace sfpu::cli {
namespace {

class info_command : public command {
public:
    const char* name() const override { return "info"; }
    const char* description() const override {
        return "Print versions, parameters, latencies, reports; or what a kernel consists of";
    }

    void add_options(CLI::App& app) override {
        CLI::Option* topics[] = {
            app.add_flag("--params", params_,
                         "all parameters with range, the value of the chips, evidence and source"),
            app.add_flag("--latencies", latencies_,
                         "latencies and other timing parameters, latency of each instruction"),
            app.add_flag("--report-ids", report_ids_, "the ids of all diagnostics"),
            app.add_option("--explain", explain_,
                           "what a diagnostic means and where it comes from; of every one if ID is 'all'")
                ->type_name("ID"),
            app.add_flag("--memory-map", memory_map_, "the memory map of a tile"),
            app.add_option(
                   "--isa", isa_,
                   "every opcode and modifier; of one instruction what it reads and writes, its modes, order "
                   "of comparison, latency and stalls")
                ->type_name("NAME")
                ->expected(0, 1)
                ->default_str("all"),
            app.add_flag("--assembly", assembly_, "directives and instructions of the assembly language")};
        isa_option_ = app.get_option("--isa");
        kernel_.add_options(app);
        for (CLI::Option* topic : topics)
            for (CLI::Option* other : topics)
                if (topic != other) topic->excludes(other);
        CLI::Option* const as_json = app.add_flag("--json", json_, "as JSON");
        app.add_flag("--markdown", markdown_,
                     "with --isa, --assembly, --report-ids or --explain: as the page in docs/")
            ->excludes(as_json);
    }

    int run(const common_options& options) override {
        if (kernel_.is_given()) return show_kernel(options);
        const parameters config = resolved_configuration(options);
        const bool topic = isa_option_->count() != 0;
        const bool one = topic && isa_ != "all";
        if (markdown_) {
            if (one) throw user_error("--markdown: expected --isa without an instruction");
            if (!topic && !report_ids_ && !assembly_ && explain_.empty())
                throw user_error(
                    "--markdown: expected --isa, --assembly, --report-ids or --explain beside it");
            write_output("", topic         ? isa_markdown()
                             : assembly_   ? assembly_markdown()
                             : report_ids_ ? report_ids_markdown()
                                           : explanation_markdown(explain_));
            return exit_success;
        }
        const page result = params_             ? parameters_page(config)
                            : latencies_        ? latencies_page(config)
                            : report_ids_       ? reports_page()
                            : !explain_.empty() ? explanation_page(explain_)
                            : memory_map_       ? memory_map_page(config)
                            : one               ? instruction_page(isa_, config, help_width())
                            : topic             ? isa_page()
                            : assembly_         ? assembly_page()
                                                : overview_page(versions());
        write_output("", json_ ? result.json : result.text);
        return exit_success;
    }

private:
    int show_kernel(const common_options& options) {
        if (params_ || latencies_ || report_ids_ || memory_map_ || isa_option_->count() || assembly_ ||
            markdown_ || !explain_.empty())
            throw user_error("info: found KERNEL beside another topic, expected one of them");
        const page shown = facts_page(kernel_.facts(options));
        write_output("", json_ ? shown.json : shown.text);
        return exit_success;
    }

    kernel_argument kernel_{"info"};
    bool params_ = false, latencies_ = false, report_ids_ = false, memory_map_ = false, assembly_ = false,
         json_ = false, markdown_ = false;
    std::string explain_, isa_;
    CLI::Option* isa_option_ = nullptr;
};

} // namespace

std::unique_ptr<command> make_info_command() { return std::make_unique<info_command>(); }

} // namespace sfpu::cli
