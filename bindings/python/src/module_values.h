// Values as Python and the libraries have them.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/data_type.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::python {

namespace py = pybind11;

/// Parameters by their paths.
using settings = std::vector<std::pair<std::string, std::string>>;
using word_array = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

inline parameters configuration(const std::string& arch, const settings& given) {
    parameters config;
    settings all = given;
    if (!arch.empty()) all.insert(all.begin(), {"arch", arch});
    for (const auto& [path, value] : all)
        if (const auto problem = set_parameter(config, path, value)) throw std::invalid_argument(*problem);
    return config;
}

inline isa::data_type data_type_of(const std::string& name) {
    if (const auto type = isa::find_data_type(name)) return *type;
    throw std::invalid_argument("type: found '" + name + "', expected one of " + isa::data_type_names());
}

inline py::array_t<std::uint32_t> array_of(const std::uint32_t* values, std::size_t count) {
    py::array_t<std::uint32_t> result(static_cast<py::ssize_t>(count));
    std::memcpy(result.mutable_data(), values, count * sizeof *values);
    return result;
}

} // namespace sfpu::python
