#include <sfpu/kernel_recorder/program.h>

#include <sfpu/isa/lane_machine.h>
#include <sfpu/isa/table.h>

#include <memory>
#include <random>

namespace sfpu::kernel_recorder {
namespace {

/// Firmware's start, with data in Dst and in the registers.
std::unique_ptr<isa::lane_machine> machine_with_data(architecture arch, bool wide, unsigned seed) {
    auto machine = std::make_unique<isa::lane_machine>(isa::word_encoding(arch));
    isa::backend_configuration backend = machine->thread.backend();
    backend.fp32_enabled = wide;
    backend.srcb_format = 5; // BF16
    machine->thread.set_backend(backend);
    std::mt19937 random(seed);
    const auto bits = [&]() -> std::uint32_t {
        const std::uint32_t any = random();
        switch (random() % 4) {
        case 0: return random() % 2 ? any & 0x807fffffu : any | 0x7f800000u; // tiny, infinite or no number
        case 1: return (any & 0x807fffffu) | (118u + random() % 20u) << 23;  // of moderate size
        case 2: return any >> random() % 32u;
        default: return any;
        }
    };
    for (unsigned row = 0; row < 512; ++row)
        for (unsigned column = 0; column < 16; ++column)
            machine->set_cell(row, column, wide, wide ? bits() : bits() >> 16);
    for (unsigned r = 0; r < isa::general_lregs; ++r)
        for (unsigned lane = 0; lane < lane_count; ++lane) machine->state.lreg[r][lane] = bits();
    for (unsigned lane = 0; lane < lane_count; ++lane) machine->state.prng[lane] = random();
    machine->state.flags = machine->state.use_flags = all_lanes;
    return machine;
}

void execute(isa::lane_machine& machine, const std::vector<std::uint32_t>& words) {
    for (std::uint32_t word : words) {
        switch (isa::classify(word, machine.arch())) {
        case isa::word_kind::sfpu:
        case isa::word_kind::front_end:
            if (word >> 24 == isa::opcode::sfploadmacro)
                throw kernel_error(
                    "the kernel uses SFPLOADMACRO, whose results depend on cycles: compare it with "
                    "another kernel by `sfpusim equiv`");
            machine.execute(word);
            break;
        case isa::word_kind::other_unit: break;
        case isa::word_kind::no_instruction:
            throw kernel_error("the kernel issued a word that is no instruction");
        }
    }
}

std::string first_difference(const isa::lane_machine& recorded, const isa::lane_machine& direct) {
    for (unsigned row = 0; row < recorded.dst.size(); ++row)
        for (unsigned column = 0; column < 16; ++column) {
            const unsigned a = recorded.dst[row][column], b = direct.dst[row][column];
            if (a != b)
                return "Dst row " + std::to_string(row) + ", column " + std::to_string(column) +
                       ": the recorded words give " + std::to_string(a) + ", direct execution " +
                       std::to_string(b);
        }
    return {};
}

} // namespace

std::string difference_from_direct(architecture arch, const std::function<void(program_builder&)>& describe,
                                   unsigned data_sets) {
    program_builder recorded("recorded", arch);
    describe(recorded);
    for (unsigned seed = 1; seed <= data_sets; ++seed)
        for (bool wide : {false, true}) {
            const auto a = machine_with_data(arch, wide, seed), b = machine_with_data(arch, wide, seed);
            execute(*a, recorded.issued());
            program_builder direct("direct", *b);
            describe(direct);
            const std::string difference = first_difference(*a, *b);
            if (!difference.empty())
                return difference + (wide ? " (32-bit Dst, data set " : " (16-bit Dst, data set ") +
                       std::to_string(seed) + ")";
        }
    return {};
}

} // namespace sfpu::kernel_recorder
