#include "translators.h"

#include <sfpu/analysis/errors.h>

namespace sfpu::analysis {

kernel_text translate_cpp(const translation& of) {
    throw user_error(of.name + ": this form is not read yet");
}

std::vector<kernel_function> functions_of_cpp(std::string_view, const std::string&, const source_request&) {
    return {};
}

} // namespace sfpu::analysis
