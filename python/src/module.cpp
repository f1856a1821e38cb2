// The extension module sfpu._core: assembler, data types and stepping through a vector unit. python/sfpu wraps it.
#include "pool.h"
#include "unit.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/tensor_layout.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>

namespace py = pybind11;

namespace sfpu::python {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;
using word_array = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

parameters configuration(const std::string& arch, const settings& given) {
    parameters config;
    settings all = given;
    if (!arch.empty()) all.insert(all.begin(), {"arch", arch});
    for (const auto& [path, value] : all)
        if (const auto problem = set_parameter(config, path, value)) throw std::invalid_argument(*problem);
    return config;
}

isa::data_type data_type_of(const std::string& name) {
    if (const auto type = isa::find_data_type(name)) return *type;
    throw std::invalid_argument("type: found '" + name + "', expected one of " + isa::data_type_names());
}

py::array_t<std::uint32_t> array_of(const std::uint32_t* values, std::size_t count) {
    py::array_t<std::uint32_t> result(static_cast<py::ssize_t>(count));
    std::memcpy(result.mutable_data(), values, count * sizeof *values);
    return result;
}

py::array_t<bool> array_of(lane_mask mask) {
    py::array_t<bool> result(lane_count);
    for (unsigned lane = 0; lane < lane_count; ++lane) result.mutable_at(lane) = (mask >> lane & 1u) != 0;
    return result;
}

lanes lanes_of(const word_array& values) {
    if (values.size() != lane_count)
        throw std::invalid_argument("found " + std::to_string(values.size()) +
                                    " values, expected 32, one for each lane");
    lanes result;
    std::memcpy(result.v, values.data(), sizeof result.v);
    return result;
}

/// The bits of values, as isa::data_type has them, from the cells that hold them; and back.
py::array_t<std::uint32_t> values_of(isa::data_type type, const std::vector<std::uint32_t>& cells) {
    std::vector<std::uint32_t> values;
    for (const std::uint32_t cell : cells) values.push_back(isa::value_of_cell(type, cell));
    return array_of(values.data(), values.size());
}

std::vector<std::uint32_t> cells_of(isa::data_type type, const word_array& values) {
    std::vector<std::uint32_t> cells;
    for (py::ssize_t i = 0; i < values.size(); ++i) {
        const auto cell = isa::cell_of_value(type, values.data()[i]);
        if (!cell)
            throw std::invalid_argument(
                "value " + std::to_string(i) + " (row " + std::to_string(i / lane_count) + ", lane " +
                std::to_string(i % lane_count) + ") is none of type " + isa::to_string(type));
        cells.push_back(*cell);
    }
    return cells;
}

py::list assembled(const std::string& text, const std::string& arch, const settings& given) {
    const isa::assembly result =
        isa::assemble(text, "text", isa::make_machine(configuration(arch, given)).encoding());
    if (!result.ok()) throw std::invalid_argument(result.errors.front().to_string());
    py::list words;
    for (const auto* part : {&result.program.init, &result.program.loop, &result.program.tail})
        for (const isa::source_word& each : *part) words.append(each.word);
    return words;
}

py::list described(const std::vector<isa::tensor>& tensors) {
    py::list list;
    for (const isa::tensor& each : tensors) {
        py::dict one;
        one["name"] = each.name;
        one["type"] = isa::to_string(each.type);
        one["dtype"] = isa::numpy_name(each.type);
        one["address"] = each.address;
        list.append(one);
    }
    return list;
}

/// What a kernel says of itself; nothing if it has mistakes, of which sfpusim tells.
py::object interface_of(const std::string& text, bool hexadecimal, const std::string& arch,
                        const settings& given) {
    const isa::word_encoding words = isa::make_machine(configuration(arch, given)).encoding();
    const isa::assembly result =
        hexadecimal ? isa::read_hex(text, "kernel", words) : isa::assemble(text, "kernel", words);
    if (!result.ok()) return py::none();
    py::dict one;
    one["inputs"] = described(result.program.inputs);
    one["outputs"] = described(result.program.outputs);
    one["rows"] = result.program.rows ? py::object(py::int_(*result.program.rows)) : py::object(py::none());
    one["rows_per_iteration"] = result.program.rows_per_iteration;
    return one;
}

py::list diagnostics_of(const unit& of) {
    py::list list;
    for (const diagnostic& each : of.recorded().diagnostics) {
        py::dict one;
        one["cycle"] = each.at.count();
        one["word"] = each.word;
        one["id"] = describe(each.id).name;
        one["severity"] = to_string(each.level);
        one["message"] = each.message;
        list.append(one);
    }
    return list;
}

py::list timeline_of(unit& of) {
    py::list list;
    for (const probe::execution_event& each : of.recorded().executions) {
        py::dict one;
        one["cycle"] = each.begin.count();
        one["end"] = each.end.count();
        one["unit"] = isa::to_string(each.unit);
        one["text"] = of.text(each.insn);
        one["origin"] = each.from == probe::origin::macro ? "macro" : "issued";
        one["word"] = each.word;
        one["discarded"] = each.discarded;
        list.append(one);
    }
    return list;
}

unsigned checked_register(unsigned number) {
    if (number >= isa::lreg_count)
        throw py::index_error("LReg " + std::to_string(number) + " does not exist; there are L0 to L16");
    return number;
}

void check_rows(unsigned rows) {
    if (rows > platform::most_places)
        throw std::invalid_argument("found " + std::to_string(rows) + " rows, expected at most " +
                                    std::to_string(platform::most_places));
}

void bind_unit(py::module_& module) {
    py::class_<unit>(module, "Unit")
        .def(py::init<const std::string&, const settings&>())
        .def("close", &unit::close)
        .def("reset", &unit::reset)
        .def("push", &unit::push)
        .def("wait", &unit::wait)
        .def("settle", &unit::settle)
        .def_property_readonly("cycle", &unit::cycle)
        .def("lreg",
             [](unit& u, unsigned number) {
                 return array_of(u.state().lreg[checked_register(number)].v, lane_count);
             })
        .def("set_lreg",
             [](unit& u, unsigned number, const word_array& values) {
                 u.initial_state().lreg[checked_register(number)] = lanes_of(values);
             })
        .def("flags", [](unit& u) { return array_of(u.state().flags); })
        .def("use_flags", [](unit& u) { return array_of(u.state().use_flags); })
        .def("enabled", [](unit& u) { return array_of(u.state().enabled()); })
        .def("counters",
             [](unit& u, unsigned number) {
                 if (number >= isa::thread_count) throw std::invalid_argument("thread is not 0, 1 or 2");
                 const isa::address_counters& rwc = u.thread(number).rwc;
                 py::dict one;
                 one["dst"] = rwc.dst;
                 one["dst_cr"] = rwc.dst_cr;
                 one["sp"] = rwc.sp;
                 return one;
             })
        .def("dst",
             [](unit& u) {
                 const dst::dst_storage& from = u.storage();
                 py::array_t<std::uint16_t> result({dst::row_count, dst::cells_per_row});
                 for (unsigned row = 0; row < dst::row_count; ++row)
                     for (unsigned column = 0; column < dst::cells_per_row; ++column)
                         result.mutable_at(row, column) = from.cell(row, column);
                 return result;
             })
        .def("set_dst",
             [](unit& u, const py::array_t<std::uint16_t, py::array::c_style>& cells) {
                 if (cells.ndim() != 2 || cells.shape(0) != dst::row_count ||
                     cells.shape(1) != dst::cells_per_row)
                     throw std::invalid_argument("Dst: expected an array of shape (1024, 16)");
                 dst::dst_storage& to = u.storage();
                 for (unsigned row = 0; row < dst::row_count; ++row)
                     for (unsigned column = 0; column < dst::cells_per_row; ++column)
                         to.set_cell(row, column, cells.at(row, column));
             })
        .def("read",
             [](unit& u, unsigned address, const std::string& type, unsigned rows) {
                 check_rows(rows);
                 return values_of(data_type_of(type), u.read(address, data_type_of(type), rows));
             })
        .def("write",
             [](unit& u, unsigned address, const std::string& type, const word_array& values) {
                 check_rows(
                     static_cast<unsigned>(std::min<py::ssize_t>(values.size() / lane_count, 1u << 20)));
                 u.write(address, data_type_of(type), cells_of(data_type_of(type), values));
             })
        .def("diagnostics", &diagnostics_of)
        .def("timeline", &timeline_of);
}

} // namespace
} // namespace sfpu::python

PYBIND11_MODULE(_core, module) {
    using namespace sfpu;
    module.doc() = "Assembler, data types and vector units of SFPU-TLM; use the package sfpu.";
    python::elaborate();
    module.attr("capacity") = python::capacity;
    module.def("available", &python::available);
    module.def("assemble", &python::assembled);
    module.def("disassemble", [](std::uint32_t word, const std::string& arch, const python::settings& given) {
        return isa::disassemble(word, isa::make_machine(python::configuration(arch, given)).encoding());
    });
    module.def("interface", &python::interface_of);
    module.def("numpy_name",
               [](const std::string& type) { return isa::numpy_name(python::data_type_of(type)); });
    py::list types;
    for (const isa::data_type type : isa::all_data_types) types.append(isa::to_string(type));
    module.attr("data_types") = types;
    python::bind_unit(module);
}
