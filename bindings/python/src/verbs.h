// The functions of the module that call analyses: run and its like.
#pragma once

#include <pybind11/pybind11.h>

namespace sfpu::python {

void bind_verbs(pybind11::module_& module);

} // namespace sfpu::python
