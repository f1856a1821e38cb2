#include "pool.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// SystemC's library asks for this function, which a Python interpreter does not have. Nobody calls it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char*[]) { return 0; }

namespace sfpu::python {
namespace {

/// Free slots. Never destroyed: SystemC's own objects may be gone before them when the interpreter ends.
std::vector<slot*>& free_slots() {
    static auto* const slots = new std::vector<slot*>;
    return *slots;
}

} // namespace

slot::slot(const sc_core::sc_module_name& name) : sc_module(name) {
    insn_isock.bind(sfpu.insn_tsock());
    sfpu.dst_load_isock().bind(dst.load_tsock);
    sfpu.dst_store_isock().bind(dst.store_tsock);
    dst.attach(sfpu);
}

void elaborate() {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    for (unsigned i = capacity; i-- > 0;)
        free_slots().push_back(new slot(("unit_" + std::to_string(i)).c_str()));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

slot& acquire() {
    if (free_slots().empty())
        throw std::runtime_error("sfpu.Unit: all " + std::to_string(capacity) +
                                 " units are in use; close() those that are no longer needed");
    slot& one = *free_slots().back();
    free_slots().pop_back();
    return one;
}

void release(slot& one) noexcept {
    free_slots().push_back(&one); // never more than there were, so no memory is asked for
}

unsigned available() { return static_cast<unsigned>(free_slots().size()); }

} // namespace sfpu::python
