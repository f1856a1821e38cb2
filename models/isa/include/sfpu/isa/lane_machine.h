// Executes single instructions on architectural state, without time.
//
// What the tests of the semantics use, and whoever wants the results of a program and not its cycles.
#pragma once

#include <sfpu/isa/execution.h>
#include <sfpu/isa/table.h>
#include <sfpu/isa/thread_state.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::isa {

/// One vector unit, one thread and one Dst. Each word takes effect completely before the next one starts, as
/// if every latency were one cycle and nothing stalled. SFPLOADMACRO only loads.
class lane_machine {
public:
    explicit lane_machine(const word_encoding& words) : words_(words) { thread.reset(words.arch); }

    vector_state state;
    thread_state thread;
    /// Raw Dst storage: 1024 rows of 16 cells of 16 bits.
    std::array<std::array<std::uint16_t, 16>, 1024> dst{};

    architecture arch() const { return words_.arch; }

    /// Whether full-width results may be written straight to the register, see execution::direct.
    void write_directly(bool yes) { direct_ = yes; }
    /// Executes with the semantics of other rows than those of instruction_table().
    void use_rows(const std::vector<const row*>& rows) { rows_ = &rows; }

    void execute(std::uint32_t word) { execute(decode(word, words_)); }
    /// Also takes instructions that were changed after decoding, as a macro does.
    void execute(instruction insn);

    /// The bits of execution_report of all instructions so far.
    std::uint32_t reports() const { return reports_; }

    /// One cell as a load of the given width sees it: a 16-bit cell zero-extended, or a 32-bit cell with the
    /// high half on top. `row` counts rows of that view; 32-bit views of different rows may share storage.
    std::uint32_t cell(unsigned row, unsigned column, bool wide) const;
    void set_cell(unsigned row, unsigned column, bool wide, std::uint32_t value);

private:
    const row* semantics(const instruction& insn) const;
    void access_dst(execution& x, const instruction& insn);
    void commit(const write_set& writes);

    word_encoding words_;
    bool direct_ = false;
    const std::vector<const row*>* rows_ = nullptr;
    std::uint32_t reports_ = 0;
};

} // namespace sfpu::isa
