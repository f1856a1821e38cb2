#include <sfpu/common/shown_name.h>
#include <sfpu/riscv/elf_image.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

namespace sfpu::riscv {
namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;

// Sizes, offsets and values of the System V ABI, chapters 4 and 5, and of the RISC-V ELF specification.
constexpr std::uint32_t header_bytes = 52, program_header_bytes = 32, section_header_bytes = 40,
                        symbol_bytes = 16;
constexpr unsigned class_32 = 1, little_endian = 1, type_executable = 2, machine_riscv = 243;
constexpr std::uint32_t segment_load = 1, section_symbols = 2;
/// In the flags of the header: the program holds compressed instructions.
constexpr std::uint32_t flag_compressed = 1;
constexpr unsigned section_undefined = 0;
/// Symbols 3 and 4 name sections and files, not addresses.
constexpr unsigned symbol_section = 3, symbol_file = 4;
constexpr unsigned symbol_untyped = 0, symbol_object = 1, symbol_function = 2;

/// The bytes of a file; every access is checked.
class file_view {
public:
    explicit file_view(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t size() const { return bytes_.size(); }
    /// The bytes [offset, offset + length), which `what` names.
    std::string_view part(std::uint64_t offset, std::uint64_t length, const std::string& what) const {
        if (offset > size() || length > size() - offset)
            throw elf_error(
                fmt::format("{} at offset {} needs {} bytes, but the file ends at {}: it is truncated or "
                            "damaged",
                            what, offset, length, size()));
        return bytes_.substr(offset, length);
    }

private:
    std::string_view bytes_;
};

std::uint32_t number(std::string_view record, std::size_t offset, unsigned bytes) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(record[offset + i])) << 8 * i;
    return value;
}
std::uint32_t half(std::string_view record, std::size_t offset) { return number(record, offset, 2); }
std::uint32_t word(std::string_view record, std::size_t offset) { return number(record, offset, 4); }

/// A table of records of equal size.
struct record_table {
    std::uint64_t offset = 0, count = 0, record_bytes = 0;

    std::string_view at(const file_view& file, std::uint64_t index, const char* what) const {
        return file.part(offset + index * record_bytes, record_bytes, fmt::format("{} {}", what, index));
    }
};

struct elf_header {
    std::uint32_t entry = 0, flags = 0;
    record_table programs, sections;
};

void expect(bool condition, const char* what, std::uint32_t found, const char* expected) {
    if (!condition) throw elf_error(fmt::format("{} is {}, expected {}", what, found, expected));
}

elf_header read_header(const file_view& file) {
    if (file.size() < 4 || file.part(0, 4, "") != "\x7f"
                                                  "ELF")
        throw elf_error("not an ELF file: it does not begin with 7f 45 4c 46");
    const std::string_view h = file.part(0, header_bytes, "the ELF header");
    expect(number(h, 4, 1) == class_32, "the ELF class", number(h, 4, 1), "1 (32 bits; 2 is 64 bits)");
    expect(number(h, 5, 1) == little_endian, "the byte order", number(h, 5, 1),
           "1 (little-endian; 2 is big-endian)");
    expect(half(h, 18) == machine_riscv, "the machine", half(h, 18), "243 (RISC-V)");
    expect(half(h, 16) == type_executable, "the file type", half(h, 16),
           "2 (executable; 1 is an object file, 3 is position-independent)");
    elf_header header{word(h, 24),
                      word(h, 36),
                      {word(h, 28), half(h, 44), half(h, 42)},
                      {word(h, 32), half(h, 48), half(h, 46)}};
    expect(header.programs.count > 0, "the number of program headers", 0, "at least 1");
    expect(header.programs.record_bytes == program_header_bytes, "the size of a program header", half(h, 42),
           "32");
    if (header.sections.offset == 0 || header.sections.count == 0) header.sections = {};
    else
        expect(header.sections.record_bytes == section_header_bytes, "the size of a section header",
               half(h, 46), "40");
    return header;
}

elf_segment read_segment(const file_view& file, std::string_view record, std::uint64_t index) {
    const std::uint32_t offset = word(record, 4), file_size = word(record, 16);
    elf_segment segment;
    segment.address = word(record, 12);
    segment.virtual_address = word(record, 8);
    segment.size = word(record, 20);
    if (file_size > segment.size)
        throw elf_error(fmt::format("segment {} has {} bytes in the file but only {} in memory", index,
                                    file_size, segment.size));
    if (segment.size > 0x100000000ull - segment.address)
        throw elf_error(
            fmt::format("segment {}, {} bytes at 0x{:08x}, goes beyond the end of the address space", index,
                        segment.size, segment.address));
    const std::string_view bytes = file.part(offset, file_size, fmt::format("segment {}", index));
    segment.bytes.assign(bytes.begin(), bytes.end());
    return segment;
}

/// By address; none may overlap.
void sort_segments(std::vector<elf_segment>& segments) {
    std::sort(segments.begin(), segments.end(),
              [](const elf_segment& a, const elf_segment& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < segments.size(); ++i) {
        const elf_segment &a = segments[i - 1], &b = segments[i];
        if (b.address - a.address < a.size)
            throw elf_error(fmt::format("the segments at 0x{:08x} ({} bytes) and 0x{:08x} ({} bytes) overlap",
                                        a.address, a.size, b.address, b.size));
    }
}

std::vector<elf_segment> read_segments(const file_view& file, const record_table& programs) {
    std::vector<elf_segment> segments;
    for (std::uint64_t i = 0; i < programs.count; ++i) {
        const std::string_view record = programs.at(file, i, "program header");
        if (word(record, 0) != segment_load) continue;
        elf_segment segment = read_segment(file, record, i);
        if (segment.size) segments.push_back(std::move(segment));
    }
    sort_segments(segments);
    if (segments.empty())
        throw elf_error("no segment is to be loaded: there is no program header of type PT_LOAD");
    return segments;
}

std::string name_at(std::string_view strings, std::uint32_t offset, std::uint64_t symbol) {
    const std::size_t end = offset < strings.size() ? strings.find('\0', offset) : std::string_view::npos;
    if (end == std::string_view::npos)
        throw elf_error(
            fmt::format("the name of symbol {}, at offset {}, is not in the string table of {} bytes", symbol,
                        offset, strings.size()));
    return std::string(strings.substr(offset, end - offset));
}

/// Names may share their ends, and no more than that.
constexpr std::uint64_t most_name_bytes_per_byte = 16;

template <class F>
void for_each_symbol(const file_view& file, const record_table& sections, F f) {
    std::uint64_t name_bytes = 0;
    for (std::uint64_t i = 0; i < sections.count; ++i) {
        const std::string_view section = sections.at(file, i, "section header");
        if (word(section, 4) != section_symbols) continue;
        const std::uint32_t strings_index = word(section, 24);
        if (strings_index >= sections.count)
            throw elf_error(
                fmt::format("the symbol table names section {} as its string table, but there are only {}",
                            strings_index, sections.count));
        const std::string_view header = sections.at(file, strings_index, "section header");
        const std::string_view strings = file.part(word(header, 16), word(header, 20), "the string table");
        const record_table symbols{word(section, 16), word(section, 20) / symbol_bytes, symbol_bytes};
        for (std::uint64_t s = 1; s < symbols.count; ++s) { // the first is a placeholder
            const std::string_view record = symbols.at(file, s, "symbol");
            std::string name = name_at(strings, word(record, 0), s);
            name_bytes += name.size();
            if (name_bytes > most_name_bytes_per_byte * file.size())
                throw elf_error(
                    fmt::format("the names of the first {} symbols have {} bytes, expected no more "
                                "than {} times the file's {}",
                                s, name_bytes, most_name_bytes_per_byte, file.size()));
            f(std::move(name), record);
        }
    }
}

elf_symbol_kind kind_of(unsigned type) {
    switch (type) {
    case symbol_untyped: return elf_symbol_kind::label;
    case symbol_object: return elf_symbol_kind::object;
    case symbol_function: return elf_symbol_kind::function;
    default: return elf_symbol_kind::other;
    }
}

bool has(const elf_segment& segment, std::uint32_t virtual_address) {
    return virtual_address - segment.virtual_address < segment.size;
}

/// How much of what begins at an address of the segment lies in it.
std::uint32_t bytes_inside(const elf_segment& segment, std::uint32_t virtual_address, std::uint32_t wanted) {
    return std::min(wanted, segment.size - (virtual_address - segment.virtual_address));
}

} // namespace

elf_image elf_image::parse(std::string_view bytes) {
    const file_view file(bytes);
    const elf_header header = read_header(file);
    elf_image image;
    image.entry_ = header.entry;
    image.compressed_ = (header.flags & flag_compressed) != 0;
    if (header.entry % 4)
        throw elf_error(fmt::format("the entry address is 0x{:08x}, expected a multiple of 4", header.entry));
    image.segments_ = read_segments(file, header.programs);
    image.index_segments();
    for_each_symbol(file, header.sections, [&](std::string name, std::string_view record) {
        const unsigned type = number(record, 12, 1) & 15u;
        if (name.empty() || half(record, 14) == section_undefined || type == symbol_section ||
            type == symbol_file)
            return;
        const std::uint32_t address = word(record, 4);
        image.symbols_.emplace(name, address);
        if (const elf_segment* segment = image.segment_of(address))
            image.places_.push_back(
                {std::move(name), address, bytes_inside(*segment, address, word(record, 8)), kind_of(type)});
    });
    return image;
}

elf_image elf_image::read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw elf_error(path + ": cannot be opened");
    std::string bytes;
    char block[65536];
    // read() notes what goes wrong, as it does with a directory, in the state; iterators throw it
    while (file.read(block, sizeof block), file.gcount() > 0) {
        bytes.append(block, static_cast<std::size_t>(file.gcount()));
        if (bytes.size() > largest_file)
            throw elf_error(path + ": found more than 256 MiB, expected an ELF file of at most that");
    }
    if (file.bad()) throw elf_error(path + ": cannot be read, expected a file");
    try {
        return parse(bytes);
    } catch (const elf_error& problem) {
        throw elf_error(shown_name(path) + ": " + problem.what());
    }
}

elf_image elf_image::of_words(std::uint32_t address, const std::vector<std::uint32_t>& words,
                              std::map<std::string, std::uint32_t, std::less<>> symbols) {
    elf_segment segment;
    segment.address = segment.virtual_address = address;
    for (const std::uint32_t each : words)
        for (unsigned shift = 0; shift < 32; shift += 8)
            segment.bytes.push_back(static_cast<unsigned char>(each >> shift));
    segment.size = static_cast<std::uint32_t>(segment.bytes.size());
    std::vector<elf_segment> segments;
    segments.push_back(std::move(segment));
    return of_segments(address, std::move(segments), std::move(symbols));
}

elf_image elf_image::of_segments(std::uint32_t entry, std::vector<elf_segment> segments,
                                 std::map<std::string, std::uint32_t, std::less<>> symbols) {
    for (elf_segment& each : segments) {
        each.virtual_address = each.address;
        if (each.size > 0x100000000ull - each.address)
            throw elf_error(fmt::format("{} bytes at 0x{:08x} go beyond the end of the address space",
                                        each.size, each.address));
    }
    elf_image image;
    image.entry_ = entry;
    image.segments_ = std::move(segments);
    sort_segments(image.segments_);
    image.index_segments();
    image.symbols_ = std::move(symbols);
    image.take_functions();
    return image;
}

/// Each symbol in a segment is a function, up to the next one.
void elf_image::take_functions() {
    for (const auto& [name, at] : symbols_)
        if (segment_of(at)) places_.push_back({name, at, 0, elf_symbol_kind::function});
    std::stable_sort(places_.begin(), places_.end(),
                     [](const elf_symbol& a, const elf_symbol& b) { return a.address < b.address; });
    for (std::size_t i = 0; i < places_.size(); ++i) {
        std::uint32_t wanted = ~0u;
        for (std::size_t next = i + 1; next < places_.size() && wanted == ~0u; ++next)
            if (places_[next].address != places_[i].address)
                wanted = places_[next].address - places_[i].address;
        places_[i].size = bytes_inside(*segment_of(places_[i].address), places_[i].address, wanted);
    }
}

std::vector<elf_symbol> elf_image::functions() const {
    std::vector<elf_symbol> found;
    std::copy_if(places_.begin(), places_.end(), std::back_inserter(found),
                 [](const elf_symbol& each) { return each.kind == elf_symbol_kind::function; });
    return found;
}

void elf_image::index_segments() {
    by_virtual_address_.resize(segments_.size());
    std::iota(by_virtual_address_.begin(), by_virtual_address_.end(), std::size_t{0});
    std::stable_sort(by_virtual_address_.begin(), by_virtual_address_.end(),
                     [this](std::size_t a, std::size_t b) {
                         return segments_[a].virtual_address < segments_[b].virtual_address;
                     });
}

const elf_segment* elf_image::segment_of(std::uint32_t virtual_address) const {
    const auto behind = std::upper_bound(by_virtual_address_.begin(), by_virtual_address_.end(),
                                         virtual_address, [this](std::uint32_t address, std::size_t index) {
                                             return address < segments_[index].virtual_address;
                                         });
    if (behind == by_virtual_address_.begin()) return nullptr;
    const elf_segment& found = segments_[*std::prev(behind)];
    return has(found, virtual_address) ? &found : nullptr;
}

std::optional<std::uint32_t> elf_image::word_at(std::uint32_t virtual_address) const {
    const elf_segment* const segment = segment_of(virtual_address);
    if (!segment || bytes_inside(*segment, virtual_address, 4) < 4) return std::nullopt;
    const std::size_t offset = virtual_address - segment->virtual_address;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4 && offset + i < segment->bytes.size(); ++i)
        value |= static_cast<std::uint32_t>(segment->bytes[offset + i]) << 8 * i;
    return value;
}

std::optional<std::uint32_t> elf_image::symbol(std::string_view name) const {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) return std::nullopt;
    return found->second;
}

} // namespace sfpu::riscv
