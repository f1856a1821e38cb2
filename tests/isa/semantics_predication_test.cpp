// Predication of every instruction with every modifier: what a lane does depends on its own flags only, and a
// disabled lane changes only what the documentation exempts.
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ios>

namespace sfpu::test {
namespace {

namespace opcode = isa::opcode;

bool mod_in_low_bits(const isa::row& row) {
    return row.format == isa::layout::imm12 || row.format == isa::layout::imm16 ||
           row.format == isa::layout::stochrnd;
}

/// A random word of a row with the given modifier. Loads and stores touch rows 0 to 15.
std::uint32_t draw_word(const isa::row& row, unsigned mod, architecture arch, random_bits& random) {
    const std::uint32_t upper = std::uint32_t{row.opcode} << 24;
    if (mod_in_low_bits(row)) {
        std::uint32_t word = (random.next() & 0x00fffff0u) | mod;
        // Mostly general registers, as constants cannot be written.
        if (random.below(4) != 0) word &= row.format == isa::layout::imm16 ? ~0u : 0x00ff7f7fu;
        return upper | word;
    }
    const unsigned lreg = random.below(random.below(4) == 0 ? 16 : 8);
    if (row.format == isa::layout::mod0_imm16) return word::load_immediate(lreg, mod, random.next());
    return word::dst(row.opcode, lreg, mod, random.below(16), 0, arch);
}

void each_instruction(const std::function<void(const isa::row&, unsigned mod, architecture)>& visit) {
    for (const architecture arch : {architecture::blackhole, architecture::wormhole})
        for (const isa::row* row : isa::instruction_table()) {
            if (row->unit == isa::sub_unit::front_end || isa::find_row(row->opcode, arch) == nullptr)
                continue;
            for (unsigned mod = 0; mod < 16; ++mod) visit(*row, mod, arch);
        }
}

/// Random state without a template backdoor, so that every VD executes.
lane_machine draw_machine(architecture arch, random_bits& random) {
    lane_machine machine(arch);
    randomise(machine, random);
    machine.state.stack.push({random.next(), random.next()});
    for (unsigned column = 0; column < column_count; ++column)
        machine.state.config.set_column(column, 1u << isa::lane_configuration::disable_backdoor_load);
    for (unsigned row = 0; row < 32; ++row)
        for (std::uint16_t& cell : machine.dst[row]) cell = static_cast<std::uint16_t>(random.next());
    return machine;
}

/// Compares everything that belongs to one lane.
void expect_same_lane(const lane_machine& got, const lane_machine& want, unsigned lane) {
    for (unsigned r = 0; r < isa::lreg_count; ++r)
        ASSERT_EQ(got.state.lreg[r][lane], want.state.lreg[r][lane]) << "L" << r;
    ASSERT_EQ(got.state.prng[lane], want.state.prng[lane]);
    ASSERT_EQ(got.state.flags >> lane & 1, want.state.flags >> lane & 1);
    ASSERT_EQ(got.state.use_flags >> lane & 1, want.state.use_flags >> lane & 1);
    ASSERT_EQ(got.state.stack.depth(), want.state.stack.depth());
    for (unsigned n = 0; n < got.state.stack.held(); ++n) {
        ASSERT_EQ(got.state.stack.from_bottom(n).flags >> lane & 1,
                  want.state.stack.from_bottom(n).flags >> lane & 1);
        ASSERT_EQ(got.state.stack.from_bottom(n).use_flags >> lane & 1,
                  want.state.stack.from_bottom(n).use_flags >> lane & 1);
    }
}

/// Dst cells of one lane: the columns of lane and 7 in the rows of lane / 8, in both widths' storage.
void expect_same_cells(const lane_machine& got, const lane_machine& want, unsigned lane) {
    for (unsigned row = lane / 8; row < 32; row += 4)
        for (unsigned column = lane % 8 * 2; column < lane % 8 * 2 + 2; ++column)
            ASSERT_EQ(got.dst[row][column], want.dst[row][column]) << "Dst " << row << ',' << column;
}

TEST(predication, makes_a_lane_depend_on_no_flags_but_its_own) {
    random_bits random(1);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        for (unsigned n = 0; n < 6; ++n) {
            lane_machine mixed = draw_machine(arch, random);
            mixed.state.use_flags = all_lanes;
            const lane_mask flags = mixed.state.flags;
            lane_machine none = mixed, all = mixed;
            none.state.flags = 0;
            all.state.flags = all_lanes;
            const std::uint32_t word = draw_word(row, mod, arch, random);
            mixed.execute(word);
            none.execute(word);
            all.execute(word);
            const bool by_column = row.opcode == opcode::sfpconfig; // gated by lanes 0 to 7
            // A push copies the flags themselves, so that only the lane's own bit counts there too.
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                lane_machine& same = flags >> lane & 1 ? all : none;
                SCOPED_TRACE(testing::Message() << short_name(arch) << ' ' << row.mnemonic << ' ' << mod
                                                << " lane " << lane << std::hex << " word " << word);
                if (by_column) {
                    const lane_machine& column = flags >> (lane & 7) & 1 ? all : none;
                    for (unsigned r = 0; r < isa::lreg_count; ++r)
                        ASSERT_EQ(mixed.state.lreg[r][lane], column.state.lreg[r][lane]);
                    ASSERT_EQ(mixed.state.config.column(lane & 7), column.state.config.column(lane & 7));
                    ASSERT_TRUE(mixed.state.macro[lane & 7] == column.state.macro[lane & 7]);
                    continue;
                }
                ASSERT_NO_FATAL_FAILURE(expect_same_lane(mixed, same, lane));
                ASSERT_NO_FATAL_FAILURE(expect_same_cells(mixed, same, lane));
            }
        }
    });
}

/// Instructions that act on disabled lanes as well.
bool exempt(const isa::row& row, unsigned mod) {
    switch (row.opcode) {
    case opcode::sfpencc:
    case opcode::sfppushc:
    case opcode::sfppopc:
    case opcode::sfpcompc: return true;
    case opcode::sfpmov: return (mod & 11) == 2; // ALL_LANES_ENABLED
    case opcode::sfple:
    case opcode::sfpgt: return mod & 2; // MUTATE_STACK
    case opcode::sfpload:
    case opcode::sfploadmacro:
    case opcode::sfpstore: return mod == isa::dst_mode::int32_all;
    default: return false;
    }
}

TEST(predication, leaves_everything_unchanged_if_no_lane_is_enabled_except_in_exempt_instructions) {
    random_bits random(2);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        if (exempt(row, mod)) return;
        for (unsigned n = 0; n < 4; ++n) {
            lane_machine before = draw_machine(arch, random);
            before.state.use_flags = all_lanes;
            before.state.flags = 0;
            lane_machine after = before;
            const std::uint32_t word = draw_word(row, mod, arch, random);
            after.execute(word);
            after.state.shuffle_source =
                before.state.shuffle_source; // remembered also by a rotation without effect
            ASSERT_EQ(difference(before, after), "") << short_name(arch) << ' ' << row.mnemonic << ' ' << mod;
        }
    });
}

TEST(predication, does_not_hold_exempt_instructions_back) {
    random_bits random(8);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        if (!exempt(row, mod)) return;
        for (unsigned n = 0; n < 8; ++n) {
            lane_machine plain = draw_machine(arch, random), masked = plain;
            for (unsigned column = 0; column < column_count; ++column)
                masked.state.config.set_column(column, 0xf002); // no lane enabled
            const std::uint32_t word = draw_word(row, mod, arch, random);
            masked.execute(word);
            plain.execute(word);
            const bool stack_only = row.opcode == opcode::sfple || row.opcode == opcode::sfpgt;
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                SCOPED_TRACE(testing::Message() << short_name(arch) << ' ' << row.mnemonic << ' ' << mod);
                if (stack_only) {
                    ASSERT_EQ(masked.state.stack.top().flags, plain.state.stack.top().flags);
                    continue;
                }
                ASSERT_NO_FATAL_FAILURE(expect_same_lane(masked, plain, lane));
                ASSERT_NO_FATAL_FAILURE(expect_same_cells(masked, plain, lane));
            }
        }
    });
}

TEST(predication, by_row_mask_disables_like_a_false_flag) {
    random_bits random(3);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        if (exempt(row, mod) || row.opcode == opcode::sfpconfig) return;
        for (unsigned n = 0; n < 4; ++n) {
            lane_machine before = draw_machine(arch, random);
            before.state.use_flags = random.next();
            before.state.flags = all_lanes;
            lane_machine masked = before, plain = before;
            for (unsigned column = 0; column < column_count; ++column)
                masked.state.config.set_column(column, random.below(16) << 12 | 2);
            const lane_mask disabled = masked.state.config.row_masked();
            const std::uint32_t word = draw_word(row, mod, arch, random);
            // Reading LaneConfig itself gives what was configured.
            if (row.opcode == opcode::sfpmov && (mod & 8) && (word >> 8 & 15) == 15) continue;
            masked.execute(word);
            plain.execute(word);
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                SCOPED_TRACE(testing::Message() << short_name(arch) << ' ' << row.mnemonic << ' ' << mod);
                const lane_machine& same = disabled >> lane & 1 ? before : plain;
                ASSERT_NO_FATAL_FAILURE(expect_same_lane(masked, same, lane));
                ASSERT_NO_FATAL_FAILURE(expect_same_cells(masked, same, lane));
            }
        }
    });
}

/// Rule T9: of a scheduled instruction with VD = 16, only SFPIADD, SFPLZ and SFPEXEXP lose their lane flags.
TEST(predication, takes_the_lane_flags_of_three_scheduled_instructions_with_vd_16_and_of_no_other) {
    random_bits random(4);
    unsigned changed = 0;
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        if (row.unit == isa::sub_unit::load || row.unit == isa::sub_unit::store) return;
        const bool loses =
            row.opcode == opcode::sfpiadd || row.opcode == opcode::sfplz || row.opcode == opcode::sfpexexp;
        for (unsigned n = 0; n < 20; ++n) {
            const lane_machine before = draw_machine(arch, random);
            isa::instruction insn = isa::decode(draw_word(row, mod, arch, random), arch);
            insn.flags = isa::is_scheduled;
            lane_machine to_l5 = before, to_l16 = before;
            insn.vd = 5;
            isa::refresh(insn, arch);
            to_l5.execute(insn);
            insn.vd = isa::macro_lreg;
            isa::refresh(insn, arch);
            to_l16.execute(insn);
            ASSERT_EQ(to_l16.state.flags, loses ? before.state.flags : to_l5.state.flags)
                << row.mnemonic << ' ' << mod;
            ASSERT_EQ(to_l16.state.use_flags, to_l5.state.use_flags) << row.mnemonic << ' ' << mod;
            changed += to_l16.state.flags != before.state.flags;
        }
    });
    EXPECT_GT(changed, 500u);
}

TEST(read_only_registers, are_changed_by_no_instruction_but_sfpconfig) {
    random_bits random(5);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        if (row.opcode == opcode::sfpconfig) return;
        for (unsigned n = 0; n < 8; ++n) {
            const lane_machine before = draw_machine(arch, random);
            lane_machine after = before;
            after.execute(draw_word(row, mod, arch, random));
            for (unsigned r = 8; r < isa::lreg_count; ++r)
                for (unsigned lane = 0; lane < lane_count; ++lane)
                    ASSERT_EQ(after.state.lreg[r][lane], before.state.lreg[r][lane])
                        << row.mnemonic << " L" << r;
        }
    });
}

// --- both ways of executing
// ----------------------------------------------------------------------------------------

TEST(semantics, give_the_same_bits_whichever_vector_instruction_set_they_were_compiled_for) {
    const auto& rows = isa::instruction_table();
    const auto& baseline = isa::baseline_instruction_table();
    ASSERT_EQ(rows.size(), baseline.size());
    for (std::size_t n = 0; n < rows.size(); ++n) ASSERT_EQ(rows[n]->opcode, baseline[n]->opcode);
    random_bits random(6);
    const auto repetitions = static_cast<unsigned>(case_count(20));
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        for (unsigned n = 0; n < repetitions; ++n) {
            lane_machine best = draw_machine(arch, random), plain = best;
            plain.use_rows(baseline);
            const std::uint32_t word = draw_word(row, mod, arch, random);
            best.execute(word);
            plain.execute(word);
            ASSERT_EQ(difference(best, plain), "")
                << isa::vector_target() << ' ' << row.mnemonic << ' ' << mod << std::hex << ' ' << word;
        }
    });
}

TEST(semantics, give_the_same_state_whether_results_are_written_directly_or_committed_afterwards) {
    random_bits random(7);
    each_instruction([&](const isa::row& row, unsigned mod, architecture arch) {
        for (unsigned n = 0; n < 20; ++n) {
            lane_machine committed = draw_machine(arch, random);
            if (n % 2) committed.state.use_flags = 0;
            lane_machine direct = committed;
            direct.write_directly(true);
            const std::uint32_t word = draw_word(row, mod, arch, random);
            committed.execute(word);
            direct.execute(word);
            ASSERT_EQ(difference(committed, direct), "")
                << row.mnemonic << ' ' << mod << std::hex << ' ' << word;
        }
    });
}

} // namespace
} // namespace sfpu::test
