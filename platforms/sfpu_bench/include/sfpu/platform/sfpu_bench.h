// The smallest platform: a kernel player, one vector unit and its Dst. Elaborated once, used for many runs.
#pragma once

#include <sfpu/platform/program_runner.h>

#include <memory>
#include <vector>

namespace sfpu {
class socket_binder;
} // namespace sfpu

namespace sfpu::platform {

/// Results do not depend on the global quantum, speed does: with the default of zero the player synchronises
/// after every word. sfpusim sets 10 us.
class sfpu_bench final : public program_runner {
public:
    /// `by` binds the player to the unit (sfpu/common/socket_binder.h); may be null.
    explicit sfpu_bench(socket_binder* by = nullptr);
    ~sfpu_bench() override;
    sfpu_bench(const sfpu_bench&) = delete;
    sfpu_bench& operator=(const sfpu_bench&) = delete;

    /// Resets everything, plays the program through the TLM sockets and drains the macros (T19).
    run_result run(const run_request& request) override;
    /// The same for several benches at the same simulated time. All must exist before the first run of any.
    static std::vector<run_result> run_together(const std::vector<sfpu_bench*>& benches,
                                                const run_request& request);

    const isa::vector_state& state() const override;
    const isa::thread_state& thread(unsigned number) const override;
    using program_runner::thread;
    const dst_image& dst() const override;
    void read_dst(dst_image& image) const override;

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::platform
