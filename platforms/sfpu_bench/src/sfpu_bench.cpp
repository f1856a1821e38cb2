#include <sfpu/platform/sfpu_bench.h>

#include "kernel_player.h"

#include <sfpu/common/socket_binder.h>
#include <sfpu/dst/dst_memory.h>
#include <sfpu/platform/simulate.h>
#include <sfpu/vector_unit/unit_counters.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <fmt/format.h>

#include <systemc>

#include <exception>
#include <string>

namespace sfpu::platform {
namespace {

/// "bench", "bench_0", "bench_1": the first that no object has. Names of benches that are gone are given
/// again, because SystemC keeps a note of each name for ever.
std::string free_name() {
    std::string name = "bench";
    for (unsigned number = 0; sc_core::sc_find_object(name.c_str()); ++number)
        name = fmt::format("bench_{}", number);
    return name;
}

} // namespace

struct sfpu_bench::implementation : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu"};
    kernel_player player{"player", sfpu};
    std::unique_ptr<dst_image> image; ///< of the latest run, once somebody has asked for it

    explicit implementation(socket_binder* by) : sc_module(sc_core::sc_module_name(free_name().c_str())) {
        bind_sockets(by, player.insn_isock, sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        dst.attach(sfpu);
    }

    void reset(const run_request& request);
    void complete(run_result& result);
    void copy_dst(dst_image& to) const;
};

void sfpu_bench::implementation::reset(const run_request& request) {
    sfpu.reset(request.config, {request.observer, request.diagnostics, request.hazards});
    dst.reset(request.config, &sfpu.state().reporter);
    sfpu.state().start_from(request.state);
    for (unsigned number = 0; number < isa::thread_count; ++number)
        sfpu.state().threads[number] = request.thread_of(number);
    dst::dst_storage& storage = dst.storage();
    for (const auto& [row, cells] : request.dst_rows) storage.set_row(row, cells);
}

sfpu_bench::sfpu_bench(socket_binder* by) : impl_(std::make_unique<implementation>(by)) {}
sfpu_bench::~sfpu_bench() = default;

void sfpu_bench::implementation::copy_dst(dst_image& to) const { dst.storage().copy_to(to); }

/// Fills in what is known after the simulation.
void sfpu_bench::implementation::complete(run_result& result) {
    dst.settle();
    image.reset();
    const cycles first = sfpu.issue().first_issue();
    result.first_issue = first.count() < 0 ? cycles{} : first;
    result.cycles_used = sfpu.cycles_used();
    result.last_cycle = sfpu.now() - one_cycle;
    result.counters = counters_of(sfpu, dst);
}

run_result sfpu_bench::run(const run_request& request) { return run_together({this}, request).front(); }

std::vector<run_result> sfpu_bench::run_together(const std::vector<sfpu_bench*>& benches,
                                                 const run_request& request) {
    std::vector<run_result> results(benches.size());
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION) simulate(sc_core::SC_ZERO_TIME);
    for (std::size_t i = 0; i < benches.size(); ++i) {
        benches[i]->impl_->reset(request);
        benches[i]->impl_->player.start(request, results[i]);
    }
    simulate(); // until the players wait for the next program
    for (const sfpu_bench* bench : benches)
        if (const std::exception_ptr failure = bench->impl_->player.failure())
            std::rethrow_exception(failure);
    for (std::size_t i = 0; i < benches.size(); ++i) benches[i]->impl_->complete(results[i]);
    return results;
}

const isa::vector_state& sfpu_bench::state() const { return impl_->sfpu.state().vector; }
const isa::thread_state& sfpu_bench::thread(unsigned number) const {
    return impl_->sfpu.state().threads[number];
}
const dst_image& sfpu_bench::dst() const {
    if (!impl_->image) {
        impl_->image = std::make_unique<dst_image>();
        impl_->copy_dst(*impl_->image);
    }
    return *impl_->image;
}
void sfpu_bench::read_dst(dst_image& image) const { impl_->copy_dst(image); }

} // namespace sfpu::platform
