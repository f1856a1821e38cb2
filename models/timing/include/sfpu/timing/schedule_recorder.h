// What a stretch of issued words makes the sub-units do, recorded cycle by cycle so that it can be done again.
//
// Rules T1 to T18 never look at data. Who executes what in which cycle follows from the words, from what was outstanding
// and under way when the first of them came (the situation), and from the macro configuration. A loop therefore comes
// to the same schedule again and again; it is enough to work it out once.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sfpu::timing {

/// Everything besides the coming words that decides what the coming cycles do, as numbers that do not depend on the
/// cycle in which it arises.
class situation {
public:
    static constexpr unsigned capacity = 96;

    void clear() { size_ = 0; }
    void add(std::uint64_t value) { values_[size_++] = value; }

    friend bool operator==(const situation& a, const situation& b) {
        return a.size_ == b.size_ && std::memcmp(a.values_.data(), b.values_.data(), 8 * a.size_) == 0;
    }

private:
    unsigned size_ = 0;
    std::array<std::uint64_t, capacity> values_;
};

/// One thing to do. Steps come in the order in which they have to be done.
struct schedule_step {
    enum class action : std::uint8_t {
        issued,      ///< an issued instruction executes
        launch,      ///< so does an SFPLOADMACRO
        scheduled,   ///< so does a scheduled instruction
        begin_cycle, ///< results that read registers late have to do so now (T8)
        end_cycle,   ///< results become visible
    };
    const isa::instruction* insn = nullptr;
    std::uint16_t at = 0; ///< cycles after the start of the stretch
    action what = action::issued;
    isa::sub_unit unit{};
    bool alone = false;      ///< the result may go to its register at once
    std::uint8_t origin = 0; ///< issued: number of the word in the stretch; scheduled: number of the launch
};

/// A result that was under way when the recording started.
struct pending_result {
    unsigned commit; ///< cycles after the start
    std::uint32_t lregs;
    bool reads_late; ///< SFPSWAP
};

/// Takes down what a stretch does. Only what is the same whenever the situation is the same can be recorded; whoever
/// meets anything else, a diagnostic for instance, spoils the recording.
class schedule_recorder {
public:
    bool recording() const { return recording_; }
    void start(cycles now, const parameters& config, std::vector<pending_result> pending, unsigned launches);
    void spoil() { spoilt_ = true; }

    /// An instruction executes. `launch`: the one that scheduled it.
    void executed(const isa::instruction& insn, isa::sub_unit unit, cycles at, unsigned launch,
                  cycles effect);
    /// The number of the next SFPLOADMACRO.
    unsigned next_launch() { return launches_++; }

    /// Ends the recording at `end`, the first cycle that does not belong to it. False if it is spoilt.
    bool finish(cycles end);
    /// Of a finished recording. `insn` of steps that are not scheduled is for the owner to set.
    std::vector<schedule_step> steps() const;
    /// The last cycle with an effect, counted from the start; -1 if there is none.
    std::int64_t last_effect() const { return last_effect_; }

private:
    struct execution {
        schedule_step step;
        unsigned first, last;        ///< cycles in which it works, counted from the start
        std::uint32_t reads, writes; ///< bit i: L<i>, L16 included
        bool is_swap; ///< reads again at the start of its last cycle and keeps its results until then
    };
    bool is_alone(const execution& what, unsigned index) const;

    bool recording_ = false, spoilt_ = false;
    cycles start_{};
    unsigned duration_ = 0, launches_ = 0, issued_ = 0;
    std::int64_t last_effect_ = -1;
    parameters config_;
    std::vector<pending_result> pending_;
    std::vector<execution> executions_;
};

} // namespace sfpu::timing
