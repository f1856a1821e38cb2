#include "sweep_inputs.h"

#include "build_hash.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/probe/statistics.h>

#include <nlohmann/json.hpp>

#include <utility>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

file_content read_content(const std::string& name) {
    file_content content;
    content.name = name;
    if (name.empty()) return content;
    try {
        content.text = read_file(name);
    } catch (const user_error& problem) {
        content.fault = problem.what();
    }
    return content;
}

file_content read_kernel(const std::string& name, source_request wanted, const machine_choice& machine,
                         const point_tools& tools) {
    file_content content = read_content(name);
    if (name.empty() || !content.fault.empty()) return content;
    try {
        if (!wanted.form) wanted.form = form_of(content.text, name);
        if (*wanted.form == kernel_form::cpp) {
            if (!tools.compilers)
                throw user_error(name + ": C++ needs a compiler, which the caller did not give");
            wanted.tools = tools.compilers();
        }
        content.text = translate_kernel(std::move(content.text), name, wanted, machine).text;
    } catch (const user_error& problem) {
        content.text.clear();
        content.fault = problem.what();
    }
    return content;
}

std::string text_or_fault(const file_content& content) {
    return content.fault.empty() ? content.text : "fault: " + content.fault;
}

} // namespace

const std::string& file_content::expect() const {
    if (!fault.empty()) throw user_error(fault);
    return text;
}

sweep_inputs::sweep_inputs(const sweep& of, const point_tools& tools)
    : of_(of), pictures_(tools.draw != nullptr) {
    const machine_choice machine = of.baseline_machine();
    for (const sweep_kernel& each : of.kernels) {
        macro_.push_back(read_kernel(each.macro, each.request, machine, tools));
        plain_.push_back(read_kernel(each.plain, each.request, machine, tools));
        firmware_.push_back(read_content(each.firmware));
    }
}

const std::string& sweep_inputs::known(const point_id& id) const {
    static const std::string none;
    const auto found = known_.find({id.point, id.kernel, id.seed});
    return found == known_.end() ? none : found->second;
}
void sweep_inputs::set_known(const point_id& id, std::string text) {
    known_[{id.point, id.kernel, id.seed}] = std::move(text);
}

std::string sweep_inputs::text_of(const point_id& id) const {
    const sweep_kernel& files = kernel(id);
    const std::optional<std::uint64_t> jitter = seed(id);
    json inputs{{"program", build_hash()},
                {"name", files.file()}, // stands in messages
                {"macro", text_or_fault(macro(id))},
                {"plain", text_or_fault(plain(id))},
                {"arch", of_.arch ? short_name(*of_.arch) : ""},
                {"schedule", to_string(of_.schedule_of(files))},
                {"seed", jitter ? json(*jitter) : json(nullptr)}};
    if (!known(id).empty()) inputs["known"] = known(id);
    if (!pictures_) inputs["pictures"] = false;
    if (files.is_firmware()) { // not text
        const std::string content = text_or_fault(firmware_[id.kernel]);
        inputs["firmware"] = probe::fnv1a_64_hex(content) + probe::fnv1a_64_hex(content + "#");
    }
    if (of_.schedule_of(files) != schedule_choice::keep) inputs["budget"] = of_.budget;
    for (const parameter_value& each : of_.baseline) inputs["baseline"][each.row->path] = each.text();
    for (const parameter_value& each : of_.settings(id.point))
        inputs["machine"][each.row->path] = each.text();
    return inputs.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace sfpu::analysis
