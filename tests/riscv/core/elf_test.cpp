// The ELF reader: what it takes from good files, what it says of bad ones.
#include <sfpu/riscv/elf_image.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace sfpu::test {
namespace {

using riscv::elf_error;
using riscv::elf_image;

void put(std::string& file, std::size_t offset, std::uint32_t value, unsigned bytes) {
    if (file.size() < offset + bytes) file.resize(offset + bytes);
    for (unsigned i = 0; i < bytes; ++i) file[offset + i] = static_cast<char>(value >> 8 * i);
}
void half(std::string& file, std::size_t offset, std::uint32_t value) { put(file, offset, value, 2); }
void full(std::string& file, std::size_t offset, std::uint32_t value) { put(file, offset, value, 4); }

// Where the parts of the file of small_program() are.
constexpr std::size_t programs = 52, code = 116, symbols = 128, strings = 176, sections = 192, file_end = 312;

/// Two segments (12 bytes of code at 0x80000000; 4 bytes of it again, then zeros, at 0x80001000), a symbol
/// table.
std::string small_program() {
    std::string f("\x7f"
                  "ELF\x01\x01\x01",
                  7);
    half(f, 16, 2), half(f, 18, 243), full(f, 20, 1);
    full(f, 24, 0x80000000u), full(f, 28, programs), full(f, 32, sections);
    half(f, 40, 52), half(f, 42, 32), half(f, 44, 2), half(f, 46, 40), half(f, 48, 3), half(f, 50, 2);
    // program headers: type, offset, virtual, physical, file size, memory size, flags, alignment
    const std::uint32_t headers[2][8] = {{1, code, 0x1000, 0x80000000u, 12, 12, 5, 4},
                                         {1, code, 0x2000, 0x80001000u, 4, 100, 6, 4}};
    for (unsigned h = 0; h < 2; ++h)
        for (unsigned i = 0; i < 8; ++i) full(f, programs + 32 * h + 4 * i, headers[h][i]);
    for (unsigned i = 0; i < 3; ++i) full(f, code + 4 * i, 0x11111111u * (i + 1));
    // symbols: name, value, size, info, section; the first is a placeholder
    full(f, symbols + 32 + 12, 0);
    full(f, symbols + 16, 1), full(f, symbols + 20, 0x80001000u), full(f, symbols + 24, 8),
        put(f, symbols + 28, 0x11, 1);
    half(f, symbols + 30, 1);
    full(f, symbols + 32, 8), full(f, symbols + 36, 0x80000004u), put(f, symbols + 44, 0x12, 1),
        half(f, symbols + 46, 1);
    f.resize(strings);
    f.append("\0tohost\0main\0", 13);
    f.resize(sections);
    // section headers: name, type, flags, address, offset, size, link
    full(f, sections + 40 + 4, 2), full(f, sections + 40 + 16, symbols), full(f, sections + 40 + 20, 48);
    full(f, sections + 40 + 24, 2);
    full(f, sections + 80 + 4, 3), full(f, sections + 80 + 16, strings), full(f, sections + 80 + 20, 13);
    f.resize(file_end);
    return f;
}

std::string problem_of(const std::string& file) {
    try {
        elf_image::parse(file);
    } catch (const elf_error& error) {
        return error.what();
    }
    return "";
}
/// What is said of the small program after a change.
std::string problem_after(const std::function<void(std::string&)>& change) {
    std::string file = small_program();
    change(file);
    return problem_of(file);
}

TEST(riscv_elf, gives_segments_by_physical_address_the_entry_and_symbols) {
    const elf_image image = elf_image::parse(small_program());
    EXPECT_EQ(image.entry(), 0x80000000u);
    ASSERT_EQ(image.segments().size(), 2u);
    EXPECT_EQ(image.segments()[0].address, 0x80000000u);
    EXPECT_EQ(image.segments()[0].size, 12u);
    EXPECT_EQ(image.segments()[0].bytes.size(), 12u);
    EXPECT_EQ(image.segments()[0].bytes[4], 0x22);
    EXPECT_EQ(image.segments()[1].address, 0x80001000u);
    EXPECT_EQ(image.segments()[1].size, 100u);
    EXPECT_EQ(image.segments()[1].bytes.size(), 4u);
    EXPECT_EQ(image.symbol("tohost"), 0x80001000u);
    EXPECT_EQ(image.symbol("main"), 0x80000004u);
    EXPECT_EQ(image.symbol("nothing"), std::nullopt);
    EXPECT_EQ(image.symbols().size(), 2u);
}

TEST(riscv_elf, segments_come_in_the_order_of_their_addresses_and_empty_ones_not_at_all) {
    const auto image = [](std::uint32_t second_size) {
        std::string file = small_program();
        full(file, programs + 12, 0x80002000u);
        full(file, programs + 32 + 16, 0), full(file, programs + 32 + 20, second_size);
        return elf_image::parse(file);
    };
    EXPECT_EQ(image(100).segments()[0].address, 0x80001000u);
    EXPECT_EQ(image(0).segments().size(), 1u);
}

/// The small program, which sees its segments where they are loaded, with sizes of `main`.
elf_image program_with_places(std::uint32_t size_of_main) {
    std::string file = small_program();
    full(file, programs + 8, 0x80000000u), full(file, programs + 32 + 8, 0x80001000u);
    full(file, symbols + 40, size_of_main);
    return elf_image::parse(file);
}

TEST(riscv_elf, places_have_kinds_and_sizes_within_their_segments) {
    const auto image = program_with_places(4);
    ASSERT_EQ(image.places().size(), 2u);
    EXPECT_EQ(image.places()[0].name, "tohost");
    EXPECT_EQ(image.places()[0].kind, riscv::elf_symbol_kind::object);
    ASSERT_EQ(image.functions().size(), 1u);
    EXPECT_EQ(image.functions()[0].name, "main");
    EXPECT_EQ(image.functions()[0].address, 0x80000004u);
    EXPECT_EQ(image.functions()[0].size, 4u);
    EXPECT_EQ(program_with_places(0xfffffff0u).functions()[0].size, 8u); // what is left of 12 bytes
}

TEST(riscv_elf, a_program_sees_its_segments_at_virtual_addresses) {
    const auto image = elf_image::parse(small_program());
    ASSERT_TRUE(image.segment_of(0x100b));
    EXPECT_EQ(image.segment_of(0x100b)->address, 0x80000000u);
    for (const std::uint32_t outside : {0xfffu, 0x100cu, 0x80000000u})
        EXPECT_FALSE(image.segment_of(outside)) << outside;
    EXPECT_EQ(image.word_at(0x1004), 0x22222222u);
    EXPECT_EQ(image.word_at(0x1009), std::nullopt); // three bytes are left
    EXPECT_EQ(image.word_at(0x2001), 0x00111111u);  // behind those of the file there are zeros
    EXPECT_TRUE(image.places().empty());            // its symbols are none of these addresses
}

TEST(riscv_elf, a_program_of_words_has_functions_from_one_symbol_to_the_next) {
    const auto image = elf_image::of_words(
        0x6000, {1, 2, 3, 4}, {{"last", 0x6008}, {"first", 0x6000}, {"alias", 0x6000}, {"far", 0}});
    ASSERT_EQ(image.functions().size(), 3u);
    for (const riscv::elf_symbol& each : image.functions()) EXPECT_EQ(each.size, 8u) << each.name;
}

TEST(riscv_elf, names_that_take_many_times_the_file_are_refused) {
    std::string file = small_program();
    // 2,000 symbols whose names are all but the first letters of one name
    const std::string name(4000, 'x');
    const auto table = static_cast<std::uint32_t>(file.size());
    file.resize(table + 16 * 2001);
    for (std::uint32_t i = 1; i <= 2000; ++i) full(file, table + 16 * i, i);
    full(file, sections + 40 + 16, table), full(file, sections + 40 + 20, 16 * 2001);
    full(file, sections + 80 + 16, static_cast<std::uint32_t>(file.size())),
        full(file, sections + 80 + 20, 4002);
    file += std::string(1, '\0') + name + std::string(1, '\0');
    EXPECT_NE(problem_of(file).find("expected no more than 16 times the file's"), std::string::npos)
        << problem_of(file);
}

TEST(riscv_elf, a_program_without_sections_has_no_symbols) {
    std::string file = small_program();
    full(file, 32, 0), half(file, 48, 0);
    EXPECT_TRUE(elf_image::parse(file).symbols().empty());
}

TEST(riscv_elf, says_what_is_wrong_with_a_file) {
    EXPECT_EQ(problem_of("hello, world"), "not an ELF file: it does not begin with 7f 45 4c 46");
    EXPECT_EQ(problem_of(""), "not an ELF file: it does not begin with 7f 45 4c 46");
    EXPECT_EQ(problem_after([](std::string& f) { f[4] = 2; }),
              "the ELF class is 2, expected 1 (32 bits; 2 is 64 bits)");
    EXPECT_EQ(problem_after([](std::string& f) { f[5] = 2; }),
              "the byte order is 2, expected 1 (little-endian; 2 is big-endian)");
    EXPECT_EQ(problem_after([](std::string& f) { half(f, 18, 62); }),
              "the machine is 62, expected 243 (RISC-V)");
    EXPECT_EQ(problem_after([](std::string& f) { half(f, 16, 3); }),
              "the file type is 3, expected 2 (executable; 1 is an object file, 3 is position-independent)");
    EXPECT_EQ(problem_after([](std::string& f) { half(f, 44, 0); }),
              "the number of program headers is 0, expected at least 1");
    EXPECT_EQ(problem_after([](std::string& f) { half(f, 42, 56); }),
              "the size of a program header is 56, expected 32");
    EXPECT_EQ(problem_after([](std::string& f) { half(f, 46, 64); }),
              "the size of a section header is 64, expected 40");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, 28, 0xfffffff0u); }),
              "program header 0 at offset 4294967280 needs 32 bytes, but the file ends at 312: it is "
              "truncated or damaged");
    EXPECT_EQ(
        problem_after([](std::string& f) { full(f, programs + 16, 400), full(f, programs + 20, 400); }),
        "segment 0 at offset 116 needs 400 bytes, but the file ends at 312: it is truncated or damaged");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, programs + 20, 8); }),
              "segment 0 has 12 bytes in the file but only 8 in memory");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, programs + 12, 0xfffffff8u); }),
              "segment 0, 12 bytes at 0xfffffff8, goes beyond the end of the address space");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, programs + 32 + 12, 0x80000008u); }),
              "the segments at 0x80000000 (12 bytes) and 0x80000008 (100 bytes) overlap");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, programs, 2), full(f, programs + 32, 2); }),
              "no segment is to be loaded: there is no program header of type PT_LOAD");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, 24, 0x80000002u); }),
              "the entry address is 0x80000002, expected a multiple of 4");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, sections + 40 + 24, 9); }),
              "the symbol table names section 9 as its string table, but there are only 3");
    EXPECT_EQ(problem_after([](std::string& f) { full(f, symbols + 16, 99); }),
              "the name of symbol 1, at offset 99, is not in the string table of 13 bytes");
}

TEST(riscv_elf, segments_that_end_with_the_address_space_are_good) {
    std::string file = small_program();
    full(file, programs + 12, 0xfffffff4u);
    EXPECT_EQ(elf_image::parse(file).segments()[1].size, 12u);
}

TEST(riscv_elf, a_file_that_cannot_be_read_is_named) {
    try {
        elf_image::read("/nowhere/program.elf");
        FAIL() << "it was read";
    } catch (const elf_error& error) {
        EXPECT_STREQ(error.what(), "/nowhere/program.elf: cannot be opened");
    }
}

TEST(riscv_elf, a_directory_is_no_file) {
    try {
        elf_image::read("/");
        FAIL() << "it was read";
    } catch (const elf_error& error) {
        EXPECT_STREQ(error.what(), "/: cannot be read, expected a file");
    }
}

TEST(riscv_elf, knows_whether_the_file_is_marked_as_holding_compressed_instructions) {
    std::string file = small_program();
    for (const std::uint32_t flags :
         {0u, 1u, 4u, 8u, 13u}) { // RVC is bit 0, the others are the floats' and RVE
        full(file, 36, flags);
        EXPECT_EQ(elf_image::parse(file).compressed(), (flags & 1u) != 0) << flags;
    }
}

TEST(riscv_elf, every_truncation_is_refused_with_a_message) {
    const std::string file = small_program();
    for (std::size_t length = 0; length < file.size(); ++length)
        EXPECT_NE(problem_of(file.substr(0, length)), "") << length << " bytes";
}

TEST(riscv_elf, no_corruption_of_one_byte_does_more_than_throw_an_elf_error) {
    const std::string good = small_program();
    for (std::size_t at = 0; at < good.size(); ++at)
        for (unsigned value = 0; value < 256; ++value) {
            std::string file = good;
            file[at] = static_cast<char>(value);
            EXPECT_NO_THROW(problem_of(file)) << "byte " << at << " = " << value;
        }
}

} // namespace
} // namespace sfpu::test
