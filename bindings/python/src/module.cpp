// The extension module sfpu._core: assembler, data types and stepping through a vector unit.
// bindings/python/sfpu wraps it.
#include "call_gate.h"
#include "guarded_unit.h"
#include "module_values.h"
#include "verbs.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace py = pybind11;

namespace sfpu::python {
namespace {

py::array_t<bool> lane_array(lane_mask mask) {
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
    isa::assembly result;
    if (hexadecimal) {
        analysis::machine_choice machine;
        machine.arch = arch;
        for (const auto& [path, value] : given) machine.settings.push_back(path + "=" + value);
        try { // its comments have directives
            result.program = analysis::assemble_kernel(text, "kernel", machine, true);
        } catch (const analysis::user_error&) {
            return py::none();
        }
    } else {
        result = isa::assemble(text, "kernel", words);
    }
    if (!result.ok()) return py::none();
    py::dict one;
    one["inputs"] = described(result.program.inputs);
    one["outputs"] = described(result.program.outputs);
    one["rows"] = result.program.rows ? py::object(py::int_(*result.program.rows)) : py::object(py::none());
    one["rows_per_iteration"] = result.program.rows_per_iteration;
    return one;
}

py::list diagnostics_of(guarded_unit& of) {
    std::vector<diagnostic> all;
    of.briefly([&](const unit& u) { all = u.diagnostics(); });
    py::list list;
    for (const diagnostic& each : all) {
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

py::list timeline_of(guarded_unit& of) {
    std::vector<probe::execution_event> all;
    of.briefly([&](unit& u) { all = u.executions(); });
    const isa::word_encoding encoding = isa::make_machine(of.config()).encoding();
    py::list list;
    for (const probe::execution_event& each : all) {
        py::dict one;
        one["cycle"] = each.begin.count();
        one["end"] = each.end.count();
        one["unit"] = isa::to_string(each.unit);
        one["text"] = isa::text(each.insn, encoding);
        one["origin"] = each.from == probe::origin::macro ? "macro" : "issued";
        one["word"] = each.word;
        one["discarded"] = each.discarded;
        list.append(one);
    }
    return list;
}

/// The cycles of issue. Long pushes let other threads run; a word takes a microsecond at most.
py::array_t<std::int64_t> pushed(guarded_unit& to, const word_array& words, unsigned thread) {
    static_assert(sizeof(cycles) == sizeof(std::int64_t));
    constexpr py::ssize_t most_brief_words = 64;
    std::vector<std::uint32_t> given(words.data(), words.data() + words.size());
    std::vector<cycles> issued(given.size());
    const bool is_brief = words.size() <= most_brief_words;
    const auto push = [&](unit& u) { u.push(std::move(given), thread, issued.data()); };
    if (is_brief) to.briefly(push);
    else to.at_length(push);
    py::array_t<std::int64_t> result(words.size());
    for (std::size_t i = 0; i < issued.size(); ++i) result.mutable_data()[i] = issued[i].count();
    return result;
}

unsigned checked_register(unsigned number) {
    if (number >= isa::lreg_count)
        throw py::index_error("LReg " + std::to_string(number) + " does not exist; there are L0 to L16");
    return number;
}

void check_rows(unsigned rows) {
    if (rows > analysis::most_places)
        throw std::invalid_argument("found " + std::to_string(rows) + " rows, expected at most " +
                                    std::to_string(analysis::most_places));
}

/// What `look` gives of the vector unit's state in the present cycle.
template <class Look>
auto state_of(guarded_unit& of, Look look) {
    decltype(look(std::declval<const isa::vector_state&>())) result{};
    of.briefly([&](unit& u) { result = look(u.state()); });
    return result;
}

using unit_class = py::class_<guarded_unit>;

void bind_time(unit_class& type) {
    type.def(py::init<const std::string&, const settings&>())
        .def("copy", &guarded_unit::copy)
        .def("close", [](guarded_unit& of) { of.briefly([](unit& u) { u.close(); }); })
        .def("reset", [](guarded_unit& of) { of.briefly([](unit& u) { u.reset(); }); })
        .def("push", &pushed)
        .def("wait",
             [](guarded_unit& of, std::int64_t count) { of.briefly([=](unit& u) { u.wait(count); }); })
        .def("settle", [](guarded_unit& of) { of.briefly([](unit& u) { u.settle(); }); })
        .def_property_readonly("cycle", [](guarded_unit& of) {
            std::int64_t result = 0;
            of.briefly([&](unit& u) { result = u.cycle(); });
            return result;
        });
}

void bind_registers(unit_class& type) {
    type.def("lreg",
             [](guarded_unit& of, unsigned number) {
                 const lanes values = state_of(of, [=](const isa::vector_state& state) {
                     return state.lreg[checked_register(number)];
                 });
                 return array_of(values.v, lane_count);
             })
        .def("set_lreg",
             [](guarded_unit& of, unsigned number, const word_array& values) {
                 const lanes given = lanes_of(values);
                 of.briefly([&](unit& u) { u.set_register(checked_register(number), given); });
             })
        .def("flags",
             [](guarded_unit& of) {
                 return lane_array(state_of(of, [](const isa::vector_state& state) { return state.flags; }));
             })
        .def("use_flags",
             [](guarded_unit& of) {
                 return lane_array(
                     state_of(of, [](const isa::vector_state& state) { return state.use_flags; }));
             })
        .def("enabled",
             [](guarded_unit& of) {
                 return lane_array(
                     state_of(of, [](const isa::vector_state& state) { return state.enabled(); }));
             })
        .def("counters", [](guarded_unit& of, unsigned number) {
            if (number >= isa::thread_count) throw std::invalid_argument("thread is not 0, 1 or 2");
            isa::address_counters rwc;
            of.briefly([&](unit& u) { rwc = u.thread(number).rwc; });
            py::dict one;
            one["dst"] = rwc.dst;
            one["dst_cr"] = rwc.dst_cr;
            one["sp"] = rwc.sp;
            return one;
        });
}

void bind_dst(unit_class& type) {
    type.def("dst",
             [](guarded_unit& of) {
                 platform::dst_image image{};
                 of.briefly([&](unit& u) { u.storage().copy_to(image); });
                 py::array_t<std::uint16_t> result({dst::row_count, dst::cells_per_row});
                 std::memcpy(result.mutable_data(), image.data(), sizeof image);
                 return result;
             })
        .def("set_dst",
             [](guarded_unit& of, const py::array_t<std::uint16_t, py::array::c_style>& cells) {
                 if (cells.ndim() != 2 || cells.shape(0) != dst::row_count ||
                     cells.shape(1) != dst::cells_per_row)
                     throw std::invalid_argument("Dst: expected an array of shape (1024, 16)");
                 platform::dst_image image{};
                 std::memcpy(image.data(), cells.data(), sizeof image);
                 of.briefly([&](unit& u) { u.set_storage(image); });
             })
        .def("read",
             [](guarded_unit& of, unsigned address, const std::string& name, unsigned rows) {
                 check_rows(rows);
                 const isa::data_type wanted = data_type_of(name);
                 std::vector<std::uint32_t> cells;
                 of.briefly([&](unit& u) { cells = u.read(address, wanted, rows); });
                 return values_of(wanted, cells);
             })
        .def("write", [](guarded_unit& of, unsigned address, const std::string& name,
                         const word_array& values) {
            check_rows(static_cast<unsigned>(std::min<py::ssize_t>(values.size() / lane_count, 1u << 20)));
            const isa::data_type given = data_type_of(name);
            const std::vector<std::uint32_t> cells = cells_of(given, values);
            of.briefly([&](unit& u) { u.write(address, given, cells); });
        });
}

void bind_unit(py::module_& module) {
    unit_class type(module, "Unit");
    bind_time(type);
    bind_registers(type);
    bind_dst(type);
    type.def("diagnostics", &diagnostics_of).def("timeline", &timeline_of);
}

} // namespace
} // namespace sfpu::python

PYBIND11_MODULE(_core, module) {
    using namespace sfpu;
    module.doc() = "Assembler, data types and vector units of SFPU-TLM; use the package sfpu.";
    python::close_gate_for_python();
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
    module.attr("version") = SFPU_TLM_VERSION;
    python::bind_unit(module);
    python::bind_verbs(module);
}
