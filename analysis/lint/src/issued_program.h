// A kernel as the words that are issued, and schedules of bubbles between them.
#pragma once

#include <sfpu/common/random_source.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::analysis {

/// Idle cycles before issued word i; missing ones are 0.
using bubble_schedule = std::vector<unsigned>;

/// Init once, the loop some times, tail once. The kernel must outlive it.
class issued_program {
public:
    issued_program(const isa::kernel& kernel, unsigned iterations)
        : kernel_(kernel), iterations_(iterations), has_gaps_(kernel.has_gaps()) {}

    std::size_t size() const { return kernel_.init.size() + looped() + kernel_.tail.size(); }
    const isa::source_word& word(std::size_t index) const;
    /// Source line of a word, 0 for -1.
    unsigned line(std::int64_t index) const;
    bool in_loop(std::size_t index) const {
        return index >= kernel_.init.size() && index - kernel_.init.size() < looped();
    }
    /// Whether the word and the one before it belong to the same loop iteration.
    bool continues_iteration(std::size_t index) const;

    std::vector<platform::program_segment> segments() const;
    /// Whether the kernel says where idle cycles can stand.
    bool has_gaps() const { return has_gaps_; }
    /// Whether idle cycles can stand before the word, as far as the kernel says.
    bool may_wait(std::size_t index) const { return !has_gaps_ || word(index).gap; }
    /// The number of the `.gap` before the word, from 0 in the order of the kernel's sections.
    std::optional<unsigned> gap_before(std::size_t index) const;
    /// Words before which a single bubble is tried: all but the first of init, one iteration in the middle,
    /// tail; of a kernel with gaps only those that have one.
    std::vector<std::size_t> positions() const;
    /// The one of positions() that stands for this word; itself outside the loop.
    std::size_t position_of(std::size_t index) const;

private:
    std::size_t looped() const { return kernel_.loop.size() * iterations_; }
    const isa::kernel& kernel_;
    unsigned iterations_;
    bool has_gaps_;
};

/// Enough iterations for a steady state in the middle, whatever macros still do, but not more than `most`.
unsigned iterations_to_run(const isa::kernel& kernel, unsigned most);

constexpr unsigned longest_bubble = 8;

/// Bubbles of 1 to longest_bubble cycles before about `rate` of the words that may wait.
bubble_schedule random_bubbles(const issued_program& program, double rate, random_source& random);
bubble_schedule single_bubble(std::size_t position, unsigned length);

} // namespace sfpu::analysis
