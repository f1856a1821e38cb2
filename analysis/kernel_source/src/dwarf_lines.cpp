#include "dwarf_lines.h"

#include <array>
#include <cstdlib>

#ifdef SFPU_HAS_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#endif

namespace sfpu::analysis {
namespace {

/// Beginnings of the names of headers in which no user looks for a line.
constexpr std::array<std::string_view, 8> wrapper_names{
    "sfpi",    "ckernel_ops", "ckernel_instr_params", "ckernel_template", "lltt", "sfpu_tensix",
    "vector_", "stl_"};
constexpr std::array<std::string_view, 3> compiler_folders{"/lib/gcc/", "/include/c++/", "/usr/include/"};

} // namespace

bool wraps_instructions(std::string_view file) {
    for (const std::string_view folder : compiler_folders)
        if (file.find(folder) != std::string_view::npos) return true;
    const std::size_t slash = file.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
    for (const std::string_view wrapper : wrapper_names)
        if (name.substr(0, wrapper.size()) == wrapper) return true;
    return false;
}

#ifdef SFPU_HAS_LIBDW

namespace {

/// Of searches through a whole file, all together: some thousand in a program of a megabyte.
constexpr std::uint64_t most_searched_bytes = std::uint64_t{1} << 32;

} // namespace

struct dwarf_lines::reader {
    explicit reader(std::string_view file) : bytes(file) {
        elf_version(EV_CURRENT);
        elf = elf_memory(bytes.data(), bytes.size());
        if (elf) dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
    }
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
        if (dwarf) dwarf_end(dwarf);
        if (elf) elf_end(elf);
    }

    std::string bytes;
    /// Whether one more search through all entries is worth its time.
    bool may_search() {
        const std::uint64_t cost = bytes.size() + 1;
        if (cost > budget) return false;
        budget -= cost;
        return true;
    }

    Elf* elf = nullptr;
    Dwarf* dwarf = nullptr;
    std::uint64_t budget = most_searched_bytes;
};

namespace {

/// The compilation unit that has an address: by the index, which some compilers do not write, else by looking
/// at all.
template <class Reader>
bool find_unit(Reader& from, Dwarf_Addr pc, Dwarf_Die& unit) {
    if (dwarf_addrdie(from.dwarf, pc, &unit)) return true;
    if (!from.may_search()) return false;
    Dwarf_CU* each = nullptr;
    while (dwarf_get_units(from.dwarf, each, &each, nullptr, nullptr, &unit, nullptr) == 0)
        if (dwarf_haspc(&unit, pc) > 0) return true;
    return false;
}

Dwarf_Line* first_row_behind(Dwarf_Die& unit, Dwarf_Addr pc) {
    Dwarf_Lines* rows = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit, &rows, &count) != 0) return nullptr;
    std::size_t first = 0, behind = count; // rows are in the order of addresses
    while (first < behind) {
        const std::size_t middle = first + (behind - first) / 2;
        Dwarf_Addr address = 0;
        if (dwarf_lineaddr(dwarf_onesrcline(rows, middle), &address) != 0) return nullptr;
        if (address > pc) behind = middle;
        else first = middle + 1;
    }
    bool ends = true;
    Dwarf_Line* const row = first < count ? dwarf_onesrcline(rows, first) : nullptr;
    return row && dwarf_lineendsequence(row, &ends) == 0 && !ends ? row : nullptr;
}

std::optional<cpp_line> innermost_line(Dwarf_Die& unit, Dwarf_Addr pc, bool as_data) {
    Dwarf_Line* found = as_data ? first_row_behind(unit, pc) : nullptr;
    if (!found) found = dwarf_getsrc_die(&unit, pc);
    int line = 0;
    if (!found || dwarf_lineno(found, &line) != 0 || line <= 0) return std::nullopt;
    const char* const file = dwarf_linesrc(found, nullptr, nullptr);
    if (!file) return std::nullopt;
    return cpp_line{file, static_cast<unsigned>(line)};
}

/// Where an inlined function is called.
std::optional<cpp_line> call_line(Dwarf_Files* files, std::size_t count, Dwarf_Die& inlined) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0) return std::nullopt;
    if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0) return std::nullopt;
    if (file >= count || line == 0) return std::nullopt;
    const char* const name = dwarf_filesrc(files, file, nullptr, nullptr);
    if (!name) return std::nullopt;
    return cpp_line{name, static_cast<unsigned>(line)};
}

/// The first line outside of wrappers, from the innermost inlined function outwards.
std::optional<cpp_line> line_of_caller(Dwarf_Die& unit, Dwarf_Addr pc) {
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    if (dwarf_getsrcfiles(&unit, &files, &file_count) != 0) return std::nullopt;
    // The scopes of an address go from the innermost inlined function to where that was defined; those of its
    // entry go to where it was called.
    Dwarf_Die *innermost = nullptr, *scopes = nullptr;
    const int depth = dwarf_getscopes(&unit, pc, &innermost);
    const int count = depth > 0 ? dwarf_getscopes_die(&innermost[0], &scopes) : 0;
    std::free(innermost);
    std::optional<cpp_line> found;
    for (int i = 0; i < count && !found; ++i) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
        found = call_line(files, file_count, scopes[i]);
        if (found && wraps_instructions(found->file)) found.reset();
    }
    std::free(scopes);
    return found;
}

} // namespace

bool dwarf_lines::is_built_in() { return true; }
bool dwarf_lines::has_lines() const { return reader_ && reader_->dwarf; }

std::optional<cpp_line> dwarf_lines::at(std::uint32_t pc, bool as_data) const {
    if (!has_lines()) return std::nullopt;
    Dwarf_Die unit;
    if (!find_unit(*reader_, pc, unit)) return std::nullopt;
    const auto innermost = innermost_line(unit, pc, as_data);
    if (!innermost || !wraps_instructions(innermost->file) || !reader_->may_search()) return innermost;
    const auto caller = line_of_caller(unit, pc);
    return caller ? caller : innermost;
}

#else

struct dwarf_lines::reader {
    explicit reader(std::string_view) {}
};

bool dwarf_lines::is_built_in() { return false; }
bool dwarf_lines::has_lines() const { return false; }
std::optional<cpp_line> dwarf_lines::at(std::uint32_t, bool) const { return std::nullopt; }

#endif

dwarf_lines::dwarf_lines(std::string_view elf) : reader_(std::make_unique<reader>(elf)) {}
dwarf_lines::~dwarf_lines() = default;
dwarf_lines::dwarf_lines(dwarf_lines&&) noexcept = default;
dwarf_lines& dwarf_lines::operator=(dwarf_lines&&) noexcept = default;

} // namespace sfpu::analysis
