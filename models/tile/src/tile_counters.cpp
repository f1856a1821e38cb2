#include "tile_counters.h"

namespace sfpu {

probe::counter_group hart_counters(const riscv::hart_core& hart) {
    const riscv::hart_counters& from = hart.counters();
    probe::counter_group stalls{"stalls", {}, {}};
    std::uint64_t stalled = 0;
    for (unsigned i = 0; i < riscv::stall_cause_count; ++i) {
        if (from.stalls[i] == 0) continue;
        stalls.counters.emplace_back(to_string(static_cast<riscv::stall_cause>(i)), from.stalls[i]);
        stalled += from.stalls[i];
    }
    return {"hart",
            {{"cycles", static_cast<std::uint64_t>(hart.now().count())},
             {"instructions", from.instructions},
             {"tensix_words", from.tensix_words},
             {"loads", from.loads},
             {"stores", from.stores},
             {"branches", from.branches},
             {"mispredicted", from.mispredicted},
             {"traps", from.traps},
             {"stalled", stalled}},
            {stalls}};
}

probe::counter_group front_end_counters(const frontend::front_end& front_end) {
    const frontend::pipeline_counters& from = front_end.counters();
    return {"front_end",
            {{"words_in", from.words_in},
             {"words_out", from.words_out},
             {"mops", from.mops},
             {"mop_words", from.mop_words},
             {"replays", from.replays},
             {"replay_words", from.replay_words},
             {"loaded_words", from.loaded_words},
             {"collisions", from.collisions},
             {"full_cycles", from.full_cycles},
             {"wait_gate_cycles", from.wait_gate_cycles}},
            {}};
}

probe::counter_group tensorload_counters(const tensorload::tensorload_core& engine) {
    probe::counter_group group{
        "tensorload", {{"traps", engine.traps()}, {"bus_errors", engine.bus_errors()}}, {}};
    for (unsigned i = 0; i < tensorload::sub_engine_count; ++i) {
        const auto which = static_cast<tensorload::sub_engine>(i);
        const tensorload::engine_counters& from = engine.counters(which);
        group.groups.push_back({to_string(which),
                                {{"busy", from.busy},
                                 {"instructions", from.instructions},
                                 {"bytes", from.bytes},
                                 {"queue_full", from.queue_full},
                                 {"waited", from.waited},
                                 {"memory", from.memory}},
                                {}});
    }
    return group;
}

probe::counter_group l1_counters(const memory::l1_memory& l1) {
    const memory::l1_memory::statistics& from = l1.stats();
    return {"l1",
            {{"reads", from.reads},
             {"writes", from.writes},
             {"bytes_read", from.bytes_read},
             {"bytes_written", from.bytes_written},
             {"narrow_writes", from.narrow_writes},
             {"bank_conflicts", from.bank_conflicts},
             {"conflict_cycles", from.conflict_cycles}},
            {}};
}

} // namespace sfpu
