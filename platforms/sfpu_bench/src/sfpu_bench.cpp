#include <sfpu/platform/sfpu_bench.h>

#include "kernel_player.h"

#include <sfpu/dst/dst_memory.h>
#include <sfpu/platform/simulate.h>
#include <sfpu/platform/unit_counters.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>

namespace sfpu::platform {

struct sfpu_bench::implementation {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu"};
    kernel_player player{"player", sfpu};
    dst_image image{};

    implementation() {
        player.insn_isock.bind(sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        dst.attach(sfpu);
    }

    void reset(const run_request& request);
};

void sfpu_bench::implementation::reset(const run_request& request) {
    sfpu.reset(request.config, {request.observer, request.diagnostics, request.hazards});
    dst.reset(request.config, &sfpu.lregs().reporter);
    const std::uint64_t version = sfpu.lregs().state.macro_version;
    sfpu.lregs().state = request.state;
    sfpu.lregs().state.macro_version = version + 1;
    sfpu.lregs().thread = request.thread;
    for (const auto& [row, cells] : request.dst_rows)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            dst.storage().set_cell(row, column, cells[column]);
}

sfpu_bench::sfpu_bench() : impl_(std::make_unique<implementation>()) {}
sfpu_bench::~sfpu_bench() = default;

run_result sfpu_bench::run(const run_request& request) {
    run_result result;
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) simulate(sc_core::SC_ZERO_TIME);
    impl_->reset(request);
    impl_->player.start(request, result);
    simulate(); // until the player waits for the next program
    impl_->dst.settle();
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            impl_->image[row][column] = impl_->dst.storage().cell(row, column);
    const cycles first = impl_->sfpu.issue().first_issue();
    result.first_issue = first.count() < 0 ? cycles{} : first;
    result.cycles_used = impl_->sfpu.cycles_used();
    result.last_cycle = impl_->sfpu.scheduler().now() - one_cycle;
    result.counters = counters_of(impl_->sfpu, impl_->dst);
    return result;
}

const isa::vector_state& sfpu_bench::state() const { return impl_->sfpu.lregs().state; }
const isa::thread_state& sfpu_bench::thread() const { return impl_->sfpu.lregs().thread; }
const dst_image& sfpu_bench::dst() const { return impl_->image; }

} // namespace sfpu::platform
