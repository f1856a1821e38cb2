// An initiator for base-protocol sockets of memories, buses and registers.
#pragma once

#include "rig.h"

namespace sfpu::test {

/// Reads and writes with a delay of its own, and counts what direct access was taken back.
class bus_master : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<bus_master> isock{"isock"};
    tlm::tlm_generic_payload trans;
    sc_core::sc_time delay;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

    explicit bus_master(const sc_core::sc_module_name& name) : sc_module(name) {
        isock.register_invalidate_direct_mem_ptr(this, &bus_master::invalidate);
    }

    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                    unsigned length) {
        fill(trans, command, address, data, length);
        isock->b_transport(trans, delay);
        return trans.get_response_status();
    }
    template <class T>
    tlm::tlm_response_status store(std::uint64_t address, T value) {
        return access(tlm::TLM_WRITE_COMMAND, address, &value, sizeof(T));
    }
    /// The value, or nothing but a failed expectation.
    template <class T>
    T load(std::uint64_t address) {
        T value{};
        EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, &value, sizeof(T)), tlm::TLM_OK_RESPONSE)
            << std::hex << address;
        return value;
    }
    template <class T>
    tlm::tlm_response_status load_status(std::uint64_t address) {
        T value{};
        return access(tlm::TLM_READ_COMMAND, address, &value, sizeof(T));
    }
    unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
        fill(trans, command, address, data, length);
        return isock->transport_dbg(trans);
    }
    bool direct(std::uint64_t address, tlm::tlm_dmi& dmi) {
        fill(trans, tlm::TLM_READ_COMMAND, address, nullptr, 4);
        return isock->get_direct_mem_ptr(trans, dmi);
    }
    void at_cycle(std::int64_t cycle) { delay = time_of(cycle) - sc_core::sc_time_stamp(); }
    /// The cycles that accesses have added since at_cycle(cycle).
    std::int64_t cycles_since(std::int64_t cycle) const {
        return static_cast<std::int64_t>((sc_core::sc_time_stamp() + delay - time_of(cycle)).value() /
                                         period().value());
    }

private:
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated.emplace_back(first, last); }
};

} // namespace sfpu::test
