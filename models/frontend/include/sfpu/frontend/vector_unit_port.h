// How words reach a vector unit: an initiator that lags behind simulated time.
#pragma once

#include <sfpu/frontend/surroundings.h>
#include <sfpu/frontend/timed_writes.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm>

namespace sfpu::frontend {

/// The surroundings of a thread_pipeline in a simulation. Words go through the socket, with their absolute
/// cycles in an issue_order; the annotated time is that cycle or the present, whichever is later.
class vector_unit_port : public surroundings {
public:
    /// `thread`: whose words they are.
    vector_unit_port(tlm::tlm_initiator_socket<32>& socket, vector_unit& unit, unsigned thread = 0);
    ~vector_unit_port() override { trans_.clear_extension(&order_); }
    vector_unit_port(const vector_unit_port&) = delete;
    vector_unit_port& operator=(const vector_unit_port&) = delete;

    /// Cycle 0 is this time.
    void reset(const sc_core::sc_time& epoch, const parameters& config);
    /// Writes that have to be done between the words.
    void set_timed_writes(timed_writes* writes) { writes_ = writes; }
    /// The unit comes to this time, and so do the writes.
    void bring_unit_to(const sc_core::sc_time& time);
    const sc_core::sc_time& period() const { return period_; }
    sc_core::sc_time time_of(cycles at) const {
        return epoch_ +
               sc_core::sc_time::from_value(period_.value() * static_cast<sc_dt::uint64>(at.count()));
    }

    unsigned issue(const word_run& run, cycles start, cycles end, cycles* issued) override;
    unsigned foresee(const word_run& run, cycles start, cycles* issued) override;
    cycles issue_cycle(std::uint32_t word, cycles start) const override;
    void hold_back(std::uint32_t word, std::int64_t index, cycles from, cycles until) override;
    bool vector_unit_busy(cycles at) override;
    bool vector_unit_moves(cycles at) override;
    bool has_backend() const override { return has_backend_; }
    const isa::thread_state* thread_state() const override { return &unit_.state().threads[order_.thread]; }
    void report(report_id id, cycles at, std::int64_t index, const std::string& message) override;

private:
    unsigned send(const word_run& run, cycles start, cycles end, cycles* issued);
    static unsigned char* bytes_of(const word_run& run) {
        return reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(run.words));
    }

    tlm::tlm_initiator_socket<32>& socket_;
    vector_unit& unit_;
    timed_writes* writes_ = nullptr;
    tlm::tlm_generic_payload trans_;
    issue_order order_;
    sc_core::sc_time epoch_, period_;
    bool has_backend_ = false;
};

} // namespace sfpu::frontend
