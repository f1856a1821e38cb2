// Which cells of Dst a run loads and stores, and which of its stores went to an instruction template.
#pragma once

#include <sfpu/analysis/tensor_layout.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Half rows of raw storage, of 1024 rows: row times 2, plus 1 for the odd columns.
using half_rows = std::bitset<std::size_t{2} * 1024>;

/// The half rows of a slice.
std::vector<std::size_t> half_rows_of(const dst_slice& slice);

/// What a run loads and stores, whatever the lane flags are. To be told of the run of `runner`.
class dst_access_recorder : public probe::pipeline_observer {
public:
    explicit dst_access_recorder(const platform::program_runner& runner) : runner_(runner) {}

    void executed(const probe::execution_event& event) override;

    half_rows loaded, stored;
    /// The first word whose bit 0 of the address was added to an odd counter.
    std::optional<std::int64_t> carried;

    /// An issued SFPSTORE that was written to an instruction template.
    struct template_store {
        cycles at{};
        std::int64_t word = -1; ///< index of the word
        isa::instruction insn;
    };
    /// Those that no SFPLOADMACRO of the run executed: nothing was stored. The first of equal words, in the
    /// order of the words' values.
    std::vector<template_store> lost_stores() const;

private:
    const platform::program_runner& runner_;
    std::map<std::uint32_t, template_store> template_stores_; ///< by the word
    std::set<std::uint32_t> scheduled_;                       ///< words of scheduled stores
};

/// What the values are that a mode of SFPLOAD or SFPSTORE moves; nothing for modes that move bits, and for
/// SRCB, which isa::resolve_srcb() resolves.
std::optional<isa::data_type> type_of_mode(unsigned mode);

/// A load or store of a run.
struct dst_access {
    std::int64_t word; ///< index of the word; of a scheduled store that of its SFPLOADMACRO
    unsigned address;  ///< resolved
    dst_slice slice;
    std::optional<isa::data_type> type;
    bool is_store;
    std::uint8_t mode;   ///< resolved
    bool follows_format; ///< the word says SRCB: the mode is that of the configuration
    cycles at{};         ///< the cycle of the access
};

/// Writes down the accesses of Dst that take effect, whatever the lane flags are.
class access_recorder : public probe::pipeline_observer {
public:
    explicit access_recorder(const isa::thread_state& thread) : thread_(thread) {}

    void executed(const probe::execution_event& event) override;

    std::vector<dst_access> found; ///< in the order of time

private:
    const isa::thread_state& thread_;
};

/// Whether a word may write an instruction template in place of storing: an SFPSTORE with VD of 12 to 15.
bool names_template_store(std::uint32_t word);

/// "sfpstore L12, FP32, 3, 0 becomes template 0, which nothing executes: nothing is stored"
std::string to_text(const dst_access_recorder::template_store& what, const isa::word_encoding& words);
/// "only 2 of the 4 rows of y are ever stored"
std::string partial_output_text(const std::string& name, unsigned stored, unsigned rows);

} // namespace sfpu::analysis
