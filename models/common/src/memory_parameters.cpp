// The parameters of memories outside the vector unit.
#include "parameter_rows.h"

namespace sfpu {

std::vector<parameter_row> memory_parameter_rows() {
    using namespace parameter_rows;
    using p = parameters;
    using m = memory_parameters;
    using e = evidence;
    return {
        on_chips(costs(byte_cost, integer<&p::memory, &m::l1_bytes>(
                                      "memory.l1.bytes", 0, 0x1000000, "bytes", e::documented,
                                      "tile.md K1; ISA documentation, L1",
                                      "size of L1; 0: by architecture, 1572864 on Blackhole and 1507328 "
                                      "on Wormhole")),
                 [](architecture a) { return std::uint64_t{describe(a).l1_bytes}; }),
        integer<&p::memory, &m::l1_narrow_write>(
            "memory.l1.narrow_write", 1, 64, "cycles", e::documented, "tile.md K1; ISA documentation, L1",
            "cycles for which a write of less than 16 bytes of a line holds its bank and its initiator"),
        boolean<&p::memory, &m::l1_bank_conflicts>(
            "memory.l1.bank_conflicts", e::documented, "tile.md K1; ISA documentation, L1",
            "whether an access waits while its bank of L1 is busy with another one"),
        boolean<&p::memory, &m::l1_dmi>("memory.l1.dmi", e::choice, "TLM-2.0",
                                        "whether L1 grants direct access; changes no cycle of data"),
        integer<&p::memory, &m::ram_bytes>("memory.ram.bytes", 0x1000, 0x10000000, "bytes", e::choice,
                                           "tile.md", "size of the plain RAM at 80000000"),
        integer<&p::memory, &m::ram_latency>("memory.ram.latency", 0, 1000, "cycles", e::choice,
                                             "the hardware has no such RAM",
                                             "cycles that an access to plain RAM adds"),
        on_chips(costs(byte_cost, integer<&p::memory, &m::local_ram_bytes>(
                                      "memory.local_ram.bytes", 0, 0x10000, "bytes", e::documented,
                                      "tile.md K1; ISA documentation, BabyRISCV",
                                      "size of a core's data RAM; 0: by architecture, 4096 on "
                                      "Blackhole and 2048 on Wormhole (T cores)")),
                 [](architecture a) { return std::uint64_t{describe(a).local_ram_bytes}; }),
        integer<&p::memory, &m::bus_latency>("memory.bus.latency", 0, 1000, "cycles", e::choice,
                                             "load latencies already contain the way",
                                             "cycles that the bus adds to an access"),
        integer<&p::memory, &m::register_latency>(
            "memory.registers.latency", 0, 1000, "cycles", e::choice, "load latencies already contain it",
            "cycles that configuration and debug registers add to an access"),
        integer<&p::memory, &m::dst_window_latency>("memory.dst_window.latency", 0, 1000, "cycles",
                                                    e::inferred, "not documented",
                                                    "cycles that the Dst window adds to an access"),
        integer<&p::memory, &m::dst_window_settle>(
            "memory.dst_window.settle", 0, 64, "cycles", e::documented, "tile.md K7; ISA documentation, Dst",
            "SFPLOADs of an 8x16 block of Dst less than this after a store through the window are reported"),
    };
}

} // namespace sfpu
