// The words of a schedule's rows: which are issued in which cycle, and in which order within one.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/word_encoding.h>
#include <sfpu/optimizer/schedule.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// Lines of the plain kernel without what ends them.
std::vector<std::string> lines_of(const std::string& text);
/// A line without its comment and the blanks around it.
std::string without_comment(const std::string& line);
std::string trimmed(const std::string& text);
/// Whether an operand is one name or number and means this number behind all definitions of the kernel, too.
bool still_means(const isa::kernel& in, const std::string& operand, unsigned number);

/// Two issue slots: whether an instruction may be the first of two words in a cycle.
bool can_go_first(const isa::instruction& insn, architecture arch);
/// Whether an operation is issued as a word of the load sub-unit, as SFPLOADI is.
bool is_load_word(const node& operation);

/// What is issued in one cycle for one row: a load or an operation of the schedule, by index.
struct issued_item {
    unsigned time = 0;
    int load = -1, operation = -1;
};

/// An item for one row: `copy` says which of the rotating rows, `rows` how far its addresses are ahead of the
/// counter.
struct placed_item {
    issued_item item;
    unsigned copy = 0;
    int rows = 0;
    bool steps = false; ///< moves the Dst counter
    int advanced = 0;   ///< by how much the counter has moved in this iteration before it
};

/// The numbers of two address modifiers: one that leaves the Dst counter, one that moves it by a row.
struct row_address_modes {
    unsigned stay = 0, step = 0;
};

/// What the plain kernel calls its address modifiers, and the registers that have the same number in every
/// schedule.
class source_names {
public:
    source_names() = default; ///< none
    /// `source` holds the lines of the plain kernel.
    source_names(const graph& of, const isa::kernel& plain, const std::vector<std::string>& source);
    /// The operands of an instruction by their names.
    std::string in(const std::string& text) const;

private:
    std::map<std::string, std::string> names_; ///< by what the disassembler writes
};

class row_words {
public:
    /// All must live as long as this; `source` holds the lines of the plain kernel.
    row_words(const graph& of, const schedule& found, const isa::kernel& plain,
              const std::vector<std::string>& source, const isa::word_encoding& encoding, source_names names);

    std::vector<issued_item> items() const;
    bool is_load(const issued_item& item) const;
    bool is_access(const issued_item& item) const; ///< to Dst

    struct written_word {
        std::uint32_t word = 0;
        std::string address; ///< of an access, as the source writes it
    };
    written_word word_of(const placed_item& placed, row_address_modes modes) const;

    const source_names& names() const { return names_; }
    const isa::word_encoding& encoding() const { return encoding_; }

    /// The words of a cycle in their order: loads first if that may be.
    void put_in_order(std::vector<placed_item>& cycle) const;

    /// The address of a node as the source writes it, moved by whole rows.
    std::string address_text(const node& n, unsigned address) const;

private:
    unsigned moved_address(const node& n, const placed_item& placed) const;
    const node& operation_of(const issued_item& item) const;
    std::uint32_t access_word(std::uint8_t op, unsigned lreg, const node& n, unsigned mode,
                              unsigned address) const;
    std::uint32_t operation_word(const placed_operation& o, unsigned copy) const;
    bool may_follow_at_once(const placed_item& first, const placed_item& second) const;

    const graph& graph_;
    const schedule& found_;
    const isa::kernel& plain_;
    const std::vector<std::string>& source_;
    const isa::word_encoding& encoding_;
    source_names names_;
};

/// A schedule without parts that do nothing: a macro that schedules nothing is a load, and a load that
/// schedules nothing goes if nobody reads a register of it. `drop_loads`: not where words of a cycle count
/// on each other.
schedule without_idle_parts(schedule found, const graph& of, bool drop_loads);

/// The directive that stands for these words of a set-up; empty if there is none.
std::string setup_directive(const std::vector<std::uint32_t>& words, const isa::word_encoding& encoding);
/// The same for an instruction word that writes a template through the backdoor, with `_` for the operand
/// that each load gives. `vb_is_loaded`: that is VB, else VC.
std::string template_directive(std::uint32_t word, bool vb_is_loaded, const isa::word_encoding& encoding);

/// The table of the pipeline at the head of a kernel, as comments.
std::string pipeline_table(const graph& of, const schedule& found, const row_words& words,
                           const isa::machine& machine);

} // namespace sfpu::optimizer
