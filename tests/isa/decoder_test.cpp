// The decoder and the instruction table: fields, sub-units, latencies, classification of words, register use.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <ios>
#include <set>
#include <string>

namespace sfpu::test {
namespace {

using isa::latency_class;
using isa::sub_unit;
namespace opcode = isa::opcode;

TEST(instruction_table, has_every_documented_opcode_once_and_in_order) {
    const auto& rows = isa::instruction_table();
    for (std::size_t n = 1; n < rows.size(); ++n) EXPECT_LT(rows[n - 1]->opcode, rows[n]->opcode);
    for (unsigned code = 0x70; code <= 0x99; ++code) {
        const auto byte = static_cast<std::uint8_t>(code);
        EXPECT_NE(isa::find_row(byte, bh), nullptr) << std::hex << code;
        EXPECT_EQ(isa::find_row(byte, wh) != nullptr, code < 0x96) << std::hex << code;
    }
    for (const std::uint8_t code : {opcode::nop, opcode::setrwc, opcode::incrwc, opcode::setc16})
        for (const architecture arch : {bh, wh}) EXPECT_NE(isa::find_row(code, arch), nullptr);
}

TEST(instruction_table, finds_each_row_by_its_mnemonic) {
    std::set<std::string> seen;
    for (const isa::row* row : isa::instruction_table()) {
        EXPECT_EQ(isa::find_row(row->mnemonic), row);
        EXPECT_TRUE(seen.insert(row->mnemonic).second) << row->mnemonic;
    }
    EXPECT_EQ(isa::find_row("sfpfoo"), nullptr);
}

TEST(instruction_table, describes_operands_that_lie_inside_the_word_and_do_not_overlap) {
    for (const isa::row* row : isa::instruction_table())
        for (const architecture arch : {bh, wh}) {
            std::uint32_t used = 0xff000000u;
            for (const isa::operand& operand : row->operands) {
                if (operand.name == nullptr || row->opcode == opcode::sfploadmacro)
                    continue; // a split register
                const bool address_mode = operand.kind == isa::operand_kind::addr_mod;
                const unsigned shift = address_mode ? isa::addr_mod_shift(arch) : operand.shift;
                const unsigned width = address_mode ? isa::addr_mod_width(arch) : operand.width;
                const std::uint32_t bits = ((1u << width) - 1) << shift;
                EXPECT_EQ(used & bits, 0u) << row->mnemonic << ' ' << operand.name;
                used |= bits;
            }
        }
}

TEST(classification, separates_sfpu_front_end_other_units_and_nonsense) {
    using kind = isa::word_kind;
    EXPECT_EQ(isa::classify(0x8f000000u, bh), kind::sfpu);
    EXPECT_EQ(isa::classify(0x96000000u, bh), kind::sfpu);
    EXPECT_EQ(isa::classify(0x96000000u, wh), kind::no_instruction);
    EXPECT_EQ(isa::classify(0x02000000u, wh), kind::front_end);
    EXPECT_EQ(isa::classify(0xb2000000u, wh), kind::front_end);
    EXPECT_EQ(isa::classify(0x26000000u, bh), kind::other_unit); // MVMUL
    EXPECT_EQ(isa::classify(0x1a000000u, bh), kind::other_unit); // SETASHRMH0
    EXPECT_EQ(isa::classify(0xb8000000u, bh), kind::other_unit); // CFGSHIFTMASK
    EXPECT_EQ(isa::classify(0xb8000000u, wh), kind::no_instruction);
    EXPECT_EQ(isa::classify(0x0c000000u, bh), kind::other_unit); // MOVDBGB2D
    EXPECT_EQ(isa::classify(0x0c000000u, wh), kind::no_instruction);
    for (const unsigned code :
         {0x00u, 0x06u, 0x20u, 0x2au, 0x2eu, 0x47u, 0x65u, 0x69u, 0x9au, 0x9fu, 0xb9u, 0xffu})
        for (const architecture arch : {bh, wh})
            EXPECT_EQ(isa::classify(code << 24, arch), kind::no_instruction) << code;
}

TEST(decoder, cuts_the_common_form_into_its_fields) {
    const isa::instruction i = isa::decode(0x84dcb123u, bh);
    EXPECT_EQ(i.va, 12);
    EXPECT_EQ(i.vb, 11);
    EXPECT_EQ(i.vc, 1);
    EXPECT_EQ(i.vd, 2);
    EXPECT_EQ(i.mod, 3);
    EXPECT_EQ(isa::decode(0x79fff000u, bh).imm, -1);
    EXPECT_EQ(isa::decode(0x79800000u, bh).imm, -2048);
    EXPECT_EQ(isa::decode(0x797ff000u, bh).imm, 2047);
}

TEST(decoder, cuts_the_other_forms_into_their_fields) {
    const isa::instruction addi = isa::decode(0x75abcd58u, bh);
    EXPECT_EQ(addi.imm, 0xabcd);
    EXPECT_EQ(addi.vd, 5);
    EXPECT_EQ(addi.vc, 5);
    EXPECT_EQ(addi.mod, 8);
    const isa::instruction loadi = isa::decode(0x713a8001u, bh);
    EXPECT_EQ(loadi.vd, 3);
    EXPECT_EQ(loadi.mod, 10);
    EXPECT_EQ(loadi.imm, 0x8001);
    const isa::instruction round = isa::decode(0x8e5f4321u, bh);
    EXPECT_EQ(round.rounding, 2);
    EXPECT_EQ(round.imm, 31);
    EXPECT_EQ(round.vb, 4);
    EXPECT_EQ(round.vc, 3);
    EXPECT_EQ(round.vd, 2);
    EXPECT_EQ(round.mod, 1);
}

TEST(decoder, takes_the_macro_and_the_split_register_of_a_macro_launch) {
    for (const architecture arch : {bh, wh})
        for (unsigned macro = 0; macro < 4; ++macro)
            for (unsigned lreg = 0; lreg < 8; ++lreg) {
                const std::uint32_t word =
                    0x93000000u | macro << 22 | (lreg & 3) << 20 | 4u << 16 | 0x3feu | lreg >> 2;
                const isa::instruction i = isa::decode(word, arch);
                EXPECT_EQ(i.macro_index, macro);
                EXPECT_EQ(i.vd, lreg);
                EXPECT_EQ(i.mod, 4);
                EXPECT_EQ(i.imm10, 0x3feu | lreg >> 2);
            }
}

TEST(decoder, makes_vd_the_implicit_vb_of_two_operand_instructions) {
    EXPECT_EQ(isa::decode(word::imm12(opcode::sfpiadd, 0x123, 1, 6, 0), bh).vb, 6);
    EXPECT_EQ(isa::decode(word::abc(opcode::sfpand, 0, 3, 1, 6, 0), bh).vb, 6);
    EXPECT_EQ(isa::decode(word::abc(opcode::sfpand, 0, 3, 1, 6, 1), bh).vb, 3);
    EXPECT_EQ(isa::decode(word::abc(opcode::sfpand, 0, 3, 1, 6, 1), wh).vb, 6);
    EXPECT_EQ(isa::decode(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 5), bh).vb, 3);
    EXPECT_EQ(isa::decode(word::abc(opcode::sfparecip, 0, 3, 1, 6, 1), bh).vb, 3);
}

TEST(decoder, names_sub_unit_and_latency_of_each_instruction) {
    const auto check = [](std::uint32_t word, sub_unit unit, latency_class latency) {
        const isa::instruction i = isa::decode(word, bh);
        EXPECT_EQ(i.unit, unit) << i.op->mnemonic;
        EXPECT_EQ(i.latency, latency) << i.op->mnemonic << ' ' << unsigned{i.mod};
    };
    for (const unsigned code : {0x73u, 0x74u, 0x75u, 0x84u, 0x85u, 0x86u, 0x95u, 0x98u})
        check(code << 24, sub_unit::mad, latency_class::mad);
    for (unsigned code = 0x76; code <= 0x83; ++code) check(code << 24, sub_unit::simple, latency_class::one);
    for (const unsigned code :
         {0x87u, 0x88u, 0x89u, 0x8au, 0x8bu, 0x8cu, 0x8du, 0x90u, 0x91u, 0x96u, 0x97u, 0x99u})
        check(code << 24, sub_unit::simple, latency_class::one);
    check(0x92000000u, sub_unit::simple, latency_class::swap);
    check(0x8e000000u, sub_unit::round, latency_class::one);
    for (unsigned mod = 0; mod < 7; ++mod)
        check(0x94000000u | mod, sub_unit::round,
              mod >= 2 && mod <= 4 ? latency_class::shuffle : latency_class::one);
    for (const unsigned code : {0x70u, 0x71u, 0x93u}) check(code << 24, sub_unit::load, latency_class::one);
    check(0x8f000000u, sub_unit::load, latency_class::none);
    check(0x72000000u, sub_unit::store, latency_class::one);
    check(0x02000000u, sub_unit::front_end, latency_class::none);
    check(0x38000000u, sub_unit::front_end, latency_class::one);
}

TEST(template_backdoor, belongs_to_vd_12_and_above_of_all_but_five_instructions) {
    for (const isa::row* row : isa::instruction_table()) {
        if (row->unit == sub_unit::front_end) continue;
        const bool without = row->opcode == opcode::sfpload || row->opcode == opcode::sfploadi ||
                             row->opcode == opcode::sfploadmacro || row->opcode == opcode::sfpconfig ||
                             row->opcode == opcode::sfpnop;
        const bool upper = row->format == isa::layout::mod0_address || row->format == isa::layout::mod0_imm16;
        for (unsigned vd = 0; vd < 16; ++vd) {
            const std::uint32_t word = std::uint32_t{row->opcode} << 24 | vd << (upper ? 20 : 4);
            EXPECT_EQ(isa::decode(word, bh).names_template(), !without && vd >= 12)
                << row->mnemonic << ' ' << vd;
        }
        isa::instruction scheduled = isa::decode(std::uint32_t{row->opcode} << 24 | 0xf0u, bh);
        scheduled.flags = isa::is_scheduled;
        EXPECT_FALSE(scheduled.names_template()) << row->mnemonic;
    }
}

// --- register use
// --------------------------------------------------------------------------------------------------

std::uint32_t draw_word(const isa::row& row, unsigned mod, random_bits& random) {
    const std::uint32_t fields = random.next() & 0x00ffffffu;
    const bool upper = row.format == isa::layout::mod0_address || row.format == isa::layout::mod0_imm16;
    const std::uint32_t word =
        std::uint32_t{row.opcode} << 24 | (upper ? fields & ~0x000f0000u : fields & ~0xfu);
    return word | mod << (upper ? 16 : 0);
}

/// Which registers the results really depend on: the others' final contents, the flags, Dst, the
/// configuration.
struct observed_use {
    isa::register_set reads = 0, writes = 0;
};
bool can_change(unsigned lreg) {
    return isa::writable(lreg) || isa::contains(isa::programmable_constants, lreg);
}
observed_use observe(const lane_machine& before, std::uint32_t word, random_bits& random) {
    observed_use use;
    lane_machine plain = before;
    plain.execute(word);
    for (unsigned r = 0; r < isa::lreg_count; ++r)
        if (std::memcmp(&plain.state.lreg[r], &before.state.lreg[r], sizeof(lanes)) != 0)
            use.writes |= isa::only(r);
    for (unsigned r = 0; r < isa::lreg_count; ++r) {
        if (!can_change(r)) continue;
        lane_machine changed = before;
        for (std::uint32_t& lane : changed.state.lreg[r].v) lane = random.operand();
        const lanes given = changed.state.lreg[r];
        changed.execute(word);
        // What was only kept does not count as read.
        for (unsigned lane = 0; lane < lane_count; ++lane)
            if (changed.state.lreg[r][lane] == given[lane] &&
                plain.state.lreg[r][lane] == before.state.lreg[r][lane])
                changed.state.lreg[r][lane] = plain.state.lreg[r][lane];
        changed.state.shuffle_source = plain.state.shuffle_source;
        if (!difference(plain, changed).empty()) use.reads |= isa::only(r);
    }
    return use;
}

/// Calls visit(decoded, observed) for random words of every instruction and modifier.
template <class Visit>
void each_observation(unsigned repetitions, Visit visit) {
    random_bits random(99);
    for (const architecture arch : {bh, wh})
        for (const isa::row* row : isa::instruction_table()) {
            if (row->unit == sub_unit::front_end || isa::find_row(row->opcode, arch) == nullptr) continue;
            for (unsigned mod = 0; mod < 16; ++mod)
                for (unsigned n = 0; n < repetitions; ++n) {
                    lane_machine machine(arch);
                    randomise(machine, random);
                    machine.state.stack.push({random.next(), random.next()});
                    machine.state.use_flags &= random.next();
                    for (unsigned column = 0; column < column_count; ++column)
                        machine.state.config.set_column(column, 2);
                    const std::uint32_t word = draw_word(*row, mod, random);
                    visit(isa::decode(word, arch), observe(machine, word, random));
                }
        }
}

void expect_covered(const isa::instruction& i, const observed_use& observed) {
    if (i.is(opcode::sfpswap) && i.mod == 0) return; // reads in its second cycle only
    EXPECT_EQ(observed.reads & ~i.use.reads, 0u) << i.op->mnemonic << std::hex << ' ' << i.word;
    EXPECT_EQ(observed.writes & ~i.use.writes, 0u) << i.op->mnemonic << std::hex << ' ' << i.word;
}

// One test of both directions: to observe takes long.
TEST(register_use, covers_what_an_instruction_reads_and_writes_and_claims_no_register_that_it_never_reads) {
    // Indirect operands count as reading and writing every register, and what a table reads depends on the
    // lane.
    unsigned claims = 0, confirmed = 0;
    each_observation(12, [&](const isa::instruction& i, const observed_use& observed) {
        expect_covered(i, observed);
        const bool table = i.is(opcode::sfplut) || i.is(opcode::sfplutfp32);
        if (i.unit == sub_unit::mad && (table || (i.mod & 12))) return;
        if (i.is(opcode::sfpconfig) || i.vd >= 8) return; // depends on the flags of eight lanes
        for (unsigned r = 0; r < isa::lreg_count; ++r) {
            if (!isa::contains(i.use.reads, r) || !can_change(r)) continue;
            ++claims;
            confirmed += observed.reads >> r & 1;
        }
    });
    EXPECT_GT(claims, 1000u);
    EXPECT_GT(confirmed, claims * 9 / 10);
}

TEST(stall_logic, has_the_documented_blind_spots) {
    const auto seen = [](std::uint32_t word) { return unsigned{isa::decode(word, bh).use.seen_reads}; };
    const auto reads = [](std::uint32_t word) { return unsigned{isa::decode(word, bh).use.reads}; };
    EXPECT_EQ(seen(word::abc(opcode::sfpand, 0, 3, 1, 6, 1)), 1u << 6 | 1u << 1); // VD instead of VB
    EXPECT_EQ(reads(word::abc(opcode::sfpand, 0, 3, 1, 6, 1)), 1u << 3 | 1u << 1);
    EXPECT_EQ(seen(word::abc(opcode::sfpor, 0, 3, 1, 6, 1)), 1u << 6 | 1u << 1);
    EXPECT_EQ(seen(word::imm12(opcode::sfpiadd, 0, 1, 6, 0)), 1u << 1); // VD unseen
    EXPECT_EQ(reads(word::imm12(opcode::sfpiadd, 0, 1, 6, 0)), 1u << 6 | 1u << 1);
    EXPECT_EQ(seen(word::imm12(opcode::sfpshft, 0, 1, 6, 0)), 1u << 1);
    EXPECT_EQ(seen(word::imm12(opcode::sfpshft, 0, 1, 6, 5)), 1u << 1); // reads VC only, and that is seen
    EXPECT_EQ(reads(word::imm12(opcode::sfpshft, 0, 1, 6, 5)), 1u << 1);
    EXPECT_EQ(seen(word::imm16(opcode::sfpconfig, 0, 12, 0)), 0u);
    EXPECT_EQ(reads(word::imm16(opcode::sfpconfig, 0, 12, 0)), 1u);
    EXPECT_EQ(reads(word::imm16(opcode::sfpconfig, 0, 12, 1)), 0u);
    EXPECT_EQ(reads(word::imm16(opcode::sfpconfig, 0, 2, 1)), 1u); // templates always come from L0
    EXPECT_EQ(seen(word::imm12(opcode::sfpswap, 0, 1, 6, 1)), 0u);
    EXPECT_EQ(reads(word::imm12(opcode::sfpswap, 0, 1, 6, 1)), 1u << 6 | 1u << 1);
    EXPECT_EQ(seen(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 3)), 0u);
    EXPECT_EQ(reads(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 3)), 1u << 1);
    EXPECT_EQ(seen(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 5)), 1u << 6 | 1u << 1);
    EXPECT_EQ(reads(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 5)), 1u << 3 | 1u << 1);
    EXPECT_EQ(seen(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 6)), 1u << 6);
    EXPECT_EQ(reads(word::abc(opcode::sfpshft2, 0, 3, 1, 6, 6)), 1u << 3);
}

TEST(stall_logic, takes_vb_of_a_rounding_as_read_and_looks_at_the_mirror_of_a_lut_modifier) {
    const isa::instruction round = isa::decode(word::abc(opcode::sfpstochrnd, 0, 3, 1, 6, 1), bh);
    EXPECT_EQ(unsigned{round.use.reads}, 1u << 1);
    EXPECT_EQ(unsigned{round.use.seen_reads}, 1u << 3 | 1u << 1);
    const isa::instruction direct = isa::decode(word::imm12(opcode::sfplutfp32, 0, 0, 6, 8), bh);
    EXPECT_EQ(unsigned{direct.use.seen_reads}, 0x7fu);
    EXPECT_EQ(unsigned{direct.use.seen_writes}, 1u << 6);
    EXPECT_EQ(unsigned{direct.use.writes}, 0xffu);
    const isa::instruction mirrored = isa::decode(word::imm12(opcode::sfplutfp32, 0x80, 0, 6, 8), bh);
    EXPECT_EQ(unsigned{mirrored.use.seen_reads}, 0xffu);
    EXPECT_EQ(unsigned{mirrored.use.seen_writes}, 0xffu);
}

TEST(stall_logic, knows_no_register_but_the_general_ones) {
    random_bits random(7);
    for (const architecture arch : {bh, wh})
        for (const isa::row* row : isa::instruction_table()) {
            if (isa::find_row(row->opcode, arch) == nullptr) continue;
            for (unsigned mod = 0; mod < 16; ++mod)
                for (unsigned n = 0; n < 32; ++n) {
                    const isa::instruction i = isa::decode(draw_word(*row, mod, random), arch);
                    ASSERT_EQ(i.use.seen_reads & ~isa::general_registers, 0u) << row->mnemonic;
                    ASSERT_EQ(i.use.seen_writes & ~isa::general_registers, 0u) << row->mnemonic;
                    if (i.is(opcode::sfpconfig)) continue;
                    ASSERT_EQ(i.use.writes & ~isa::general_registers, 0u) << row->mnemonic; // issued: no L16
                }
        }
}

TEST(register_use, of_an_exchange_of_constants_is_that_of_sfpconfig_only) {
    for (unsigned destination = 0; destination < 16; ++destination) {
        const isa::instruction i = isa::decode(word::imm16(opcode::sfpconfig, 0, destination, 0), bh);
        const bool constant = destination >= 11 && destination <= 14;
        EXPECT_EQ(i.use.writes, constant ? isa::only(destination) : 0u) << destination;
        EXPECT_EQ(i.use.results(), 0u) << destination;
        EXPECT_EQ(i.use.seen_writes, 0u) << destination;
    }
    const isa::instruction add = isa::decode(word::abc(opcode::sfpmad, 10, 9, 12, 3, 0), bh);
    EXPECT_EQ(add.use.reads, isa::only(9) | isa::only(10) | isa::only(12));
    EXPECT_EQ(add.use.seen_reads, 0u);
}

TEST(register_use, of_scheduled_instructions_with_vd_16_is_l16) {
    isa::instruction store = isa::decode(word::dst(opcode::sfpstore, 3, 3, 0, 0, bh), bh);
    store.flags |= isa::is_scheduled;
    store.vd = isa::macro_lreg;
    isa::refresh(store, bh);
    EXPECT_EQ(store.use.reads, isa::only(isa::macro_lreg));
    EXPECT_EQ(store.use.writes, 0u);
    isa::instruction add = isa::decode(word::imm12(opcode::sfpiadd, 0, 1, 6, 4), bh);
    add.flags |= isa::is_scheduled;
    add.vd = isa::macro_lreg;
    isa::refresh(add, bh);
    EXPECT_EQ(add.use.reads, isa::only(1) | isa::only(6));
    EXPECT_EQ(add.use.writes, isa::only(isa::macro_lreg));
    EXPECT_TRUE(add.flags & isa::writes_lreg);
}

TEST(definition, separates_contractual_from_other_modifiers) {
    using isa::definition;
    const auto status = [](std::uint32_t word, architecture arch) { return isa::decode(word, arch).status; };
    EXPECT_EQ(status(0x71030000u, bh), definition::undefined);
    EXPECT_EQ(status(0x94000007u, bh), definition::undefined);
    EXPECT_EQ(status(0x7e000001u, bh), definition::defined);
    EXPECT_EQ(status(0x7e000001u, wh), definition::non_contractual);
    EXPECT_EQ(status(0x7a000004u, bh), definition::non_contractual);
    EXPECT_EQ(status(0x7a000005u, bh), definition::defined);
    EXPECT_EQ(status(0x7a000002u, wh), definition::non_contractual);
    EXPECT_EQ(status(0x90000004u, bh), definition::non_contractual);
    EXPECT_EQ(status(0x91000090u, bh), definition::non_contractual);
    EXPECT_EQ(status(0x98000000u, bh), definition::non_contractual); // VC is not L9
    EXPECT_EQ(status(0x98000900u, bh), definition::defined);
    EXPECT_EQ(status(0x94000004u, bh), definition::defined);
    EXPECT_EQ(status(0x94000004u, wh), definition::non_contractual);
    EXPECT_EQ(status(0x92000009u, bh), definition::defined);
    EXPECT_EQ(status(0x9200000au, bh), definition::non_contractual);
}

} // namespace
} // namespace sfpu::test
