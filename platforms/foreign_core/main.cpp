// A core of somebody else's with a vector unit in its address map: two windows on a bus, and the driver
// sfpu_unit.h in C. The core here is SFPU-TLM's own hart, which knows nothing of the unit but these
// addresses.
#include <sfpu/dst/dst_memory.h>
#include <sfpu/memory/bus.h>
#include <sfpu/memory/ram.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/hart.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>

#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr std::uint64_t ram_base = 0x80000000u, ram_bytes = 0x200000;

/// Ends the program when it stores to `tohost`, or traps.
class ending : public sfpu::riscv::hart_listener {
public:
    explicit ending(sfpu::riscv::hart& core) : core_(core) {}
    void watched_store(std::uint32_t, unsigned, std::uint32_t value, sfpu::cycles) override {
        if (value == 0) return;
        code = value;
        core_.stop();
    }
    std::uint32_t code = 0; ///< 1 is success

private:
    sfpu::riscv::hart& core_;
};

class platform : public sc_core::sc_module {
public:
    sfpu::riscv::hart core{"core"};
    sfpu::memory::bus bus{"bus",
                          {{ram_base, ram_bytes, "ram", "program and stack"},
                           {0x40000000u, 4, "push", "a store pushes a word"},
                           {0x40010000u, 0x8000, "dst", "Dst, raw storage"}}};
    sfpu::memory::ram ram{"ram", ram_bytes};
    sfpu::vector_unit sfpu{"sfpu"};
    sfpu::dst::dst_memory dst{"dst"};

    explicit platform(const sc_core::sc_module_name& name) : sc_module(name) {
        core.bus_isock.bind(bus.tsock());
        bus.isock("ram").bind(ram.tsock);
        bus.isock("push").bind(sfpu.insn_tsock());
        bus.isock("dst").bind(dst.mem_tsock);
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        dst.attach(sfpu);
    }
};

int run(const char* file) {
    const auto program = sfpu::riscv::elf_image::read(file);
    platform all("platform");
    const sfpu::parameters config;
    all.sfpu.reset(config);
    all.dst.reset(config, &all.sfpu.state().reporter);
    for (const auto& segment : program.segments())
        for (std::size_t i = 0; i < segment.bytes.size(); ++i)
            all.ram.bytes().data()[segment.address - ram_base + i] = segment.bytes[i];

    ending end(all.core);
    all.core.set_listener(&end);
    all.core.reset(config, {0, program.entry(), false});
    all.core.core().watch_stores(program.symbol("tohost").value(), 4);
    all.core.set_cycle_limit(sfpu::cycles{1000000});
    sc_core::sc_start();
    std::printf("the program ended with %u, %llu instructions of the unit\n", end.code,
                static_cast<unsigned long long>(all.sfpu.state().counters.instructions));
    return end.code == 1 ? 0 : 1;
}

} // namespace

int sc_main(int argc, char* argv[]) {
    try {
        return argc == 2 ? run(argv[1]) : 2;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "foreign_core: %s\n", problem.what());
        return 1;
    }
}
