// The protocol between the vector unit and Dst: one transaction moves one slice of 4 rows x 8 columns, 32
// cells.
//
// The payload's data are 32 words of 32 bits (struct lanes), data length 128; READ loads, WRITE stores. The
// cells of a slice are strided, so they are no byte range: the mandatory extension says where they are. The
// absolute cycle is in the extension too, because the vector unit may act in the past of sc_time_stamp().
// Since the extension is mandatory, the payload type of the protocol contains it.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/dst/slice_memory.h>

#include <tlm>

namespace sfpu::dst {

struct slice_extension : tlm::tlm_extension<slice_extension>, dst::slice {
    tlm::tlm_extension_base* clone() const override { return new slice_extension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const slice_extension&>(other);
    }
};

/// A generic payload that always carries the extension. A target may read the member, or ask for the
/// extension like any other.
class slice_payload : public tlm::tlm_generic_payload {
public:
    slice_payload() {
        set_data_length(sizeof(lanes));
        set_streaming_width(sizeof(lanes));
        set_extension(&slice);
    }
    ~slice_payload() override { clear_extension(&slice); }
    slice_payload(const slice_payload&) = delete;
    slice_payload& operator=(const slice_payload&) = delete;

    slice_extension slice;
};

struct slice_protocol_types {
    using tlm_payload_type = slice_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

constexpr unsigned slice_bus_width = 1024;

using slice_initiator_socket = tlm::tlm_initiator_socket<slice_bus_width, slice_protocol_types>;
using slice_target_socket = tlm::tlm_target_socket<slice_bus_width, slice_protocol_types>;
using slice_fw_if = tlm::tlm_fw_transport_if<slice_protocol_types>;
using slice_bw_if = tlm::tlm_bw_transport_if<slice_protocol_types>;

/// A model that may lag behind simulated time and can be brought to it.
class lagging_model {
public:
    virtual ~lagging_model() = default;
    /// Simulates everything that happens before `until`, as far as its inputs are known. Returns the cycle of
    /// its clock that begins then, or the next one.
    virtual cycles catch_up(const sc_core::sc_time& until) = 0;
    /// Does what it has accepted and only put off: nothing moves on in time. Who shows what the model acts on
    /// calls it first.
    virtual void complete() {}
    /// Somebody promises that. A model that nobody has promised it puts nothing off.
    virtual void may_put_off() {}
};

} // namespace sfpu::dst
