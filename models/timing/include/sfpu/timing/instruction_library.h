// Everything that is known of words, once: decoded words, macro configurations, what SFPLOADMACROs schedule.
//
// What is in the library stays where it is, so that plans and states name instructions by pointer: two
// pointers are equal exactly if the instructions are.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>
#include <sfpu/timing/macro_program.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace sfpu::timing {

/// A word that can be issued.
struct library_word {
    std::uint32_t word = 0;
    isa::word_kind kind = isa::word_kind::no_instruction;
    isa::instruction insn;
    bool needs_report = false;          ///< undefined or non-contractual
    bool loses_result = false;          ///< executed, it writes a constant register and nothing else
    bool changes_rules = false;         ///< SFPCONFIG of LoadMacroConfig or LaneConfig
    bool changes_lanes = false;         ///< SFPCONFIG of LaneConfig
    const library_word* next = nullptr; ///< the word that came after this one last time
};

/// The number of a macro configuration; 0 is none.
using configuration_id = std::uint32_t;

/// What SFPLOADMACROs that were expanded say of delays.
struct delay_kinds {
    bool any_counts_cycles = false, any_counts_instructions = false; ///< scheduled instructions
    bool depends_on_scope = false; ///< the kinds of a configuration differ by sub-unit or by macro
};

class instruction_library {
public:
    /// Forgets everything.
    void reset(const isa::machine& machine);

    /// Words mostly come in the order in which they came before.
    const library_word& decode(std::uint32_t word) {
        library_word* entry = const_cast<library_word*>(latest_->next);
        if (!entry || entry->word != word) {
            entry = &look_up(word);
            latest_->next = entry;
        }
        latest_ = entry;
        return *entry;
    }

    /// The number of LoadMacroConfig. If columns differ, that of column 0 is what counts, and is reported.
    configuration_id number_of(const isa::vector_state& state);
    /// The same if LoadMacroConfig had the number `before`, and since then no other than these parts were
    /// written, in some columns or all: a bit each, numbered as SFPCONFIG does.
    configuration_id number_after(configuration_id before, unsigned parts, const isa::vector_state& state);

    /// What an SFPLOADMACRO schedules.
    const macro_launch& expand(configuration_id configuration, const isa::instruction& insn);

    /// Of all SFPLOADMACROs that were expanded since the reset, whether they were executed or not.
    const delay_kinds& kinds() const { return kinds_; }

    /// Whether so much is stored that it should all be forgotten.
    bool is_full() const { return is_full_; }
    /// Keeps a copy of an instruction that outlives everything else.
    const isa::instruction* keep(const isa::instruction& insn);

private:
    struct configuration {
        isa::macro_configuration content;
        bool uniform = true;

        friend bool operator==(const configuration& a, const configuration& b) {
            return a.uniform == b.uniform && a.content == b.content;
        }
    };
    /// Writing `value` to `part` in all columns makes one configuration of another.
    struct transition {
        configuration_id before = 0, after = 0;
        unsigned part = 0;
        std::uint32_t value = 0;
    };
    void note_kinds(const isa::macro_configuration& from, const macro_launch& made);
    library_word& look_up(std::uint32_t word);
    configuration_id number_of(const configuration& wanted);
    configuration_id number_with(configuration_id before, unsigned part, std::uint32_t value);
    void judge_size();

    isa::machine machine_;
    bool has_extended_index_ = false;
    library_word none_;
    library_word* latest_ = &none_;
    std::deque<library_word> words_;
    std::unordered_map<std::uint32_t, library_word*> by_word_;
    std::vector<configuration> configurations_;
    std::unordered_multimap<std::uint64_t, configuration_id> by_content_;
    std::array<transition, 256> transitions_; ///< those seen last, by hash
    std::unordered_map<std::uint64_t, std::unique_ptr<macro_launch>> launches_;
    std::deque<isa::instruction> kept_;
    delay_kinds kinds_;
    bool is_full_ = false;
};

} // namespace sfpu::timing
