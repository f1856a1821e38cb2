// Readers of text and of files: assembly, words, settings, conditions, requests; configurations, sweeps,
// cached results, typed data, programs, statistics.
#include "fuzz_target.h"

#include "../../sc_main/command.h"
#include "../../sc_main/memory_files.h"
#include "../../sc_main/program.h"
#include <sfpu/analysis/condition.h>
#include <sfpu/analysis/point_store.h>
#include <sfpu/analysis/sweep.h>
#include <sfpu/views/config_json.h>
#include <sfpu/views/exec_protocol.h>

#include "tree_path.h"
#include <sfpu/analysis/config_file.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/npy_format.h>
#include <sfpu/analysis/tensor_file.h>

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/riscv/elf_image.h>

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

// --- assembly and words ------------------------------------------------------------------------------------

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

// --- kernels in other forms --------------------------------------------------------------------------------

/// A file in some form, translated without starting a compiler: what comes of it is a kernel whose words have
/// places, or a refusal that begins with the file's name.
void translate(std::string_view input, std::optional<analysis::kernel_form> form, const char* name) {
    analysis::source_request request;
    request.form = form;
    request.tools.compiler = request.riscv_compiler = "/nonexistent/compiler";
    request.seconds = 1;
    request.assume_semaphores = form == analysis::kernel_form::elf && input.size() % 2;
    try {
        if (!request.form) request.form = analysis::form_of(input, name);
        if (*request.form == analysis::kernel_form::cpp) return; // which needs a compiler
        for (const analysis::kernel_function& each : analysis::functions_of(input, name, request))
            expect(!each.name.empty(), "a function has a name");
        const analysis::kernel_text text = analysis::translate_kernel(std::string(input), name, request, {});
        expect(text.form == *request.form, "the form is the one that was asked for");
        const isa::kernel kernel = analysis::assemble_kernel(text.text, text.name, {});
        const bool is_own =
            text.form == analysis::kernel_form::assembly || text.form == analysis::kernel_form::hex;
        for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
            for (const isa::source_word& each : *section)
                expect(is_own || each.origin != 0 || section == &kernel.init,
                       "a translated word has a place");
    } catch (const analysis::user_error& error) {
        const std::string_view said = error.what();
        if (said.substr(0, std::string_view(name).size()) != name)
            fail("a refusal begins with the file: " + std::string(said));
    }
}
void translate_any(std::string_view input) {
    translate(input, std::nullopt, input.size() % 2 ? "f.s" : "f.hex");
}
void translate_objdump(std::string_view input) { translate(input, analysis::kernel_form::objdump, "f.txt"); }
void translate_gnu(std::string_view input) { translate(input, analysis::kernel_form::gnu, "f.s"); }
void translate_elf(std::string_view input) { translate(input, analysis::kernel_form::elf, "f.elf"); }

std::vector<std::string> objdump_seeds() {
    return {"\nf.elf:     file format elf32-littleriscv\n\n\nDisassembly of section .text:\n\n"
            "00005f08 <_Z6kernelv>:\n"
            "    5f08:\tc0010c01          \tsfpload\tL0,0,4,3\n"
            "    5f0c:\tc8000003          \tsfpstore\tL0,0,4,3\n"
            "    5f10:\t00008067          \tret\n",
            "    5f08:\tc0010c01          \tsfpload\tL0,0,4,3\n"};
}
std::vector<std::string> gnu_seeds() {
    return {"\t.text\n\t.globl\t_Z6kernelv\n\t.type\t_Z6kernelv, @function\n_Z6kernelv:\n"
            "\tSFPLOAD\tL0, 0, 4, 7\n\tSFPADD\tL0, L0, L10, L9, 0\n\tSFPNOP\n\tSFPSTORE\tL0, 0, 4, 7\n"
            "\tTTREPLAY\t0, 2, 1, 1\n\t.ttinsn\t2399141888\n\tret\n"
            "\t.size\t_Z6kernelv, .-_Z6kernelv\n",
            "\tlui\ta5,4096\n\tsw\ta5,0(a4)\t# SFPNOP\n"};
}
std::vector<std::string> form_seeds() {
    std::vector<std::string> seeds = objdump_seeds();
    for (std::string& each : gnu_seeds()) seeds.push_back(std::move(each));
    seeds.emplace_back(".rows 4\n.loop\nsfpnop\n");
    seeds.emplace_back("8f000000\n0x8f000000 ; drain\n");
    seeds.emplace_back("!<arch>\n");
    return seeds;
}

// --- settings ----------------------------------------------------------------------------------------------

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

// --- exec --------------------------------------------------------------------------------------------------

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

/// A folder of this process, which goes with it.
class scratch_folder {
public:
    scratch_folder() {
        // In memory if there is such a place: files are written for each input.
        std::error_code none;
        const std::filesystem::path memory = "/dev/shm";
        const bool in_memory =
            std::filesystem::is_directory(memory, none) && access(memory.c_str(), W_OK) == 0;
        std::string name =
            ((in_memory ? memory : std::filesystem::temp_directory_path()) / "sfpu-fuzz-XXXXXX").string();
        if (mkdtemp(name.data())) path_ = name;
    }
    ~scratch_folder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name, std::string_view content) const {
        std::string place = path_ + "/" + name;
        std::ofstream(place, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
        return place;
    }

private:
    std::string path_;
};
const scratch_folder& scratch() {
    static const scratch_folder folder;
    return folder;
}

// --- configurations and sweeps -----------------------------------------------------------------------------

void read_configuration(std::string_view input) {
    const std::string file = scratch().file("config.json", input);
    parameters config;
    try {
        cli::apply_config_file(file, config);
    } catch (const cli::user_error& error) {
        expect(std::string_view(error.what()).find(file) == 0, "a refusal begins with the file");
        return;
    }
    expect(config.problems().empty(), "a configuration that is accepted is valid");
    const std::string text = cli::config_text(config);
    parameters again;
    cli::apply_config_file(scratch().file("again.json", text), again);
    expect(cli::config_text(again) == text, "a configuration that is written reads back as itself");
}
std::vector<std::string> configuration_seeds() {
    std::vector<std::string> seeds = contents_of("configs", ".json");
    seeds.push_back(
        R"({"sfpu.latency.mad":3,"sfpu":{"write_order":["load","mad","second_cycle","simple","round"]}})");
    return seeds;
}

void read_sweep_file(std::string_view input) {
    const std::string file = scratch().file("sweep.json", input);
    try {
        const cli::sweep sweep = cli::read_sweep(file, tree_path("studies/sweep.json"));
        expect(!sweep.points.empty() && !sweep.kernels.empty(),
               "a sweep that is accepted has points and kernels");
        for (std::size_t i = 0; i < std::min<std::size_t>(sweep.points.size(), 20); ++i) {
            parameters config;
            for (const cli::parameter_value& each : sweep.settings(i))
                expect(!set_parameter(config, each.row->path, each.text()), "its points are settings");
            sweep.cost_of(sweep.configuration(i));
        }
    } catch (const cli::user_error& error) {
        expect(std::string_view(error.what()).find(file) == 0, "a refusal begins with the file");
    }
}
std::vector<std::string> sweep_seeds() {
    std::vector<std::string> seeds = contents_of("studies", ".json");
    seeds.push_back(
        R"({"kernels":["../kernels/mul32_macro.s"],"baseline":{"macro.slots":4},"seeds":[1,2],"where":["macro.slots > 3"],)"
        R"("parameters":{"macro.slots":{"from":2,"to":8,"step":2},"sfpu.latency.mad":[2,3]},"mode":"product",)"
        R"("cost":{"macro.slots":1.5},"limits":{"seconds":5,"megabytes":500},"budget":1000,"schedule":"keep"})");
    return seeds;
}

void find_result(std::string_view input) {
    static const cli::point_store store(scratch().path() + "/results");
    scratch().file("results/" + cli::point_store::key("inputs") + ".json", input);
    const auto found = store.find("inputs");
    if (found) expect(store.find("inputs").has_value(), "a result that was found is found again");
}
std::vector<std::string> result_seeds() {
    const cli::point_store store(scratch().path() + "/results");
    cli::point_result result;
    result.cycles_per_row = 8;
    result.counters.emplace();
    result.resources.push_back({"issue", 4, 2, 2});
    store.record("inputs", result);
    return {cli::read_file(scratch().path() + "/results/" + cli::point_store::key("inputs") + ".json"),
            R"({"inputs":7})", "[]", "\xff"};
}

// --- typed data --------------------------------------------------------------------------------------------

void read_typed(std::string_view input, const char* name) {
    const isa::data_type type = isa::all_data_types[input.size() % std::size(isa::all_data_types)];
    const unsigned rows = 1 + input.size() / 16 % 3;
    const std::string file = scratch().file(name, input);
    std::vector<std::uint32_t> cells;
    try {
        cells = cli::read_tensor(file, type, rows, cli::inexact_value::round_to_nearest);
    } catch (const cli::user_error& error) {
        expect(std::string_view(error.what()).find(file) == 0, "a refusal begins with the file");
        return;
    }
    expect(cells.size() == std::size_t{rows} * 32, "a tensor has 32 cells for each row");
    const std::string written = cli::tensor_bytes(file, type, cells);
    const auto again = cli::read_tensor(scratch().file("again" + std::string(name), written), type, rows);
    for (std::size_t i = 0; i < cells.size(); ++i)
        expect(again[i] == cells[i] || (isa::is_nan(type, cells[i]) && isa::is_nan(type, again[i])),
               "values that are written read back");
}
void read_npy(std::string_view input) { read_typed(input, "data.npy"); }
void read_csv(std::string_view input) { read_typed(input, "data.csv"); }
void read_raw(std::string_view input) { read_typed(input, "data.bin"); }

/// For each type and number of rows a file of its own length.
std::vector<std::string> typed_seeds(const char* name) {
    std::vector<std::string> seeds;
    for (const isa::data_type type : isa::all_data_types) {
        std::vector<std::uint32_t> cells;
        random_source random(7);
        for (unsigned i = 0; i < 32; ++i) cells.push_back(isa::random_cell(type, random));
        seeds.push_back(cli::tensor_bytes(name, type, cells));
    }
    return seeds;
}
std::vector<std::string> npy_seeds() {
    std::vector<std::string> seeds = typed_seeds("x.npy");
    for (const char* type : {"<f4", ">f4", "<f8", "|i1", "<u2", "<f2"})
        seeds.push_back(cli::npy_header(type, {32}) + std::string(32 * 4, '\1'));
    return seeds;
}
std::vector<std::string> csv_seeds() {
    std::vector<std::string> seeds = typed_seeds("x.csv");
    seeds.push_back("1, 2.5, -inf, nan # comment\n0x10 1e-45 -0\n");
    return seeds;
}
std::vector<std::string> raw_seeds() { return typed_seeds("x.bin"); }

// --- programs and statistics -------------------------------------------------------------------------------

void parse_program(std::string_view input) {
    try {
        const riscv::elf_image image = riscv::elf_image::parse(input);
        std::uint64_t reached = 0;
        for (const riscv::elf_segment& segment : image.segments()) {
            expect(segment.size >= segment.bytes.size() && segment.size != 0,
                   "a segment is as large as its bytes");
            expect(segment.address >= reached, "segments are in order and do not overlap");
            reached = std::uint64_t{segment.address} + segment.size;
            expect(segment.bytes.size() <= input.size(), "bytes come from the file");
        }
        image.symbol("tohost");
    } catch (const riscv::elf_error& error) {
        expect(*error.what() != 0, "a refusal says why");
    }
}
std::vector<std::string> program_seeds() {
    const std::array<std::uint32_t, 24> header{
        0x464c457f, 0x00010101, 0,  0,      0x00f30002, 1,  0x1000, 52, 0, 0,    0x00200034, 0x00280001,
        0,          1,          84, 0x1000, 0x1000,     12, 16,     5,  4, 0x13, 0x13,       0x6f};
    std::string small(sizeof header, '\0');
    std::memcpy(small.data(), header.data(), sizeof header);
    return {small, contents_of("tests/fuzz/corpus/elf", ".elf").empty()
                       ? small
                       : contents_of("tests/fuzz/corpus/elf", ".elf")[0]};
}

std::vector<std::string> statistics_seeds() {
    return {
        R"({"meta":{"version":"0.1.0","config":{"sfpu":{"latency":{"mad":2}}},"config_hash":"00"},"throughput":{"rows":32,"cycles":256,)"
        R"("instructions":200},"units":{"simple":{"busy":3}},"stalls":{"swap":4},"results":{"changed":false}})",
        R"({"meta":{},"throughput":{}})", R"({"meta":1,"throughput":[1,2,{"a":null}]})"};
}
void compare_statistics(std::string_view input) {
    static const bool quiet = std::freopen("/dev/null", "w", stdout) != nullptr;
    static const std::string other = scratch().file("other.json", statistics_seeds()[0]);
    expect(quiet, "/dev/null can be written");
    const std::string file = scratch().file("statistics.json", input);
    for (const bool json : {false, true})
        for (const bool first : {false, true}) {
            const auto command = cli::make_compare_command();
            CLI::App app;
            command->add_options(app);
            std::vector<std::string> arguments{first ? other : file,
                                               first ? file : other}; // the last one first
            if (json) arguments.insert(arguments.begin(), "--json");
            app.parse(arguments);
            try {
                expect(command->run({}) == cli::exit_success, "files that can be compared are");
            } catch (const cli::user_error& error) {
                expect(std::string_view(error.what()).find(file) == 0, "a refusal begins with the file");
                return;
            }
        }
}

} // namespace

std::vector<target> reader_targets() {
    return {
        {"assembler", assemble, assembly_seeds, 2000},
        {"disassembler", disassemble, word_seeds, 1000},
        {"kernel", read_kernel_file, assembly_seeds, 1500},
        {"hex", read_hex_file, hex_seeds, 2000},
        {"form", translate_any, form_seeds, 2000},
        {"objdump", translate_objdump, objdump_seeds, 1500},
        {"gnu", translate_gnu, gnu_seeds, 1500},
        {"elf_kernel", translate_elf, program_seeds, 1000},
        {"setting", set_one_parameter, setting_seeds, 5000},
        {"condition", judge_condition, condition_seeds, 20000},
        {"memory_option", parse_memory_option, memory_option_seeds, 20000},
        {"exec", answer_request, request_seeds, 3000},
        {"config", read_configuration, configuration_seeds, 2000},
        {"sweep", read_sweep_file, sweep_seeds, 1000},
        {"cache_entry", find_result, result_seeds, 3000},
        {"npy", read_npy, npy_seeds, 3000},
        {"csv", read_csv, csv_seeds, 3000},
        {"raw", read_raw, raw_seeds, 1000},
        {"elf", parse_program, program_seeds, 20000},
        {"statistics", compare_statistics, statistics_seeds, 1000},
    };
}

} // namespace sfpu::fuzz
