// `info`: what the program knows about itself and the machine.
#include "assembly_document.h"
#include "command.h"
#include "isa_document.h"
#include "program.h"
#include "report_document.h"
#include "versions.h"
#include <sfpu/views/config_json.h>

#include <sfpu/isa/machine.h>
#include <sfpu/isa/table.h>
#include <sfpu/memory/tile_map.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

/// Rows of text in columns as wide as their widest cell; the last column is ragged.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
        text += row.back() + "\n";
    }
    return text;
}

/// One topic in both forms.
struct page {
    std::string document; ///< JSON
    std::string text;
};

page make_page(const json& document, std::string text) { return {document.dump(2) + "\n", std::move(text)}; }

page overview_page() {
    const build_versions built = versions();
    json architectures = json::array();
    std::string text =
        fmt::format("sfpusim        {}\nSystemC        {}\ncompiler       {}\nvector target  {}\n",
                    built.product, built.systemc, built.compiler, isa::vector_target());
    for (const architecture arch : all_architectures) {
        parameters config;
        config.arch = arch;
        architectures.push_back({{"name", short_name(arch)},
                                 {"long_name", long_name(arch)},
                                 {"period_ps", config.period_ps()},
                                 {"auto_stall", config.auto_stall()}});
        text += fmt::format("architecture   {} ({}), {} ps a cycle\n", short_name(arch), long_name(arch),
                            config.period_ps());
    }
    return make_page({{"version", built.product},
                      {"systemc", built.systemc},
                      {"compiler", built.compiler},
                      {"vector_target", isa::vector_target()},
                      {"architectures", architectures}},
                     std::move(text));
}

json parameter_json(const parameter_row& row, const parameters& config) {
    json entry{{"path", row.path},
               {"type", to_string(row.type)},
               {"default", value_json(row, parameters{})},
               {"value", value_json(row, config)}};
    for (const architecture arch : all_architectures) entry["chips"][short_name(arch)] = row.chip_text(arch);
    if (row.type == parameter_type::integer)
        entry.update({{"minimum", row.minimum}, {"maximum", row.maximum}});
    if (!row.choices.empty()) entry["choices"] = row.choices;
    entry.update({{"expected", expected_values(row)},
                  {"unit", row.unit},
                  {"evidence", to_string(row.basis)},
                  {"source", row.source},
                  {"help", row.help},
                  {"timing", row.timing},
                  {"cost", row.cost}});
    return entry;
}

using path_filter = bool (*)(std::string_view path);

json parameters_json(const parameters& config, path_filter wanted) {
    json list = json::array();
    for (const parameter_row& row : parameter_table())
        if (wanted(row.path)) list.push_back(parameter_json(row, config));
    return list;
}

/// "7", or "bh 741, wh 1000" where the chips differ.
std::string chips_text(const parameter_row& row) {
    std::string all, last;
    bool differ = false;
    for (const architecture arch : all_architectures) {
        std::string value = row.chip_text(arch);
        differ = differ || (!last.empty() && value != last);
        all += fmt::format("{}{} {}", all.empty() ? "" : ", ", short_name(arch), value);
        last = std::move(value);
    }
    return differ ? all : last;
}

std::string parameters_text(const parameters& config, path_filter wanted) {
    std::vector<std::vector<std::string>> rows{
        {"parameter", "value", "chips", "expected", "evidence", "source", "meaning"}};
    for (const parameter_row& row : parameter_table())
        if (wanted(row.path))
            rows.push_back({row.path, row.text(config), chips_text(row), expected_values(row),
                            to_string(row.basis), row.source, row.help});
    return table_text(rows);
}

page parameters_page(const parameters& config) {
    const path_filter all = [](std::string_view) { return true; };
    return make_page(parameters_json(config, all), parameters_text(config, all));
}

/// The parameters that are times or sizes of the machine.
bool is_timing(std::string_view path) {
    for (const std::string_view group :
         {"sfpu.latency.", "sfpu.issue_width", "sfpu.mad_units", "macro.", "dst.", "clock."})
        if (path.substr(0, group.size()) == group) return true;
    return false;
}

/// Cycles from the execution of an instruction to the first cycle that sees its effect; 0 if it has none.
unsigned latency_of(const isa::row& op, isa::latency_class latency, const parameters& config) {
    if (latency == isa::latency_class::none) return 0;
    isa::instruction insn;
    insn.op = &op;
    insn.unit = op.unit;
    insn.latency = latency;
    return isa::latency_of(insn, isa::make_machine(config));
}

page latencies_page(const parameters& config) {
    json instructions = json::array();
    std::vector<std::vector<std::string>> rows{{"instruction", "sub-unit", "latency"}};
    const auto add = [&](const isa::row& op, isa::latency_class latency, const char* modes) {
        const unsigned cycles = latency_of(op, latency, config);
        json entry{{"mnemonic", op.mnemonic}, {"unit", isa::to_string(op.unit)}, {"cycles", cycles}};
        if (*modes) entry["modes"] = modes;
        instructions.push_back(entry);
        rows.push_back({std::string(op.mnemonic) + (*modes ? " " : "") + modes, isa::to_string(op.unit),
                        std::to_string(cycles)});
    };
    for (const isa::row* op : isa::instruction_table()) {
        if (!isa::find_row(op->opcode, config.arch)) continue;
        const bool shuffles =
            op->opcode == isa::opcode::sfpshft2; // the one whose latency depends on its mode
        add(*op, op->latency, shuffles ? "modes 0, 1, 5, 6" : "");
        if (shuffles) add(*op, isa::latency_class::shuffle, "modes 2 to 4");
    }
    return make_page({{"arch", short_name(config.arch)},
                      {"parameters", parameters_json(config, is_timing)},
                      {"instructions", instructions}},
                     parameters_text(config, is_timing) + "\n" + table_text(rows));
}

/// The memory map of a tile under a configuration.
page memory_map_page(const parameters& config) {
    json regions = json::array();
    const memory::address_map map(memory::tile_regions(config));
    for (const memory::region& region : map.regions())
        regions.push_back({{"name", region.name},
                           {"base", fmt::format("{:08x}", region.base)},
                           {"size", region.size},
                           {"meaning", region.meaning}});
    return make_page({{"arch", short_name(config.arch)}, {"regions", regions}}, map.table());
}

page isa_page() { return make_page(isa_json(), table_text(isa_table())); }

class info_command : public command {
public:
    const char* name() const override { return "info"; }
    const char* description() const override { return "Print versions, parameters, latencies, reports"; }

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
            app.add_flag("--isa", isa_, "every opcode and modifier: semantics, source page"),
            app.add_flag("--assembly", assembly_, "directives and instructions of the assembly language")};
        for (CLI::Option* topic : topics)
            for (CLI::Option* other : topics)
                if (topic != other) topic->excludes(other);
        CLI::Option* const as_json = app.add_flag("--json", json_, "as JSON");
        app.add_flag("--markdown", markdown_,
                     "with --isa, --assembly, --report-ids or --explain: as the page in docs/")
            ->excludes(as_json);
    }

    int run(const common_options& options) override {
        const parameters config = resolved_configuration(options);
        if (markdown_) {
            if (!isa_ && !report_ids_ && !assembly_ && explain_.empty())
                throw user_error(
                    "--markdown: expected --isa, --assembly, --report-ids or --explain beside it");
            write_output("", isa_          ? isa_markdown()
                             : assembly_   ? assembly_markdown()
                             : report_ids_ ? report_ids_markdown()
                                           : explanation_markdown(explain_));
            return exit_success;
        }
        const page result = params_       ? parameters_page(config)
                            : latencies_  ? latencies_page(config)
                            : report_ids_ ? make_page(reports_json(), table_text(reports_table()))
                            : !explain_.empty()
                                ? make_page(explanation_json(explain_), explanation_text(explain_))
                            : memory_map_ ? memory_map_page(config)
                            : isa_        ? isa_page()
                            : assembly_   ? make_page(assembly_json(), table_text(assembly_table()))
                                          : overview_page();
        write_output("", json_ ? result.document : result.text);
        return exit_success;
    }

private:
    bool params_ = false, latencies_ = false, report_ids_ = false, memory_map_ = false, isa_ = false,
         assembly_ = false, json_ = false, markdown_ = false;
    std::string explain_;
};

} // namespace

std::unique_ptr<command> make_info_command() { return std::make_unique<info_command>(); }

} // namespace sfpu::cli
