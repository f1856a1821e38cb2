#include <sfpu/platform/core_runner.h>

#include "core_port.h"

#include <sfpu/platform/engine.h>
#include <sfpu/platform/program_player.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sfpu::platform {

struct core_runner::implementation final : private word_port {
    platform::engine engine;
    dst_image image{};

    run_result run(const run_request& request);
    vector_unit_core& unit() { return engine.unit(); }

private:
    question_reach reach();
    void reset(const run_request& request);
    void wait(unsigned bubbles) override { at_ += cycles{bubbles}; }
    void push(const std::uint32_t* words, std::size_t count, cycles* start) override;

    core_port port_0_{engine.unit(), 0}, port_1_{engine.unit(), 1}, port_2_{engine.unit(), 2};
    program_player player_{*this, {&port_0_, &port_1_, &port_2_}};
    cycles at_{};                ///< of the next word
    std::size_t most_words_ = 0; ///< in one push
};

void core_runner::implementation::reset(const run_request& request) {
    std::string faults;
    for (const std::string& problem : request.config.problems())
        faults += (faults.empty() ? "" : "; ") + problem;
    if (!faults.empty()) throw std::invalid_argument(faults);
    engine.watch_dst(request.asks_reach);
    engine.restart(request.config, {request.observer, request.diagnostics, request.hazards});
    unit_state& state = unit().state();
    state.start_from(request.state);
    for (unsigned number = 0; number < isa::thread_count; ++number)
        state.threads[number] = request.thread_of(number);
    dst::dst_storage& storage = engine.dst().storage();
    if (const dst_image* whole = request.dst_rows.whole()) storage.fill(*whole);
    else
        for (const auto& [row, cells] : request.dst_rows) storage.set_row(row, cells);
    at_ = cycles{};
    constexpr std::size_t sure_to_fit = 1 << 20;
    most_words_ = request.words_per_push != 0 ? request.words_per_push : sure_to_fit;
}

void core_runner::implementation::push(const std::uint32_t* words, std::size_t count, cycles* start) {
    while (count != 0) {
        const std::size_t now = std::min(count, most_words_);
        at_ = unit().issue().push(0, reinterpret_cast<const unsigned char*>(words),
                                  static_cast<unsigned>(now), at_);
        if (start) *start = unit().issue().issue_of_push();
        start = nullptr;
        words += now;
        count -= now;
    }
}

/// Kinds of delays matter only if outstanding entries can differ in theirs: all that were expanded may be
/// outstanding together.
question_reach core_runner::implementation::reach() {
    const timing::delay_kinds& kinds = unit().issue().planner().library().kinds();
    return {kinds.depends_on_scope, kinds.any_counts_cycles && kinds.any_counts_instructions,
            engine.has_close_accesses()};
}

run_result core_runner::implementation::run(const run_request& request) {
    reset(request);
    run_result result;
    player_.play(request, result);
    unit().drain();
    engine.dst().settle();
    engine.dst().storage().copy_to(image);
    const cycles first = unit().issue().first_issue();
    result.first_issue = first.count() < 0 ? cycles{} : first;
    result.cycles_used = unit().cycles_used();
    result.last_cycle = unit().now() - one_cycle;
    result.counters = engine.counters();
    if (request.asks_reach) result.reach = reach();
    return result;
}

core_runner::core_runner() : impl_(std::make_unique<implementation>()) {}
core_runner::~core_runner() = default;

run_result core_runner::run(const run_request& request) { return impl_->run(request); }
const isa::vector_state& core_runner::state() const { return impl_->unit().state().vector; }
const isa::thread_state& core_runner::thread(unsigned number) const {
    return impl_->unit().state().threads[number];
}
const dst_image& core_runner::dst() const { return impl_->image; }
void core_runner::read_dst(dst_image& image) const { impl_->engine.dst().storage().copy_to(image); }

} // namespace sfpu::platform
