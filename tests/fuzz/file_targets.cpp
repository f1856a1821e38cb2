// Readers of whole files: configurations, sweeps, cached results, typed data, programs, statistics.
#include "fuzz_target.h"

#include "../../sc_main/command.h"
#include "../../sc_main/config_file.h"
#include "../../sc_main/explore/point_store.h"
#include "../../sc_main/explore/sweep.h"
#include "../../sc_main/npy_format.h"
#include "../../sc_main/program.h"
#include "../../sc_main/tensor_file.h"

#include <sfpu/isa/data_type.h>
#include <sfpu/riscv/elf_image.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sfpu::fuzz {
namespace {

/// A folder of this process, which goes with it.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "sfpu-fuzz-XXXXXX").string();
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

// --- configurations and sweeps ---------------------------------------------------------------------------------------

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
        const cli::sweep sweep = cli::read_sweep(file, SFPU_SOURCE_DIR "/studies/sweep.json");
        expect(!sweep.points.empty() && !sweep.kernels.empty(),
               "a sweep that is accepted has points and kernels");
        for (std::size_t i = 0; i < std::min<std::size_t>(sweep.points.size(), 20); ++i) {
            parameters config;
            for (const cli::parameter_value& each : sweep.settings(i))
                expect(!set_parameter(config, each.path, each.value), "its points are settings");
            sweep.cost_of(config);
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
    if (found) expect(store.find("inputs") == found, "a result that was found is found again");
}
std::vector<std::string> result_seeds() {
    const cli::point_store store(scratch().path() + "/results");
    store.record("inputs", {{"status", "ok"}, {"cycles_per_row", 8.0}});
    return {cli::read_file(scratch().path() + "/results/" + cli::point_store::key("inputs") + ".json"),
            R"({"inputs":7})", "[]", "\xff"};
}

// --- typed data ------------------------------------------------------------------------------------------------------

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

// --- programs and statistics -----------------------------------------------------------------------------------------

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

std::vector<target> file_targets() {
    return {
        {"config", "a configuration file", read_configuration, configuration_seeds, 2000},
        {"sweep", "a sweep file", read_sweep_file, sweep_seeds, 1000},
        {"cache_entry", "a cached result of explore", find_result, result_seeds, 3000},
        {"npy", "typed data, .npy", read_npy, npy_seeds, 3000},
        {"csv", "typed data, .csv", read_csv, csv_seeds, 3000},
        {"raw", "typed data, raw", read_raw, raw_seeds, 1000},
        {"elf", "a RISC-V program", parse_program, program_seeds, 20000},
        {"statistics", "a statistics file of compare", compare_statistics, statistics_seeds, 1000},
    };
}

} // namespace sfpu::fuzz
