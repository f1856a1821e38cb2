#include <sfpu/kernel_recorder/program.h>

#include "recorded_parts.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/lane_machine.h>
#include <sfpu/isa/limits.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>

namespace sfpu::kernel_recorder {
namespace {

using word_list = std::vector<std::uint32_t>;

using gap_list = std::vector<bool>;
using place_list = std::vector<source_place>;

template <class List>
void append(List& to, const List& what) {
    to.insert(to.end(), what.begin(), what.end());
}

template <class List>
void put_in_front(List& of, const List& what) {
    of.insert(of.begin(), what.begin(), what.end());
}

/// All words but the SFPNOPs at the end as one iteration.
rolled_words whole(const recorded_words& call) {
    const auto nops = std::find_if_not(call.words.rbegin(), call.words.rend(), is_nop) - call.words.rbegin();
    return rolled(call, 0, call.words.size() - static_cast<std::size_t>(nops), 1);
}

/// Writes sections, with the places that change from word to word unless they are left out.
class section_writer {
public:
    section_writer(std::ostream& out, architecture arch, origins from)
        : out_(out), arch_(arch), from_(from) {}

    void write(const word_list& section, const gap_list& gaps, const place_list& places) {
        for (std::size_t i = 0; i < section.size(); ++i) {
            if (from_ == origins::written && i < places.size()) stand_at(places[i]);
            if (i < gaps.size() && gaps[i]) out_ << "    .gap\n";
            char text[16];
            std::snprintf(text, sizeof text, "0x%08x", section[i]);
            out_ << "    .word " << text << "  ; " << isa::disassemble(section[i], arch_) << '\n';
        }
    }

private:
    void stand_at(const source_place& place) {
        if (place.file == nullptr || place == latest_) return;
        latest_ = place;
        std::string file = place.file; // which has no quotation marks in a directive
        std::replace(file.begin(), file.end(), '"', '\'');
        out_ << isa::directive_text(isa::word_origin{file, place.line, {}, {}, 0}) << '\n';
    }

    std::ostream& out_;
    architecture arch_;
    origins from_;
    source_place latest_;
};

void add(const recorded_words& what, word_list& words, gap_list& gaps, place_list& places) {
    append(words, what.words);
    append(gaps, what.gaps);
    append(places, what.places);
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out) throw kernel_error(path + ": cannot be written");
}

} // namespace

program_builder::program_builder(std::string name, architecture arch) : recorder_(arch) {
    program_.name = std::move(name);
    program_.arch = arch;
}

program_builder::program_builder(std::string name, isa::lane_machine& machine)
    : program_builder(std::move(name), machine.arch()) {
    recorder_.execute_on(machine);
    direct_ = true;
}

recorded_words program_builder::recorded(const std::function<void()>& function) {
    const recording scope(recorder_);
    function();
    recorded_words result = recorder_.take();
    append(issued_, result.words);
    return result;
}

program_builder& program_builder::init(const std::function<void()>& function) {
    add(recorded(function), program_.init, program_.gaps.init, program_.places.init);
    return *this;
}

void program_builder::take(const rolled_words& parts, unsigned rows) {
    if (parts.loop.words.empty()) throw kernel_error("calculate: the function issued no instruction");
    add(parts.front, program_.init, program_.gaps.init, program_.places.init);
    program_.loop = parts.loop.words;
    program_.gaps.loop = parts.loop.gaps;
    program_.places.loop = parts.loop.places;
    program_.rows_per_iteration = rows / static_cast<unsigned>(parts.iterations);
    put_in_front(program_.tail, parts.back.words);
    put_in_front(program_.gaps.tail, parts.back.gaps);
    put_in_front(program_.places.tail, parts.back.places);
}

void program_builder::take_whole_call() {
    const auto erase = [](auto& list, std::size_t from, std::size_t count) {
        const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from);
        list.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    erase(program_.init, replaced_.front_at, replaced_.front);
    erase(program_.gaps.init, replaced_.front_at, replaced_.front);
    erase(program_.places.init, replaced_.front_at, replaced_.front);
    erase(program_.tail, 0, replaced_.back);
    erase(program_.gaps.tail, 0, replaced_.back);
    erase(program_.places.tail, 0, replaced_.back);
    program_.chosen_row = false;
    take(whole(replaced_.call), replaced_.rows);
}

program_builder& program_builder::calculate(unsigned rows, const std::function<void()>& function,
                                            drain when) {
    if (rows == 0) throw kernel_error("calculate: a call has at least one row");
    if (!program_.loop.empty()) throw kernel_error("calculate: called twice");
    const issue_counts before = recorder_.counts();
    const recorded_words call = recorded(function);
    const issue_counts& now = recorder_.counts();
    call_ = {now.pushed - before.pushed, now.computed - before.computed, now.generated - before.generated};
    if (direct_) return *this;
    if (call.words.empty()) throw kernel_error("calculate: the function issued no instruction");
    if (when == drain::every_call) {
        take({{}, call, {}, 1}, rows);
    } else if (auto equal = rolled_rows(call, rows)) {
        take(*equal, rows);
    } else if (auto same = reads_first(program_.tail, program_.arch)
                               ? std::nullopt
                               : rolled_by_values(call, rows, program_.arch)) {
        replaced_ = {call, rows, program_.init.size(), same->front.words.size(), same->back.words.size()};
        take(*same, rows);
        program_.chosen_row = true;
    } else {
        take(whole(call), rows);
    }
    return *this;
}

program_builder& program_builder::tail(const std::function<void()>& function) {
    const recorded_words words = recorded(function);
    if (program_.chosen_row && reads_first(words.words, program_.arch)) take_whole_call();
    add(words, program_.tail, program_.gaps.tail, program_.places.tail);
    return *this;
}

program_builder& program_builder::rows(unsigned count) {
    program_.rows = count;
    return *this;
}

program_builder& program_builder::expect_cycles_per_row(double cycles) {
    if (!isa::can_be_expected(cycles)) {
        std::ostringstream what;
        what << "expect_cycles_per_row: expected " << isa::least_cycles_per_row << " to "
             << static_cast<long>(isa::most_cycles_per_row) << " cycles a row, found " << cycles;
        throw kernel_error(what.str());
    }
    program_.expected_cycles_per_row = cycles;
    return *this;
}

program_builder& program_builder::firmware_start(bool yes) {
    program_.firmware_start = yes;
    return *this;
}

program_builder& program_builder::config(const std::string& key, const std::string& value) {
    program_.config.emplace_back(key, value);
    return *this;
}

program program_builder::build() const {
    if (program_.loop.empty()) throw kernel_error("the kernel has no loop: calculate() was not called");
    if (program_.rows % program_.rows_per_iteration != 0)
        throw kernel_error("the kernel has " + std::to_string(program_.rows) +
                           " rows, expected a multiple of " + std::to_string(program_.rows_per_iteration) +
                           ", the rows of an iteration");
    program result = program_;
    result.warnings = recorder_.warnings();
    return result;
}

std::string assembly_source(const program& kernel, origins from) {
    std::ostringstream out;
    out << "; " << kernel.name << ": recorded from C++ for " << long_name(kernel.arch) << ".\n";
    if (kernel.chosen_row)
        out << "; Its rows keep constants in different registers; the loop is one of them, shown to compute "
               "the "
               "same.\n";
    out << '\n';
    out << ".arch " << short_name(kernel.arch) << '\n';
    out << ".rows " << kernel.rows << '\n';
    if (kernel.expected_cycles_per_row)
        out << ".expect cycles_per_row " << std::setprecision(12) << *kernel.expected_cycles_per_row << '\n';
    if (kernel.firmware_start) out << ".config firmware_start, true\n";
    for (const auto& [key, value] : kernel.config) out << ".config " << key << ", " << value << '\n';
    section_writer sections(out, kernel.arch, from);
    out << "\n.init\n";
    sections.write(kernel.init, kernel.gaps.init, kernel.places.init);
    out << "\n.loop " << kernel.rows_per_iteration << '\n';
    sections.write(kernel.loop, kernel.gaps.loop, kernel.places.loop);
    out << "\n.tail\n";
    sections.write(kernel.tail, kernel.gaps.tail, kernel.places.tail);
    return out.str();
}

int program_main(int argc, const char* const* argv, const std::string& name, architecture arch,
                 void (*describe)(program_builder&)) {
    try {
        if (argc == 2 && std::string(argv[1]) == "--equiv") {
            const std::string difference = difference_from_direct(arch, describe, 16);
            std::cout << name << ": "
                      << (difference.empty() ? "recorded words and direct execution are equal" : difference)
                      << std::endl;
            return difference.empty() ? 0 : 2;
        }
        const bool with_origins = argc == 3 && std::string(argv[2]) == "--origins";
        if (argc > 2 && !with_origins)
            throw kernel_error("found " + std::to_string(argc - 1) +
                               " arguments, expected at most one, the file or --equiv");
        program_builder builder(name, arch);
        describe(builder);
        const program kernel = builder.build();
        for (const std::string& warning : kernel.warnings)
            std::cerr << name << ": warning: " << warning << '\n';
        const origins from = with_origins ? origins::written : origins::left_out;
        if (argc >= 2) write_file(argv[1], assembly_source(kernel, from));
        else std::cout << assembly_source(kernel) << std::flush;
        return 0;
    } catch (const std::exception& error) {
        std::cerr << name << ": error: " << error.what() << '\n';
        return 1;
    }
}

} // namespace sfpu::kernel_recorder
