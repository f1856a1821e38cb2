// A host platform may round in any direction, flush subnormals or trap exceptions: no instruction shows it.
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <ios>
#include <string>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace sfpu::test {
namespace {

/// What a platform may have set. Flushing and traps are bits of MXCSR; other processors are tried with
/// rounding modes.
struct environment {
    int rounding = FE_TONEAREST;
    bool flush_results = false, flush_operands = false, trap = false;

    std::string text() const {
        return "rounding " + std::to_string(rounding) + (flush_results ? ", FTZ" : "") +
               (flush_operands ? ", DAZ" : "") + (trap ? ", traps" : "");
    }
};

std::vector<environment> environments() {
    std::vector<environment> all;
    for (const int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
        all.push_back({rounding});
#if defined(__SSE2__)
        for (const auto& [results, operands] : {std::pair{true, false}, {false, true}, {true, true}})
            all.push_back({rounding, results, operands});
        all.push_back({rounding, false, false, true});
#endif
    }
    return all;
}

/// Sets an environment for its lifetime. Nothing but what is tested may run meanwhile.
class foreign_environment {
public:
    explicit foreign_environment(const environment& wanted) {
        std::fegetenv(&before_);
        std::fesetround(wanted.rounding);
#if defined(__SSE2__)
        constexpr unsigned flush_results = 0x8000, flush_operands = 0x40, masks = 0x1f80;
        unsigned control = _mm_getcsr();
        if (wanted.flush_results) control |= flush_results;
        if (wanted.flush_operands) control |= flush_operands;
        if (wanted.trap) control &= ~masks;
        _mm_setcsr(control);
        control_ = control;
#endif
    }
    foreign_environment(const foreign_environment&) = delete;
    foreign_environment& operator=(const foreign_environment&) = delete;
    ~foreign_environment() { std::fesetenv(&before_); }

    /// Whether the environment is still the one that was set; exceptions may have been noticed.
    bool stands() const {
#if defined(__SSE2__)
        constexpr unsigned status = 0x3f;
        return ((_mm_getcsr() ^ control_) & ~status) == 0;
#else
        return true;
#endif
    }

private:
    std::fenv_t before_;
    unsigned control_ = 0;
};

/// Lanes for every way of computing a multiply-add: by the host, moderate, small, subnormal, anything.
std::uint32_t value(random_bits& random, unsigned kind) {
    const std::uint32_t sign_and_fraction = random.next() & 0x807fffffu;
    switch (kind % 5) {
    case 0: return (sign_and_fraction & 0x7fffffu) | (126 + random.below(2)) << 23;
    case 1: return sign_and_fraction | (117 + random.below(20)) << 23;
    case 2: return sign_and_fraction | (1 + random.below(70)) << 23;
    case 3: return sign_and_fraction;
    default: return random.operand();
    }
}

void execute_within(const environment& wanted, lane_machine& machine, const isa::instruction& insn,
                    bool& stands) {
    const foreign_environment foreign(wanted);
    machine.execute(insn);
    stands = foreign.stands();
}

class any_float_environment : public testing::TestWithParam<architecture> {};

TEST_P(any_float_environment, leaves_the_results_of_every_instruction_in_both_vector_builds) {
    const architecture arch = GetParam();
    random_bits random(41);
    const std::vector<environment> all = environments();
    for (const isa::row* row : isa::instruction_table()) {
        if (row->unit == isa::sub_unit::front_end || isa::find_row(row->opcode, arch) == nullptr) continue;
        for (unsigned n = 0; n < 48; ++n) {
            lane_machine usual(arch);
            randomise(usual, random);
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                for (std::uint32_t& lane : usual.state.lreg[r].v) lane = value(random, n);
            if (n % 3 == 0) usual.state.use_flags = 0;
            // All modifiers, registers with ordinary numbers.
            const std::uint32_t word = row->opcode << 24 | (random.next() & 0x777770u) | n % 16;
            const isa::instruction insn = isa::decode(word, arch);
            for (const auto* rows : {&isa::instruction_table(), &isa::baseline_instruction_table()}) {
                lane_machine expected = usual;
                expected.use_rows(*rows);
                expected.execute(insn);
                for (const environment& foreign : all) {
                    lane_machine found = usual;
                    found.use_rows(*rows);
                    bool stands = false;
                    execute_within(foreign, found, insn, stands);
                    ASSERT_EQ(difference(found, expected), "")
                        << row->mnemonic << ' ' << std::hex << word << ", " << foreign.text();
                    ASSERT_TRUE(stands) << row->mnemonic << ", " << foreign.text();
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(both_chips, any_float_environment,
                         testing::Values(architecture::blackhole, architecture::wormhole));

} // namespace
} // namespace sfpu::test
