#include <sfpu/kernel_recorder/program.h>

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

template <class List>
void append(List& to, const List& what) {
    to.insert(to.end(), what.begin(), what.end());
}

std::uint32_t opcode_of(std::uint32_t word) { return word >> 24; }
bool is_nop(std::uint32_t word) { return opcode_of(word) == isa::opcode::sfpnop; }
/// Words that may move in front of all iterations: they only load constants and configuration.
bool is_set_up(std::uint32_t word) {
    const std::uint32_t code = opcode_of(word);
    return code == isa::opcode::sfploadi || code == isa::opcode::sfpconfig || code == isa::opcode::setc16;
}

/// The words of a call, cut: `prefix` once, `loop` for every `rows` rows, `tail` once.
struct cut {
    recorded_words prefix, loop, tail;
    unsigned rows;
};

recorded_words part_of(const recorded_words& all, std::ptrdiff_t from, std::ptrdiff_t to) {
    return {{all.words.begin() + from, all.words.begin() + to},
            {all.gaps.begin() + from, all.gaps.begin() + to}};
}

/// The call cut into iterations of equal words between its first and its last ones. A gap in any of them is
/// one of the loop.
cut cut_at(const recorded_words& call, std::ptrdiff_t from, std::ptrdiff_t to, std::ptrdiff_t length,
           unsigned rows) {
    cut parts{part_of(call, 0, from), part_of(call, from, from + length),
              part_of(call, to, static_cast<std::ptrdiff_t>(call.words.size())), rows};
    for (std::ptrdiff_t at = from; at < to; ++at)
        if (call.gaps[static_cast<std::size_t>(at)])
            parts.loop.gaps[static_cast<std::size_t>((at - from) % length)] = true;
    return parts;
}

/// Whether [from, to) is the same `count` words again and again.
bool repeats(word_list::const_iterator from, word_list::const_iterator to, std::ptrdiff_t count) {
    return std::equal(from + count, to, from);
}

/// The shortest repeating part between set-up words and SFPNOPs, or the call without the SFPNOPs at its end.
cut steady_state(const recorded_words& recorded, unsigned rows) {
    const word_list& call = recorded.words;
    const auto nops = std::find_if_not(call.rbegin(), call.rend(), is_nop) - call.rbegin();
    const auto set_up = std::find_if_not(call.begin(), call.end(), is_set_up) - call.begin();
    const auto size = static_cast<std::ptrdiff_t>(call.size());
    for (unsigned period = 1; period < rows; ++period) {
        if (rows % period != 0) continue;
        const std::ptrdiff_t iterations = rows / period;
        for (std::ptrdiff_t prefix = 0; prefix <= set_up; ++prefix)
            for (std::ptrdiff_t tail = 0; tail <= nops; ++tail) {
                const std::ptrdiff_t body = size - prefix - tail;
                if (body <= 0 || body % iterations != 0) continue;
                const std::ptrdiff_t length = body / iterations;
                if (repeats(call.begin() + prefix, call.end() - tail, length))
                    return cut_at(recorded, prefix, size - tail, length, period);
            }
    }
    return cut_at(recorded, 0, size - nops, std::max<std::ptrdiff_t>(size - nops, 1), rows);
}

void write_section(std::ostream& out, const word_list& section, const gap_list& gaps, architecture arch) {
    for (std::size_t i = 0; i < section.size(); ++i) {
        if (i < gaps.size() && gaps[i]) out << "    .gap\n";
        char text[16];
        std::snprintf(text, sizeof text, "0x%08x", section[i]);
        out << "    .word " << text << "  ; " << isa::disassemble(section[i], arch) << '\n';
    }
}

void add(const recorded_words& what, word_list& words, gap_list& gaps) {
    append(words, what.words);
    append(gaps, what.gaps);
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
    add(recorded(function), program_.init, program_.gaps.init);
    return *this;
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
    cut parts = when == drain::once ? steady_state(call, rows) : cut{{}, call, {}, rows};
    if (parts.loop.words.empty()) throw kernel_error("calculate: the function issued no instruction");
    add(parts.prefix, program_.init, program_.gaps.init);
    program_.loop = std::move(parts.loop.words);
    program_.gaps.loop = std::move(parts.loop.gaps);
    program_.rows_per_iteration = parts.rows;
    program_.tail.insert(program_.tail.begin(), parts.tail.words.begin(), parts.tail.words.end());
    program_.gaps.tail.insert(program_.gaps.tail.begin(), parts.tail.gaps.begin(), parts.tail.gaps.end());
    return *this;
}

program_builder& program_builder::tail(const std::function<void()>& function) {
    add(recorded(function), program_.tail, program_.gaps.tail);
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

std::string assembly_source(const program& kernel) {
    std::ostringstream out;
    out << "; " << kernel.name << ": recorded from C++ for " << long_name(kernel.arch) << ".\n\n";
    out << ".arch " << short_name(kernel.arch) << '\n';
    out << ".rows " << kernel.rows << '\n';
    if (kernel.expected_cycles_per_row)
        out << ".expect cycles_per_row " << std::setprecision(12) << *kernel.expected_cycles_per_row << '\n';
    if (kernel.firmware_start) out << ".config firmware_start, true\n";
    for (const auto& [key, value] : kernel.config) out << ".config " << key << ", " << value << '\n';
    out << "\n.init\n";
    write_section(out, kernel.init, kernel.gaps.init, kernel.arch);
    out << "\n.loop " << kernel.rows_per_iteration << '\n';
    write_section(out, kernel.loop, kernel.gaps.loop, kernel.arch);
    out << "\n.tail\n";
    write_section(out, kernel.tail, kernel.gaps.tail, kernel.arch);
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
        if (argc > 2)
            throw kernel_error("found " + std::to_string(argc - 1) +
                               " arguments, expected at most one, the file or --equiv");
        program_builder builder(name, arch);
        describe(builder);
        const program kernel = builder.build();
        for (const std::string& warning : kernel.warnings)
            std::cerr << name << ": warning: " << warning << '\n';
        if (argc == 2) write_file(argv[1], assembly_source(kernel));
        else std::cout << assembly_source(kernel) << std::flush;
        return 0;
    } catch (const std::exception& error) {
        std::cerr << name << ": error: " << error.what() << '\n';
        return 1;
    }
}

} // namespace sfpu::kernel_recorder
