// Vector units for Python, elaborated when the module is loaded, since SystemC elaborates once a process.
#pragma once

#include <sfpu/dst/dst_memory.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace sfpu::python {

/// One vector unit with its Dst and an initiator for instruction words. No simulated time passes: pushes carry their
/// cycles in the annotated delay.
class slot : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<slot, 32> insn_isock{"insn_isock"};
    vector_unit sfpu{"sfpu"};
    dst::dst_memory dst{"dst"};

    explicit slot(const sc_core::sc_module_name& name);
};

/// How many units can be in use at once.
constexpr unsigned capacity = 64;

/// Elaborates all slots; called once.
void elaborate();
/// Gives a slot away until release(). Throws std::runtime_error if all are in use.
slot& acquire();
void release(slot& one) noexcept;
unsigned available();

} // namespace sfpu::python
