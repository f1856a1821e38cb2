// Readers of text: assembly, words, settings, conditions, requests.
#include "fuzz_target.h"

#include "../../sc_main/exec_protocol.h"
#include "../../sc_main/explore/condition.h"
#include "../../sc_main/kernel_file.h"
#include "../../sc_main/memory_files.h"
#include "../../sc_main/program.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/sfpu_bench.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace sfpu::fuzz {
namespace {

/// The words of a chip or of the largest machine, by number.
isa::word_encoding words_of_machine(std::size_t number) {
    isa::word_encoding words = number % 2 ? architecture::wormhole : architecture::blackhole;
    if (number / 2 % 2) {
        words.macros = words.templates = 8;
        words.delay_bits = 5;
    }
    return words;
}

std::vector<std::uint32_t> all_words(const isa::kernel& kernel) {
    std::vector<std::uint32_t> words;
    for (const auto* part : {&kernel.init, &kernel.loop, &kernel.tail}) {
        for (const isa::source_word& each : *part) words.push_back(each.word);
        words.push_back(0xdeadbeefu); // where parts end
    }
    return words;
}

// --- assembly and words ----------------------------------------------------------------------------------------------

void assemble(std::string_view input) {
    const isa::word_encoding words = words_of_machine(input.size());
    const isa::assembly first = isa::assemble(input, "f.s", words);
    for (const isa::source_error& error : first.errors) {
        expect(error.line >= 1 && error.column >= 1 && !error.message.empty(),
               "a mistake has a place and a text");
        expect(!error.to_string().empty(), "a mistake can be printed");
    }
    if (!first.ok()) return;
    const isa::assembly second = isa::assemble(isa::listing(first.program), "g.s", first.program.words);
    if (!second.ok()) fail("a listing assembles: " + second.errors[0].to_string());
    expect(all_words(second.program) == all_words(first.program), "a listing has the words that it lists");
}
std::vector<std::string> assembly_seeds() {
    std::vector<std::string> seeds = contents_of("kernels", ".s");
    for (std::string& each : contents_of("tests/data", ".s")) seeds.push_back(std::move(each));
    return seeds;
}

void disassemble(std::string_view input) {
    byte_reader bytes(input);
    const isa::word_encoding words = words_of_machine(bytes.byte());
    for (unsigned i = 0; i < 64 && !bytes.empty(); ++i) {
        const auto word = bytes.take<std::uint32_t>();
        const std::string text = isa::disassemble(word, words);
        const isa::assembly back = isa::assemble(text + "\n", "f.s", words);
        if (!back.ok() || back.program.loop.size() != 1 || back.program.loop[0].word != word)
            fail("a word's text gives the word: " + text);
    }
}
std::vector<std::string> word_seeds() {
    std::vector<std::string> seeds;
    std::string all;
    for (unsigned opcode = 0; opcode < 256; ++opcode)
        for (const char byte : {'\x30', '\x21', '\x43', static_cast<char>(opcode)}) all += byte;
    for (unsigned machine = 0; machine < 4; ++machine)
        for (std::size_t at = 0; at < all.size(); at += 256)
            seeds.push_back(std::string(1, static_cast<char>(machine)) + all.substr(at, 256));
    return seeds;
}

/// A kernel file as the commands read it; what is read is written and read again.
void read_kernel(std::string_view input, const char* name) {
    cli::common_options options;
    isa::kernel kernel;
    try {
        kernel = cli::assemble_kernel(std::string(input), name, options);
        const cli::kernel_run run(kernel, options, std::nullopt);
        expect(run.iterations() * kernel.rows_per_iteration == run.rows(), "rows are whole iterations");
    } catch (const cli::user_error& error) {
        expect(*error.what() != 0, "a refusal says why");
        return;
    }
    const std::string words = cli::kernel_words(kernel);
    const isa::kernel again = cli::assemble_kernel(words, "again.hex", options);
    expect(all_words(again) == all_words(kernel), "a kernel's words are those of the kernel");
    expect(cli::kernel_words(again) == words, "and so is everything else");
}
void read_kernel_file(std::string_view input) { read_kernel(input, "f.s"); }
void read_hex_file(std::string_view input) { read_kernel(input, "f.hex"); }
std::vector<std::string> hex_seeds() {
    std::vector<std::string> seeds{"8f000000\n0x71040001 ; comment\n",
                                   "; .arch wh\n; .init\n71000000\n; .loop 2\n8f000000\n"};
    for (const std::string& file : files_of("kernels", ".s")) try {
            seeds.push_back(cli::kernel_words(cli::load_kernel(file, {})));
        } catch (const cli::user_error&) { // of the other chip
        }
    return seeds;
}

// --- settings --------------------------------------------------------------------------------------------------------

void set_one_parameter(std::string_view input) {
    const std::size_t equals = input.find('=');
    if (equals == std::string_view::npos) return;
    parameters config;
    const std::string path(input.substr(0, equals));
    if (const auto problem = set_parameter(config, path, input.substr(equals + 1))) {
        expect(!problem->empty(), "a refusal says why");
        return;
    }
    expect(config.problems().empty(), "what a parameter accepts is valid");
    const std::string text = find_parameter(path)->text(config);
    parameters same;
    expect(!set_parameter(same, path, text), "a parameter accepts its own text");
    expect(find_parameter(path)->text(same) == text, "and has the value that it says");
    isa::make_machine(config);
}
std::vector<std::string> setting_seeds() {
    std::vector<std::string> seeds;
    for (const parameter_row& row : parameter_table())
        seeds.push_back(std::string(row.path) + "=" + row.text(parameters{}));
    return seeds;
}

void judge_condition(std::string_view input) {
    try {
        const cli::condition condition{std::string(input)};
        parameters config;
        condition.holds(config);
        config.arch = architecture::wormhole;
        config.latency_mad = 8;
        condition.holds(config);
    } catch (const std::invalid_argument& error) {
        expect(*error.what() != 0, "a refusal says why");
    }
}
std::vector<std::string> condition_seeds() {
    return {"sfpu.latency.mad <= macro.slots && dst.load_ports == 2",
            "!(1 + 2 * 3 % 4 >= 5) || issue.thread_order == fixed", "-4294967295 / (macro.count - 4) != 1",
            "true"};
}

void parse_memory_option(std::string_view input) {
    for (const auto kind : {cli::memory_file_kind::load, cli::memory_file_kind::dump}) try {
            const cli::memory_file parsed = cli::parse_memory_file("--l1-load", input, kind);
            expect(!parsed.file.empty() && parsed.address <= 0xffffffffu,
                   "an operand that is accepted is complete");
        } catch (const cli::user_error&) {
        }
}
std::vector<std::string> memory_option_seeds() { return {"0x1000=a.bin", "4096:0x20=b", "077:1=x=y"}; }

// --- exec ------------------------------------------------------------------------------------------------------------

/// A request that takes milliseconds, not minutes.
bool is_short(const platform::run_request& run) {
    std::uint64_t words = 0, loops = 0;
    for (const platform::program_segment& segment : run.segments) {
        words += segment.words.size() * segment.repeat;
        for (const std::uint32_t word : segment.words) loops += word >> 24 == 0x01;
    }
    const std::uint64_t idle = std::accumulate(run.bubbles.begin(), run.bubbles.end(), std::uint64_t{0});
    return words <= 500 && loops <= 2 && idle <= 10000;
}

void answer_request(std::string_view input) {
    static platform::sfpu_bench bench;
    static cli::request_parser parser;
    static cli::exec_recorder recorder;
    std::string line(input);
    std::replace(line.begin(), line.end(), '\n', ' ');
    cli::exec_request request;
    std::string answer;
    try {
        parser.parse(line, {}, request);
        if (!is_short(request.run)) return;
        recorder.clear();
        recorder.strict = request.strict;
        request.run.diagnostics = &recorder;
        request.run.observer = request.timeline ? &recorder : nullptr;
        const platform::run_result result = bench.run(request.run);
        cli::append_answer(answer, request, result, bench, recorder);
    } catch (const cli::request_error& error) {
        cli::append_refusal(answer, request.id, error.code, error.what(), error.index);
    }
    expect(answer.find('\n') == std::string::npos, "an answer is one line");
    expect(nlohmann::json::accept(answer), "an answer is JSON");
}
std::vector<std::string> request_seeds() {
    return {
        R"({"id":1,"words":["8f000000"]})",
        R"({"arch":"wh","words":["71040001","84001230","8f000000"],"lreg":{"0":"3f800000"},"timeline":true,"bubbles":[0,3]})",
        R"({"words":["93000000","8f000000"],"macro":{"template":["90000000","84000000","8e000000","72000000"],)"
        R"("sequence":["00000004","00000003","00000000","0000000c"],"misc":"770"},"dst":{"0":["0001"]},"prng":"1"})",
        R"({"words":["01800000","04000013","a2000001"],"config":{"dst_rwc":4,"srcb_format":5,"fp32_enabled":true},"thread":1})",
        R"({"words":["70040000"],"lane_flags":"ffff0000","use_lane_flags":"ffffffff","flag_stack":[["1","2"]],"lane_config":"2"})"};
}

} // namespace

std::vector<target> text_targets() {
    return {
        {"assembler", "assembly text", assemble, assembly_seeds, 2000},
        {"disassembler", "instruction words", disassemble, word_seeds, 1000},
        {"kernel", "a kernel file (.s)", read_kernel_file, assembly_seeds, 1500},
        {"hex", "a kernel file (.hex)", read_hex_file, hex_seeds, 2000},
        {"setting", "path=value, as of --set", set_one_parameter, setting_seeds, 5000},
        {"condition", "a condition of a sweep", judge_condition, condition_seeds, 20000},
        {"memory_option", "ADDR:LENGTH=FILE, as of --l1-load", parse_memory_option, memory_option_seeds,
         20000},
        {"exec", "a request of exec", answer_request, request_seeds, 3000},
    };
}

} // namespace sfpu::fuzz
