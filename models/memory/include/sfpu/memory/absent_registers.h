// Spaces of a tile whose registers the model does not have: they answer, and say so.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/systemc_version.h>
#include <sfpu/probe/reporter.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sfpu::memory {

/// One socket for each space. Loads of 1, 2 and 4 aligned bytes give zero, stores are ignored, so that
/// start-up code gets past them; each register is reported once (`/sfpu/registers/not-modelled`) with the
/// name of its space. Words that a space keeps are storage instead, zero after reset. Responses:
/// TLM_ADDRESS_ERROR_RESPONSE misaligned, TLM_BURST_ERROR_RESPONSE for another size,
/// TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables. A debug access moves one word that is kept, and else
/// nothing.
class absent_registers : public sc_core::sc_module {
public:
    struct space {
        std::string name;                                                 ///< names the socket
        std::string what;                                                 ///< for reports
        bool (*keeps)(architecture arch, std::uint64_t offset) = nullptr; ///< null: no word
    };
    absent_registers(const sc_core::sc_module_name& name, std::vector<space> spaces);

    tlm::tlm_target_socket<32>& tsock(std::size_t number);

    void reset(const parameters& config, probe::reporter* reporter = nullptr);

private:
    using socket = tlm_utils::simple_target_socket_tagged<absent_registers, 32>;
    void b_transport(int number, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int number, tlm::tlm_generic_payload& trans);
    bool keeps(int number, std::uint64_t address) const;
    void move_kept(int number, tlm::tlm_generic_payload& trans, unsigned bytes);

    std::vector<space> spaces_;
    std::vector<std::unique_ptr<socket>> sockets_;
    std::set<std::pair<int, std::uint64_t>> reported_;
    std::map<std::pair<int, std::uint64_t>, std::uint32_t> kept_; ///< by number of the word
    probe::reporter* reporter_ = nullptr;
    architecture arch_{};
    sc_core::sc_time epoch_, period_;
};

} // namespace sfpu::memory
