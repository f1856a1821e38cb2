// Files that are loaded into, or filled from, memory of the tile: the operands of --l1-load, --l1-dump, --load, --dump.
#pragma once

#include <sfpu/platform/tile_run.h>

#include <cstdint>
#include <string>
#include <string_view>

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

} // namespace sfpu::cli
