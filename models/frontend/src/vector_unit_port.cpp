#include <sfpu/frontend/vector_unit_port.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {

vector_unit_port::vector_unit_port(tlm::tlm_initiator_socket<32>& socket, vector_unit& unit, unsigned thread)
    : socket_(socket), unit_(unit) {
    trans_.set_command(tlm::TLM_WRITE_COMMAND);
    trans_.set_address(0);
    trans_.set_streaming_width(4);
    trans_.set_extension(&order_);
    order_.thread = static_cast<std::uint8_t>(thread);
}

void vector_unit_port::reset(const sc_core::sc_time& epoch, const parameters& config) {
    epoch_ = epoch;
    has_backend_ = unit_.state().around != nullptr;
    period_ = sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
}

void vector_unit_port::bring_unit_to(const sc_core::sc_time& time) {
    if (writes_) writes_->write_until(unit_.cycle_at(time) - one_cycle);
    unit_.catch_up(time);
}

/// Up to the next write, then the write, then on. A word that the unit holds is offered again with the cycle
/// in which it came: its stall is not cut in two.
unsigned vector_unit_port::issue(const word_run& run, cycles start, cycles end, cycles* issued) {
    if (!writes_) return send(run, start, end, issued);
    unsigned done = 0;
    while (start < end) {
        writes_->write_until(start);
        const cycles stop = std::min(end, writes_->next());
        const word_run rest{run.words + done, run.count - done,
                            run.index + std::int64_t{done} * run.index_step, run.index_step};
        done += send(rest, start, stop, issued + done);
        if (done == run.count || stop == end) break;
        if (done != 0) start = issued[done - 1] + one_cycle;
        writes_->write_until(stop);
    }
    return done;
}

unsigned vector_unit_port::send(const word_run& run, cycles start, cycles end, cycles* issued) {
    for (unsigned i = 0; i < run.count; ++i)
        issued[i] = start + cycles{i}; // if the target ignores the extension
    order_.taken = run.count;
    order_.start = start;
    order_.end = end;
    order_.index = run.index;
    order_.index_step = static_cast<std::uint8_t>(run.index_step);
    order_.issued = issued;
    trans_.set_data_ptr(bytes_of(run));
    trans_.set_data_length(run.count * 4);
    trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const sc_core::sc_time now = sc_core::sc_time_stamp(), begin = time_of(start);
    sc_core::sc_time delay = begin > now ? begin - now : sc_core::SC_ZERO_TIME;
    socket_->b_transport(trans_, delay);
    if (!trans_.is_response_ok()) {
        const std::string text = fmt::format("{} answered {} to {} words for cycle {}", socket_.name(),
                                             trans_.get_response_string(), run.count, start.count());
        SC_REPORT_ERROR("/sfpu/frontend/refused", text.c_str());
    }
    return order_.taken;
}

unsigned vector_unit_port::foresee(const word_run& run, cycles start, cycles* issued) {
    order_.start = start;
    order_.index = run.index;
    order_.index_step = static_cast<std::uint8_t>(run.index_step);
    order_.issued = issued;
    return unit_.foresee(bytes_of(run), run.count, order_);
}

cycles vector_unit_port::issue_cycle(std::uint32_t word, cycles start) const {
    return unit_.issue_cycle(word, start);
}

void vector_unit_port::hold_back(std::uint32_t word, std::int64_t index, cycles from, cycles until) {
    unit_.hold_back(word, index, order_.thread, from, until);
}

bool vector_unit_port::vector_unit_busy(cycles at) {
    bring_unit_to(time_of(at));
    return unit_.is_working();
}

bool vector_unit_port::vector_unit_moves(cycles at) {
    bring_unit_to(time_of(at));
    return unit_.moves();
}

void vector_unit_port::report(report_id id, cycles at, std::int64_t index, const std::string& message) {
    unit_.state().reporter.report(id, at, index, [&] { return message; });
}

} // namespace sfpu::frontend
