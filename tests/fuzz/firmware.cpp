#define SC_INCLUDE_DYNAMIC_PROCESSES

#include "firmware.h"

#include "fuzz_target.h"
#include "riscv_words.h"

#include <sfpu/platform/tile_run.h>
#include <sfpu/riscv/instruction_set.h>

#include <systemc>

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace sfpu::fuzz {
namespace {

/// Sets up a handler that steps over the instruction that trapped or was interrupted, and pointers to
/// everything that a core can reach, and lets interrupts come or not.
std::vector<std::uint32_t> prologue(bool interrupts) {
    namespace rv = test::rv;
    constexpr std::uint32_t mstatus = 0x300, mie = 0x304, mtvec = 0x305, mepc = 0x341, handler = 12;
    std::vector<std::uint32_t> code{
        rv::addi(31, 0, handler), rv::csrrw(0, mtvec, 31), rv::jal(0, 20), rv::csrrs(31, mepc, 0),
        rv::addi(31, 31, 4),      rv::csrrw(0, mepc, 31),  rv::mret};
    if (interrupts)
        for (const std::uint32_t each :
             {rv::lui(31, 0x1000), rv::addi(31, 31, -0x778), // 0x888: interrupts 3, 7 and 11
              rv::csrrw(0, mie, 31), rv::csrrwi(0, mstatus, 8)})
            code.push_back(each);
    const std::uint32_t places[]{0x00001000, 0x80000000, 0xffb00000, 0xffb12000, 0xffb80000,
                                 0xffbd8000, 0xffe40000, 0xffe80000, 0xffef0000};
    for (unsigned i = 0; i < std::size(places); ++i) code.push_back(rv::lui(8 + i, places[i]));
    return code;
}

/// Mostly instructions that exist, with registers and immediates as they come.
std::uint32_t next_instruction(byte_reader& bytes) {
    static const auto& table = riscv::instruction_table();
    const unsigned kind = bytes.byte();
    const auto word = bytes.take<std::uint32_t>();
    if (kind < 16) return word;
    if (kind < 48) return (word | 0x80000000u) << 2 | 2; // a Tensix word, as K2 rotates it
    const riscv::instruction_row& row = table[(kind + (word & 0xff)) % table.size()];
    return (word & ~row.mask) | row.match;
}

parameters machine_of(architecture arch, unsigned harts) {
    parameters config;
    config.arch = arch;
    config.hart.count = harts;
    return config;
}

/// When a pin changes, from the beginning of the run on.
struct pin_change {
    unsigned pin, after_ps;
    bool level;
};

/// A tile, and what moves its interrupt pins.
struct pinned_tile : sc_core::sc_module {
    platform::tile_run tile;
    sc_core::sc_signal<bool> external{"external"}, timer{"timer"}, software{"software"};

    pinned_tile(const sc_core::sc_module_name& name, const parameters& config)
        : sc_module(name), tile("tile", config) {
        tile.external_interrupt.bind(external);
        tile.timer_interrupt.bind(timer);
        tile.software_interrupt.bind(software);
        sc_core::sc_spawn_options options;
        options.set_stack_size(0x40000); // sanitizers need room
        sc_core::sc_spawn([this] { move_pins(); }, "move_pins", &options);
    }
    void begin(const std::vector<pin_change>& changes) {
        changes_ = changes;
        ++run_;
        restart_.notify(sc_core::SC_ZERO_TIME);
    }

private:
    void move_pins() {
        for (;;) {
            sc_core::wait(restart_);
            for (bool again = true; again;) {
                again = false;
                const unsigned run = run_;
                for (sc_core::sc_signal<bool>* each : {&external, &timer, &software}) each->write(false);
                const sc_core::sc_time begin = sc_core::sc_time_stamp();
                for (const pin_change& each : std::vector<pin_change>(changes_)) {
                    const sc_core::sc_time at = begin + sc_core::sc_time(each.after_ps, sc_core::SC_PS);
                    if (at > sc_core::sc_time_stamp()) sc_core::wait(at - sc_core::sc_time_stamp(), restart_);
                    if (run != run_) {
                        again = true; // another run has begun
                        break;
                    }
                    (each.pin == 0 ? external : each.pin == 1 ? timer : software).write(each.level);
                }
            }
        }
    }

    std::vector<pin_change> changes_;
    unsigned run_ = 0;
    sc_core::sc_event restart_;
};

struct tiles {
    platform::tile_run blackhole{"blackhole", {}};
    platform::tile_run wormhole{"wormhole", machine_of(architecture::wormhole, 1)};
    platform::tile_run three{"three", machine_of(architecture::blackhole, 3)};
    pinned_tile pinned{"pinned", machine_of(architecture::blackhole, 1)};
    pinned_tile pinned_three{"pinned_three", machine_of(architecture::wormhole, 3)};
};

template <class T>
void append(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// What a run leaves.
std::string run_once(platform::tile_run& tile, pinned_tile* pins, const std::vector<pin_change>& changes,
                     const std::vector<std::uint32_t>& code, unsigned longest_push) {
    tile.reset({});
    if (pins) pins->begin(changes);
    tile.set_longest_push(longest_push);
    const auto* bytes = reinterpret_cast<const unsigned char*>(code.data());
    expect(tile.write(0, bytes, 4 * code.size()), "L1 is where it is");
    const platform::tile_result result = tile.run(cycles{3000});
    std::string text;
    append(text, result.why);
    append(text, result.hart);
    append(text, result.pc);
    append(text, result.cycles_run.count());
    append(text, tile.hart_instructions());
    append(text, tile.dst());
    std::array<unsigned char, 4096> memory{};
    expect(tile.read(0x1000, memory.data(), memory.size()), "L1 is where it was");
    append(text, memory);
    append(text, tile.vector_unit_counters().words);
    append(text, tile.vector_unit_counters().instructions);
    return text;
}

} // namespace

void run_firmware(std::string_view input) {
    static tiles all;
    byte_reader bytes(input);
    const unsigned form = bytes.byte();
    pinned_tile* pins = nullptr;
    platform::tile_run* tile = &all.blackhole;
    switch (form % 8) {
    case 0: tile = &all.wormhole; break;
    case 1: tile = &all.three; break;
    case 2:
    case 3: pins = &all.pinned; break;
    case 4: pins = &all.pinned_three; break;
    default: break;
    }
    std::vector<pin_change> changes;
    if (pins) {
        tile = &pins->tile;
        unsigned at = 0;
        for (unsigned count = 1 + bytes.pick(12); count != 0; --count) {
            const unsigned what = bytes.byte();
            at += 100 + bytes.byte() * 1000 + bytes.byte() * 7;
            changes.push_back({what % 3, at, (what & 0x80) != 0});
        }
    }
    std::vector<std::uint32_t> code = prologue(pins != nullptr);
    while (!bytes.empty() && code.size() < 300) code.push_back(next_instruction(bytes));
    code.push_back(0x0000006f); // and there it stays
    const std::string together = run_once(*tile, pins, changes, code, 64);
    expect(run_once(*tile, pins, changes, code, 1) == together,
           "how many words a hart pushes at once changes nothing");
}

} // namespace sfpu::fuzz
