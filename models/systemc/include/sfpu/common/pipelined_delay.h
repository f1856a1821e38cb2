// Which part of the delay of an access holds nothing up.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm>

namespace sfpu {

/// An ignorable extension of a payload. Who adds a latency to the delay of a transaction and can take the
/// next one meanwhile adds it here, too: an initiator that posts its writes goes on without waiting for it.
struct pipelined_delay : tlm::tlm_extension<pipelined_delay> {
    sc_core::sc_time delay;

    tlm::tlm_extension_base* clone() const override { return new pipelined_delay(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const pipelined_delay&>(other);
    }
};

/// Adds a latency that holds nothing up to the delay of a transaction.
inline void add_latency(const tlm::tlm_generic_payload& trans, sc_core::sc_time& delay,
                        const sc_core::sc_time& latency) {
    delay += latency;
    if (auto* const part = trans.get_extension<pipelined_delay>()) part->delay += latency;
}

} // namespace sfpu
