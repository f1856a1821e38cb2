// Vector types: words that were recorded, with registers and the flag stack, against direct execution on 32
// lanes.
#include "chips.h"
#include "lane_machine.h"
#include "vector_kernels.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace sfpu::test {
namespace {

using kernel_recorder::kernel_error;
using words = std::vector<std::uint32_t>;

const vector_kernels& kernels_of(architecture arch) {
    return arch == architecture::blackhole ? blackhole_vector_kernels() : wormhole_vector_kernels();
}

/// Firmware's start: all lane flags in use and set. Dst holds random and extreme values.
std::unique_ptr<lane_machine> machine_with_data(architecture arch, bool wide, std::uint64_t seed) {
    auto machine = std::make_unique<lane_machine>(isa::word_encoding(arch));
    random_bits random(seed);
    isa::backend_configuration backend = machine->thread.backend();
    backend.fp32_enabled = wide;
    backend.srcb_format = 5; // BF16
    machine->thread.set_backend(backend);
    for (unsigned row = 0; row < 512; ++row)
        for (unsigned column = 0; column < 16; ++column)
            machine->set_cell(row, column, wide, wide ? random.operand() : random.operand() >> 16);
    for (unsigned r = 0; r < 8; ++r)
        for (unsigned lane = 0; lane < lane_count; ++lane) machine->state.lreg[r][lane] = random.operand();
    for (unsigned lane = 0; lane < lane_count; ++lane) machine->state.prng[lane] = random.next();
    machine->state.flags = machine->state.use_flags = all_lanes;
    return machine;
}

words recorded(architecture arch, const std::function<void()>& function) {
    kernel_recorder::recorder into(arch);
    return kernel_recorder::record(into, function);
}
void execute_directly(lane_machine& machine, const std::function<void()>& function) {
    kernel_recorder::recorder into(machine.arch());
    into.execute_on(machine);
    kernel_recorder::record(into, function);
}

std::string first_difference(const lane_machine& a, const lane_machine& b) {
    for (unsigned row = 0; row < 1024; ++row)
        for (unsigned column = 0; column < 16; ++column)
            if (a.dst[row][column] != b.dst[row][column])
                return "Dst row " + std::to_string(row) + " column " + std::to_string(column) +
                       ": recorded " + std::to_string(a.dst[row][column]) + ", direct " +
                       std::to_string(b.dst[row][column]);
    if (a.state.flags != b.state.flags) return "lane flags";
    if (a.state.stack.depth() != b.state.stack.depth()) return "flag stack";
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (a.state.prng[lane] != b.state.prng[lane]) return "random numbers";
    return {};
}

std::string listing(const words& program, architecture arch) {
    std::string text;
    for (std::uint32_t word : program) text += isa::disassemble(word, arch) + "\n";
    return text;
}

void expect_same_results(architecture arch, const std::function<void()>& function, unsigned data_sets) {
    const words program = recorded(arch, function);
    for (unsigned seed = 1; seed <= data_sets; ++seed)
        for (bool wide : {false, true}) {
            const auto a = machine_with_data(arch, wide, seed), b = machine_with_data(arch, wide, seed);
            for (std::uint32_t word : program) a->execute(word);
            execute_directly(*b, function);
            ASSERT_EQ(first_difference(*a, *b), "")
                << long_name(arch) << (wide ? ", 32-bit Dst" : ", 16-bit Dst") << ", data " << seed << '\n'
                << listing(program, arch);
        }
}

TEST(VectorTypes, RecordedWordsAndDirectExecutionGiveTheSameDst) {
    for (architecture arch : both)
        for (const vector_kernel& kernel : kernels_of(arch).by_feature) {
            SCOPED_TRACE(kernel.name);
            expect_same_results(arch, kernel.function, 4);
            if (HasFatalFailure()) return;
        }
}

/// Both ways share the types, so constants are held against numbers that are written here.
TEST(VectorTypes, ConstantsHaveTheValueThatIsWritten) {
    for (architecture arch : both)
        for (const vector_kernel& kernel : kernels_of(arch).by_feature) {
            if (kernel.name != "constants") continue;
            const auto machine = machine_with_data(arch, true, 1);
            execute_directly(*machine, kernel.function);
            const auto word = [&](unsigned slice) {
                return machine->cell(slice * 2 & 0x3fcu, slice * 2 & 2 ? 1 : 0, true);
            };
            EXPECT_EQ(word(16), 0x4340u);
            EXPECT_EQ(word(17), 5u);
            EXPECT_EQ(word(18), 5u);
            EXPECT_EQ(word(19), 5u);
        }
}

TEST(VectorTypes, BoundsOfUnsignedNumbersAndTheGreaterOfTwoInChosenRowsAreThoseOfTheirBits) {
    for (architecture arch : both)
        for (const vector_kernel& kernel : kernels_of(arch).by_feature) {
            if (kernel.name != "bounds") continue;
            const auto before = machine_with_data(arch, true, 3), after = machine_with_data(arch, true, 3);
            execute_directly(*after, kernel.function);
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const auto word = [&](const lane_machine& machine, unsigned slice) {
                    const std::uint32_t bits =
                        machine.cell((slice * 2 & 0x3fcu) + lane / 8, lane % 8 * 2 + slice % 2, true);
                    // Dst has the upper seven bits of a mantissa in front of the exponent.
                    return (bits & 0x8000ffffu) | (bits & 0x7f000000u) >> 8 | (bits & 0x00ff0000u) << 7;
                };
                const std::uint32_t a = word(*before, 0), b = word(*before, 1), few = 1000,
                                    many = 0x90000000u;
                EXPECT_EQ(word(*after, 16), std::min(a, few));
                EXPECT_EQ(word(*after, 17), std::min(a, many));
                EXPECT_EQ(word(*after, 18), std::max(a, few));
                EXPECT_EQ(word(*after, 19), std::max(a, many));
                EXPECT_EQ(word(*after, 20), std::min(std::max(a, few), many));
                const auto order = [](std::uint32_t bits) { // sign and magnitude, -0 below 0
                    const std::int64_t magnitude = bits & 0x7fffffffu;
                    return bits >> 31 ? -1 - magnitude : magnitude;
                };
                const std::uint32_t lesser = order(a) < order(b) ? a : b, greater = lesser ^ a ^ b;
                for (unsigned rows = 0; rows < 16; ++rows) {
                    const bool turned = rows >> lane / 8 & 1;
                    EXPECT_EQ(word(*after, 32 + 2 * rows), turned ? greater : lesser)
                        << rows << ", lane " << lane;
                    EXPECT_EQ(word(*after, 33 + 2 * rows), turned ? lesser : greater)
                        << rows << ", lane " << lane;
                }
                EXPECT_EQ(word(*after, 21), lane / 8 % 2 ? greater : lesser);
            }
        }
}

TEST(VectorTypes, RandomKernelsGiveTheSameDst) {
    const std::uint64_t count = case_count(150);
    struct {
        unsigned tried = 0, recorded = 0;
    } few_variables, many, many_and_own_words;
    for (architecture arch : both)
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
            SCOPED_TRACE("seed " + std::to_string(seed));
            const auto function = [&] { kernels_of(arch).random(seed, 4 + seed % 8); };
            auto& kind = float_variables(seed) == 2 ? few_variables
                         : has_own_words(seed)      ? many_and_own_words
                                                    : many;
            ++kind.tried;
            try {
                recorded(arch, function);
            } catch (const kernel_error&) {
                continue; // more values than registers
            }
            ++kind.recorded;
            expect_same_results(arch, function, 1);
            if (HasFatalFailure()) return;
        }
    // With four to six variables all the time, some need more than eight registers.
    const auto share = [](const auto& kind) {
        return std::to_string(kind.recorded) + " of " + std::to_string(kind.tried);
    };
    RecordProperty("few_variables", share(few_variables));
    RecordProperty("many_variables", share(many));
    RecordProperty("many_variables_and_own_words", share(many_and_own_words));
    EXPECT_EQ(few_variables.recorded, few_variables.tried);
    EXPECT_GE(many.recorded * 20, many.tried * 19) << share(many);
    EXPECT_GE(many_and_own_words.recorded * 20, many_and_own_words.tried * 14) << share(many_and_own_words);
}

TEST(VectorTypes, OnWormholeNoWordReadsWhatTheWordBeforeHasNotWrittenYet) {
    for (const vector_kernel& kernel : wormhole_vector_kernels().by_feature) {
        const words program = recorded(architecture::wormhole, kernel.function);
        std::uint32_t late = 0;
        for (std::uint32_t word : program) {
            const isa::instruction insn = isa::decode(word, architecture::wormhole);
            EXPECT_EQ(insn.use.reads & late, 0u)
                << kernel.name << ": " << isa::disassemble(word, architecture::wormhole);
            late = insn.latency == isa::latency_class::mad ? insn.use.writes : 0u;
        }
    }
}

TEST(VectorTypes, AProductAndASumBecomeOneMultiplyAdd) {
    unsigned muls = 0, mads = 0, adds = 0;
    for (const vector_kernel& kernel : blackhole_vector_kernels().by_feature) {
        if (kernel.name != "polynomials") continue;
        for (std::uint32_t word : recorded(architecture::blackhole, kernel.function)) {
            muls += word >> 24 == isa::opcode::sfpmul;
            mads += word >> 24 == isa::opcode::sfpmad;
            adds += word >> 24 == isa::opcode::sfpadd;
        }
    }
    EXPECT_EQ(muls + adds, 0u);
    EXPECT_EQ(mads, 8u * 5u); // Horner's scheme of degree five, eight rows
}

TEST(VectorTypes, ARowThatIsRecordedInTheReplayBufferGivesItsWordsAgainAndAgain) {
    for (architecture arch : both) {
        const words once = recorded(arch, kernels_of(arch).row);
        words four_times;
        for (int i = 0; i < 4; ++i) four_times.insert(four_times.end(), once.begin(), once.end());
        const auto length = static_cast<unsigned>(once.size());
        EXPECT_EQ(recorded(arch, [&] { kernels_of(arch).replayed(length); }), four_times);
        EXPECT_THROW(recorded(arch, [&] { kernels_of(arch).replayed(length + 1); }), kernel_error);
    }
}

TEST(VectorTypes, EightValuesFitAndNineAreRefusedWithTheReason) {
    for (architecture arch : both) {
        EXPECT_NO_THROW(recorded(arch, [&] { kernels_of(arch).times_product_of_many(7); }));
        try {
            recorded(arch, [&] { kernels_of(arch).times_product_of_many(8); });
            FAIL() << "nine values in eight registers";
        } catch (const kernel_error& error) {
            EXPECT_NE(std::string(error.what()).find("more values at a time than there are registers"),
                      std::string::npos)
                << error.what();
        }
    }
}

/// What recording says, or nothing.
std::string refusal_of(architecture arch, const std::function<void()>& function) {
    try {
        recorded(arch, function);
    } catch (const kernel_error& error) {
        return error.what();
    }
    return {};
}
std::string place_of(unsigned line) { return "vector_kernels_inl.h:" + std::to_string(line); }

TEST(VectorTypes, RegistersThatRunOutNameTheLinesOfWhatTheyHold) {
    for (architecture arch : both) {
        const vector_kernels& kernels = kernels_of(arch);
        const std::string text = refusal_of(arch, [&] { kernels.times_product_of_many(8); });
        EXPECT_NE(text.find(" of " + place_of(kernels.line_of_many_loads)), std::string::npos) << text;
        EXPECT_NE(text.find(" of " + place_of(kernels.line_of_their_product)), std::string::npos) << text;
    }
}

/// v_if holds an entry of the flag stack, v_elseif one more; at the ninth the oldest would be lost.
TEST(VectorTypes, ConditionsThatNeedMoreThanTheFlagStackAreRefusedWithTheirLine) {
    for (architecture arch : both) {
        const vector_kernels& kernels = kernels_of(arch);
        expect_same_results(
            arch, [&] { kernels.nested(8); }, 2);
        expect_same_results(
            arch, [&] { kernels.nested_behind_own(2, 6); }, 2);
        expect_same_results(
            arch, [&] { kernels.nested_around_either(7); }, 2);
        expect_same_results(arch, kernels.chain_of_seven, 2);

        const std::string nested = place_of(kernels.line_of_nested_if) + ": ";
        EXPECT_EQ(refusal_of(arch, [&] { kernels.nested(9); }).substr(0, nested.size()), nested);
        EXPECT_EQ(refusal_of(arch, [&] { kernels.nested_behind_own(2, 7); }).substr(0, nested.size()),
                  nested);
        EXPECT_NE(refusal_of(arch, [&] { kernels.nested_around_either(8); }).find("flag stack"),
                  std::string::npos);
        const std::string eighth = place_of(kernels.line_of_the_eighth) + ": ";
        EXPECT_EQ(refusal_of(arch, kernels.chain_of_eight).substr(0, eighth.size()), eighth);
    }
}

TEST(VectorTypes, ValuesThatNeedNotBeHeldAllAtATimeAreNot) {
    for (architecture arch : both)
        expect_same_results(
            arch, [&] { kernels_of(arch).sum_of_many(20); }, 2);
}

/// A kernel's init and its calls have nothing in registers in common that nobody named.
TEST(VectorTypes, AFunctionLoadsTheConstantsThatItNeeds) {
    for (architecture arch : both) {
        kernel_recorder::recorder into(arch);
        const words first = kernel_recorder::record(into, kernels_of(arch).scaled);
        EXPECT_EQ(kernel_recorder::record(into, kernels_of(arch).scaled), first);
    }
}

} // namespace
} // namespace sfpu::test
