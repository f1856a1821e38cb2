// Which instructions have something to report: plans leave the question out for all others.
#include "lane_machine.h"

#include <sfpu/isa/execution.h>
#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <gtest/gtest.h>

namespace sfpu::test {
namespace {

TEST(execution_reports, come_from_instructions_of_the_flag_stack_only) {
    unsigned reporting = 0;
    for (const bool is_full : {false, true})
        for (std::uint32_t number = 0; number < 256; ++number)
            for (unsigned mod = 0; mod < 16; ++mod) {
                const isa::instruction insn =
                    isa::decode(number << 24 | mod, isa::word_encoding(architecture::blackhole));
                if (!insn.op || isa::classify(insn.word, architecture::blackhole) != isa::word_kind::sfpu)
                    continue;
                isa::vector_state state;
                for (unsigned depth = 0; is_full && depth < isa::flag_stack::capacity; ++depth)
                    state.stack.push({});
                isa::write_set results;
                isa::execution context(state, isa::word_encoding(architecture::blackhole), results);
                lanes slice{};
                context.slice = &slice;
                context.enabled = context.acting = all_lanes;
                insn.op->execute(context, insn);
                if (context.reports == 0) continue;
                EXPECT_TRUE(isa::reports_stack(insn)) << insn.op->mnemonic << " " << mod;
                ++reporting;
            }
    EXPECT_GT(reporting, 10u);
}

} // namespace
} // namespace sfpu::test
