// One translator for each form that is not our assembly. All throw input_error or user_error with the place.
#pragma once

#include <sfpu/analysis/kernel_source.h>

#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What a translator is given.
struct translation {
    std::string_view content;
    const std::string& name;
    const source_request& request;
    const machine_choice& machine;
    const session& caller;
};

kernel_text translate_objdump(const translation& of);
kernel_text translate_gnu(const translation& of);
kernel_text translate_elf(const translation& of);
kernel_text translate_cpp(const translation& of);

std::vector<kernel_function> functions_of_objdump(std::string_view content, const std::string& name);
std::vector<kernel_function> functions_of_gnu(std::string_view content, const std::string& name);
std::vector<kernel_function> functions_of_elf(std::string_view content, const std::string& name);
std::vector<kernel_function> functions_of_cpp(std::string_view content, const std::string& name,
                                              const source_request& request);

} // namespace sfpu::analysis
