// What direct accesses to a memory take, when that depends on the access.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm>

namespace sfpu {

/// A memory whose accesses meet others in time. Who reads or writes through its pointer tells it of each
/// access and gets the delay that b_transport would have added.
class direct_access_clock {
public:
    virtual ~direct_access_clock() = default;
    /// `place`: the first byte, inside the memory; `when`: the time of the access.
    virtual sc_core::sc_time note(const unsigned char* place, unsigned bytes, bool is_write,
                                  const sc_core::sc_time& when) = 0;
};

/// An ignorable extension of the payload with which direct access is asked for: the memory answers with its
/// clock, which lives as long as the pointer is valid. Who does not send it takes the latencies of the
/// descriptor.
struct direct_access_question : tlm::tlm_extension<direct_access_question> {
    direct_access_clock* clock = nullptr;

    tlm::tlm_extension_base* clone() const override { return new direct_access_question(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const direct_access_question&>(other);
    }
};

} // namespace sfpu
