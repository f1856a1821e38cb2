// Structured inputs: words through the unit. Traffic on sockets and firmware have files of their own.
#include "fuzz_target.h"

#include "bus_traffic.h"
#include "firmware.h"

#include <sfpu/isa/table.h>
#include <sfpu/platform/sfpu_bench.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <utility>

namespace sfpu::fuzz {
namespace {

std::string random_bytes(std::uint32_t seed, std::size_t count) {
    std::mt19937 random(seed);
    std::string bytes(count, '\0');
    for (char& each : bytes) each = static_cast<char>(random());
    return bytes;
}
/// Any bytes are an input; these are long enough to mean something.
std::vector<std::string> random_seeds() {
    std::vector<std::string> seeds;
    for (std::uint32_t seed = 1; seed <= 24; ++seed) seeds.push_back(random_bytes(seed, 100 + 40 * seed));
    return seeds;
}

template <class T>
void append(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// --- words through the unit --------------------------------------------------------------------------------

/// Up to three parameters of the vector unit and its front end, in their ranges.
void change_machine(parameters& config, byte_reader& bytes) {
    static const std::vector<const parameter_row*> rows = [] {
        std::vector<const parameter_row*> found;
        for (const parameter_row& row : parameter_table())
            for (const char* group : {"sfpu.", "macro.", "dst.", "issue.", "front_end."})
                if (std::string_view(row.path).find(group) == 0 && row.type != parameter_type::order)
                    found.push_back(&row);
        return found;
    }();
    for (unsigned count = bytes.pick(4); count != 0; --count) {
        const parameter_row& row = *rows[bytes.pick(static_cast<unsigned>(rows.size()))];
        const std::uint64_t top = row.choices.empty() ? row.maximum : row.choices.size() - 1;
        const std::uint64_t span = std::min<std::uint64_t>(top - row.minimum, 40);
        row.set(config, row.minimum + bytes.byte() % (span + 1));
    }
}

/// Mostly words of the vector unit and of the front end in front of it; a few MOPs at most, which are loops.
std::uint32_t next_word(byte_reader& bytes, unsigned& loops, bool front_end) {
    static const std::vector<std::uint8_t> opcodes = [] {
        std::vector<std::uint8_t> found;
        for (const isa::row* row : isa::instruction_table()) found.push_back(row->opcode);
        return found;
    }();
    constexpr std::array<std::uint8_t, 8> front_end_opcodes{0x01, 0x03, 0x04, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6};
    const unsigned kind = bytes.byte();
    std::uint32_t word = bytes.take<std::uint32_t>();
    if (kind < 230) word = (word & 0xffffffu) | std::uint32_t{opcodes[kind % opcodes.size()]} << 24;
    else if (front_end && kind < 250)
        word = (word & 0xffffffu) | std::uint32_t{front_end_opcodes[kind % front_end_opcodes.size()]} << 24;
    const bool loop = word >> 24 == 0x01;
    if (isa::classify(word, architecture::blackhole) == isa::word_kind::no_instruction ||
        (loop && ++loops > 2))
        return 0x02000000u; // NOP
    return word;
}

platform::run_request request_of(std::string_view input) {
    byte_reader bytes(input);
    platform::run_request request;
    const unsigned form = bytes.byte();
    request.config.arch = form & 1 ? architecture::wormhole : architecture::blackhole;
    change_machine(request.config, bytes);
    expect(request.config.problems().empty(), "the machine is a possible one");
    request.state.reset(request.config.sfpu_lreg12_default);
    request.thread.reset(request.config.arch);
    std::mt19937 random(bytes.take<std::uint32_t>());
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v) lane = static_cast<std::uint32_t>(random());
    request.state.flags = static_cast<std::uint32_t>(random());
    request.state.use_flags = form & 2 ? all_lanes : 0;
    isa::macro_configuration macro;
    for (unsigned i = 0; i < macro.capacity; ++i) {
        unsigned none = 2;
        macro.instruction_template[i] = next_word(bytes, none, false);
        macro.sequence[i] = bytes.take<std::uint32_t>();
        macro.sequence_upper[i] = bytes.take<std::uint32_t>();
    }
    macro.misc = bytes.take<std::uint32_t>() & 0xfffffu;
    request.state.macro.fill(macro);
    for (unsigned row = 0; row < 32; ++row)
        for (std::uint16_t& cell : request.dst_rows[row]) cell = static_cast<std::uint16_t>(random());
    const bool threads = form & 4, front_end = form & 8;
    for (std::uint32_t& word : request.front_end.mop_config) {
        unsigned none = 2;
        word = next_word(bytes, none, false);
    }
    request.front_end.mop_config[0] &= 7;
    request.front_end.mop_config[1] &= 7;
    request.front_end.semaphore_max.fill(8);
    platform::program_segment segment;
    unsigned loops = 0;
    while (!bytes.empty() && segment.words.size() < 150) {
        const unsigned around = bytes.byte();
        segment.words.push_back(next_word(bytes, loops, front_end));
        request.bubbles.push_back(around & 3 ? 0 : around >> 4 & 3);
        if (threads) request.threads.push_back(static_cast<std::uint8_t>((around >> 6) % 3));
    }
    segment.repeat = threads ? 1 : 1 + (form >> 4 & 3);
    if (segment.words.empty()) segment.words.push_back(0x8f000000u);
    if (threads && request.threads.empty()) request.threads.push_back(0);
    request.segments = {segment};
    return request;
}

/// Counts and forgets; what it hears must be well-formed.
struct strict_observer : probe::pipeline_observer, diagnostic_sink {
    cycles reached{};
    void executed(const probe::execution_event& e) override {
        expect(e.begin <= e.end && e.begin.count() >= 0, "an instruction begins before it ends");
    }
    void stalled(const probe::stall_event& e) override { expect(e.at.count() >= 0, "a stall is in a cycle"); }
    void diagnose(const diagnostic& what) override {
        expect(!what.message.empty(), "a diagnostic says something");
    }
};

/// Everything that a run leaves behind, by name.
using outcome = std::vector<std::pair<const char*, std::string>>;

template <class... T>
void add(outcome& to, const char* name, const T&... values) {
    to.emplace_back(name, std::string());
    (append(to.back().second, values), ...);
}

outcome outcome_of(const platform::run_result& result, const platform::sfpu_bench& bench) {
    outcome parts;
    const isa::vector_state& state = bench.state();
    add(parts, "registers", state.lreg);
    add(parts, "lane flags", state.flags, state.use_flags, state.stack.depth());
    for (unsigned i = 0; i < state.stack.held(); ++i)
        add(parts, "flag stack", state.stack.from_bottom(i).flags, state.stack.from_bottom(i).use_flags);
    for (unsigned column = 0; column < column_count; ++column) {
        const isa::macro_configuration& macro = state.macro[column];
        add(parts, "LaneConfig", state.config.column(column));
        add(parts, "LoadMacroConfig", macro.instruction_template, macro.sequence, macro.sequence_upper,
            macro.misc);
    }
    add(parts, "random numbers", state.prng);
    for (unsigned number = 0; number < isa::thread_count; ++number) {
        const isa::thread_state& thread = bench.thread(number);
        add(parts, "address counters", thread.rwc.dst, thread.rwc.dst_cr, thread.rwc.sp);
        for (unsigned i = 0; i < isa::thread_state::register_count; ++i)
            add(parts, "thread configuration", thread.config_register(i));
    }
    add(parts, "Dst", bench.dst());
    add(parts, "first issue", result.first_issue.count());
    add(parts, "cycles", result.cycles_used.count());
    const probe::unit_counters& counters = result.counters;
    add(parts, "words", counters.words, counters.instructions);
    add(parts, "macros", counters.macros_launched, counters.macros_forgotten);
    add(parts, "accesses of Dst", counters.dst_reads, counters.dst_writes);
    add(parts, "issued", counters.issued);
    add(parts, "scheduled", counters.scheduled);
    add(parts, "discarded", counters.discarded);
    add(parts, "stalls", counters.stalls);
    add(parts, "busy", counters.busy);
    return parts;
}

void expect_same(const outcome& a, const outcome& b, const std::string& promise) {
    expect(a.size() == b.size(), "outcomes have the same parts");
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) fail(promise + "; it differs in: " + a[i].first);
}

void run_words(std::string_view input) {
    static platform::sfpu_bench bench;
    platform::run_request request = request_of(input);
    const outcome plain = outcome_of(bench.run(request), bench);
    strict_observer observer;
    request.observer = &observer;
    request.diagnostics = &observer;
    expect_same(outcome_of(bench.run(request), bench), plain, "a run that is observed is the same");
    request.observer = nullptr;
    request.diagnostics = nullptr;
    // With two issue slots words that are pushed one by one never go together.
    if (request.config.sfpu_issue_width > 1) return;
    request.words_per_push = 1;
    expect_same(outcome_of(bench.run(request), bench), plain,
                "words pushed one by one are the same as in a burst");
}

} // namespace

std::vector<target> simulation_targets() {
    return {
        {"words", run_words, random_seeds, 500},
        {"bus", play_bus_traffic, random_seeds, 1000},
        {"firmware", run_firmware, random_seeds, 150},
    };
}

} // namespace sfpu::fuzz
