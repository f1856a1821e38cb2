#include "fuzz_target.h"
#include "tree_path.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/assembler.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace sfpu::fuzz {

const std::vector<target>& targets() {
    static const std::vector<target> all = [] {
        std::vector<target> list;
        for (auto part : {reader_targets, simulation_targets})
            for (const target& each : part()) list.push_back(each);
        return list;
    }();
    return all;
}

const target* find_target(std::string_view name) {
    for (const target& each : targets())
        if (name == each.name) return &each;
    return nullptr;
}

bool all_tested(const std::vector<std::string>& names) {
    for (const target& each : targets())
        if (std::find(names.begin(), names.end(), each.name) == names.end()) {
            std::fprintf(stderr, "the target %s has no test in tests/fuzz/CMakeLists.txt\n", each.name);
            return false;
        }
    return true;
}

std::vector<std::string> tokens() {
    std::set<std::string> words{"L0",      "L16",      "VB",    "meta",   "throughput", "parameters",
                                "kernels", "where",    "words", "config", "bubbles",    "lreg",
                                "macro",   "timeline", "zip",   "points"};
    for (const isa::directive_form& each : isa::directive_forms()) words.insert(each.name);
    for (const isa::instruction_form& each : isa::instruction_forms()) {
        words.insert(each.mnemonic);
        for (const auto& mode : each.modes) words.insert(mode.second);
    }
    for (const parameter_row& each : parameter_table()) {
        words.insert(each.path);
        words.insert(each.choices.begin(), each.choices.end());
    }
    for (const isa::data_type type : isa::all_data_types) words.insert(isa::to_string(type));
    return {words.begin(), words.end()};
}

void fail(const std::string& promise) {
    std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
    std::abort();
}

std::vector<std::string> files_of(const char* folder, const char* ending) {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator(tree_path(folder), none))
        if (each.path().extension() == ending) files.push_back(each.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> contents_of(const char* folder, const char* ending) {
    std::vector<std::string> contents;
    for (const std::string& name : files_of(folder, ending)) {
        std::ifstream file(name, std::ios::binary);
        contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return contents;
}

} // namespace sfpu::fuzz
