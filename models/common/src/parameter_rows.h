// How rows of the parameter table are made, for the files that hold parts of the table.
//
// A field is named by a path of pointers to members: row_of<&parameters::hart,
// &hart_parameters::latency_alu>.
#pragma once

#include <sfpu/common/parameters.h>

#include <utility>
#include <vector>

namespace sfpu {

/// Parts of the table, in the order in which they are listed.
std::vector<parameter_row> vector_unit_parameter_rows();
std::vector<parameter_row> front_end_parameter_rows();
std::vector<parameter_row> hart_parameter_rows();
std::vector<parameter_row> tensorload_parameter_rows();
std::vector<parameter_row> memory_parameter_rows();

namespace parameter_rows {

// Accessors of one field, made from pointers to members so that a row of the table cannot read one field and
// write another.
template <auto... Path>
auto& field(parameters& p) {
    return (p.*....*Path);
}
template <auto... Path>
const auto& field(const parameters& p) {
    return (p.*....*Path);
}
template <auto... Path>
std::uint64_t get_field(const parameters& p) {
    return static_cast<std::uint64_t>(field<Path...>(p));
}
template <auto... Path>
void set_field(parameters& p, std::uint64_t value) {
    auto& target = field<Path...>(p);
    target = static_cast<std::remove_reference_t<decltype(target)>>(value);
}

/// The row of the field that the path names.
template <auto... Path>
parameter_row row_of(const char* path, parameter_type type, std::uint64_t minimum, std::uint64_t maximum,
                     std::vector<std::string> choices, const char* unit, evidence basis, const char* source,
                     const char* help) {
    return {path,
            type,
            minimum,
            maximum,
            std::move(choices),
            unit,
            basis,
            source,
            help,
            get_field<Path...>,
            set_field<Path...>};
}

template <auto... Path>
parameter_row integer(const char* path, std::uint64_t minimum, std::uint64_t maximum, const char* unit,
                      evidence basis, const char* source, const char* help) {
    return row_of<Path...>(path, parameter_type::integer, minimum, maximum, {}, unit, basis, source, help);
}
template <auto... Path>
parameter_row boolean(const char* path, evidence basis, const char* source, const char* help) {
    return row_of<Path...>(path, parameter_type::boolean, 0, 1, {}, "", basis, source, help);
}
template <auto... Path>
parameter_row hexadecimal(const char* path, evidence basis, const char* source, const char* help) {
    return row_of<Path...>(path, parameter_type::hexadecimal, 0, 0xffffffffu, {}, "", basis, source, help);
}
/// The number of a value is the index of its name.
template <auto... Path>
parameter_row choice(const char* path, std::vector<std::string> choices, evidence basis, const char* source,
                     const char* help) {
    const std::uint64_t last = choices.size() - 1;
    return row_of<Path...>(path, parameter_type::choice, 0, last, std::move(choices), "", basis, source,
                           help);
}
/// A permutation of all choices, one hex digit a place, the first one lowest.
template <auto... Path>
parameter_row order(const char* path, std::vector<std::string> choices, evidence basis, const char* source,
                    const char* help) {
    std::uint64_t last = 0;
    for (std::size_t place = 0; place < choices.size(); ++place) last = last << 4 | (choices.size() - 1);
    return row_of<Path...>(path, parameter_type::order, 0, last, std::move(choices), "", basis, source, help);
}

/// A row whose value on the chips is not the default, or is what the default stands for.
inline parameter_row on_chips(parameter_row row, std::uint64_t (*value)(architecture)) {
    row.on_chip = value;
    return row;
}
/// A row that moves nothing to another cycle.
inline parameter_row no_timing(parameter_row row) {
    row.timing = false;
    return row;
}
/// What one more costs, in registers of 32 bits: a byte that is held, or that a port moves in a cycle; a
/// word.
constexpr double byte_cost = 0.25, word_cost = 1;
/// A row of which one more adds this many registers of 32 bits.
inline parameter_row costs(double registers, parameter_row row) {
    row.cost = registers;
    return row;
}
/// The index of a choice among "by_architecture", "true", "false".
constexpr std::uint64_t chosen(bool yes) { return yes ? 1 : 2; }

} // namespace parameter_rows
} // namespace sfpu
