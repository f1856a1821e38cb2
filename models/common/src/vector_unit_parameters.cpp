// The parameters of the vector unit and its Dst.
#include "parameter_rows.h"

namespace sfpu {
std::vector<parameter_row> vector_unit_parameter_rows() {
    using namespace parameter_rows;
    using p = parameters;
    using e = evidence;
    // What the costs count: a sequence and a template are a register each. An entry holds an instruction in
    // each of the four sub-units that macros reach. A delay bit is one in 16 fields of sequences and in 40
    // entries. A second issue slot and a second MAD sub-unit read three LRegs and write one; a Dst port moves
    // a slice between Dst and an LReg; without the write-port rule (true is one more than false) there is one
    // more port to write LRegs.
    constexpr double port = 32; // a register for each lane
    return {
        no_timing(on_chips(choice<&p::arch>("arch", {"bh", "wh"}, e::choice, "architecture",
                                            "the chip: Blackhole or Wormhole"),
                           [](architecture a) { return static_cast<std::uint64_t>(a); })),

        integer<&p::latency_load>("sfpu.latency.load", 1, 8, "cycles", e::measured, "timing.md T2",
                                  "cycles from a load to the first cycle that sees its result"),
        integer<&p::latency_simple>("sfpu.latency.simple", 1, 8, "cycles", e::measured, "timing.md T2",
                                    "cycles from an instruction of the Simple sub-unit, SFPSWAP excepted, to "
                                    "the first that sees its result"),
        integer<&p::latency_mad>(
            "sfpu.latency.mad", 1, 8, "cycles", e::documented, "timing.md T3; ISA documentation, VectorUnit",
            "cycles from an instruction of the MAD class to the first that sees its result"),
        integer<&p::latency_round>("sfpu.latency.round", 1, 8, "cycles", e::documented,
                                   "timing.md T2; ISA documentation, SFPSTOCHRND",
                                   "cycles from an instruction of the Round sub-unit, two-cycle SFPSHFT2 "
                                   "excepted, to the first that sees its result"),
        integer<&p::latency_swap>("sfpu.latency.swap", 2, 8, "cycles", e::documented,
                                  "timing.md T8; ISA documentation, SFPSWAP",
                                  "cycles from an SFPSWAP to the first that sees its results"),
        integer<&p::latency_shuffle>(
            "sfpu.latency.shuffle", 2, 8, "cycles", e::documented,
            "timing.md T8; ISA documentation, SFPSHFT2",
            "cycles from an SFPSHFT2 in modes 2 to 4 to the first that sees its result"),

        costs(1, integer<&p::macro_count>(
                     "macro.count", 1, 8, "macros", e::documented,
                     "ISA documentation, SFPLOADMACRO; exploration.md",
                     "macros that an SFPLOADMACRO can name, each with a sequence of its own")),
        costs(1, integer<&p::macro_templates>("macro.templates", 1, 8, "templates", e::documented,
                                              "ISA documentation, SFPLOADMACRO; exploration.md",
                                              "instruction templates that sequences can select")),
        costs(4, integer<&p::macro_slots>("macro.slots", 1, 32, "entries", e::inferred,
                                          "timing.md T12; ISA documentation, SFPLOADMACRO",
                                          "scheduled instructions that one sub-unit can have outstanding")),
        costs(1.75, integer<&p::macro_delay_bits>("macro.delay_bits", 1, 5, "bits", e::documented,
                                                  "ISA documentation, SFPLOADMACRO",
                                                  "bits of the delay field that are used")),
        choice<&p::macro_delay_kind_scope>("macro.delay_kind_scope", {"sub_unit", "macro"}, e::documented,
                                           "timing.md, open questions",
                                           "whether UnitDelayKind is indexed by sub-unit or by macro"),
        boolean<&p::macro_firing_entry_outstanding>(
            "macro.firing_entry_outstanding", e::inferred, "timing.md, open questions",
            "whether an entry that executes in this cycle still decides what a tick is"),
        choice<&p::macro_freeze_scope>("macro.freeze_scope", {"all", "own_unit"}, e::inferred,
                                       "timing.md T10, open questions",
                                       "whether an entry that counts instructions stops all counting in a "
                                       "cycle without issue, or that of its own sub-unit"),
        no_timing(integer<&p::macro_config_distance>(
            "macro.config_distance", 0, 16, "words", e::measured,
            "timing.md T21; tt-metal 53455 and 53457, Blackhole",
            "an SFPLOADMACRO fewer words behind a write of a sequence or Misc is reported; 0: never")),

        costs(4 * port, integer<&p::sfpu_issue_width>(
                            "sfpu.issue_width", 1, 2, "words", e::documented, "timing.md T1; exploration.md",
                            "words that may be issued in one cycle, in order and only if neither "
                            "touches what the other writes")),
        costs(4 * port, integer<&p::sfpu_mad_units>("sfpu.mad_units", 1, 2, "units", e::documented,
                                                    "timing.md T1; exploration.md",
                                                    "MAD sub-units: an issued word takes the second one "
                                                    "while the first executes a scheduled one")),
        costs(-port, boolean<&p::sfpu_write_port_rule>("sfpu.write_port_rule", e::documented,
                                                       "timing.md T9; exploration.md",
                                                       "whether Simple and Round share a register write "
                                                       "port, so that they can be in each other's way")),

        on_chips(choice<&p::sfpu_auto_stall>(
                     "sfpu.auto_stall", {"by_architecture", "true", "false"}, e::documented,
                     "timing.md T16, T17",
                     "automatic stalls for MAD and SFPSHFT2 results; by architecture: Blackhole only"),
                 [](architecture a) { return chosen(describe(a).stalls_for_results); }),
        // In the order of write_port.
        order<&p::sfpu_write_order>(
            "sfpu.write_order", {"mad", "second_cycle", "simple", "round", "load"}, e::inferred,
            "timing.md T2a", "order in which writes of one LReg in one cycle are applied, the last wins"),
        no_timing(hexadecimal<&p::sfpu_lreg12_default>(
            "sfpu.lreg12_default", e::documented, "ISA documentation, SFPCONFIG (older pages give 37800000)",
            "LReg[12] at reset and by SFPCONFIG's default")),

        choice<&p::issue_thread_order>("issue.thread_order", {"round_robin", "fixed"}, e::inferred,
                                       "timing.md T22",
                                       "which thread issues if several could in one cycle: the next after "
                                       "the latest one, or the lowest"),

        costs(2 * port, integer<&p::dst_load_ports>(
                            "dst.load_ports", 1, 2, "ports", e::documented, "timing.md T1; exploration.md",
                            "loads from Dst in one cycle; each port has a Load sub-unit")),
        costs(2 * port, integer<&p::dst_store_ports>(
                            "dst.store_ports", 1, 2, "ports", e::documented, "timing.md T1; exploration.md",
                            "stores to Dst in one cycle; each port has a Store sub-unit")),
        integer<&p::dst_store_load_visible>(
            "dst.store_load_visible", 0, 16, "cycles", e::measured, "timing.md T7",
            "distance from a store to the first load of its slice that sees it"),
        no_timing(integer<&p::dst_store_load_warn>(
            "dst.store_load_warn", 0, 16, "cycles", e::inferred, "timing.md T7",
            "loads up to this distance after a store of the same slice are reported")),

        no_timing(
            on_chips(integer<&p::clock_period_ps>(
                         "clock.period_ps", 0, 100000, "ps", e::documented, "timing.md (1.35 GHz, 1 GHz)",
                         "clock period; 0: by architecture, 741 on Blackhole and 1000 on Wormhole"),
                     [](architecture a) { return std::uint64_t{describe(a).period_ps}; })),
    };
}

} // namespace sfpu
