#include "translators.h"

#include <sfpu/analysis/errors.h>

namespace sfpu::analysis {

kernel_text translate_gnu(const translation& of) {
    throw user_error(of.name + ": this form is not read yet");
}

std::vector<kernel_function> functions_of_gnu(std::string_view, const std::string&) { return {}; }

} // namespace sfpu::analysis
