#include "pushed_kernel.h"

#include "found_data.h"
#include "found_loop.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/rolled_words.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace sfpu::analysis {
namespace {

std::string file_of(const pushed_kernel& kernel) {
    return kernel.words.empty() ? "" : kernel.words.front().origin.file;
}

/// "0x5f08", "line 12"; the number of the word where nothing else is known.
std::string place_of(const pushed_kernel& kernel, std::size_t word) {
    const isa::word_origin& origin = kernel.words[word].origin;
    if (origin.address) return fmt::format("{:#x}", *origin.address);
    return origin.line ? fmt::format("line {}", origin.line) : fmt::format("word {}", word);
}

std::string count_of(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void check_words(const pushed_kernel& kernel, architecture arch) {
    if (kernel.words.empty()) throw input_error("found no word for the vector unit, expected a kernel");
    for (std::size_t i = 0; i < kernel.words.size(); ++i)
        if (isa::classify(kernel.words[i].word, arch) == isa::word_kind::no_instruction)
            throw input_error(fmt::format("{}: {}: found the word 0x{:08x}, expected an instruction of {}",
                                          file_of(kernel), place_of(kernel, i), kernel.words[i].word,
                                          describe(arch).long_name));
}

/// A kernel without words, on the machine that options and settings say.
isa::kernel empty_kernel(const pushed_kernel& pushed, const machine_choice& machine) {
    isa::kernel kernel;
    kernel.file = file_of(pushed);
    kernel.arch = resolved_configuration(machine).arch;
    for (const auto& [key, value] : pushed.settings) kernel.config.push_back({key, value, 0, 0});
    kernel.words = isa::make_machine(kernel_configuration(kernel, machine)).encoding();
    return kernel;
}

/// The state of the thread in front of the first word.
isa::thread_state starting_thread(isa::kernel kernel, const machine_choice& machine) {
    kernel.tail.push_back({std::uint32_t{isa::opcode::sfpnop} << 24, 0, false, 0}); // a run has a word
    return kernel_run(std::move(kernel), machine, std::nullopt).request().thread;
}

/// Writes `.origin` numbers: of words one behind the other that are from the same place one.
class origin_list {
public:
    explicit origin_list(std::vector<isa::word_origin>& to) : to_(to) {}

    unsigned number_of(const isa::word_origin& origin) {
        if (origin == isa::word_origin{}) return 0;
        if (to_.empty() || !(to_.back() == origin)) to_.push_back(origin);
        return static_cast<unsigned>(to_.size());
    }

private:
    std::vector<isa::word_origin>& to_;
};

/// Words into the sections of the kernel. `counted`: in the place of those of loop and tail.
void fill_sections(isa::kernel& kernel, const pushed_kernel& pushed, const found_loop& loop,
                   const std::optional<counted_loop>& counted) {
    kernel_recorder::recorded_words all;
    for (const pushed_word& each : pushed.words) {
        all.words.push_back(each.word);
        all.gaps.push_back(each.gap);
        all.places.emplace_back(); // places of this file are origins
    }
    kernel_recorder::rolled_words parts = rolled(all, loop.begin, loop.length, loop.count);
    if (counted) {
        parts.loop.words = counted->loop;
        parts.back.words = counted->tail;
    }
    origin_list origins(kernel.origins);
    const auto fill = [&](std::vector<isa::source_word>& to, const kernel_recorder::recorded_words& from,
                          std::size_t first) {
        for (std::size_t i = 0; i < from.words.size(); ++i)
            to.push_back({from.words[i], 0, from.gaps[i], origins.number_of(pushed.words[first + i].origin)});
    };
    fill(kernel.init, parts.front, 0);
    fill(kernel.loop, parts.loop, loop.begin);
    fill(kernel.tail, parts.back, loop.end());
}

/// Runs the words once as they are and finds rows and data.
found_data data_of(isa::kernel& kernel, const found_loop& loop, const pushed_kernel& pushed,
                   const source_request& request, const machine_choice& machine) {
    kernel.rows_per_iteration = 1;
    kernel_run run(kernel, machine, static_cast<unsigned>(loop.count));
    platform::core_runner runner;
    access_recorder accesses(runner.thread());
    run.request().observer = &accesses;
    run.request().hazards = hazard_policy::off;
    const isa::thread_state start = run.request().thread;
    found_data found;
    try {
        runner.run(run.request());
        found = find_data(accesses.found, {loop.begin, loop.length, loop.count}, start);
    } catch (const std::runtime_error& problem) {
        accesses.found.clear();
        found.told.push_back(fmt::format("rows and data are not known: {}", problem.what()));
    }
    take_named_data(found, request, accesses.found, start, file_of(pushed));
    return found;
}

/// "32 equal iterations of 6 words, one row each, from 0x5f08 to 0x5fc8; 3 words before, 2 after"
std::string loop_sentence(const pushed_kernel& pushed, const found_loop& loop, const found_data& data) {
    const std::string rows = !data.rows_known ? "rows not known, taken as one"
                             : data.rows == 1 ? "one row"
                                              : fmt::format("{} rows", data.rows);
    if (loop.count == 1)
        return fmt::format("no equal iterations: all {} are one iteration, {}",
                           count_of(pushed.words.size(), "word"), rows);
    return fmt::format("{} equal iterations of {}, {} each, from {} to {}; {} before, {} after", loop.count,
                       count_of(loop.length, "word"), rows, place_of(pushed, loop.begin),
                       place_of(pushed, loop.end() - 1), count_of(loop.begin, "word"),
                       pushed.words.size() - loop.end());
}

std::string counter_sentence(const found_loop& loop, const counted_loop& counted) {
    return fmt::format(
        "equal but for their addresses, which are {} further in each iteration: in the loop "
        "ADDR_MOD_{}, which no word uses, moves the counter of Dst by that, and each word finds "
        "the cells that it found before",
        loop.step, counted.addr_mod);
}

void append(std::vector<std::string>& to, const std::vector<std::string>& what) {
    to.insert(to.end(), what.begin(), what.end());
}

/// The entries of the address modifiers as a setting, in the place of those that were given.
void set_addr_mods(isa::kernel& kernel, const counted_loop& counted) {
    constexpr auto key = "addr_mod_dst";
    kernel.config.erase(std::remove_if(kernel.config.begin(), kernel.config.end(),
                                       [&](const isa::config_setting& each) { return each.key == key; }),
                        kernel.config.end());
    kernel.config.push_back({key, fmt::format("{}", fmt::join(counted.addr_mod_dst, " ")), 0, 0});
}

} // namespace

std::string rolled_assembly(const pushed_kernel& pushed, const source_request& request,
                            const machine_choice& machine, std::vector<std::string>& told) {
    isa::kernel kernel = empty_kernel(pushed, machine);
    check_words(pushed, kernel.arch);
    std::vector<std::uint32_t> words;
    words.reserve(pushed.words.size());
    for (const pushed_word& each : pushed.words) words.push_back(each.word);

    std::optional<found_loop> loop = find_equal_iterations(words);
    std::optional<counted_loop> counted;
    if (const auto stepping = find_stepping_iterations(words, loop)) {
        counted = with_moving_counter(words, *stepping, starting_thread(kernel, machine), kernel.words);
        if (counted) loop = stepping;
    }
    if (!loop) loop = found_loop{0, words.size(), 1, 0, 0, 0};
    if (counted) set_addr_mods(kernel, *counted);
    fill_sections(kernel, pushed, *loop, counted);

    const found_data data = data_of(kernel, *loop, pushed, request, machine);
    kernel.rows_per_iteration = data.rows;
    kernel.rows = static_cast<unsigned>(data.rows * loop->count);
    kernel.inputs = data.inputs;
    kernel.outputs = data.outputs;

    append(told, pushed.told);
    told.push_back(loop_sentence(pushed, *loop, data));
    if (counted) told.push_back(counter_sentence(*loop, *counted));
    append(told, data.told_inputs);
    append(told, data.told_outputs);
    append(told, data.told);
    return isa::listing(kernel);
}

} // namespace sfpu::analysis
