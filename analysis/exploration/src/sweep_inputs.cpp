#include "sweep_inputs.h"

#include "build_hash.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/probe/statistics.h>

#include <nlohmann/json.hpp>

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

std::string text_or_fault(const file_content& content) {
    return content.fault.empty() ? content.text : "fault: " + content.fault;
}

} // namespace

const std::string& file_content::expect() const {
    if (!fault.empty()) throw user_error(fault);
    return text;
}

sweep_inputs::sweep_inputs(const sweep& of, bool pictures) : of_(of), pictures_(pictures) {
    for (const sweep_kernel& each : of.kernels) {
        macro_.push_back(read_content(each.macro));
        plain_.push_back(read_content(each.plain));
        firmware_.push_back(read_content(each.firmware));
    }
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
