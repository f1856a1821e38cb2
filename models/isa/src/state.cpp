#include <sfpu/isa/state.h>

#include <cstring>
#include <type_traits>

namespace sfpu::isa {

void lane_configuration::derive() {
    derived_.fill(0);
    any_ = 0;
    row_masked_ = 0;
    for (unsigned column = 0; column < column_count; ++column) {
        any_ |= columns_[column];
        for (unsigned which = 0; which < derived_.size(); ++which)
            if (columns_[column] >> which & 1) derived_[which] |= 0x01010101u << column;
        for (unsigned row = 0; row < 4; ++row)
            if (columns_[column] >> (row_mask + row) & 1) row_masked_ |= 1u << (row * 8 + column);
    }
}

void macro_configuration::write_sequence(unsigned macro, extended_index::part part, bool wide,
                                         std::uint32_t value) {
    using p = extended_index::part;
    const auto widened = [](std::uint32_t bytes) {
        return half_word_of(static_cast<std::uint8_t>(bytes)) |
               std::uint32_t{half_word_of(static_cast<std::uint8_t>(bytes >> 8))} << 16;
    };
    if (!wide || part == p::lower) {
        sequence[macro] = value;
    } else if (part == p::upper) {
        sequence_upper[macro] = value;
    } else {
        sequence[macro] = widened(value);
        sequence_upper[macro] = widened(value >> 16);
    }
}

std::uint32_t macro_configuration::read_sequence(unsigned macro, extended_index::part part, bool wide) const {
    using p = extended_index::part;
    const auto narrowed = [](std::uint32_t half_words) {
        return byte_of(static_cast<std::uint16_t>(half_words)) |
               std::uint32_t{byte_of(static_cast<std::uint16_t>(half_words >> 16))} << 8;
    };
    if (!wide || part == p::lower) return sequence[macro];
    if (part == p::upper) return sequence_upper[macro];
    return narrowed(sequence[macro]) | narrowed(sequence_upper[macro]) << 16;
}

void vector_state::reset(std::uint32_t lreg12) {
    for (lanes& reg : lreg) reg = broadcast(0);
    lreg[8] = broadcast(0x3f56594bu);
    lreg[10] = broadcast(0x3f800000u);
    lreg[11] = broadcast(lreg11_default);
    lreg[12] = broadcast(lreg12);
    lreg[13] = broadcast(lreg13_default);
    lreg[14] = broadcast(lreg14_default);
    for (unsigned lane = 0; lane < lane_count; ++lane) lreg[15][lane] = 2 * lane;
    flags = use_flags = 0;
    stack = {};
    config = {};
    macro.fill({});
    ++macro_version;
    prng = shuffle_source = broadcast(0);
}

lane_mask vector_state::write_template(unsigned index, std::uint32_t word) {
    const lane_mask closed = config.lanes_with(lane_configuration::disable_backdoor_load);
    for (unsigned column = 0; column < column_count; ++column)
        if (!(closed >> column & 1u)) macro[column].instruction_template[index] = word;
    if (closed != all_lanes) ++macro_version;
    return closed;
}

bool vector_state::macro_uniform() const {
    static_assert(std::has_unique_object_representations_v<macro_configuration>);
    return std::memcmp(&macro[0], &macro[1], sizeof macro - sizeof macro[0]) == 0;
}

} // namespace sfpu::isa
