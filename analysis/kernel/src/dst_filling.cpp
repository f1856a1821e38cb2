#include <sfpu/analysis/dst_filling.h>

#include <sfpu/dst/dst_storage.h>
#include <sfpu/isa/extreme_values.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sfpu::analysis {
namespace {

constexpr unsigned half_distance = 8; ///< rows from the upper half of a 32-bit cell to its lower half

namespace mode = isa::dst_mode;
namespace extreme = isa::extreme;

/// Register values whose cells are extreme in a mode of SFPSTORE.
struct extreme_values {
    unsigned mode;
    std::vector<std::uint32_t> values;
};

const std::vector<extreme_values> wide_modes{
    {mode::fp32, extreme::fp32}, {mode::int32, extreme::integer}, {mode::int32_sm, extreme::magnitude}};
const std::vector<extreme_values> narrow_modes{
    {mode::bf16, extreme::fp32},       {mode::fp16, extreme::fp16},      {mode::uint16, extreme::integer},
    {mode::int16, extreme::magnitude}, {mode::int8, extreme::magnitude}, {mode::int8_comp, extreme::integer}};

/// Cells that no store makes, but other units do: subnormal BF16 and FP16, all bits, the lowest, the highest.
const std::vector<std::uint32_t> bare_narrow{0x0100, 0x8100, 0x7f00, 0xff00, 0x0020, 0x8020, 0xffe0,
                                             0xffff, 0x0001, 0x8000, 0x7fff, 0x00ff, 0x80ff};

std::vector<std::uint32_t> cells_of(const std::vector<extreme_values>& kinds, architecture arch,
                                    std::vector<std::uint32_t> cells) {
    for (const extreme_values& kind : kinds) {
        lanes in{}, out{};
        for (std::size_t i = 0; i < kind.values.size(); ++i) in[static_cast<unsigned>(i)] = kind.values[i];
        isa::slice_conversions_of(arch).store[kind.mode](in, out);
        for (std::size_t i = 0; i < kind.values.size(); ++i) cells.push_back(out[static_cast<unsigned>(i)]);
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

/// Deals cells of a set, each once before one comes again.
class deck {
public:
    explicit deck(std::vector<std::uint32_t> cells) : cells_(std::move(cells)) {}

    std::uint32_t draw(random_source& random) {
        if (left_ == 0) left_ = cells_.size();
        const std::size_t chosen = random.next() % left_--;
        std::swap(cells_[chosen], cells_[left_]);
        return cells_[left_];
    }

private:
    std::vector<std::uint32_t> cells_;
    std::size_t left_ = 0; ///< these have not been dealt
};

/// A 32-bit cell, or two cells of 16 bits in its place: the upper one on top.
class cell_source {
public:
    cell_source(architecture arch, dst_filling filling)
        : filling_(filling), wide_(cells_of(wide_modes, arch, {})),
          narrow_(cells_of(narrow_modes, arch, bare_narrow)) {}

    std::uint32_t next(random_source& random) {
        switch (filling_) {
        case dst_filling::wide_extremes: return wide_.draw(random);
        case dst_filling::narrow_extremes: return two_narrow(random);
        case dst_filling::mixture: break;
        }
        enum kind { bits, zero, number, wide_extreme, narrow_extreme, kinds };
        const auto value = static_cast<std::uint32_t>(random.next());
        switch (random.next() % kinds) {
        case zero: return 0;
        case number: return (value & 0xff00ffffu) | (124u + (value >> 16 & 7u)) << 16; // exponents 124 to 131
        case wide_extreme: return wide_.draw(random);
        case narrow_extreme: return two_narrow(random);
        default: return value;
        }
    }

private:
    std::uint32_t two_narrow(random_source& random) {
        const std::uint32_t upper = narrow_.draw(random);
        return upper << 16 | narrow_.draw(random);
    }

    dst_filling filling_;
    deck wide_, narrow_;
};

} // namespace

void fill_dst(platform::run_request& request, dst_filling filling, random_source& random) {
    constexpr unsigned slice_rows = 4, parities = 2;
    cell_source cells(request.config.arch, filling);
    for (unsigned first = 0; first < dst::row_count; first += slice_rows) {
        if (first & half_distance) continue;
        for (unsigned parity = 0; parity < parities; ++parity)
            for (unsigned row = first; row < first + slice_rows; ++row)
                for (unsigned column = parity; column < dst::cells_per_row; column += parities) {
                    const std::uint32_t cell = cells.next(random);
                    request.dst_rows[row][column] = static_cast<std::uint16_t>(cell >> 16);
                    request.dst_rows[row + half_distance][column] = static_cast<std::uint16_t>(cell);
                }
    }
}

void fill_registers(platform::run_request& request, random_source& random) {
    for (unsigned lreg = 0; lreg < isa::general_lregs; ++lreg)
        for (std::uint32_t& lane : request.state.lreg[lreg].v)
            lane = static_cast<std::uint32_t>(random.next());
    for (std::uint32_t& lane : request.state.lreg[isa::macro_lreg].v)
        lane = static_cast<std::uint32_t>(random.next());
}

} // namespace sfpu::analysis
