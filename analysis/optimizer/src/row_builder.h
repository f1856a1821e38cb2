// How the row of a plain kernel becomes a graph: what the files of the data flow share.
#pragma once

#include "semantics_probe.h"

#include <sfpu/dst/dst_storage.h>
#include <sfpu/optimizer/dataflow.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// A register field of an instruction.
std::uint8_t& field_of(isa::instruction& insn, unsigned which);

/// Which fields an instruction reads and writes, and which registers it reads and writes whatever its fields
/// say.
struct field_use {
    std::array<bool, field_count> reads{}, writes{};
    isa::register_set fixed_reads = 0, fixed_writes = 0;
    bool indirect = false; ///< a register's contents say which register is meant
};

/// Why a word of another unit cannot stand in a row.
std::string not_of_a_row(std::uint32_t word, architecture arch);

/// INDIRECT_VD: the contents of L7 say where the result goes.
bool writes_by_number(const isa::instruction& insn);

field_use use_of(const isa::instruction& insn, architecture arch);

/// The form of a word; its register fields mean nothing. Operands are left open.
form make_form(std::uint32_t word, const isa::machine& machine);

class row_builder {
public:
    /// Cells of Dst as it is stored, by row and parity of columns.
    using cells = std::bitset<dst::row_count * 2>;

    row_builder(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                bool lanes_start_enabled, const graph_options& options)
        : plain_(plain), machine_(machine), words_(plain.words), begin_(thread), thread_(thread),
          options_(options), probe_(plain.words), lanes_start_enabled_(lanes_start_enabled) {}

    graph build();

private:
    class renaming;

    [[noreturn]] void refuse(const isa::source_word& at, const std::string& why) const;
    /// Dst addresses of the loop's accesses, and the counter's step.
    void follow_addresses();
    /// Instructions of the row, without those that only fill time or count.
    void collect();
    /// Versions of the lane flags. Samples of the state show which of them leave every lane on.
    void follow_flags();
    /// INDIRECT_VA, INDIRECT_VD: registers that the low bits of L7 can name at a place in the row, by trying
    /// values. A bit that is never set is taken for one that never is, and one that always is for one that
    /// always is. General ones only if there is one among them.
    isa::register_set registers_named_by_l7(std::size_t at);
    /// INDIRECT_VD: general registers that the result may go to.
    isa::register_set results_named_by_l7(std::size_t at);
    /// General registers that the row only ever sets to one constant, before it reads them.
    isa::register_set set_to_one_constant();
    /// Executes what `.init` has for registers.
    void run_init(isa::vector_state& state);
    /// What a general register that the loop does not write holds in all lanes, if `.init` says so.
    std::optional<std::uint32_t> constant_of_init(const operand& o);
    /// Whether something reads what an instruction of the plain row leaves in a register.
    bool read_later(std::size_t at, unsigned lreg) const;
    bool partial(const node& n) const { return n.reads_flags && !graph_.all_on[n.version]; }
    int add_value(int node_index, int index);
    /// Who holds what: registers become values.
    void rename();
    /// The ways to execute a node: the plain one first.
    std::vector<form> forms_of(const node& n, const form& plain);
    /// Where every reader of a value has the same lanes off, the old contents of those lanes do not matter.
    void drop_needless_merges();
    void drop_unused();
    void mark_effects();
    /// Users of random numbers, if the row or the code behind the loop takes any.
    void find_random();
    /// One behind the other, as the plain kernel has them, from row to row too.
    void order_random();
    void order_memory();
    cells cells_of(const node& access, unsigned row) const;
    cells cells_of(const std::vector<isa::tensor>& tensors) const;
    /// What loads and stores among words touch, whatever their width, from a state of the thread on.
    cells cells_of(const std::vector<isa::source_word>& words, isa::thread_state thread) const;
    isa::thread_state behind_the_loop() const;
    bool in_all_lanes(const node& n) const;
    /// LaneConfig may block lanes of loads and stores, exchange columns and take addresses from a register.
    bool sets_lane_config() const;
    /// A load or store of 32 bits as they are, in all lanes.
    bool keeps_all_bits(const node& n) const;
    /// Loads of what a store of the row has put there bring another copy of the value that was stored; a
    /// store is optional if the kernel declares its outputs and only such loads read it.
    void look_through_dst();
    /// Offers to store values that live long in cells that nobody uses, and to load them again.
    void offer_spills();
    std::string spill_problem() const;
    /// Values in the order in which storing them aside would help, by how long they wait for their last
    /// reader.
    std::vector<int> values_that_wait() const;
    /// An address whose cells nobody uses in any row.
    std::optional<unsigned> free_cells() const;
    /// Sums of three and more, which may be added in any order.
    void find_chains();

    const isa::kernel& plain_;
    const isa::machine& machine_;
    isa::word_encoding words_;
    isa::thread_state begin_, thread_, start_; ///< where .init begins, now, where the loop begins
    graph_options options_;
    semantics_probe probe_;
    bool lanes_start_enabled_;
    graph graph_;
    std::vector<unsigned> addresses_;
    std::vector<observed_effects> effects_;
    std::map<int, int> writer_moved_;
    std::vector<isa::instruction> all_; ///< of the row, in order
};

} // namespace sfpu::optimizer
