// One vector unit with its Dst memory and the two initiators that a platform would have around it: a core
// that pushes instruction words, and a host that moves data.
#pragma once

#include <sfpu/dst/dst_memory.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <array>
#include <cstdint>
#include <vector>

namespace vp {

/// Numbers of one operand or result: 16 rows of 16 cells, one cell each.
using numbers = std::array<std::uint16_t, 256>;

/// Pushes a program, one word a transaction, and runs ahead of simulated time as far as the global quantum
/// allows.
class core : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<core, 32> insn_isock{"insn_isock"};
    sc_core::sc_event start; ///< in: the operands are in place
    sc_core::sc_event done;  ///< out: simulated time is that of the end of the last push

    core(const sc_core::sc_module_name& name, std::vector<std::uint32_t> program);

private:
    void push_program();

    std::vector<std::uint32_t> program_;
};

/// Writes the operands into Dst, lets the core work, reads the results.
class host : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<host, 32> mem_isock{"mem_isock"};

    host(const sc_core::sc_module_name& name, core& worker, const numbers& x, const numbers& y);

    const numbers& results() const { return results_; }
    bool dmi_was_refused() const { return dmi_was_refused_; }

private:
    void work();
    void access(tlm::tlm_command command, unsigned row, numbers& data);

    core& worker_;
    numbers x_, y_, results_{};
    bool dmi_was_refused_ = false;
};

class tile : public sc_core::sc_module {
public:
    sfpu::vector_unit sfpu{"sfpu"};
    sfpu::dst::dst_memory dst{"dst"};
    core driver;
    host data_mover;

    tile(const sc_core::sc_module_name& name, const sfpu::parameters& config,
         std::vector<std::uint32_t> program, const numbers& x, const numbers& y);
};

/// Where the programs find their operands and leave their results: rows of Dst.
constexpr unsigned x_row = 0x00, y_row = 0x40, result_row = 0x80;

} // namespace vp
