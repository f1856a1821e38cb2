#include <sfpu/platform/engine.h>

namespace sfpu::platform {

engine::engine(unsigned push_ports) : unit_(dst_, push_ports) {
    unit_.issue().may_put_off(); // dst() completes
    reset(parameters{});
}

engine::engine(const engine& other) : dst_((other.unit_.complete(), other.dst_)), unit_(other.unit_, dst_) {
    dst_.report_to(&unit_.state().reporter);
}

void engine::watch_dst(bool watches) {
    if (watches) unit_.move_to(watch_);
    else unit_.move_to(dst_);
    watches_dst_ = watches;
}

void engine::reset(const parameters& config, const unit_listeners& to) {
    unit_.reset(config, to);
    dst_.reset(config, &unit_.state().reporter);
    if (watches_dst_) watch_.reset();
}

void engine::restart(const parameters& config, const unit_listeners& to) {
    unit_.restart(config, to);
    dst_.reset(config, &unit_.state().reporter);
    if (watches_dst_) watch_.reset();
}

probe::unit_counters engine::counters() {
    probe::unit_counters all = unit_.state().counters;
    all.reports = unit_.state().reporter.counts();
    all.dst_reads = dst_.reads();
    all.dst_writes = dst_.writes();
    return all;
}

} // namespace sfpu::platform
