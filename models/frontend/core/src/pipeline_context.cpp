#include <sfpu/frontend/pipeline_context.h>

#include <sfpu/isa/machine.h>

namespace sfpu::frontend {

void pipeline_context::reset(const parameters& config, unsigned thread, surroundings& around,
                             probe::pipeline_observer* observer) {
    counters = {};
    thread_ = thread;
    arch_ = config.arch;
    encoding_ = isa::make_machine(config).encoding();
    around_ = &around;
    observer_ = observer;
}

void pipeline_context::take_state(const pipeline_context& other) {
    surroundings* const around = around_;
    probe::pipeline_observer* const observer = observer_;
    *this = other;
    around_ = around;
    observer_ = observer;
}

void pipeline_context::publish(const char* lane, const char* kind, cycles begin, cycles end,
                               std::string_view text) const {
    probe::activity_event event;
    event.begin = begin;
    event.end = end;
    event.unit = probe::tile_unit::front_end;
    event.instance = static_cast<std::uint8_t>(thread_);
    event.lane = lane;
    event.kind = kind;
    event.text = text;
    observer_->acted(event);
}

} // namespace sfpu::frontend
