// Random programs against the second reading of the instruction set: every register, both memories, every
// trap.
#include "tensorload_reference.h"
#include "tensorload_rig.h"

#include <algorithm>
#include <map>
#include <random>

namespace sfpu::test {
namespace {

using riscv::coprocessor_answer;

class random_machine {
public:
    explicit random_machine(unsigned seed)
        : random_(seed), reference_(tensorload_rig::l1m_bytes, tensorload_rig::l0m_bytes) {
        std::copy(rig_.memory.l1m.begin(), rig_.memory.l1m.end(), reference_.l1m.begin());
        for (unsigned tensor = 1; tensor < 32; ++tensor) {
            rig_.fill(tensor, [&](unsigned) { return random_() % 256; });
            std::copy_n(rig_.core.tensor(tensor).begin(), 1024, reference_.tl[tensor].begin());
        }
    }

    void run(unsigned steps) {
        for (unsigned step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
            if (random_() % 3 == 0) write_csr();
            else execute();
        }
        compare_memories();
    }

    const std::map<unsigned, unsigned>& outcomes() const { return outcomes_; } ///< by cause; 0 is completion

private:
    unsigned pick(std::initializer_list<unsigned> values) {
        return *(values.begin() + random_() % values.size());
    }
    std::uint32_t random_word() { return static_cast<std::uint32_t>(random_()); }

    std::uint32_t random_shape() {
        if (random_() % 16 == 0) return random_word();
        const auto size = [&] {
            return random_() % 3 ? pick({1, 2, 4, 8, 16, 32}) : static_cast<unsigned>(1 + random_() % 12);
        };
        return shape(size(), size(), size());
    }
    std::uint32_t random_type() {
        if (random_() % 12 == 0) return random_word();
        return pick({1, 2, 2, 4, 8, 0x40, 0x80, 0xc0, 0x100, 0x200, 0x400, 0x10, 0x300, 0x800, 3, 0});
    }
    void write_csr() {
        unsigned number = pick({0x800, 0x801, 0x801, 0x802, 0x803, 0x804, 0x805, 0x806, 0x810, 0x811, 0x812,
                                0x813, 0x814, 0x815, 0x840, 0x860});
        if (number >= 0x840) number += random_() % 32;
        std::uint32_t value = 0;
        if (number == 0x800) value = random_type();
        else if (number == 0x801) value = random_shape();
        else if (number == 0x805 || number >= 0x814)
            value = random_() % 20 == 0 ? random_word() : random_() % 8;
        else if (number == 0x806 || number == 0x812 || number == 0x813)
            value = random_() % 30 == 0 ? random_word() : pick({0, 0, 0, 4, 8, 16, 30, 32, 64});
        else value = random_word() & random_word();
        rig_.set(number, value);
        reference_.write_csr(number, value);
    }

    tl::instruction random_instruction() {
        const auto number = [&] { return static_cast<unsigned>(random_() % 32); };
        const int slices =
            random_() % 4 ? static_cast<int>(random_() % 9) - 4 : static_cast<int>(random_() % 256);
        switch (random_() % 9) {
        case 0: return tl::load(number(), number(), slices);
        case 1: return tl::mload(number(), number(), slices);
        case 2: return tl::store(number(), number(), slices);
        case 3: return tl::mstore(number(), number(), slices);
        case 4: return tl::addi(number(), number(), static_cast<int>(random_() % 256));
        case 5: return tl::concat(number() % 3, number(), number(), number());
        case 6: return tl::merge(number() % 3, number(), number(), number());
        default: return tl::xpose(number() % 4, number() % 4, number(), number(), number());
        }
    }
    std::uint32_t random_scalar(const tl::instruction& insn) {
        if (random_() % 16 == 0) return random_word();
        if (insn.op != tl::operation::xpose) return (random_() % 0x7000) & ~(random_() % 4);
        unsigned exponents[4] = {};
        for (unsigned factor = 0; factor < 11; ++factor) ++exponents[random_() % 4];
        return dims(1u << (exponents[0] & 7), 1u << (exponents[1] & 7), 1u << (exponents[2] & 7),
                    1u << (exponents[3] & 7));
    }

    void execute() {
        const tl::instruction insn = random_instruction();
        std::uint32_t word = tl::encode(insn);
        if (random_() % 8 == 0) word ^= random_word() & 0xc0000000u; // another EngineID
        if (random_() % 40 == 0) word ^= 1u << (7 + random_() % 25);
        const std::uint32_t scalar = random_scalar(insn);
        const auto answer = rig_.issue(word, scalar);
        const auto fault = reference_.execute(word, scalar);
        const bool trapped = answer.result == coprocessor_answer::outcome::trap;
        ++outcomes_[trapped ? answer.cause : 0];
        ASSERT_EQ(trapped, fault.has_value()) << tl::text(insn) << ": " << rig_.core.last_trap();
        if (trapped) {
            EXPECT_EQ(answer.cause, fault->cause) << tl::text(insn);
            EXPECT_EQ(answer.value, fault->value) << tl::text(insn);
        }
        for (unsigned tensor = 0; tensor < 32; ++tensor) {
            const auto& expected = reference_.tl[tensor];
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), rig_.core.tensor(tensor).begin()))
                << tl::text(insn) << " left something else in tl" << tensor;
        }
        if (insn.is_store()) compare_memories();
    }
    void compare_memories() {
        ASSERT_TRUE(std::equal(reference_.l0m.begin(), reference_.l0m.end(), rig_.memory.l0m.begin()));
        ASSERT_TRUE(std::equal(reference_.l1m.begin(), reference_.l1m.end(), rig_.memory.l1m.begin()));
    }

    std::mt19937 random_;
    tensorload_rig rig_;
    tensorload_reference reference_;
    std::map<unsigned, unsigned> outcomes_;
};

TEST(tensorload_random, programs_leave_what_the_second_reading_leaves) {
    std::map<unsigned, unsigned> outcomes;
    for (unsigned seed = 1; seed <= 60 && !HasFailure(); ++seed) {
        random_machine machine(seed);
        machine.run(400);
        for (const auto& [cause, count] : machine.outcomes()) outcomes[cause] += count;
    }
    // The programs are worth something only if they reach every outcome often.
    EXPECT_GT(outcomes[0], 4000u);
    EXPECT_GT(outcomes[2], 1000u);
    EXPECT_GT(outcomes[5], 50u);
    EXPECT_GT(outcomes[7], 50u);
}

} // namespace
} // namespace sfpu::test
