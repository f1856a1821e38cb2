#include <sfpu/views/kernel_facts.h>

#include "page_parts.h"
#include "source_parts.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/isa/data_type.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

using analysis::kernel_facts;
using analysis::kernel_function;
using facts_json = nlohmann::ordered_json;

std::string words_text(std::size_t count) { return fmt::format("{} word{}", count, count == 1 ? "" : "s"); }

std::string functions_text(const kernel_facts& facts) {
    if (facts.functions.empty()) return "";
    std::vector<std::vector<std::string>> rows;
    for (const kernel_function& each : facts.functions)
        rows.push_back({"  " + (each.size || each.address ? fmt::format("0x{:08x}", each.address) : ""),
                        each.size ? fmt::format("{} bytes", each.size) : "",
                        each.words ? words_text(each.words) : "", shown_text(each.name)});
    return "functions\n" + page_table_text(rows);
}

std::string tensors_text(const char* name, const std::vector<isa::tensor>& tensors) {
    std::string text;
    for (const isa::tensor& each : tensors)
        text += fmt::format("{:<15}{} at 0x{:x}, {}\n", text.empty() ? name : "", each.name, each.address,
                            isa::to_string(each.type));
    return text;
}

/// "mad 4, load 2": the most frequent ones need no place of their own, they are few.
std::string counts_text(const std::map<std::string, std::size_t>& counts) {
    std::string text;
    for (const auto& [name, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    return text;
}

std::string macros_text(const kernel_facts& facts) {
    std::string text;
    for (const auto& [macro, count] : facts.macros)
        text += fmt::format("{}macro {} {} time{}", text.empty() ? "" : ", ", macro, count,
                            count == 1 ? "" : "s");
    return text.empty() ? "none" : text;
}

std::string facts_text(const kernel_facts& facts) {
    std::string text = fmt::format("kernel         {}\n", shown_name(facts.given.file));
    text += fmt::format("form           {}\n", facts.given.form);
    if (!facts.given.function.empty())
        text += fmt::format("function       {}\n", shown_text(facts.given.function));
    if (facts.is_chosen) {
        text += fmt::format("architecture   {} ({})\n", short_name(facts.arch), long_name(facts.arch));
        if (facts.loop)
            text += fmt::format("rows           {}, {} in an iteration of {}\n", facts.rows,
                                facts.rows_per_iteration, words_text(facts.loop));
        if (facts.loop && facts.peeled_rows)
            text += fmt::format("peeled         {} of the rows, in init and tail\n", facts.peeled_rows);
        if (!facts.loop) text += "rows           none: nothing is repeated\n";
        text += fmt::format("words          init {}, loop {}, tail {}\n", facts.init, facts.loop, facts.tail);
        text += fmt::format("macros         {}\n", macros_text(facts));
        text += fmt::format("instructions   {}\n", counts_text(facts.instructions));
        text += tensors_text("inputs", facts.inputs) + tensors_text("outputs", facts.outputs);
        for (const isa::config_setting& each : facts.settings)
            text += fmt::format("setting        {} = {}\n", shown_text(each.key), shown_text(each.value));
        if (facts.has_gaps) text += "gaps           it says where idle cycles can stand\n";
    } else {
        text += "kernel is none of them yet: --function NAME chooses\n";
    }
    for (const std::string& each : facts.given.told)
        text += fmt::format("told           {}\n", shown_text(each));
    return text + functions_text(facts);
}

facts_json tensors_json(const std::vector<isa::tensor>& tensors) {
    facts_json list = facts_json::array();
    for (const isa::tensor& each : tensors)
        list.push_back({{"name", each.name}, {"address", each.address}, {"type", isa::to_string(each.type)}});
    return list;
}

facts_json functions_json(const std::vector<kernel_function>& functions) {
    facts_json list = facts_json::array();
    for (const kernel_function& each : functions)
        list.push_back(
            {{"name", each.name},
             {"symbol", each.symbol},
             {"address", each.size || each.address ? facts_json(each.address) : facts_json(nullptr)},
             {"size", each.size ? facts_json(each.size) : facts_json(nullptr)},
             {"words", each.words ? facts_json(each.words) : facts_json(nullptr)}});
    return list;
}

facts_json document_of(const kernel_facts& facts) {
    facts_json document = {{"source", source_json(facts.given)},
                           {"functions", functions_json(facts.functions)}};
    if (!facts.is_chosen) return document;
    document["arch"] = short_name(facts.arch);
    document["rows"] = facts.rows;
    document["rows_per_iteration"] = facts.rows_per_iteration;
    if (facts.peeled_rows) document["peeled_rows"] = facts.peeled_rows;
    document["iterations"] = facts.iterations;
    document["words"] = {{"init", facts.init}, {"loop", facts.loop}, {"tail", facts.tail}};
    document["macros"] = facts_json::array();
    for (const auto& [macro, count] : facts.macros)
        document["macros"].push_back({{"macro", macro}, {"words", count}});
    document["instructions"] = facts_json::object();
    for (const auto& [name, count] : facts.instructions) document["instructions"][name] = count;
    document["inputs"] = tensors_json(facts.inputs);
    document["outputs"] = tensors_json(facts.outputs);
    document["settings"] = facts_json::array();
    for (const isa::config_setting& each : facts.settings)
        document["settings"].push_back({{"key", each.key}, {"value", each.value}});
    document["gaps"] = facts.has_gaps;
    return document;
}

} // namespace

page facts_page(const kernel_facts& facts) { return make_page(document_of(facts), facts_text(facts)); }

} // namespace sfpu::views
