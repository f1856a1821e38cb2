#include "translators.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/recorded_function.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>

namespace sfpu::analysis {
namespace {

architecture chip_for(const translation& of, std::vector<std::string>& told) {
    if (const auto demanded = demanded_architecture(of.machine)) return *demanded;
    if (const auto named = chip_of_path(of.name)) return *named;
    told.emplace_back("it was compiled for Blackhole; --arch wh takes the other chip");
    return architecture::blackhole;
}

constexpr std::size_t most_cpp_bytes = std::size_t{16} << 20;

std::string source_text(std::string_view content, const std::string& name) {
    if (content.size() > most_cpp_bytes)
        throw user_error(shown_name(name) + ": found more than 16 MiB, expected a source of C++ kernels");
    return std::string(content);
}

/// The data that the caller names, in front of the sections.
std::string with_data(std::string assembly, const source_request& request) {
    std::string directives;
    const auto add = [&](const char* directive, const std::vector<placed_tensor>& tensors) {
        for (const placed_tensor& each : tensors)
            directives +=
                isa::directive_text(directive, isa::tensor{each.name, each.address, each.type, 0, 0}) + '\n';
    };
    add(".input", request.inputs);
    add(".output", request.outputs);
    return directives.empty() ? assembly : assembly.insert(assembly.find("\n.init\n"), directives);
}

} // namespace

kernel_text translate_cpp(const translation& of) {
    const source_request& request = of.request;
    if (request.tools.kit.folders.empty())
        throw user_error(shown_name(of.name) +
                         ": C++ needs the headers and libraries of the kernel recorder, "
                         "which are installed with the program sfpusim");
    const cpp_file file{of.name, source_text(of.content, of.name), request.folders, request.definitions};
    kernel_text result{of.name, "", kernel_form::cpp, "", {}};
    const architecture arch = chip_for(of, result.told);
    recorded_function recorded =
        record_function(file, arch, request.function, {request.template_arguments, request.arguments},
                        request.tools, request.seconds, of.caller);
    result.function = recorded.call.call;
    result.text = with_data(std::move(recorded.assembly), request);
    result.told.insert(result.told.end(), recorded.notes.begin(), recorded.notes.end());
    return result;
}

std::vector<kernel_function> functions_of_cpp(std::string_view content, const std::string& name,
                                              const source_request&) {
    std::vector<kernel_function> result;
    for (const declared_function& each : declared_functions(source_text(content, name)))
        result.push_back({each.signature(), each.declaration.name, 0, 0, 0});
    return result;
}

} // namespace sfpu::analysis
