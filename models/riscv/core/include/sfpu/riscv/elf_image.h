// Reads RISC-V executables: ELF32, little-endian, loaded by physical address.
//
// The reader is our own: what a loader needs of the format is two fixed records and bounds checks, and libelf
// hands out offsets that its user has to check all the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::riscv {

/// Says what is wrong with a file: which record, what was found and what was expected.
class elf_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A stretch of memory that the program occupies.
struct elf_segment {
    std::uint32_t address = 0;        ///< physical
    std::vector<unsigned char> bytes; ///< its contents; what follows up to `size` is zero
    std::uint32_t size = 0;           ///< bytes in memory, at least bytes.size()
    /// Where the program sees it: start-up code copies what has another physical address.
    std::uint32_t virtual_address = 0;
};

enum class elf_symbol_kind : std::uint8_t {
    label, ///< of assembly, of the linker
    object,
    function,
    other,
};

/// A name for a place in a segment, as the program sees it.
struct elf_symbol {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t size = 0; ///< bytes, none of them behind the end of the segment; 0: not known
    elf_symbol_kind kind = elf_symbol_kind::label;
};

/// A program, complete and checked.
class elf_image {
public:
    /// Parses the bytes of a file. Throws elf_error.
    static elf_image parse(std::string_view file);
    /// Reads and parses a file. Throws elf_error, whose message begins with the path.
    static elf_image read(const std::string& path);
    /// A program of words, made without a file. It is one segment and begins with the first word. Its symbols
    /// are functions, each up to the next one.
    static elf_image of_words(std::uint32_t address, const std::vector<std::uint32_t>& words,
                              std::map<std::string, std::uint32_t, std::less<>> symbols = {});
    /// The same of segments, at whose addresses the program sees them. Throws elf_error if they overlap or go
    /// beyond the end of the address space.
    static elf_image of_segments(std::uint32_t entry, std::vector<elf_segment> segments,
                                 std::map<std::string, std::uint32_t, std::less<>> symbols = {});

    std::uint32_t entry() const { return entry_; }
    /// Whether the file says that it may hold compressed instructions, which no hart here has. A program may
    /// say so and run all the same: the flag tells what the assembler was allowed to do.
    bool compressed() const { return compressed_; }
    /// PT_LOAD segments in the order of their addresses, without empty ones. They do not overlap.
    const std::vector<elf_segment>& segments() const { return segments_; }
    /// The value of a symbol; nothing if the program has none of that name.
    std::optional<std::uint32_t> symbol(std::string_view name) const;
    const std::map<std::string, std::uint32_t, std::less<>>& symbols() const { return symbols_; }
    /// The named places of all segments in the order of the file; several may have one name.
    const std::vector<elf_symbol>& places() const { return places_; }
    /// Those that are functions. A file of assembly may have none.
    std::vector<elf_symbol> functions() const;
    /// The word at a virtual address; nothing if no segment has all four bytes. Bytes behind those of the
    /// file are zero.
    std::optional<std::uint32_t> word_at(std::uint32_t virtual_address) const;
    /// The segment that has a virtual address, or null.
    const elf_segment* segment_of(std::uint32_t virtual_address) const;

private:
    void index_segments();
    void take_functions();

    std::uint32_t entry_ = 0;
    bool compressed_ = false;
    std::vector<elf_segment> segments_;
    std::vector<std::size_t> by_virtual_address_; ///< indices of segments_
    std::map<std::string, std::uint32_t, std::less<>> symbols_;
    std::vector<elf_symbol> places_;
};

} // namespace sfpu::riscv
