// Every instruction of a hart: what it computes, against arithmetic in 64 bits written here, and how it is
// decoded, against the words of the GNU assembler.
#include "riscv_machine.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <string>

namespace sfpu::test {
namespace {

using namespace rv;

// --- encodings ---------------------------------------------------------------------------------------------

struct assembled {
    word bits;
    word pc;
    const char* text;
};
// From GNU as 2.40 by objdump -M numeric,no-aliases; CSRs and shift amounts as numbers.
// clang-format off
const std::vector<assembled> listing{
    {0xfedcb2b7, 0x0, "lui x5, 0xfedcb"},
    {0x12345317, 0x4, "auipc x6, 0x12345"},
    {0x000000ef, 0x8, "jal x1, 0x8"},
    {0x0040006f, 0xc, "jal x0, 0x10"},
    {0xffc403e7, 0x10, "jalr x7, -4(x8)"},
    {0xfe208ae3, 0x14, "beq x1, x2, 0x8"},
    {0xfe419ce3, 0x18, "bne x3, x4, 0x10"},
    {0x0062c863, 0x1c, "blt x5, x6, 0x2c"},
    {0xfe83d4e3, 0x20, "bge x7, x8, 0x8"},
    {0xfea4e2e3, 0x24, "bltu x9, x10, 0x8"},
    {0x00c5f263, 0x28, "bgeu x11, x12, 0x2c"},
    {0x80070683, 0x2c, "lb x13, -2048(x14)"},
    {0x7ff81783, 0x30, "lh x15, 2047(x16)"},
    {0x00092883, 0x34, "lw x17, 0(x18)"},
    {0x001a4983, 0x38, "lbu x19, 1(x20)"},
    {0xfffb5a83, 0x3c, "lhu x21, -1(x22)"},
    {0x817c0023, 0x40, "sb x23, -2048(x24)"},
    {0x7f9d1fa3, 0x44, "sh x25, 2047(x26)"},
    {0x01be2823, 0x48, "sw x27, 16(x28)"},
    {0xffff0e93, 0x4c, "addi x29, x30, -1"},
    {0x7ff0af93, 0x50, "slti x31, x1, 2047"},
    {0x8001b113, 0x54, "sltiu x2, x3, -2048"},
    {0x0ff2c213, 0x58, "xori x4, x5, 255"},
    {0xf003e313, 0x5c, "ori x6, x7, -256"},
    {0x0014f413, 0x60, "andi x8, x9, 1"},
    {0x01f59513, 0x64, "slli x10, x11, 31"},
    {0x0016d613, 0x68, "srli x12, x13, 1"},
    {0x4117d713, 0x6c, "srai x14, x15, 17"},
    {0x01288833, 0x70, "add x16, x17, x18"},
    {0x415a09b3, 0x74, "sub x19, x20, x21"},
    {0x018b9b33, 0x78, "sll x22, x23, x24"},
    {0x01bd2cb3, 0x7c, "slt x25, x26, x27"},
    {0x01eebe33, 0x80, "sltu x28, x29, x30"},
    {0x0020cfb3, 0x84, "xor x31, x1, x2"},
    {0x005251b3, 0x88, "srl x3, x4, x5"},
    {0x4083d333, 0x8c, "sra x6, x7, x8"},
    {0x00b564b3, 0x90, "or x9, x10, x11"},
    {0x00e6f633, 0x94, "and x12, x13, x14"},
    {0x031807b3, 0x98, "mul x15, x16, x17"},
    {0x03499933, 0x9c, "mulh x18, x19, x20"},
    {0x037b2ab3, 0xa0, "mulhsu x21, x22, x23"},
    {0x03acbc33, 0xa4, "mulhu x24, x25, x26"},
    {0x03de4db3, 0xa8, "div x27, x28, x29"},
    {0x021fdf33, 0xac, "divu x30, x31, x1"},
    {0x0241e133, 0xb0, "rem x2, x3, x4"},
    {0x027372b3, 0xb4, "remu x5, x6, x7"},
    {0x0000100f, 0xb8, "fence.i"},
    {0x00000073, 0xbc, "ecall"},
    {0x00100073, 0xc0, "ebreak"},
    {0x30200073, 0xc4, "mret"},
    {0x10500073, 0xc8, "wfi"},
    {0x34049473, 0xcc, "csrrw x8, 0x340, x9"},
    {0xc005a573, 0xd0, "csrrs x10, 0xc00, x11"},
    {0x7c06b673, 0xd4, "csrrc x12, 0x7c0, x13"},
    {0x305fd773, 0xd8, "csrrwi x14, 0x305, 31"},
    {0x300467f3, 0xdc, "csrrsi x15, 0x300, 8"},
    {0x30407873, 0xe0, "csrrci x16, 0x304, 0"},
    {0x0129a8af, 0xe4, "amoadd.w x17, x18, (x19)"},
    {0x095b2a2f, 0xe8, "amoswap.w x20, x21, (x22)"},
    {0x218cabaf, 0xec, "amoxor.w x23, x24, (x25)"},
    {0x41be2d2f, 0xf0, "amoor.w x26, x27, (x28)"},
    {0x61efaeaf, 0xf4, "amoand.w x29, x30, (x31)"},
    {0x8021a0af, 0xf8, "amomin.w x1, x2, (x3)"},
    {0xa053222f, 0xfc, "amomax.w x4, x5, (x6)"},
    {0xc084a3af, 0x100, "amominu.w x7, x8, (x9)"},
    {0xe0b6252f, 0x104, "amomaxu.w x10, x11, (x12)"},
    {0x20f726b3, 0x108, "sh1add x13, x14, x15"},
    {0x2128c833, 0x10c, "sh2add x16, x17, x18"},
    {0x215a69b3, 0x110, "sh3add x19, x20, x21"},
    {0x418bfb33, 0x114, "andn x22, x23, x24"},
    {0x41bd6cb3, 0x118, "orn x25, x26, x27"},
    {0x41eece33, 0x11c, "xnor x28, x29, x30"},
    {0x0a20cfb3, 0x120, "min x31, x1, x2"},
    {0x0a5251b3, 0x124, "minu x3, x4, x5"},
    {0x0a83e333, 0x128, "max x6, x7, x8"},
    {0x0ab574b3, 0x12c, "maxu x9, x10, x11"},
    {0x60e69633, 0x130, "rol x12, x13, x14"},
    {0x611857b3, 0x134, "ror x15, x16, x17"},
    {0x6149d913, 0x138, "rori x18, x19, 20"},
    {0x600b1a93, 0x13c, "clz x21, x22"},
    {0x601c1b93, 0x140, "ctz x23, x24"},
    {0x602d1c93, 0x144, "cpop x25, x26"},
    {0x604e1d93, 0x148, "sext.b x27, x28"},
    {0x605f1e93, 0x14c, "sext.h x29, x30"},
    {0x2870df93, 0x150, "orc.b x31, x1"},
    {0x6981d113, 0x154, "rev8 x2, x3"},
    {0x0802c233, 0x158, "zext.h x4, x5"},
};
// clang-format on

TEST(riscv_decoder, every_row_is_decoded_to_the_text_of_the_gnu_assembler) {
    for (const assembled& line : listing) EXPECT_EQ(riscv::text(line.bits, line.pc), line.text);
}

TEST(riscv_decoder, the_listing_has_every_row_but_fence_whose_operands_are_ignored) {
    for (const riscv::instruction_row& row : riscv::instruction_table()) {
        const auto has_it = [&](const assembled& line) { return (line.bits & row.mask) == row.match; };
        const bool listed = std::any_of(listing.begin(), listing.end(), has_it);
        EXPECT_TRUE(listed || std::string(row.mnemonic) == "fence") << row.mnemonic;
    }
}

TEST(riscv_decoder, no_word_matches_two_rows) {
    for (const riscv::instruction_row& a : riscv::instruction_table())
        for (const riscv::instruction_row& b : riscv::instruction_table())
            EXPECT_TRUE(&a == &b || ((a.match ^ b.match) & a.mask & b.mask))
                << a.mnemonic << " and " << b.mnemonic;
}

TEST(riscv_decoder, shifts_by_more_than_31_and_reserved_functions_are_no_instructions) {
    for (word bits : {0x02109093u, 0x4210d093u, 0x0210d093u, 0x40001033u, 0x0000300fu, 0x00002063u,
                      0x00003003u, 0x00004023u})
        EXPECT_EQ(riscv::find_instruction(bits, parameters{}), nullptr) << std::hex << bits;
}

TEST(riscv_decoder, extensions_are_there_on_blackhole_and_absent_on_wormhole_unless_set) {
    const word andn = r_type(0x20, 7, 1, 2, 3), sh1add = r_type(0x10, 2, 1, 2, 3), amo = amoadd(1, 2, 3);
    parameters config;
    for (word bits : {andn, sh1add, amo}) EXPECT_NE(riscv::find_instruction(bits, config), nullptr);
    config.arch = architecture::wormhole;
    for (word bits : {andn, sh1add, amo}) EXPECT_EQ(riscv::find_instruction(bits, config), nullptr);
    config.hart.zbb = by_chip::on;
    EXPECT_NE(riscv::find_instruction(andn, config), nullptr);
    EXPECT_EQ(riscv::find_instruction(sh1add, config), nullptr);
    config.hart.zba = by_chip::on;
    EXPECT_NE(riscv::find_instruction(sh1add, config), nullptr);
    config.hart.zaamo = by_chip::on;
    EXPECT_NE(riscv::find_instruction(amo, config), nullptr);
}

TEST(riscv_decoder, tensix_words_are_rotated_not_shifted) {
    EXPECT_EQ(riscv::tensix_instruction(0x3c000002u), 0x8f000000u); // SFPNOP, tile.md K2
    EXPECT_EQ(riscv::text(0x3c000002u), ".ttinsn 0x8f000000");
    EXPECT_EQ(riscv::text(0xffffffffu), ".word 0xffffffff");
}

// --- arithmetic --------------------------------------------------------------------------------------------

const std::vector<word>& operands() {
    static const std::vector<word> values = [] {
        std::vector<word> all{0u,          1u,          2u,          3u,          5u,          31u,
                              32u,         33u,         0x7fu,       0x80u,       0xffu,       0x7fffu,
                              0x8000u,     0xffffu,     0x10000u,    0x7ffffffeu, 0x7fffffffu, 0x80000000u,
                              0x80000001u, 0xfffffffeu, 0xffffffffu, 0xaaaaaaaau, 0x00ff00ffu, 0x01020304u};
        std::mt19937 random(1);
        for (unsigned i = 0; i < 12; ++i) all.push_back(static_cast<word>(random()));
        return all;
    }();
    return values;
}

std::int64_t s(word value) {
    return value & 0x80000000u ? std::int64_t{value} - 0x100000000 : std::int64_t{value};
}
word w(std::int64_t value) { return static_cast<word>(static_cast<std::uint64_t>(value)); }

using reference = std::function<word(word, word)>;
struct operation {
    const char* name;
    word bits; ///< rd x3, rs1 x1, rs2 x2
    reference expected;
};

word count_bits(word a) {
    word n = 0;
    for (unsigned i = 0; i < 32; ++i) n += a >> i & 1u;
    return n;
}
word leading_zeros(word a) {
    word n = 0;
    while (n < 32 && !(a & 0x80000000u >> n)) ++n;
    return n;
}
word trailing_zeros(word a) {
    word n = 0;
    while (n < 32 && !(a & 1u << n)) ++n;
    return n;
}
word by_bytes(word a, const std::function<word(word byte, unsigned index)>& place) {
    word result = 0;
    for (unsigned i = 0; i < 4; ++i) result |= place(a >> 8 * i & 0xffu, i);
    return result;
}

const std::vector<operation> operations{
    {"add", r_type(0, 0, 3, 1, 2), [](word a, word b) { return w(s(a) + s(b)); }},
    {"sub", r_type(32, 0, 3, 1, 2), [](word a, word b) { return w(s(a) - s(b)); }},
    {"sll", r_type(0, 1, 3, 1, 2), [](word a, word b) { return w(std::int64_t{a} << b % 32); }},
    {"slt", r_type(0, 2, 3, 1, 2), [](word a, word b) { return word{s(a) < s(b)}; }},
    {"sltu", r_type(0, 3, 3, 1, 2), [](word a, word b) { return word{a < b}; }},
    {"xor", r_type(0, 4, 3, 1, 2), [](word a, word b) { return (a | b) - (a & b); }},
    {"srl", r_type(0, 5, 3, 1, 2), [](word a, word b) { return w(std::int64_t{a} >> b % 32); }},
    {"sra", r_type(32, 5, 3, 1, 2), [](word a, word b) { return w(s(a) >> b % 32); }},
    {"or", r_type(0, 6, 3, 1, 2), [](word a, word b) { return a + b - (a & b); }},
    {"and", r_type(0, 7, 3, 1, 2), [](word a, word b) { return ~(~a | ~b); }},

    {"mul", r_type(1, 0, 3, 1, 2), [](word a, word b) { return w(s(a) * s(b)); }},
    {"mulh", r_type(1, 1, 3, 1, 2), [](word a, word b) { return w((s(a) * s(b)) >> 32); }},
    {"mulhsu", r_type(1, 2, 3, 1, 2), [](word a, word b) { return w((s(a) * std::int64_t{b}) >> 32); }},
    {"mulhu", r_type(1, 3, 3, 1, 2),
     [](word a, word b) { return static_cast<word>(std::uint64_t{a} * b >> 32); }},
    {"div", r_type(1, 4, 3, 1, 2), [](word a, word b) { return b ? w(s(a) / s(b)) : 0xffffffffu; }},
    {"divu", r_type(1, 5, 3, 1, 2), [](word a, word b) { return b ? w(std::int64_t{a} / b) : 0xffffffffu; }},
    {"rem", r_type(1, 6, 3, 1, 2), [](word a, word b) { return b ? w(s(a) % s(b)) : a; }},
    {"remu", r_type(1, 7, 3, 1, 2), [](word a, word b) { return b ? w(std::int64_t{a} % b) : a; }},

    {"sh1add", r_type(0x10, 2, 3, 1, 2), [](word a, word b) { return w(2 * s(a) + s(b)); }},
    {"sh2add", r_type(0x10, 4, 3, 1, 2), [](word a, word b) { return w(4 * s(a) + s(b)); }},
    {"sh3add", r_type(0x10, 6, 3, 1, 2), [](word a, word b) { return w(8 * s(a) + s(b)); }},

    {"andn", r_type(0x20, 7, 3, 1, 2), [](word a, word b) { return a - (a & b); }},
    {"orn", r_type(0x20, 6, 3, 1, 2), [](word a, word b) { return ~(b - (a & b)); }},
    {"xnor", r_type(0x20, 4, 3, 1, 2), [](word a, word b) { return (a & b) | ~(a | b); }},
    {"min", r_type(5, 4, 3, 1, 2), [](word a, word b) { return w(std::min(s(a), s(b))); }},
    {"minu", r_type(5, 5, 3, 1, 2), [](word a, word b) { return std::min(a, b); }},
    {"max", r_type(5, 6, 3, 1, 2), [](word a, word b) { return w(std::max(s(a), s(b))); }},
    {"maxu", r_type(5, 7, 3, 1, 2), [](word a, word b) { return std::max(a, b); }},
    {"rol", r_type(0x30, 1, 3, 1, 2),
     [](word a, word b) { return static_cast<word>((std::uint64_t{a} << 32 | a) >> (32 - b % 32)); }},
    {"ror", r_type(0x30, 5, 3, 1, 2),
     [](word a, word b) { return static_cast<word>((std::uint64_t{a} << 32 | a) >> b % 32); }},

    {"clz", i_type(0x13, 1, 3, 1, 0x600), [](word a, word) { return leading_zeros(a); }},
    {"ctz", i_type(0x13, 1, 3, 1, 0x601), [](word a, word) { return trailing_zeros(a); }},
    {"cpop", i_type(0x13, 1, 3, 1, 0x602), [](word a, word) { return count_bits(a); }},
    {"sext.b", i_type(0x13, 1, 3, 1, 0x604), [](word a, word) { return w(static_cast<std::int8_t>(a)); }},
    {"sext.h", i_type(0x13, 1, 3, 1, 0x605), [](word a, word) { return w(static_cast<std::int16_t>(a)); }},
    {"zext.h", r_type(4, 4, 3, 1, 0), [](word a, word) { return a % 65536; }},
    {"orc.b", i_type(0x13, 5, 3, 1, 0x287),
     [](word a, word) {
         return by_bytes(a, [](word byte, unsigned i) { return byte ? 0xffu << 8 * i : 0u; });
     }},
    {"rev8", i_type(0x13, 5, 3, 1, 0x698),
     [](word a, word) { return by_bytes(a, [](word byte, unsigned i) { return byte << (24 - 8 * i); }); }},
};

TEST(riscv_arithmetic, register_instructions_agree_with_64_bit_arithmetic) {
    machine m;
    for (const operation& op : operations)
        for (word a : operands())
            for (word b : operands()) {
                m.hart.set_reg(1, a);
                m.hart.set_reg(2, b);
                m.run({op.bits});
                ASSERT_EQ(m.hart.reg(3), op.expected(a, b)) << op.name << std::hex << " " << a << ", " << b;
            }
}

/// An instruction with an immediate computes what its register form does with the sign-extended immediate.
struct immediate_form {
    const char* name;
    unsigned f3;
    reference expected;
};
TEST(riscv_arithmetic, immediate_instructions_use_the_sign_extended_immediate) {
    const std::vector<immediate_form> forms{
        {"addi", 0, [](word a, word b) { return w(s(a) + s(b)); }},
        {"slti", 2, [](word a, word b) { return word{s(a) < s(b)}; }},
        {"sltiu", 3, [](word a, word b) { return word{a < b}; }},
        {"xori", 4, [](word a, word b) { return (a | b) - (a & b); }},
        {"ori", 6, [](word a, word b) { return a + b - (a & b); }},
        {"andi", 7, [](word a, word b) { return ~(~a | ~b); }},
    };
    machine m;
    for (const immediate_form& form : forms)
        for (word a : operands())
            for (int immediate : {-2048, -2047, -1, 0, 1, 31, 1024, 2047}) {
                m.hart.set_reg(1, a);
                m.run({i_type(0x13, form.f3, 3, 1, immediate)});
                ASSERT_EQ(m.hart.reg(3), form.expected(a, w(immediate)))
                    << form.name << std::hex << " " << a << " " << immediate;
            }
}

TEST(riscv_arithmetic, immediate_shifts_and_rotates_take_all_32_amounts) {
    machine m;
    for (word a : operands())
        for (int n = 0; n < 32; ++n) {
            m.hart.set_reg(1, a);
            m.run({i_type(0x13, 1, 3, 1, n), i_type(0x13, 5, 4, 1, n), i_type(0x13, 5, 5, 1, 0x400 | n),
                   i_type(0x13, 5, 6, 1, 0x600 | n)});
            ASSERT_EQ(m.hart.reg(3), w(std::int64_t{a} << n));
            ASSERT_EQ(m.hart.reg(4), w(std::int64_t{a} >> n));
            ASSERT_EQ(m.hart.reg(5), w(s(a) >> n));
            ASSERT_EQ(m.hart.reg(6), static_cast<word>((std::uint64_t{a} << 32 | a) >> n));
        }
}

TEST(riscv_arithmetic, lui_and_auipc_have_twenty_upper_bits) {
    machine m;
    for (word upper : {0u, 0x1000u, 0x7ffff000u, 0x80000000u, 0xfffff000u}) {
        m.run({nop, lui(3, upper), upper | 4u << 7 | 0x17u});
        EXPECT_EQ(m.hart.reg(3), upper);
        EXPECT_EQ(m.hart.reg(4), upper + machine::base + 8);
    }
}

TEST(riscv_arithmetic, x0_stays_zero_whatever_writes_it) {
    machine m;
    m.hart.set_reg(1, machine::data);
    m.memory.put(machine::data, 0x12345678u);
    m.run({addi(0, 0, 5), lui(0, 0xfffff000u), lw(0, 1, 0), mul(0, 1, 1), amoadd(0, 1, 0), csrrs(0, 0x301, 0),
           jal(0, 4), add(3, 0, 0)});
    EXPECT_EQ(m.hart.reg(3), 0u);
    EXPECT_EQ(m.hart.reg(0), 0u);
}

// --- control flow ------------------------------------------------------------------------------------------

TEST(riscv_branches, are_taken_exactly_if_their_condition_holds) {
    struct condition {
        unsigned f3;
        std::function<bool(word, word)> holds;
    };
    const std::vector<condition> conditions{
        {0, [](word a, word b) { return a == b; }},      {1, [](word a, word b) { return a != b; }},
        {4, [](word a, word b) { return s(a) < s(b); }}, {5, [](word a, word b) { return s(a) >= s(b); }},
        {6, [](word a, word b) { return a < b; }},       {7, [](word a, word b) { return a >= b; }},
    };
    machine m;
    for (const condition& c : conditions)
        for (word a : operands())
            for (word b : operands()) {
                m.hart.set_reg(1, a);
                m.hart.set_reg(2, b);
                m.run({addi(3, 0, 1), branch(c.f3, 1, 2, 8), addi(3, 0, 0), nop});
                ASSERT_EQ(m.hart.reg(3), word{c.holds(a, b)}) << c.f3 << std::hex << " " << a << " " << b;
            }
}

TEST(riscv_branches, offsets_reach_both_ends_of_their_range) {
    machine m;
    const word far = machine::base + 0x4000;
    for (int offset : {-4096, -2048, -4, 4, 8, 2048, 4092}) {
        m.place(far, {branch(0, 0, 0, offset)});
        m.hart.set_pc(far);
        m.hart.run(m.hart.now() + one_cycle);
        EXPECT_EQ(m.hart.pc(), far + w(offset)) << offset;
    }
    for (int offset : {-16384, -2048, -4, 4, 2048, 4096, 32764}) {
        m.place(far, {jal(5, offset)});
        m.hart.set_pc(far);
        m.hart.run(m.hart.now() + one_cycle);
        EXPECT_EQ(m.hart.pc(), far + w(offset)) << offset;
        EXPECT_EQ(m.hart.reg(5), far + 4);
    }
}

TEST(riscv_branches, jalr_clears_the_lowest_bit_and_may_overwrite_its_own_base) {
    machine m;
    m.hart.set_reg(6, machine::base + 0x201);
    m.place(machine::base, {jalr(6, 6, -0x100)});
    m.hart.set_pc(machine::base);
    m.hart.run(one_cycle);
    EXPECT_EQ(m.hart.pc(), machine::base + 0x100);
    EXPECT_EQ(m.hart.reg(6), machine::base + 4);
}

// --- memory ------------------------------------------------------------------------------------------------

TEST(riscv_memory, loads_extend_and_stores_write_their_bytes_only_at_every_alignment) {
    for (bool direct : {true, false}) {
        machine m;
        m.memory.direct = direct;
        for (word offset = 0; offset < 8; ++offset) {
            const auto byte = [&](word i) { return word{0x80u + 7 * (offset + i)} & 0xffu; };
            for (word i = 0; i < 16; ++i)
                m.memory.bytes[0x8000 + i] = static_cast<unsigned char>(0x80 + 7 * i);
            m.hart.set_reg(1, machine::data + offset);
            m.hart.set_reg(2, 0x44332211u);
            m.run({i_type(3, 0, 3, 1, 0), i_type(3, 1, 4, 1, 0), i_type(3, 2, 5, 1, 0), i_type(3, 4, 6, 1, 0),
                   i_type(3, 5, 7, 1, 0)});
            const word half = byte(0) | byte(1) << 8, full = half | byte(2) << 16 | byte(3) << 24;
            EXPECT_EQ(m.hart.reg(3), w(static_cast<std::int8_t>(byte(0))));
            EXPECT_EQ(m.hart.reg(4), w(static_cast<std::int16_t>(half)));
            EXPECT_EQ(m.hart.reg(5), full);
            EXPECT_EQ(m.hart.reg(6), byte(0));
            EXPECT_EQ(m.hart.reg(7), half);
            const unsigned lengths[] = {1, 2, 4};
            for (unsigned f3 = 0; f3 < 3; ++f3) {
                std::vector<unsigned char> expected = m.memory.bytes;
                for (unsigned i = 0; i < lengths[f3]; ++i)
                    expected[0x8000 + offset + i] = static_cast<unsigned char>(0x11 * (i + 1));
                m.run({s_type(f3, 2, 1, 0)});
                expected[0] = m.memory.bytes[0], expected[1] = m.memory.bytes[1]; // the program itself
                expected[2] = m.memory.bytes[2], expected[3] = m.memory.bytes[3];
                EXPECT_EQ(m.memory.bytes, expected) << "store " << f3 << " at offset " << offset;
            }
        }
    }
}

TEST(riscv_memory, misaligned_accesses_straddle_pages) {
    machine m;
    m.hart.set_reg(1, machine::data + 0xffe);
    m.hart.set_reg(2, 0xa1b2c3d4u);
    m.run({sw(2, 1, 0), lw(3, 1, 0), i_type(3, 5, 4, 1, 1)});
    EXPECT_EQ(m.hart.reg(3), 0xa1b2c3d4u);
    EXPECT_EQ(m.hart.reg(4), 0xb2c3u);
}

// Wormhole's page on the cores: unaligned accesses are silently rounded down.
TEST(riscv_memory, misaligned_accesses_are_rounded_down_on_wormhole) {
    for (bool direct : {true, false}) {
        parameters config;
        config.arch = architecture::wormhole;
        machine m(config);
        m.memory.direct = direct;
        m.memory.put(machine::data, 0x44332211u);
        m.memory.put(machine::data + 4, 0x88776655u);
        m.hart.set_reg(1, machine::data);
        m.hart.set_reg(2, 0xa1b2c3d4u);
        m.run({lw(3, 1, 3), i_type(3, 5, 4, 1, 3), sw(2, 1, 5), s_type(1, 2, 1, 9)});
        EXPECT_EQ(m.hart.reg(3), 0x44332211u);
        EXPECT_EQ(m.hart.reg(4), 0x4433u);
        EXPECT_EQ(m.memory.at(machine::data + 4), 0xa1b2c3d4u);
        EXPECT_EQ(m.memory.at(machine::data + 8), 0xc3d4u);
    }
}

struct odd_accesses : riscv::hart_listener {
    std::vector<riscv::odd_access> crooked, faults;
    void misaligned(const riscv::odd_access& what) override { crooked.push_back(what); }
    void refused(const riscv::odd_access& what) override { faults.push_back(what); }
};

TEST(riscv_memory, misaligned_accesses_and_refused_ones_are_told) {
    machine m;
    odd_accesses told;
    m.hart.set_listener(&told);
    m.hart.set_reg(1, machine::data);
    m.run({lw(3, 1, 2), lw(3, 1, 4), s_type(1, 2, 1, 1)});
    ASSERT_EQ(told.crooked.size(), 2u);
    EXPECT_EQ(told.crooked[0].address, machine::data + 2);
    EXPECT_EQ(told.crooked[0].size, 4u);
    EXPECT_EQ(told.crooked[0].pc, machine::base);
    EXPECT_FALSE(told.crooked[0].is_store);
    EXPECT_EQ(told.crooked[0].action, misaligned_access::bytes);
    EXPECT_EQ(told.crooked[1].address, machine::data + 1);
    EXPECT_TRUE(told.crooked[1].is_store);
    m.hart.set_reg(1, 0x70000000u);
    m.run({lw(3, 1, 8)});
    ASSERT_EQ(told.faults.size(), 1u);
    EXPECT_EQ(told.faults[0].address, 0x70000008u);
}

TEST(riscv_memory, atomics_return_the_old_value_and_store_the_combination) {
    struct atomic {
        unsigned f5;
        reference stored;
    };
    const std::vector<atomic> atomics{
        {0, [](word a, word b) { return w(s(a) + s(b)); }},
        {1, [](word, word b) { return b; }},
        {4, [](word a, word b) { return (a | b) - (a & b); }},
        {8, [](word a, word b) { return a + b - (a & b); }},
        {12, [](word a, word b) { return ~(~a | ~b); }},
        {16, [](word a, word b) { return w(std::min(s(a), s(b))); }},
        {20, [](word a, word b) { return w(std::max(s(a), s(b))); }},
        {24, [](word a, word b) { return std::min(a, b); }},
        {28, [](word a, word b) { return std::max(a, b); }},
    };
    machine m;
    for (const atomic& op : atomics)
        for (word a : operands())
            for (word b : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
                m.memory.put(machine::data, a);
                m.hart.set_reg(1, machine::data);
                m.hart.set_reg(2, b);
                m.run({op.f5 << 27 | 2u << 20 | 1u << 15 | 2u << 12 | 3u << 7 | 0x2fu});
                ASSERT_EQ(m.hart.reg(3), a);
                ASSERT_EQ(m.memory.at(machine::data), op.stored(a, b)) << op.f5;
            }
}

TEST(riscv_memory, an_atomic_may_use_its_result_register_as_an_operand) {
    machine m;
    m.memory.put(machine::data, 40);
    m.hart.set_reg(1, machine::data);
    m.hart.set_reg(2, 2);
    m.run({amoadd(2, 1, 2)});
    EXPECT_EQ(m.hart.reg(2), 40u);
    EXPECT_EQ(m.memory.at(machine::data), 42u);
}

} // namespace
} // namespace sfpu::test
