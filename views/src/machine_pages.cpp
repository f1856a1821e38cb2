#include <sfpu/views/machine_pages.h>

#include "page_parts.h"

#include <sfpu/views/config_json.h>

#include <sfpu/isa/machine.h>
#include <sfpu/isa/table.h>
#include <sfpu/memory/tile_map.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;

json parameter_row_json(const parameter_row& row, const parameters& config) {
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
        if (wanted(row.path)) list.push_back(parameter_row_json(row, config));
    return list;
}

/// "7", or "bh 741, wh 1000" where the chips differ.
std::string chip_values_text(const parameter_row& row) {
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
            rows.push_back({row.path, row.text(config), chip_values_text(row), expected_values(row),
                            to_string(row.basis), row.source, row.help});
    return page_table_text(rows);
}

/// The parameters that are times or sizes of the machine.
bool is_timing_parameter(std::string_view path) {
    for (const std::string_view group :
         {"sfpu.latency.", "sfpu.issue_width", "sfpu.mad_units", "macro.", "dst.", "clock."})
        if (path.substr(0, group.size()) == group) return true;
    return false;
}

/// Cycles from the execution of an instruction to the first cycle that sees its effect; 0 if it has none.
unsigned class_latency(const isa::row& op, isa::latency_class latency, const parameters& config) {
    if (latency == isa::latency_class::none) return 0;
    isa::instruction insn;
    insn.op = &op;
    insn.unit = op.unit;
    insn.latency = latency;
    return isa::latency_of(insn, isa::make_machine(config));
}

} // namespace

page overview_page(const build_versions& built) {
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

page parameters_page(const parameters& config) {
    const path_filter all = [](std::string_view) { return true; };
    return make_page(parameters_json(config, all), parameters_text(config, all));
}

page latencies_page(const parameters& config) {
    json instructions = json::array();
    std::vector<std::vector<std::string>> rows{{"instruction", "sub-unit", "latency"}};
    const auto add = [&](const isa::row& op, isa::latency_class latency, const char* modes) {
        const unsigned cycles = class_latency(op, latency, config);
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
                      {"parameters", parameters_json(config, is_timing_parameter)},
                      {"instructions", instructions}},
                     parameters_text(config, is_timing_parameter) + "\n" + page_table_text(rows));
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

} // namespace sfpu::views
