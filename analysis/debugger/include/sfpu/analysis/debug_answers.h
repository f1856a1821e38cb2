// What the debugger answers. Cycles count from 0, the first; -1 is the state before it. Source lines count
// from 1.
#pragma once

#include <sfpu/analysis/debug_target.h>

#include <sfpu/common/report.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis::debug {

/// An instruction that was executed.
struct executed_instruction {
    isa::sub_unit unit{};
    std::string text;       ///< assembly
    bool scheduled = false; ///< by a macro
    bool discarded = false, takes_effect = false;
    lane_mask lanes = 0;                      ///< enabled; of a store, those that it wrote
    std::optional<std::uint32_t> dst_address; ///< of a load or store that has an effect; even
    std::int64_t begin = 0;                   ///< the cycle in which it reads its operands
    std::int64_t end = 0;                     ///< the last cycle of its latency
    std::int64_t word = -1;                   ///< the issued word; of a scheduled one, its SFPLOADMACRO
    std::string location;                     ///< "kernel.s:12", of that word
};

/// A word whose issue was held in a cycle.
struct held_word {
    probe::stall_cause cause{};
    std::string location;
};

/// An instruction that a macro had scheduled, and that is executed no more.
struct forgotten_instruction {
    std::string mnemonic;
    isa::sub_unit unit{};
    std::string location; ///< of its SFPLOADMACRO
};

struct placed_diagnostic {
    std::int64_t cycle = 0;
    severity level{};
    report_id id{};
    std::string message, location;
};

/// What happened in a cycle, and what is different at its end.
struct cycle_answer {
    std::int64_t cycle = -1;
    std::optional<std::int64_t> row; ///< of the word that was issued, if it belongs to one
    std::vector<held_word> held;
    std::vector<executed_instruction> executed;
    std::vector<forgotten_instruction> forgotten;
    std::vector<std::pair<unsigned, lanes>> lregs;        ///< that have another value than before
    std::optional<std::pair<lane_mask, lane_mask>> flags; ///< LaneFlags, UseLaneFlagsForLaneEnable
    std::vector<placed_diagnostic> diagnostics;
};

/// A target and its lanes, row by row: target::rows() times (end_lane - first_lane).
struct value_answer {
    std::string typed;       ///< as it was asked for
    std::int64_t cycle = -1; ///< at whose end
    target what;
    std::vector<std::uint32_t> bits;
};

/// Where a step, a jump or a search ended.
struct move_answer {
    enum class ending : std::uint8_t {
        arrived,
        is_first,      ///< there is nothing before: the position stays
        is_last,       ///< there is nothing behind: the position stays
        not_found,     ///< `sought` is in no cycle from `from` to `last`: the position stays
        no_diagnostic, ///< none comes after `from`: the position stays
        interrupted,   ///< before the search was over: the position stays
        unchanged,     ///< what is watched changes no more: the position is the last cycle
    };
    ending how = ending::arrived;
    std::optional<cycle_answer> place; ///< the present cycle, for arrived, interrupted and unchanged
    std::vector<value_answer> changed; ///< what is watched and has another value than before the move
    std::string sought;                ///< "row 3"
    std::int64_t from = 0, last = 0;   ///< cycles
};

/// Who gave one lane of a register or of Dst its value.
struct writer_answer {
    struct writer {
        executed_instruction by;
        std::int64_t visible = 0;        ///< the first cycle that sees it
        std::optional<std::int64_t> row; ///< for which it was issued
    };
    value_answer value;           ///< one lane of one row
    std::optional<writer> writer; ///< nothing if it has the value of the start
};

/// When the flag of a lane changed. Flags have no single writer: the instructions of that cycle are told.
struct flag_answer {
    unsigned lane = 0;
    std::optional<std::int64_t>
        changed; ///< at the end of that cycle; nothing if it has the value of the start
    std::vector<executed_instruction> candidates; ///< of the simple unit, in that cycle
};

/// Lines of the kernel's file.
struct source_answer {
    std::string file;
    std::int64_t lines_in_file = 0;
    std::int64_t marked = 0; ///< the line in question, 0 if there is none
    std::int64_t first = 1;  ///< the number of lines[0]
    std::vector<std::string> lines;
};

struct diagnostics_answer {
    std::vector<placed_diagnostic> first; ///< in order of time
    std::uint64_t count = 0;              ///< of all
};

} // namespace sfpu::analysis::debug
