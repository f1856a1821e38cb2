// The parameters of the RISC-V harts.
#include "parameter_rows.h"

namespace sfpu {

std::vector<parameter_row> hart_parameter_rows() {
    using namespace parameter_rows;
    using p = parameters;
    using h = hart_parameters;
    using e = evidence;
    const std::vector<std::string> by_chip_choices{"by_architecture", "true", "false"};
    const char* const pipeline = "tile.md K1; ISA documentation, BabyRISCV";
    return {
        on_chips(integer<&p::hart, &h::count>("hart.count", 1, 3, "", e::choice, "tile.md",
                                              "T cores of a tile; the chips have three"),
                 [](architecture) { return std::uint64_t{3}; }),
        on_chips(boolean<&p::hart, &h::b_core>("hart.b_core", e::choice, "tile.md",
                                               "a tile has its B core beside the T cores; the chips have it"),
                 [](architecture) { return std::uint64_t{1}; }),
        on_chips(choice<&p::hart, &h::zaamo>(
                     "hart.zaamo", by_chip_choices, e::documented, pipeline,
                     "atomic read-modify-write instructions; by architecture: Blackhole only"),
                 [](architecture a) { return chosen(describe(a).has_hart_extensions); }),
        on_chips(choice<&p::hart, &h::zba>(
                     "hart.zba", by_chip_choices, e::documented, pipeline,
                     "address instructions sh1add to sh3add; by architecture: Blackhole only"),
                 [](architecture a) { return chosen(describe(a).has_hart_extensions); }),
        on_chips(choice<&p::hart, &h::zbb>("hart.zbb", by_chip_choices, e::documented, pipeline,
                                           "bit-manipulation instructions; by architecture: Blackhole only"),
                 [](architecture a) { return chosen(describe(a).has_hart_extensions); }),
        on_chips(
            choice<&p::hart, &h::fuse_tensix_words>(
                "hart.fuse_tensix_words", by_chip_choices, e::documented,
                "tile.md K2; ISA documentation, PushTensixInstruction",
                "up to four adjacent .ttinsn execute in one cycle; by architecture: T harts of Blackhole"),
            [](architecture a) { return chosen(describe(a).fuses_tensix_words); }),
        on_chips(boolean<&p::hart, &h::zero_word_is_illegal>(
                     "hart.zero_word_is_illegal", e::choice,
                     "the chip pushes it as a Tensix word without meaning",
                     "the word 0 traps, as RISC-V programs expect, instead of being pushed"),
                 [](architecture) { return std::uint64_t{0}; }),

        choice<&p::hart, &h::misaligned>("hart.misaligned",
                                         {"by_architecture", "bytes", "round_down", "trap"}, e::documented,
                                         "ISA documentation, BabyRISCV of Wormhole; no source for Blackhole",
                                         "what a misaligned load or store does; by architecture: round_down "
                                         "on Wormhole, bytes on Blackhole"),

        integer<&p::hart, &h::latency_alu>(
            "hart.latency.alu", 1, 64, "cycles", e::documented, pipeline,
            "from an integer instruction to the first that can use its result"),
        integer<&p::hart, &h::latency_multiply>(
            "hart.latency.multiply", 1, 64, "cycles", e::documented, pipeline,
            "from a multiplication to the first instruction that can use its result"),
        on_chips(
            choice<&p::hart, &h::pipelined_multiply>(
                "hart.pipelined_multiply", by_chip_choices, e::documented, pipeline,
                "other instructions may follow a multiplication at once; by architecture: Blackhole only"),
            [](architecture a) { return chosen(describe(a).pipelines_multiply); }),
        integer<&p::hart, &h::latency_divide_trivial>(
            "hart.latency.divide_trivial", 1, 64, "cycles", e::documented, pipeline,
            "divisions by zero or one, and -2^31 by -1; the pipeline waits"),
        integer<&p::hart, &h::latency_divide_least>(
            "hart.latency.divide_least", 1, 64, "cycles", e::documented, pipeline,
            "other divisions: one more than the bits of the dividend's magnitude, but at least this"),
        integer<&p::hart, &h::latency_divide_most>("hart.latency.divide_most", 1, 64, "cycles", e::documented,
                                                   pipeline, "other divisions take at most this"),
        integer<&p::hart, &h::latency_csr>(
            "hart.latency.csr", 1, 64, "cycles", e::inferred, pipeline,
            "from a CSR instruction or fence to the next instruction, which waits for earlier results, too"),

        integer<&p::hart, &h::latency_local>("hart.latency.local", 1, 64, "cycles", e::documented, pipeline,
                                             "from a load of local data RAM to the first use of its result"),
        integer<&p::hart, &h::latency_sync>(
            "hart.latency.sync", 1, 64, "cycles", e::documented, pipeline,
            "from a load of mailboxes, PCBufs, synchronisation, semaphores to the first use of its result"),
        integer<&p::hart, &h::latency_config>(
            "hart.latency.config", 1, 64, "cycles", e::documented, pipeline,
            "from a load of Tensix GPRs or back-end configuration to the first use of its result"),
        integer<&p::hart, &h::latency_dst>("hart.latency.dst", 1, 64, "cycles", e::choice,
                                           "no source; as Tensix GPRs",
                                           "from a load of the Dst window to the first use of its result"),
        integer<&p::hart, &h::latency_control>(
            "hart.latency.control", 1, 64, "cycles", e::documented, pipeline,
            "from a load of tile control, debug and status, NoC to the first use of its result"),
        integer<&p::hart, &h::latency_l1>(
            "hart.latency.l1", 1, 64, "cycles", e::documented, pipeline,
            "from a load of L1, which is never found in the L0 cache, to the first use of its result"),
        integer<&p::hart, &h::latency_ram>(
            "hart.latency.ram", 1, 64, "cycles", e::choice, "no such memory in the chip; as local data RAM",
            "from a load of the plain RAM at 0x80000000 to the first use of its result"),
        integer<&p::hart, &h::latency_atomic_extra>("hart.latency.atomic_extra", 0, 64, "cycles",
                                                    e::documented, pipeline,
                                                    "what an atomic takes longer than a load"),

        integer<&p::hart, &h::far_loads>(
            "hart.far_loads", 0, 64, "loads", e::documented, "ISA documentation, BabyRISCV of Wormhole",
            "loads with a latency of N, 5 or more, that can issue in N - 1 cycles; 0: by architecture, 4 on "
            "Wormhole, as many as there are cycles on Blackhole"),
        costs(2 * word_cost, integer<&p::hart, &h::store_queue>(
                                 "hart.store_queue", 1, 16, "stores", e::choice, "no source gives its size",
                                 "stores to memory that can wait for it without holding the hart")),
        choice<&p::hart, &h::predictor>("hart.branch_prediction", {"static", "perfect", "none"}, e::choice,
                                        "sources say only that control flow is predicted",
                                        "static: backward branches, jal and returns are taken, forward "
                                        "branches are not, other jalr miss"),
        on_chips(integer<&p::hart, &h::mispredict_penalty>(
                     "hart.mispredict_penalty", 0, 64, "cycles", e::documented, pipeline,
                     "bubble after a mispredicted branch or a trap; 0: by "
                     "architecture, 4 on Blackhole and 2 on Wormhole"),
                 [](architecture a) { return std::uint64_t{describe(a).mispredict_penalty}; }),
        integer<&p::hart, &h::icache_bytes>(
            "hart.icache.bytes", 0, 65536, "bytes", e::documented,
            "ISA documentation, BabyRISCV of Wormhole; no source for Blackhole",
            "instruction cache, lines of 16 bytes, the oldest leaves first; 0: by architecture, 2048 and 512 "
            "for thread 1 on Wormhole; unlimited on Blackhole, so that each line misses once"),
        integer<&p::hart, &h::icache_miss_cycles>(
            "hart.icache.miss_cycles", 0, 256, "cycles", e::choice,
            "one kernel measured on T1 of Wormhole: 1.25 to 1.44 cycles a push where each line misses, so 1 "
            "to 2",
            "what the fetch of a line adds that the instruction cache does not hold"),
    };
}

} // namespace sfpu
