#include "unit.h"

#include <sfpu/analysis/tensor_layout.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace sfpu::python {
namespace {

/// Units count cycles, but tell an end of time: that of the SystemC modules, which count picoseconds in 64
/// bits and need some of them for themselves.
std::int64_t last_cycle(const parameters& config) {
    constexpr std::uint64_t most = std::uint64_t{1} << 61, margin = std::uint64_t{1} << 33;
    const std::uint64_t counted = std::numeric_limits<std::uint64_t>::max() / config.period_ps();
    return static_cast<std::int64_t>(std::min(counted, most) - margin);
}

} // namespace

unit::unit(const std::string& arch, const std::vector<std::pair<std::string, std::string>>& settings) {
    std::vector<std::pair<std::string, std::string>> all{{"arch", arch}};
    all.insert(all.end(), settings.begin(), settings.end());
    for (const auto& [path, value] : all)
        if (const auto problem = set_parameter(config_, path, value)) throw std::invalid_argument(*problem);
    std::string faults;
    for (const std::string& problem : config_.problems()) faults += (faults.empty() ? "" : "\n") + problem;
    if (!faults.empty()) throw std::invalid_argument(faults);
    engine_ = std::make_unique<platform::engine>();
    begin();
}

unit::unit(const unit& other)
    : engine_(std::make_unique<platform::engine>(other.mine())), log_(other.log_), config_(other.config_),
      reported_(other.reported_), executed_(other.executed_), cycle_(other.cycle_), words_(other.words_) {
    engine_->listen({nullptr, &reported_, hazard_policy::warn});
    if (!other.watched_) return;
    watched_ = std::make_unique<platform::engine>(*other.watched_);
    watched_->listen({&executed_, nullptr, hazard_policy::warn});
}

platform::engine& unit::mine() const {
    if (!engine_) throw std::runtime_error("sfpu.Unit: this unit is closed");
    return *engine_;
}

void unit::reset() {
    mine();
    begin();
}

void unit::begin() {
    reported_ = {};
    executed_ = {};
    log_.clear();
    watched_.reset();
    cycle_ = words_ = 0;
    engine_->reset(config_, {nullptr, &reported_, hazard_policy::warn});
}

const std::vector<probe::execution_event>& unit::executions() {
    if (!log_.empty()) {
        if (!watched_) {
            watched_ = std::make_unique<platform::engine>();
            watched_->reset(config_, {&executed_, nullptr, hazard_policy::warn});
        }
        for (const unit_action& each : log_) perform(*watched_, each);
        log_.clear();
        if (!engine_) watched_.reset(); // nothing more will be done
    }
    return executed_.executions;
}

template <class Action>
void unit::act(Action action) {
    perform(mine(), action);
    log_.emplace_back(std::move(action));
}

/// Everything before the present cycle happens, and the stores are in place that its loads would see.
void unit::catch_up() {
    const passed_cycles now{cycle_};
    perform(mine(), now);
    auto* const before = log_.empty() ? nullptr : std::get_if<passed_cycles>(&log_.back());
    if (before) *before = now;
    else log_.emplace_back(now);
}

void unit::push(std::vector<std::uint32_t> words, unsigned thread, cycles* issued) {
    platform::engine& engine = mine();
    if (thread >= isa::thread_count) throw std::invalid_argument("sfpu.Unit.push: thread is not 0, 1 or 2");
    if (words.empty()) return;
    pushed_words action{cycle_, words_, thread, std::move(words)};
    perform(engine, action, issued);
    words_ += static_cast<std::int64_t>(action.words.size());
    cycle_ = issued[action.words.size() - 1].count() + 1;
    log_.emplace_back(std::move(action));
}

void unit::wait(std::int64_t count) {
    mine();
    if (count < 0) throw std::invalid_argument("sfpu.Unit.wait: the number of cycles is negative");
    const std::int64_t last = last_cycle(config_);
    if (count > last - cycle_)
        throw std::invalid_argument("sfpu.Unit.wait: found " + std::to_string(count) +
                                    " cycles behind cycle " + std::to_string(cycle_) +
                                    ", expected no cycle behind " + std::to_string(last));
    cycle_ += count;
    catch_up();
}

void unit::settle() {
    catch_up();
    while (mine().unit().moves()) {
        ++cycle_;
        catch_up();
    }
    ++cycle_; // a store of the last cycle is visible now
    catch_up();
}

const isa::vector_state& unit::state() {
    catch_up();
    return mine().unit().state().vector;
}

const isa::thread_state& unit::thread(unsigned number) {
    catch_up();
    return mine().unit().state().threads.at(number);
}

void unit::set_register(unsigned number, const lanes& values) {
    mine();
    if (words_ || cycle_)
        throw std::runtime_error("sfpu.Unit: state can be set before the first cycle only; reset() first");
    act(python::set_register{number, values});
}

const dst::dst_storage& unit::storage() {
    catch_up();
    return mine().dst().storage();
}

void unit::set_storage(const platform::dst_image& image) {
    catch_up();
    set_rows action;
    for (unsigned row = 0; row < dst::row_count; ++row) action.rows.emplace_back(row, image[row]);
    act(std::move(action));
}

namespace {

/// Throws if rows of typed data would lie on each other.
void check_rows(const char* call, unsigned address, isa::data_type type, std::size_t rows,
                const isa::thread_state& thread) {
    const auto shared =
        analysis::first_shared_place(address, static_cast<unsigned>(rows), isa::has_wide_cells(type), thread);
    if (shared) throw std::invalid_argument(call + (": " + analysis::to_text(*shared, type)));
}

} // namespace

std::vector<std::uint32_t> unit::read(unsigned address, isa::data_type type, unsigned rows) {
    platform::dst_image image{};
    storage().copy_to(image);
    const isa::thread_state& thread = mine().unit().state().threads[0];
    check_rows("Unit.read", address, type, rows, thread);
    std::vector<std::uint32_t> cells;
    for (unsigned row = 0; row < rows; ++row) {
        const analysis::dst_slice slice =
            analysis::slice_of_row(address, row, isa::has_wide_cells(type), thread);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            cells.push_back(analysis::read_cell(image, slice, lane));
    }
    return cells;
}

void unit::write(unsigned address, isa::data_type type, const std::vector<std::uint32_t>& cells) {
    const dst::dst_storage& to = storage();
    const isa::thread_state& thread = mine().unit().state().threads[0];
    check_rows("Unit.write", address, type, cells.size() / lane_count, thread);
    platform::dst_rows rows;
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            rows[row][column] = to.cell(row, column);
    for (std::size_t i = 0; i < cells.size(); ++i)
        analysis::write_cell(rows,
                             analysis::slice_of_row(address, static_cast<unsigned>(i / lane_count),
                                                    isa::has_wide_cells(type), thread),
                             static_cast<unsigned>(i % lane_count), cells[i]);
    set_rows action;
    for (const auto& [row, values] : rows) action.rows.emplace_back(row, values);
    act(std::move(action));
}

} // namespace sfpu::python
