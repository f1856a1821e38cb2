// Typed data in files: .npy, .csv, else raw little-endian values of the NumPy type that stands for the type.
//
// A tensor has rows of 32 values, one for each lane. Files hold them row after row.
#pragma once

#include <sfpu/isa/data_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What to do with a value that no cell holds: 0.1 as bf16.
enum class inexact_value : std::uint8_t { refuse, round_to_nearest };

/// Cells of Dst, 32 for each row. Throws input_error, with the row and lane or the line and column of the
/// fault.
///
/// .npy: elements of the NumPy type in either byte order, of shape (rows, 32) or (rows * 32,). .csv: numbers
/// between commas, blanks or line ends; the rest of a line behind # is a comment.
std::vector<std::uint32_t> read_tensor(const std::string& file, isa::data_type type, unsigned rows,
                                       inexact_value inexact = inexact_value::refuse);

/// The bytes of such a file; the form follows from its name.
std::string tensor_bytes(const std::string& file, isa::data_type type,
                         const std::vector<std::uint32_t>& cells);

/// The cell of a number as text: "1.5", "-inf", "nan", "-3". Nothing if no cell of the type holds it.
std::optional<std::uint32_t> cell_of_text(std::string_view text, isa::data_type type);
/// The number in a cell, cut to the bits of the NumPy type.
std::string text_of_value(isa::data_type type, std::uint32_t cell);

} // namespace sfpu::analysis
