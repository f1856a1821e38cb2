// Records the words that a kernel function written for the vendor's headers would issue.
//
// The macros of ops.h send their words to the current recorder of the calling thread. REPLAY is expanded
// here, as the hardware expands it before the vector unit: what a recorder holds is what the vector unit
// would see, and which words came from one REPLAY, one MOP, one push, with no idle cycle between them.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/kernel_recorder/source_place.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// What cannot be recorded, in headers that a core compiles, too, where nothing is checked.
#define SFPU_KERNEL_REFUSE(message) throw ::sfpu::kernel_recorder::kernel_error(message)

namespace sfpu::isa {
class lane_machine;
}

namespace sfpu::kernel_recorder {

namespace vector {
class graph;
struct session;
} // namespace vector

/// A kernel function did what cannot be recorded: an operand out of range, a REPLAY that makes no sense, a
/// word issued while nothing records.
class kernel_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the core that issues words does for them.
struct issue_counts {
    unsigned pushed = 0; ///< words that it pushes; a REPLAY is one, what it plays is none
    unsigned computed =
        0; ///< of these, those with operands that may be known at run time only: TT_X, not TTI_X
    unsigned generated = 0; ///< of these, those of vector types, which a compiler chooses
};

/// Words as the vector unit sees them.
struct recorded_words {
    std::vector<std::uint32_t> words;
    /// By word: it is the first of a REPLAY, of a MOP, of a push, so that idle cycles can stand before it.
    std::vector<bool> gaps;
    /// By word: the line of the kernel that issued it; of what a REPLAY plays the line that recorded it.
    /// Where a helper of the kernel headers issues words and does not know its caller, the line known last.
    std::vector<source_place> places;
};

/// Collects issued words and keeps the replay buffer: 32 slots that all recordings with this recorder
/// share, so that an init function may fill what a calculate function plays.
class recorder {
public:
    static constexpr unsigned replay_slots = 32;

    explicit recorder(architecture arch) : arch_(arch) {}

    architecture arch() const { return arch_; }

    /// Whatever is issued from now on is executed on `machine` and gives no words. Operations of vector types
    /// are executed as they stand, on 32 lanes: no registers, no flag stack. The machine has to outlive the
    /// recorder.
    void execute_on(isa::lane_machine& machine) { machine_ = &machine; }

    /// The graph that operations of vector types are added to. What is in it becomes words before anybody
    /// sees words.
    vector::graph& graph();
    /// Tells graphs apart; 0 if there is none yet.
    std::uint64_t graph_number() const;

    /// Takes one word from the instruction stream. A REPLAY starts loading the buffer or plays from it;
    /// slot numbers wrap around, a length of 0 means 64. Errors: a slot played that was never loaded, a
    /// REPLAY inside a load.
    void issue(std::uint32_t word);
    /// What is issued from now on stands there. Lines of the kernel headers themselves do not count.
    void stand_at(const source_place& place);

    /// The words so far.
    const std::vector<std::uint32_t>& words();
    /// By word of words(): see recorded_words::gaps.
    const std::vector<bool>& gaps();
    /// Hands out the words so far and starts anew; the replay buffer stays. An unfinished load is an error.
    std::vector<std::uint32_t> take_words() { return take().words; }
    /// The same, with what is known of idle cycles.
    recorded_words take();

    /// Since the recorder was made. Words of vector types count once they are words.
    const issue_counts& counts() const { return counts_; }
    void count_computed() { ++counts_.computed; }

    /// What works here and would not with the vendor's headers. Each text once.
    const std::vector<std::string>& warnings() const { return warnings_; }
    void warn(const std::string& text);

private:
    friend class single_push;

    void finish_graph();
    void accept(std::uint32_t word, const source_place& place);
    void send(std::uint32_t word, const source_place& place);
    void start_replay(std::uint32_t word);
    void play(unsigned start, unsigned length);

    architecture arch_;
    issue_counts counts_;
    recorded_words taken_;
    bool may_wait_ = true;   ///< idle cycles can stand before the next word
    unsigned in_a_push_ = 0; ///< single_push values that there are
    std::vector<std::string> warnings_;
    source_place place_; ///< of what is issued; with vector types their graph knows it
    std::array<std::optional<std::uint32_t>, replay_slots> slots_;
    std::array<source_place, replay_slots> slot_places_;
    unsigned load_slot_ = 0;     ///< where the next word goes
    unsigned words_to_load_ = 0; ///< how many words the load in progress still takes
    bool load_executes_ = false; ///< whether words are also issued while they are loaded
    isa::lane_machine* machine_ = nullptr;
    std::shared_ptr<vector::session> session_; ///< null until a vector type is used
};

/// Makes a recorder the current one of this thread for its lifetime; the one before it then comes back.
class recording {
public:
    explicit recording(recorder& into);
    ~recording();
    recording(const recording&) = delete;
    recording& operator=(const recording&) = delete;

private:
    recorder* previous_;
};

/// What the current recorder takes in its lifetime comes from one push of the core, as what the MOP expander
/// makes of one MOP does: idle cycles can stand before the first word, and not between them.
class single_push {
public:
    single_push();
    ~single_push() { --into_.in_a_push_; }
    single_push(const single_push&) = delete;
    single_push& operator=(const single_push&) = delete;

private:
    recorder& into_;
};

/// The current recorder of this thread; kernel_error if there is none.
recorder& current_recorder();

/// Issues a word of a kernel that was compiled for `arch`; kernel_error if the current recorder is for the
/// other architecture.
void issue(architecture arch, std::uint32_t word, source_place at = source_place::here());

/// The same of a word whose operands may be known at run time only.
void issue_computed(architecture arch, std::uint32_t word, source_place at = source_place::here());

/// What the current recorder is told from now on stands there; nothing if nothing records.
void stand_at(const source_place& place);

/// The recorder, or null.
recorder* find_current_recorder();

/// The words that `function` issues.
std::vector<std::uint32_t> record(recorder& into, const std::function<void()>& function);

} // namespace sfpu::kernel_recorder
