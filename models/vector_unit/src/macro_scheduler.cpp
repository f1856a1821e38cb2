#include <sfpu/vector_unit/macro_scheduler.h>

namespace sfpu {

macro_scheduler::macro_scheduler(const sc_core::sc_module_name& name, unit_state& state)
    : sc_module(name), executor_(state) {
    executor_.link.senders = {&simple, &mad, &round, &store, &load};
    issue_tsock.bind(*this);
}

void macro_scheduler::b_transport(instruction_payload& trans, sc_core::sc_time&) {
    const plan_order& order = trans.message.order;
    if (!order.plan) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    executor_.execute(order);
}

} // namespace sfpu
