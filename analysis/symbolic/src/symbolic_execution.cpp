#include <sfpu/analysis/symbolic_execution.h>

#include "symbolic_unit.h"

#include <sfpu/analysis/term_values.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <map>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr const char* out_of_time = "its terms were not made: the time was up";

/// Hands the events of a run to the symbolic unit.
class event_reader : public probe::pipeline_observer {
public:
    event_reader(symbolic_unit& unit, const platform::program_runner& runner,
                 const std::function<bool()>& interrupted)
        : unit_(unit), runner_(runner), interrupted_(interrupted) {}

    void executed(const probe::execution_event& event) override {
        if (unit_.unknown.empty() && interrupted_ && interrupted_()) unit_.unknown = out_of_time;
        const isa::instruction& insn = event.insn;
        const bool is_store = insn.is(isa::opcode::sfpstore);
        if (!is_store && !insn.is(isa::opcode::sfpload) && !insn.is(isa::opcode::sfploadmacro))
            return unit_.execute(event, 0, {});
        const isa::backend_configuration& backend = runner_.thread(event.thread).backend();
        const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
        const bool wide =
            is_store ? isa::dst_mode::store_is_32_bit(mode) : isa::dst_mode::load_is_32_bit(mode);
        unit_.execute(event, mode, slice_at(event.dst_address, wide, backend.rows));
    }

private:
    symbolic_unit& unit_;
    const platform::program_runner& runner_;
    const std::function<bool()>& interrupted_;
};

/// What a variable was in the run on data.
lanes value_in(const platform::run_request& request, const term_variable& of) {
    const auto cell = [&](unsigned place) -> std::uint32_t {
        const platform::dst_row* const row = request.dst_rows.find(place / 16);
        return row ? (*row)[place % 16] : 0;
    };
    const unsigned lane = of.place % lane_count;
    switch (of.kind) {
    case variable_kind::dst:
        return broadcast(cell(of.place) << 16 | cell((of.place + lower_half_distance * 16) % symbolic_cells));
    case variable_kind::lreg: return broadcast(request.state.lreg[of.place / lane_count][lane]);
    case variable_kind::random: return broadcast(request.state.prng[lane]);
    case variable_kind::shuffle_source: return broadcast(request.state.shuffle_source[lane]);
    case variable_kind::input: break;
    }
    return {};
}

/// Whether the terms are what the model computed; "" or where not. Inputs in other places are not known here:
/// `start` says where they lie.
std::string difference_from_model(const platform::program_runner& runner,
                                  const platform::run_request& request, const term_pool& pool,
                                  const std::vector<term>& cells, const std::vector<term>& start) {
    const auto cell_of = [&](unsigned at) -> std::uint32_t {
        const platform::dst_row* const row = request.dst_rows.find(at / 16);
        return row ? (*row)[at % 16] : 0;
    };
    std::map<std::uint32_t, std::uint32_t> inputs; // by place
    for (unsigned at = 0; at < start.size(); ++at) {
        if (start[at] == no_term) continue;
        const term_pool::node& half = pool.at(start[at]);
        inputs[pool.variable_of(pool.argument(start[at], 0)).place] |=
            half.moved < 0 ? cell_of(at) << 16 : cell_of(at);
    }
    term_values values(pool, [&](const term_variable& of) {
        return of.kind == variable_kind::input ? broadcast(inputs[of.place]) : value_in(request, of);
    });
    for (unsigned at = 0; at < symbolic_cells; ++at) {
        if (cells[at] == no_term) continue;
        const std::uint32_t computed = runner.dst()[at / 16][at % 16];
        if (values.of(cells[at])[0] != computed)
            return fmt::format("the terms are not what the model computes (storage row {}, column {})",
                               at / 16, at % 16);
    }
    return "";
}

} // namespace

term initial_cell(term_pool& pool, unsigned cell) {
    constexpr unsigned lower = lower_half_distance * 16;
    const term pair = pool.variable(variable_kind::dst, cell & ~lower);
    return (cell & lower) ? pool.keep(pair, 0xffffu) : pool.route(pair, -16);
}

symbolic_run run_on_terms(platform::program_runner& runner, const platform::run_request& given,
                          term_pool& pool, const std::vector<term>& start, computed_lanes which,
                          const std::function<bool()>& interrupted) {
    platform::run_request request = given;
    request.diagnostics = nullptr;
    request.hazards = hazard_policy::off;
    symbolic_unit unit(pool, request, start, which);
    event_reader reader(unit, runner, interrupted);
    request.observer = &reader;
    request.asks_reach = true;
    const platform::question_reach reach = runner.run(request).reach;
    unit.finish();
    if (unit.unknown.empty()) unit.unknown = difference_from_model(runner, request, pool, unit.cells, start);
    return {unit.unknown,       std::move(unit.cells), unit.uses_random,
            unit.order_matters, unit.knows_its_lane,   reach};
}

} // namespace sfpu::analysis
