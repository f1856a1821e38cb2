// Who runs programs: on the core of the vector unit, or on SystemC modules. All give the same results, to the
// byte.
#pragma once

#include <sfpu/platform/program.h>

namespace sfpu::platform {

class program_runner {
public:
    program_runner() = default;
    program_runner(const program_runner&) = delete;
    program_runner& operator=(const program_runner&) = delete;
    virtual ~program_runner() = default;

    /// Resets everything, plays the program and drains the macros (T19).
    virtual run_result run(const run_request& request) = 0;

    /// State after the latest run.
    virtual const isa::vector_state& state() const = 0;
    /// `number`: 0 to 2.
    virtual const isa::thread_state& thread(unsigned number) const = 0;
    const isa::thread_state& thread() const { return thread(0); }
    virtual const dst_image& dst() const = 0;
    /// Dst storage as it is at this moment, for observers of a run. Stores that loads do not see yet are not
    /// there.
    virtual void read_dst(dst_image& image) const = 0;
};

} // namespace sfpu::platform
