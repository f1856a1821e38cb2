// How the front end of a thread reaches the core of a vector unit: by calls.
#pragma once

#include <sfpu/frontend/surroundings.h>
#include <sfpu/vector_unit/vector_unit_core.h>

#include <cstdint>
#include <string>

namespace sfpu::platform {

class core_port final : public frontend::surroundings {
public:
    core_port(vector_unit_core& unit, std::uint8_t thread) : unit_(unit) { order_.thread = thread; }

    unsigned issue(const frontend::word_run& run, cycles start, cycles end, cycles* issued) override {
        fill_order(run, start, issued);
        order_.end = end;
        unit_.issue().push_ordered(0, bytes_of(run), run.count, order_);
        return order_.taken;
    }
    unsigned foresee(const frontend::word_run& run, cycles start, cycles* issued) override {
        fill_order(run, start, issued);
        return unit_.issue().foresee(bytes_of(run), run.count, order_);
    }
    cycles issue_cycle(std::uint32_t word, cycles start) const override {
        return unit_.issue().issue_cycle(word, start);
    }
    void hold_back(std::uint32_t word, std::int64_t index, cycles from, cycles until) override {
        unit_.issue().hold_back(word, index, order_.thread, from, until);
    }
    bool vector_unit_busy(cycles at) override {
        bring_to(at);
        return unit_.is_working();
    }
    bool vector_unit_moves(cycles at) override {
        bring_to(at);
        return unit_.moves();
    }
    const isa::thread_state* thread_state() const override {
        unit_.issue().complete();
        return &unit_.state().threads[order_.thread];
    }
    void report(report_id id, cycles at, std::int64_t index, const std::string& message) override {
        unit_.state().reporter.report(id, at, index, [&] { return message; });
    }

private:
    static const unsigned char* bytes_of(const frontend::word_run& run) {
        return reinterpret_cast<const unsigned char*>(run.words);
    }
    void fill_order(const frontend::word_run& run, cycles start, cycles* issued) {
        order_.start = start;
        order_.index = run.index;
        order_.index_step = static_cast<std::uint8_t>(run.index_step);
        order_.issued = issued;
    }
    void bring_to(cycles at) {
        unit_.issue().raise_watermarks(at);
        unit_.issue().advance_to(at);
    }

    vector_unit_core& unit_;
    word_order order_;
};

} // namespace sfpu::platform
