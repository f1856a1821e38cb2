// Runs programs on the core of the vector unit, without SystemC. Plain C++.
#pragma once

#include <sfpu/platform/program_runner.h>

#include <memory>

namespace sfpu::platform {

class engine;

/// One run at a time; as many runners as there are threads may run at once.
class core_runner final : public program_runner {
public:
    core_runner();
    ~core_runner() override;

    /// Parameters with problems() are a std::invalid_argument that names them.
    run_result run(const run_request& request) override;

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
