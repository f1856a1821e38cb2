#include <sfpu/vector_unit/issue_unit.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/vector_unit/nonblocking_port.h>
#include <sfpu/vector_unit/push_payload.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu {

class issue_unit::push_port : public tlm::tlm_fw_transport_if<> {
public:
    push_port(issue_unit& owner, unsigned index, const char* name)
        : socket(name), owner_(owner), index_(index) {
        socket.bind(*this);
    }

    ~push_port() override {
        if (four_phases_) four_phases_->close();
    }

    tlm::tlm_target_socket<32> socket;

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override {
        const unsigned length = trans.get_data_length();
        auto* order = trans.get_extension<issue_order>();
        tlm::tlm_response_status status = check(trans);
        if (status == tlm::TLM_OK_RESPONSE && order && order->thread >= isa::thread_count)
            status = tlm::TLM_GENERIC_ERROR_RESPONSE;
        if (status != tlm::TLM_OK_RESPONSE) {
            trans.set_response_status(status);
            return;
        }
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        const cycles start = owner_.cycle_at(now + delay);
        const unsigned char* words = trans.get_data_ptr();
        const cycles done = order ? owner_.core_.push_ordered(index_, words, length / 4, *order)
                                  : owner_.core_.push(index_, words, length / 4, start);
        const sc_core::sc_time& until = owner_.time_of(done);
        if (until > now + delay) delay = until - now;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    static tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans) {
        const unsigned length = trans.get_data_length(), width = trans.get_streaming_width();
        const unsigned span = width == 0 ? length : std::min(length, width);
        const sc_dt::uint64 address = trans.get_address();
        const bool is_inside = address < push_window_bytes && span <= push_window_bytes - address;
        return is_inside && address % 4 == 0 ? check_push(trans) : tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    /// Made when it is needed: most initiators only call b_transport.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (!four_phases_)
            four_phases_ = nonblocking_port::make(
                [this](tlm::tlm_generic_payload& pushed, sc_core::sc_time& after) {
                    b_transport(pushed, after);
                },
                [this](tlm::tlm_generic_payload& pushed, tlm::tlm_phase& next, sc_core::sc_time& after) {
                    return socket->nb_transport_bw(pushed, next, after);
                });
        return four_phases_->forward(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    issue_unit& owner_;
    unsigned index_;
    std::shared_ptr<nonblocking_port> four_phases_;
};

issue_unit::issue_unit(const sc_core::sc_module_name& name, unit_state& state, plan_context& context,
                       unsigned push_ports)
    : sc_module(name), scheduler("scheduler_isock"), state_(state),
      core_(state, context, *this, module_argument(*this, "push ports", push_ports, 1, isa::thread_count)) {
    for (unsigned port = 0; port < core_.ports(); ++port)
        ports_.push_back(
            std::make_unique<push_port>(*this, port, fmt::format("insn_tsock_{}", port).c_str()));
}

issue_unit::~issue_unit() = default;

tlm::tlm_target_socket<32>& issue_unit::insn_tsock(unsigned port) {
    return module_socket(*this, "push port", ports_, port).socket;
}

void issue_unit::execute(const plan_order& order) {
    scheduler.message().order = order;
    scheduler.send();
}

void issue_unit::reset(bool is_heard) {
    core_.reset(is_heard);
    period_ =
        std::max(sc_core::sc_time(static_cast<double>(state_.machine.period_ps), sc_core::SC_PS),
                 sc_core::sc_get_time_resolution()); // never zero, see vector_unit::check_time_resolution()
    latest_cycle_ = cycles{};
    latest_time_ = epoch_;
}

cycles issue_unit::cycle_at(const sc_core::sc_time& time) const {
    if (time == latest_time_) return latest_cycle_;
    if (time <= epoch_) return cycles{};
    const sc_dt::uint64 since = (time - epoch_).value(), period = period_.value();
    const sc_dt::uint64 whole = since / period;
    const cycles at{static_cast<std::int64_t>(std::min(whole, sc_dt::uint64{1} << 62))};
    return std::min(at + cycles{since - whole * period != 0}, last_cycle_);
}

void issue_unit::set_epoch(const sc_core::sc_time& epoch) {
    epoch_ = latest_time_ = epoch;
    latest_cycle_ = cycles{};
    constexpr sc_dt::uint64 margin = sc_dt::uint64{1} << 32, most = sc_dt::uint64{1} << 61;
    const sc_dt::uint64 left = (sc_core::sc_max_time() - epoch).value() / period_.value();
    last_cycle_ = cycles{static_cast<std::int64_t>(std::min(left > margin ? left - margin : 0, most))};
}

/// Mostly it is the cycle after the one that was asked for last: adding is cheaper than converting.
inline const sc_core::sc_time& issue_unit::time_of(cycles cycle) {
    if (cycle == latest_cycle_ + one_cycle) latest_time_ += period_;
    else if (cycle != latest_cycle_)
        latest_time_ = epoch_ + sc_core::sc_time::from_value(period_.value() *
                                                             static_cast<sc_dt::uint64>(cycle.count()));
    latest_cycle_ = cycle;
    return latest_time_;
}

} // namespace sfpu
