// Watches a socket and notes every breach of the base protocol of TLM-2.0 (IEEE 1666, 15.2 and 16.2), by
// either side.
#pragma once

#include <sfpu/common/socket_binder.h>

#include <gtest/gtest.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sfpu::test {

class protocol_checker : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<protocol_checker, 32> tsock{"tsock"};
    tlm_utils::simple_initiator_socket<protocol_checker, 32> isock{"isock"};
    /// Told of each breach with its time.
    std::function<void(const std::string&)> report;
    /// Whether the initiator is held to payloads that the standard allows, too. Tests of error responses send
    /// others.
    bool legal_payloads = false;
    unsigned transactions = 0;

    explicit protocol_checker(const sc_core::sc_module_name& name) : sc_module(name) {
        tsock.register_b_transport(this, &protocol_checker::b_transport);
        tsock.register_nb_transport_fw(this, &protocol_checker::nb_transport_fw);
        tsock.register_transport_dbg(this, &protocol_checker::transport_dbg);
        tsock.register_get_direct_mem_ptr(this, &protocol_checker::get_direct_mem_ptr);
        isock.register_nb_transport_bw(this, &protocol_checker::nb_transport_bw);
        isock.register_invalidate_direct_mem_ptr(this, &protocol_checker::invalidate);
    }

private:
    using payload = tlm::tlm_generic_payload;

    /// What a target must leave alone.
    struct attributes {
        explicit attributes(const payload& t)
            : command(t.get_command()), data(t.get_data_ptr()), length(t.get_data_length()),
              enables(t.get_byte_enable_ptr()), enables_length(t.get_byte_enable_length()),
              width(t.get_streaming_width()), address(t.get_address()) {
            const bool is_plausible = length <= 0x10000; // others lie
            if (t.is_write() && data && is_plausible) bytes.assign(data, data + length);
        }
        bool operator==(const attributes& o) const {
            return command == o.command && data == o.data && length == o.length && enables == o.enables &&
                   enables_length == o.enables_length && width == o.width && address == o.address &&
                   bytes == o.bytes;
        }
        tlm::tlm_command command;
        unsigned char* data;
        unsigned length;
        unsigned char* enables;
        unsigned enables_length, width;
        sc_dt::uint64 address;
        std::vector<unsigned char> bytes;
    };
    enum class stage { requested, request_ended, responding, done };
    struct under_way {
        stage now;
        attributes before;
    };

    void expect(bool holds, const std::string& what) {
        if (!holds) report(sc_core::sc_time_stamp().to_string() + ": " + what);
    }

    void check_begin(const payload& trans) {
        ++transactions;
        expect(trans.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
               "a transaction begins with a response");
        expect(!trans.is_dmi_allowed(), "a transaction begins with the DMI hint set");
        if (!legal_payloads) return;
        expect(trans.get_data_length() != 0 && trans.get_data_ptr(), "a transaction without data");
        expect(trans.get_streaming_width() != 0, "a streaming width of zero");
        expect(!trans.get_byte_enable_ptr() || trans.get_byte_enable_length() != 0,
               "byte enables without a length");
    }
    void check_end(const payload& trans, const attributes& before) {
        expect(trans.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
               "a transaction ends without a response");
        expect(attributes(trans) == before, "a target changed attributes or data of a write");
    }

    void b_transport(payload& trans, sc_core::sc_time& delay) {
        check_begin(trans);
        const attributes before(trans);
        const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
        isock->b_transport(trans, delay);
        check_end(trans, before);
        const bool may_wrap_round = begin > sc_core::sc_time::from_value(sc_core::sc_max_time().value() / 2);
        expect(may_wrap_round || sc_core::sc_time_stamp() + delay >= begin, "b_transport goes back in time");
    }

    tlm::tlm_sync_enum nb_transport_fw(payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::BEGIN_REQ) {
            check_begin(trans);
            for (const auto& [other, state] : open_)
                expect(state.now != stage::requested,
                       "BEGIN_REQ before the END_REQ of the request before it");
            open_.insert_or_assign(&trans, under_way{stage::requested, attributes(trans)});
        } else if (phase == tlm::END_RESP) {
            expect(is_at(trans, stage::responding), "END_RESP without BEGIN_RESP");
            close(trans);
        } else {
            expect(false, "a phase on the forward path that belongs to the backward path");
        }
        const tlm::tlm_sync_enum status = isock->nb_transport_fw(trans, phase, delay);
        if (status == tlm::TLM_COMPLETED) close(trans);
        else if (status == tlm::TLM_UPDATED) went_on(trans, phase);
        return status;
    }
    tlm::tlm_sync_enum nb_transport_bw(payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        went_on(trans, phase);
        const tlm::tlm_sync_enum status = tsock->nb_transport_bw(trans, phase, delay);
        if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            close(trans);
        return status;
    }
    /// A phase of the target.
    void went_on(payload& trans, const tlm::tlm_phase& phase) {
        const auto found = open_.find(&trans);
        if (found == open_.end()) return expect(false, "a phase of a transaction that is not under way");
        if (phase == tlm::END_REQ) {
            expect(found->second.now == stage::requested, "END_REQ twice, or after BEGIN_RESP");
            found->second.now = stage::request_ended;
        } else if (phase == tlm::BEGIN_RESP) {
            expect(found->second.now != stage::responding, "BEGIN_RESP twice");
            for (const auto& [other, state] : open_)
                expect(state.now != stage::responding,
                       "BEGIN_RESP before the END_RESP of the response before it");
            found->second.now = stage::responding;
            check_end(trans, found->second.before);
        } else {
            expect(false, "a phase on the backward path that belongs to the forward path");
        }
    }
    bool is_at(payload& trans, stage wanted) const {
        const auto found = open_.find(&trans);
        return found != open_.end() && found->second.now == wanted;
    }
    void close(payload& trans) { open_.erase(&trans); }

    unsigned transport_dbg(payload& trans) {
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        const unsigned moved = isock->transport_dbg(trans);
        expect(moved <= trans.get_data_length(), "a debug access moves more than it was asked for");
        expect(sc_core::sc_time_stamp() == now, "a debug access waits");
        return moved;
    }
    bool get_direct_mem_ptr(payload& trans, tlm::tlm_dmi& dmi) {
        const sc_dt::uint64 address = trans.get_address();
        const bool granted = isock->get_direct_mem_ptr(trans, dmi);
        expect(dmi.get_start_address() <= address && address <= dmi.get_end_address(),
               "the range of direct access does not hold the address");
        expect(!granted || dmi.get_dmi_ptr(), "direct access without a pointer");
        return granted;
    }
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
        expect(first <= last, "an empty range is taken back");
        tsock->invalidate_direct_mem_ptr(first, last);
    }

    std::map<payload*, under_way> open_;
};

/// A checker on every connection that is bound through it. What they find is a failure of the test that runs.
class checked_bindings : public socket_binder {
public:
    /// `legal_payloads`: see protocol_checker.
    explicit checked_bindings(bool legal_payloads = false) : legal_payloads_(legal_payloads) {}
    void bind(initiator_end& from, target_end& to) override {
        checkers_.push_back(std::make_unique<protocol_checker>(sc_core::sc_gen_unique_name("protocol")));
        protocol_checker& checker = *checkers_.back();
        checker.legal_payloads = legal_payloads_;
        const std::string ends =
            std::string(from.get_base_port().name()) + " to " + to.get_base_export().name();
        checker.report = [ends](const std::string& breach) { ADD_FAILURE() << ends << ": " << breach; };
        checker.tsock.bind(from);
        checker.isock.bind(to);
    }
    /// Transactions that all of them have seen.
    unsigned transactions() const {
        unsigned sum = 0;
        for (const auto& checker : checkers_) sum += checker->transactions;
        return sum;
    }

private:
    bool legal_payloads_;
    std::vector<std::unique_ptr<protocol_checker>> checkers_;
};

} // namespace sfpu::test
