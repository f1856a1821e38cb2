#include "metal_host.h"

#include "set_up_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sfpu::platform {
namespace {

constexpr unsigned t_cores = b_core_number;
constexpr std::uint32_t words_of_buffer = 4; ///< address, bytes, pages, bytes of a page
constexpr std::uint32_t counter_mask = 0xffff;

metal_layout layout_of(const core_programs& programs) {
    const auto symbol = [&programs](const char* name) {
        for (unsigned core = 0; core < t_cores; ++core)
            if (programs.of[core])
                if (const auto value = programs.of[core]->symbol(name)) return *value;
        throw load_error(fmt::format("found no symbol '{}' in the firmware, expected those of "
                                     "firmware/vendor/metal_layout.cpp, so that kernels can be launched",
                                     name));
    };
    metal_layout layout{};
    for (const auto& [to, name] : std::initializer_list<std::pair<std::uint32_t&, const char*>>{
             {layout.free_l1, "metal_free_l1"},
             {layout.run, "metal_run"},
             {layout.init, "metal_run_init"},
             {layout.init_buffers, "metal_run_init_buffers"},
             {layout.run_go, "metal_run_go"},
             {layout.done, "metal_run_done"},
             {layout.launch_number, "metal_launch_number"},
             {layout.go_number, "metal_go_number"},
             {layout.go, "metal_go"},
             {layout.go_go, "metal_go_go"},
             {layout.config_base, "metal_kernel_config_base"},
             {layout.buffer_offset, "metal_buffer_offset"},
             {layout.remote_buffer_offset, "metal_remote_buffer_offset"},
             {layout.buffer_mask, "metal_buffer_mask"},
             {layout.first_remote_buffer, "metal_first_remote_buffer"},
             {layout.arguments, "metal_arguments"},
             {layout.kernel_offset, "metal_kernel_offset"},
             {layout.buffers, "metal_buffers"},
             {layout.received, "metal_received"},
             {layout.acked, "metal_acked"},
             {layout.next_buffer, "metal_next_buffer"}})
        to = symbol(name);
    return layout;
}

/// Bytes of L1 from free_l1 on that the host fills for kernels: arguments, then buffers.
std::uint32_t argument_bytes(const core_programs& programs) {
    return (static_cast<std::uint32_t>(4 * programs.arguments.size()) + 15u) & ~15u;
}
std::uint32_t host_bytes(const core_programs& programs, const metal_layout& layout) {
    return argument_bytes(programs) + 4 * words_of_buffer * layout.buffers;
}

} // namespace

metal_host::metal_host(tile& of, const core_programs& programs)
    : tile_(of), programs_(programs), layout_(layout_of(programs)), filled_(programs.buffers.size()) {
    check_kernels();
    place_kernels();
}

void metal_host::check_kernels() const {
    if (programs_.of[b_core_number])
        throw load_error("found kernels and a program of B, expected one of them: with kernels the host "
                         "stands for B");
    const std::uint32_t first = layout_.free_l1 + host_bytes(programs_, layout_);
    for (unsigned core = 0; core < t_cores; ++core) {
        if (!programs_.kernels[core]) continue;
        if (!programs_.of[core])
            throw load_error(fmt::format("kernel of T{}: found no firmware for it", core));
        for (const riscv::elf_segment& each : programs_.kernels[core]->segments())
            if (each.address < first)
                throw load_error(
                    fmt::format("kernel of T{}: found a segment at {:#x}, expected it at {:#x} or "
                                "behind, where firmware and host leave L1 free",
                                core, each.address, first));
    }
    for (const circular_buffer& each : programs_.buffers)
        if (each.number >= layout_.buffers)
            throw load_error(
                fmt::format("found circular buffer {}, expected one below {}", each.number, layout_.buffers));
}

/// Only what a segment has in its file: start-up code of a kernel clears the rest in the core's RAM.
void metal_host::place_kernels() {
    for (unsigned core = 0; core < t_cores; ++core) {
        if (!programs_.kernels[core]) continue;
        std::vector<riscv::elf_segment> segments;
        for (riscv::elf_segment segment : programs_.kernels[core]->segments()) {
            segment.size = static_cast<std::uint32_t>(segment.bytes.size());
            segment.virtual_address = segment.address;
            if (segment.size) segments.push_back(std::move(segment));
        }
        tile_.place(riscv::elf_image::of_segments(programs_.kernels[core]->entry(), std::move(segments)),
                    core);
    }
}

void metal_host::begin() {
    const std::uint32_t code = layout_.free_l1, done = code + 0xfc;
    std::uint32_t address = code;
    for (const std::uint32_t each : set_up_program(done)) {
        set(address, each, 4);
        address += 4;
    }
    set(done, 0, 4);
    for (unsigned core = 0; core < t_cores; ++core)
        if (programs_.of[core]) {
            tile_.start_core(core, code);
            break;
        }
}

void metal_host::start_firmware() {
    set(layout_.launch_number, 0, 4);
    set(layout_.go_number, 0, 4);
    set(layout_.go, 0, 1);
    for (unsigned core = 0; core < t_cores; ++core) {
        set(layout_.run + core, programs_.of[core] ? layout_.init : layout_.done, 1);
        if (programs_.of[core]) tile_.start_core(core, programs_.of[core]->entry());
    }
}

bool metal_host::look() {
    switch (step_) {
    case step::set_up:
        if (get(layout_.free_l1 + 0xfc, 4) != 1) break;
        start_firmware();
        step_ = step::boot;
        break;
    case step::boot:
        if (!firmware_is(layout_.done, 0, t_cores)) break;
        if (programs_.of[0]) set(layout_.run, layout_.init_buffers, 1);
        step_ = step::buffers;
        break;
    case step::buffers:
        if (!firmware_is(layout_.done, 0, 1)) break;
        launch();
        step_ = step::kernels;
        break;
    case step::kernels: serve_buffers(); break;
    }
    return false; // it serves buffers up to the end
}

/// Kernels may have been overwritten while firmware booted: data of its cores lay there.
void metal_host::launch() {
    place_kernels();
    const std::uint32_t base = layout_.free_l1, buffers_at = argument_bytes(programs_);
    for (std::size_t i = 0; i < programs_.arguments.size(); ++i)
        set(base + static_cast<std::uint32_t>(4 * i), programs_.arguments[i], 4);
    set(layout_.config_base, base, 4);
    set(layout_.buffer_offset, buffers_at, 2);
    set(layout_.remote_buffer_offset, buffers_at, 2);
    set(layout_.first_remote_buffer, layout_.buffers, 1);
    describe_buffers(base + buffers_at);
    serve_buffers();
    set(layout_.go, layout_.go_go, 1);
    for (unsigned core = 0; core < t_cores; ++core) {
        if (!programs_.kernels[core]) continue;
        set(layout_.arguments + 4 * core, 0, 4); // both halves: the same words to each core and to all
        set(layout_.kernel_offset + 4 * core, programs_.kernels[core]->entry() - base, 4);
        const std::uint32_t address = layout_.run + core;
        const unsigned shift = 8 * (address % 4);
        set(address, layout_.run_go, 1);
        tile_.watch_completion(core, address & ~3u, layout_.done << shift, 0xffu << shift);
    }
}

void metal_host::describe_buffers(std::uint32_t at) {
    for (std::uint32_t word = 0; word < words_of_buffer * layout_.buffers; ++word) set(at + 4 * word, 0, 4);
    std::uint64_t mask = 0;
    for (const circular_buffer& each : programs_.buffers) {
        mask |= std::uint64_t{1} << each.number;
        const std::uint32_t values[words_of_buffer]{each.address, each.pages * each.page_bytes, each.pages,
                                                    each.page_bytes};
        for (std::uint32_t word = 0; word < words_of_buffer; ++word)
            set(at + 4 * (words_of_buffer * each.number + word), values[word], 4);
    }
    set(layout_.buffer_mask, static_cast<std::uint32_t>(mask), 4);
    set(layout_.buffer_mask + 4, static_cast<std::uint32_t>(mask >> 32), 4);
}

/// What kernels that move data do: hand pages over while there is room, take what has come.
void metal_host::serve_buffers() {
    for (std::size_t i = 0; i < filled_.size(); ++i) {
        const circular_buffer& buffer = programs_.buffers[i];
        const std::uint32_t received = layout_.received + buffer.number * layout_.next_buffer;
        const std::uint32_t acked = layout_.acked + buffer.number * layout_.next_buffer;
        if (buffer.host == circular_buffer::host_side::drains) set(acked, get(received, 4), 4);
        if (buffer.host != circular_buffer::host_side::fills) continue;
        const std::uint32_t held = (filled_[i] - get(acked, 4)) & counter_mask;
        filled_[i] = std::min(buffer.filled, filled_[i] + buffer.pages - std::min(buffer.pages, held));
        set(received, filled_[i], 4);
    }
}

bool metal_host::firmware_is(std::uint32_t message, unsigned first, unsigned last) {
    for (unsigned core = first; core < last; ++core)
        if (programs_.of[core] && get(layout_.run + core, 1) != message) return false;
    return true;
}

std::string metal_host::cores_at_work() const {
    std::string text;
    for (unsigned core = 0; core < t_cores; ++core)
        if (programs_.of[core] && get(layout_.run + core, 1) != layout_.done)
            text += fmt::format("{}T{}", text.empty() ? "" : ", ", core);
    return text;
}

std::string metal_host::waits_for() const {
    const std::string cores = cores_at_work();
    switch (step_) {
    case step::set_up: return "the host waits for its own program that sets the tile up";
    case step::boot: return "the host waits for the firmware of " + cores + " to boot";
    case step::buffers: return "the host waits for the firmware of T0 to clear the circular buffers";
    case step::kernels: break;
    }
    return cores.empty() ? cores : "the host waits for the kernel of " + cores;
}

std::uint32_t metal_host::get(std::uint32_t address, std::size_t bytes) const {
    std::uint32_t value = 0;
    tile_.read(address, reinterpret_cast<unsigned char*>(&value), bytes);
    return value;
}
void metal_host::set(std::uint32_t address, std::uint32_t value, std::size_t bytes) {
    tile_.write(address, reinterpret_cast<const unsigned char*>(&value), bytes);
}

} // namespace sfpu::platform
