// NumPy's file format .npy, versions 1.0 to 3.0: one array.
//
// Source: numpy/lib/format.py, which describes the format. Own code: the packaged cnpy reads a damaged header
// beyond its end and asserts on what it does not know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

struct npy_array {
    std::string type;               ///< "<f4", "|i1": byte order, kind, bytes of an element
    bool fortran_order = false;     ///< the first index changes fastest
    std::vector<std::size_t> shape; ///< empty: one element
    std::string_view data;          ///< as many bytes as type and shape say, in the text that was parsed

    std::size_t elements() const;
};

/// Throws user_error, which begins with the file's name.
npy_array parse_npy(std::string_view bytes, const std::string& file);

/// A header of version 1.0 for an array in C order.
std::string npy_header(std::string_view type, const std::vector<std::size_t>& shape);

/// "(32, 32)", "(1024,)", "()"
std::string shape_text(const std::vector<std::size_t>& shape);

} // namespace sfpu::analysis
