// The parameters of the front end.
#include "parameter_rows.h"

namespace sfpu {

std::vector<parameter_row> front_end_parameter_rows() {
    using namespace parameter_rows;
    using p = parameters;
    using f = front_end_parameters;
    using e = evidence;
    return {
        on_chips(costs(word_cost, integer<&p::front_end, &f::fifo_depth>(
                                      "front_end.fifo.depth", 0, 1024, "words", e::documented,
                                      "tile.md K3; ISA documentation, PushTensixInstruction",
                                      "words that the FIFO before the MOP expander holds; 0: by "
                                      "architecture, 32, but 16 for threads 1 and 2 on "
                                      "Wormhole")),
                 [](architecture) { return std::uint64_t{32}; }),
        on_chips(integer<&p::front_end, &f::fifo_accept_limit>(
                     "front_end.fifo.accept_limit", 0, 1024, "words", e::documented,
                     "tile.md K3; ISA documentation, PushTensixInstruction",
                     "a push is taken while no more words than this are "
                     "held; 0: by architecture, 28 on Blackhole and more in "
                     "a FIFO deeper than 32, one less than the depth on Wormhole"),
                 [](architecture a) {
                     const unsigned limit = describe(a).fifo_accept_limit;
                     return std::uint64_t{limit ? limit : 31u};
                 }),
        on_chips(
            costs(word_cost, integer<&p::front_end, &f::push_width>(
                                 "front_end.fifo.push_width", 0, 16, "words", e::documented,
                                 "tile.md K2; ISA documentation, PushTensixInstruction",
                                 "words that one cycle can push together; 0: by architecture, 4 on "
                                 "Blackhole and 1 on Wormhole; cores fuse up to 4, or more if this is more")),
            [](architecture a) { return std::uint64_t{describe(a).push_width}; }),
        costs(word_cost, integer<&p::front_end, &f::replay_fifo_depth>(
                             "front_end.replay.fifo_depth", 1, 64, "words", e::documented,
                             "tile.md K3; ISA documentation, TensixFrontend diagram",
                             "words that the FIFO before the replay expander holds")),
        costs(word_cost, integer<&p::front_end, &f::gate_fifo_depth>(
                             "front_end.wait_gate.fifo_depth", 1, 64, "words", e::documented,
                             "tile.md K3; ISA documentation, TensixFrontend diagram",
                             "words that the FIFO before the wait gate holds")),
        integer<&p::front_end, &f::mop_dead_cycles>(
            "front_end.mop.dead_cycles", 0, 16, "cycles", e::documented,
            "tile.md K4; ISA documentation, MOPExpander",
            "cycles that the MOP expander loses after a MOP if the next word is no MOP"),
        integer<&p::front_end, &f::replay_count_zero>(
            "front_end.replay.count_zero", 1, 64, "words", e::documented,
            "tile.md K5; ISA documentation, REPLAY",
            "what a REPLAY count of 0 stands for; versions of the document say 64 and 32"),
        integer<&p::front_end, &f::replay_start_cycles>(
            "front_end.replay.start_cycles", 0, 16, "cycles", e::documented,
            "tile.md K5; measured kernels whose REPLAYs a compiler recorded say 1",
            "cycles of its own that a REPLAY takes before the first word that it plays"),
        integer<&p::front_end, &f::wait_gate_lag>(
            "front_end.wait_gate.lag", 1, 16, "cycles", e::documented,
            "tile.md K8; ISA documentation, STALLWAIT",
            "cycles from the one in which a wait's conditions are met to the end of its blocking"),
        integer<&p::front_end, &f::wait_gate_matrix_lag>(
            "front_end.wait_gate.matrix_lag", 0, 64, "cycles", e::documented,
            "tile.md K8; five kernels measured on Blackhole say 3, or matrix_unit.busy_after_setrwc says it",
            "cycles more that a wait for the Matrix Unit blocks"),
        integer<&p::front_end, &f::matrix_busy_after_setrwc>(
            "front_end.matrix_unit.busy_after_setrwc", 0, 64, "cycles", e::documented,
            "tile.md K8; five kernels measured on Blackhole say 4, or wait_gate.matrix_lag says it",
            "cycles behind that of a SETRWC for which the Matrix Unit is busy to waits of the same thread"),
        integer<&p::front_end, &f::matrix_busy_after_copy>(
            "front_end.matrix_unit.busy_after_copy", 0, 1024, "cycles", e::choice,
            "the unit is not modelled; measured for the copy of a tile from SrcA to Dst: about 21 cycles on "
            "Blackhole, 16 on Wormhole",
            "cycles behind that of a MOVA2D for which the Matrix Unit is busy, as a stub of the copy"),
    };
}

} // namespace sfpu
