#include <sfpu/analysis/kernel_source.h>

#include "translators.h"

#include <sfpu/analysis/errors.h>

#include <array>

namespace sfpu::analysis {
namespace {

constexpr std::array<const char*, kernel_form_count> form_names = {"asm",     "hex", "elf",
                                                                   "objdump", "gnu", "cpp"};

} // namespace

const char* to_string(kernel_form form) { return form_names[static_cast<unsigned>(form)]; }

std::optional<kernel_form> find_kernel_form(std::string_view name) {
    for (unsigned i = 0; i < kernel_form_count; ++i)
        if (name == form_names[i]) return static_cast<kernel_form>(i);
    return std::nullopt;
}

kernel_form form_of(std::string_view text, const std::string& name) {
    (void)text;
    const bool is_hex = name.size() > 4 && name.compare(name.size() - 4, 4, ".hex") == 0;
    return is_hex ? kernel_form::hex : kernel_form::assembly;
}

kernel_text translate_kernel(std::string content, const std::string& name, const source_request& request,
                             const machine_choice& machine, const session& caller) {
    const kernel_form form = request.form ? *request.form : form_of(content, name);
    const translation of{content, name, request, machine, caller};
    switch (form) {
    case kernel_form::elf: return translate_elf(of);
    case kernel_form::objdump: return translate_objdump(of);
    case kernel_form::gnu: return translate_gnu(of);
    case kernel_form::cpp: return translate_cpp(of);
    default: return {name, std::move(content), form, "", {}};
    }
}

std::vector<kernel_function> functions_of(std::string_view content, const std::string& name,
                                          const source_request& request) {
    switch (request.form ? *request.form : form_of(content, name)) {
    case kernel_form::elf: return functions_of_elf(content, name);
    case kernel_form::objdump: return functions_of_objdump(content, name);
    case kernel_form::gnu: return functions_of_gnu(content, name);
    case kernel_form::cpp: return functions_of_cpp(content, name, request);
    default: return {};
    }
}

} // namespace sfpu::analysis
