#include <sfpu/tensorload/timing.h>

#include <sfpu/memory/tile_map.h>

#include <algorithm>
#include <bitset>

namespace sfpu::tensorload {
namespace {

constexpr unsigned banks = 128;
constexpr unsigned buffer_rows = 2 * register_bytes / banks;
/// Bytes of the Dst window that exist when its elements have 8 bits.
constexpr std::uint64_t byte_window = 0x4000;

cycles quotient_up(std::uint64_t amount, std::uint64_t rate) {
    return cycles{static_cast<std::int64_t>((amount + rate - 1) / rate)};
}

cycles at_least_one(cycles count) { return std::max(count, one_cycle); }

cycles sum(const std::vector<beat>& beats) {
    cycles total{};
    for (const beat& one : beats) total += one.duration;
    return total;
}

/// Cuts slices into parts for a port of `port` bytes, one a cycle. `aligned`: at multiples of the port's
/// width in memory, as L1 is organised, else counted from the begin of the slice.
std::vector<beat> cut(const transfer_plan& plan, unsigned port, bool aligned) {
    std::vector<beat> beats;
    for (unsigned number = 0; number < plan.enabled.size(); ++number) {
        const slice& whole = plan.enabled[number];
        for (unsigned done = 0; done < plan.width;) {
            const std::uint32_t offset = whole.offset + done;
            const unsigned room = aligned ? port - offset % port : port;
            const unsigned bytes = std::min(room, plan.width - done);
            beats.push_back({offset, whole.place * plan.width + done, bytes, number, one_cycle});
            done += bytes;
        }
    }
    return beats;
}

/// Splits each beat into elements. They cross the port together: the last one carries the beat's duration.
std::vector<beat> into_elements(const std::vector<beat>& beats, unsigned element_bytes) {
    std::vector<beat> elements;
    for (const beat& whole : beats) {
        for (unsigned done = 0; done < whole.bytes; done += element_bytes) {
            const unsigned bytes = std::min(element_bytes, whole.bytes - done);
            elements.push_back(
                {whole.offset + done, whole.register_byte + done, bytes, whole.slice, cycles{}});
        }
        elements.back().duration = whole.duration;
    }
    return elements;
}

/// The whole slice as one part, for as long as its beats take.
std::vector<beat> into_slices(const std::vector<beat>& beats) {
    std::vector<beat> slices;
    for (const beat& part : beats) {
        if (slices.empty() || slices.back().slice != part.slice) {
            slices.push_back(part);
        } else {
            slices.back().bytes += part.bytes;
            slices.back().duration += part.duration;
        }
    }
    return slices;
}

} // namespace

l0m_binding store_binding(const parameters& config) {
    if (config.tensorload.l0m != l0m_binding::by_architecture) return config.tensorload.l0m;
    return describe(config.arch).has_dst_window ? l0m_binding::dst : l0m_binding::l1;
}

bool stores_elements(const parameters& config) {
    return store_binding(config) == l0m_binding::dst && !config.tensorload.l0m_raw;
}

memory_space load_space(const parameters& config) {
    const tensorload_parameters& own = config.tensorload;
    return {own.l1m_base, own.l1m_size ? own.l1m_size : memory::l1_bytes(config)};
}

memory_space store_space(const parameters& config, unsigned element_bits) {
    if (store_binding(config) == l0m_binding::l1) return load_space(config);
    std::uint64_t size = config.tensorload.l0m_size;
    if (stores_elements(config) && element_bits <= 8) size = std::min(size, byte_window);
    return {config.tensorload.l0m_base, size};
}

std::vector<beat> load_beats(const transfer_plan& plan, const parameters& config) {
    const std::vector<beat> beats = cut(plan, config.tensorload.l1_bytes, true);
    return config.tensorload.beats == beat_mode::beat ? beats : into_slices(beats);
}

std::vector<beat> store_beats(const transfer_plan& plan, const parameters& config) {
    const tensorload_parameters& own = config.tensorload;
    const bool to_l1 = store_binding(config) == l0m_binding::l1;
    const std::vector<beat> beats = cut(plan, to_l1 ? own.l1_bytes : own.l0_bytes, to_l1);
    if (stores_elements(config)) return into_elements(beats, plan.element_bytes);
    return own.beats == beat_mode::beat ? beats : into_slices(beats);
}

cost load_cost(const std::vector<beat>& beats, const parameters& config) {
    const tensorload_parameters& own = config.tensorload;
    const cycles busy = at_least_one(sum(beats));
    return {busy, cycles{own.decode} + cycles{own.l1_lat} + busy - one_cycle + one_cycle};
}

cost store_cost(const std::vector<beat>& beats, const parameters& config) {
    const tensorload_parameters& own = config.tensorload;
    const bool to_l1 = store_binding(config) == l0m_binding::l1;
    const cycles busy = at_least_one(sum(beats));
    return {busy,
            cycles{own.decode} + busy - one_cycle + one_cycle + cycles{to_l1 ? own.l1_lat : own.l0_lat}};
}

cost compute_cost(std::uint64_t bytes, unsigned sources, const tensorload_parameters& config) {
    const bool in_turn = sources > config.tlr_read_ports;
    const cycles beats = quotient_up(bytes * (in_turn ? 2 : 1), config.tlr_bytes);
    const cycles busy = at_least_one(beats);
    return {busy, cycles{config.decode} + busy - one_cycle + cycles{config.alu_pipe} + one_cycle};
}

cost xpose_cost(const std::vector<std::uint16_t>& from, unsigned element_bits,
                const tensorload_parameters& config) {
    const cycles fill = quotient_up(2 * register_bytes, config.tlr_bytes);
    cycles drain = fill;
    if (config.xpose != xpose_buffer::flop)
        drain = std::max(fill, cycles{drain_cycles(from, element_bits, config.xpose)});
    const cycles busy = config.xpose_double_buffer ? std::max(fill, drain) : fill + drain;
    return {busy, cycles{config.decode} + fill + drain + cycles{config.xp_pipe}};
}

unsigned bank_of(unsigned address, xpose_buffer layout) {
    /// Column r is what bit r of the row number exchanges.
    constexpr std::array<unsigned, 4> columns{110, 83, 122, 117};
    const unsigned row = address / banks % buffer_rows, low = address % banks;
    if (layout == xpose_buffer::sram_row_xor) return low ^ row;
    if (layout != xpose_buffer::sram_swizzled) return low;
    unsigned bank = low;
    for (unsigned bit = 0; bit < columns.size(); ++bit)
        if (row >> bit & 1u) bank ^= columns[bit];
    return bank;
}

unsigned drain_cycles(const std::vector<std::uint16_t>& from, unsigned element_bits, xpose_buffer layout) {
    const std::size_t elements_a_beat = banks * 8 / element_bits;
    const unsigned bytes = std::max(1u, element_bits / 8);
    unsigned total = 0;
    for (std::size_t first = 0; first < from.size(); first += elements_a_beat) {
        std::array<std::bitset<buffer_rows>, banks> rows{}; // that each bank must read
        unsigned worst = 0;
        const std::size_t last = std::min(first + elements_a_beat, from.size());
        for (std::size_t i = first; i < last; ++i) {
            for (unsigned byte = 0; byte < bytes; ++byte) {
                const unsigned address = from[i] * element_bits / 8 + byte;
                std::bitset<buffer_rows>& wanted = rows[bank_of(address, layout)];
                wanted.set(address / banks);
                worst = std::max(worst, static_cast<unsigned>(wanted.count()));
            }
        }
        total += worst;
    }
    return total;
}

} // namespace sfpu::tensorload
