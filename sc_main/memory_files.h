// Files that are loaded into, or filled from, memory of the tile: the operands of --l1-load, --l1-dump,
// --load, --dump.
#pragma once

#include <sfpu/analysis/firmware_run.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/memory/address_map.h>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::cli {

/// ADDR=FILE, or ADDR:LENGTH=FILE for a dump. Numbers have C syntax.
struct memory_file {
    std::string option;        ///< "--l1-load", for messages
    std::uint64_t address = 0; ///< below 2^32
    std::uint64_t length = 0;  ///< of a dump
    std::string file;
};

enum class memory_file_kind { load, dump };

/// Throws user_error that names what was found and what was expected.
memory_file parse_memory_file(const std::string& option, std::string_view text, memory_file_kind kind);

/// Throws user_error unless the whole range lies in one region that is memory; with `only_l1`, in L1.
void check_range(const memory_file& what, std::uint64_t length, const memory::address_map& map, bool only_l1);

/// The options of `tile` that load memory before a run and write it to files behind it.
class memory_arguments {
public:
    void add_options(CLI::App& app);
    /// Reads what is loaded. Throws user_error.
    std::vector<analysis::memory_bytes> loads(const memory::address_map& map) const;
    /// What is dumped; checks all of it, and opens the files. Throws user_error.
    std::vector<analysis::memory_range> open_dumps(const memory::address_map& map);
    /// The bytes of open_dumps(), in its order.
    void write_dumps(const std::vector<std::string>& bytes);

private:
    /// Operands with the name of their option.
    using operands = std::vector<std::pair<std::string, std::string>>;

    operands load_operands_, dump_operands_;
    std::vector<analysis::output_file> dumps_;
};

} // namespace sfpu::cli
