// Options of `tile` for programs of single cores, and for tiles of elements in Dst and L1.
#pragma once

#include <sfpu/analysis/firmware_run.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/memory/address_map.h>

#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

using namespace sfpu::analysis;

/// `--brisc`, `--trisc0` to `--trisc2`, `--loader`, `--kernel0` to `--kernel2`, `--cb`, `--kernel-arg`.
class core_arguments {
public:
    void add_options(CLI::App& app);
    bool are_given() const;
    /// Throws user_error and input_error.
    firmware read(bool limited) const;
    /// Cores that the programs need.
    void adapt(parameters& config, const firmware& programs) const;

private:
    platform::loader_kind loader() const;
    kernel_files kernels() const;

    core_files files_;
    std::string loader_;
    std::array<std::string, platform::b_core_number> kernel_names_;
    std::vector<std::string> buffers_;
    std::vector<std::int64_t> arguments_;
};

/// `--dst-in`, `--dst-out`, `--l1-in`, `--l1-out`: arrays of NumPy with tiles of 32 x 32 elements.
class tile_arguments {
public:
    void add_options(CLI::App& app);
    /// Reads what goes in and opens what comes out. Throws user_error and input_error.
    void open(const memory::address_map& map, firmware_options& how);
    void write(const firmware_answer& answer);

private:
    struct output {
        isa::data_type type{};
        bool upper_halves = false;       ///< of 32-bit cells in Dst
        unsigned first = 0, count = 0;   ///< tiles; `first` of Dst only
        std::optional<std::size_t> dump; ///< of L1: its place among the answer's dumps
        output_file file;
    };
    void open_l1(const memory::address_map& map, firmware_options& how);

    std::vector<std::string> dst_in_, dst_out_, l1_in_, l1_out_;
    std::list<output> outputs_;
};

} // namespace sfpu::cli
