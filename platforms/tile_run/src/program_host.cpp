#include <sfpu/platform/program_host.h>

#include "metal_host.h"
#include "set_up_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sfpu::platform {
namespace {

static_assert(b_core_number == tile::b_core);

// What the tests of the vendor's kernel library agree upon with their host: words in L1.
constexpr std::uint32_t mailboxes = 0x1ffb8; ///< of T0 to T2, then two commands to B, then B's count of them
constexpr std::uint32_t commands = mailboxes + 12, command_count = mailboxes + 20;
constexpr std::uint32_t kernel_complete = 0xff;
constexpr std::uint32_t not_counted = 0xffffffff; ///< B has not come to its commands yet
constexpr std::uint32_t start_threads_command = 1, reset_threads_command = 2, new_addresses_command = 3;
constexpr std::uint32_t wormhole_start_addresses = 0x16dff0; ///< B takes those of the threads from there

constexpr std::uint32_t local_ram = 0xffb00000, local_ram_end = 0xffb10000;
constexpr std::uint32_t blackhole_start_addresses = 0xffb12228, blackhole_start_override = 0xffb12234;
constexpr unsigned t_core_count = tile::b_core;

/// Where the host's own program stands when there is none of B: at the place of that.
constexpr std::uint32_t set_up_code = 0x0, set_up_done = mailboxes + 12;

} // namespace

program_host::program_host(program_host&&) noexcept = default;
program_host::~program_host() = default;

unsigned core_programs::t_cores(loader_kind loader) const {
    if (of[tile::b_core] && loader != loader_kind::plain) return t_core_count;
    unsigned count = 1;
    for (unsigned core = 0; core < t_core_count; ++core)
        if (of[core]) count = core + 1;
    return count;
}

bool core_programs::has_kernels() const {
    return std::any_of(kernels.begin(), kernels.end(), [](const auto& each) { return each.has_value(); });
}

program_host::program_host(tile& of, architecture arch, loader_kind loader, const core_programs& programs)
    : tile_(of), arch_(arch), loader_(loader), programs_(programs) {
    if (loader == loader_kind::metal && programs.has_kernels())
        metal_ = std::make_unique<metal_host>(of, programs); // kernels first: data images may lie in them
    for (unsigned core = 0; core <= tile::b_core; ++core)
        if (programs_.of[core]) place(core);
    if (loader == loader_kind::llk) {
        begin_llk();
        return;
    }
    if (metal_) {
        metal_->begin();
        return;
    }
    if (loader == loader_kind::metal && programs_.of[tile::b_core]) {
        set_start_addresses();
        tile_.start_core(tile::b_core, programs_.of[tile::b_core]->entry());
        return;
    }
    for (unsigned core = 0; core <= tile::b_core; ++core)
        if (programs_.of[core]) tile_.start_core(core, programs_.of[core]->entry());
}

/// Segments to their addresses, but data that start-up code fetches from L1 to where it expects them.
void program_host::place(unsigned core) {
    const riscv::elf_image& program = *programs_.of[core];
    std::optional<std::uint32_t> image;
    if (loader_ == loader_kind::llk &&
        program.symbol("__loader_init_start") != program.symbol("__loader_init_end"))
        image = program.symbol("__loader_init_start");
    if (loader_ == loader_kind::metal && core < tile::b_core) {
        const std::string name = fmt::format("trisc{}_local_image", core);
        image = program.symbol(name);
        if (programs_.of[tile::b_core] && !image) image = programs_.of[tile::b_core]->symbol(name);
    }
    std::vector<riscv::elf_segment> segments;
    for (riscv::elf_segment segment : program.segments()) {
        const bool is_local = segment.address >= local_ram && segment.address < local_ram_end;
        if (is_local && image) {
            segment.size = static_cast<std::uint32_t>(segment.bytes.size()); // no zeros
            segment.address = *image + (segment.address - local_ram);
            segment.virtual_address = segment.address;
        }
        if (segment.size == 0 || (segment.bytes.empty() && loader_ != loader_kind::plain)) continue;
        segments.push_back(std::move(segment));
    }
    auto symbols = program.symbols();
    if (loader_ == loader_kind::llk) symbols.erase("tohost");
    tile_.place(riscv::elf_image::of_segments(program.entry(), std::move(segments), std::move(symbols)),
                core);
}

// --- the tests of the vendor's kernel library --------------------------------------------------------------

void program_host::begin_llk() {
    for (unsigned core = 0; core < t_core_count; ++core) {
        set_word(mailboxes + 4 * core, 0);
        if (programs_.of[core]) tile_.watch_completion(core, mailboxes + 4 * core, kernel_complete);
    }
    if (!programs_.of[tile::b_core]) return begin_without_b();
    set_start_addresses();
    set_word(command_count, not_counted);
    tile_.start_core(tile::b_core, programs_.of[tile::b_core]->entry());
    step_ = step::b_starts;
}

void program_host::begin_without_b() {
    std::uint32_t address = set_up_code;
    for (const std::uint32_t each : set_up_program(set_up_done)) {
        set_word(address, each);
        address += 4;
    }
    set_word(set_up_done, 0);
    for (unsigned core = 0; core < t_core_count; ++core)
        if (programs_.of[core]) {
            tile_.start_core(core, set_up_code);
            break;
        }
    step_ = step::set_up;
}

/// B lets all threads begin: those without a program find a loop.
void program_host::set_start_addresses() {
    for (unsigned core = 0; core < t_core_count; ++core) {
        const std::uint32_t idle = mailboxes - 4;
        set_word(idle, jump_to_itself);
        const std::uint32_t begin = programs_.of[core] ? programs_.of[core]->entry() : idle;
        if (arch_ == architecture::blackhole) set_word(blackhole_start_addresses + 4 * core, begin);
        else set_word(wormhole_start_addresses + 4 * core, begin);
    }
    if (arch_ == architecture::blackhole) set_word(blackhole_start_override, 7);
}

void program_host::command(std::uint32_t number, std::uint32_t value) {
    set_word(commands + 4 * (number & 1u), value);
}

void program_host::start_threads() {
    for (unsigned core = 0; core < t_core_count; ++core)
        if (programs_.of[core]) tile_.start_core(core, programs_.of[core]->entry());
}

bool program_host::look() {
    if (metal_) return metal_->look();
    switch (step_) {
    case step::b_starts:
        if (word(command_count) != 0) break;
        command(0, reset_threads_command);
        step_ = step::threads_reset;
        break;
    case step::threads_reset:
        if (word(command_count) != 1) break;
        command(1, arch_ == architecture::wormhole ? new_addresses_command : start_threads_command);
        step_ = step::threads_start;
        break;
    case step::threads_start:
        if (word(command_count) == 2) step_ = step::over;
        break;
    case step::set_up:
        if (word(set_up_done) != 1) break;
        start_threads();
        step_ = step::over;
        break;
    case step::over: break;
    }
    return step_ == step::over;
}

std::string program_host::waits_for() const {
    if (metal_) return metal_->waits_for();
    switch (step_) {
    case step::b_starts: return "the host waits for core B to come to its commands";
    case step::threads_reset: return "the host waits for core B to take the command to reset the threads";
    case step::threads_start: return "the host waits for core B to take the command to start the threads";
    case step::set_up: return "the host waits for its own program that sets the tile up";
    case step::over: break;
    }
    std::string open;
    for (unsigned core = 0; loader_ == loader_kind::llk && core < t_core_count; ++core)
        if (programs_.of[core] && !tile_.is_complete(core))
            open += fmt::format("{}T{}", open.empty() ? "" : ", ", core);
    return open.empty() ? "" : "the host waits for " + open;
}

std::uint32_t program_host::word(std::uint32_t address) {
    std::uint32_t value = 0;
    tile_.read(address, reinterpret_cast<unsigned char*>(&value), sizeof value);
    return value;
}
void program_host::set_word(std::uint32_t address, std::uint32_t value) {
    tile_.write(address, reinterpret_cast<const unsigned char*>(&value), sizeof value);
}

} // namespace sfpu::platform
