#include <sfpu/analysis/kernel_source.h>

#include "translators.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>

#include <array>

namespace sfpu::analysis {
namespace {

constexpr std::array<const char*, kernel_form_count> form_names = {"asm",     "hex", "elf",
                                                                   "objdump", "gnu", "cpp"};

/// Options that say something of a form that has functions mean nothing to one that has none.
void refuse_what_has_no_meaning(const std::string& name, kernel_form form, const source_request& request) {
    const auto refuse = [&](const char* option, const char* because) {
        throw user_error(shown_name(name) + ": found " + option + ", but the kernel is " +
                         (form == kernel_form::hex ? "words" : to_string(form)) + ": " + because);
    };
    const bool has_functions = form != kernel_form::assembly && form != kernel_form::hex;
    if (!has_functions && !request.function.empty()) refuse("--function", "it has no functions");
    if (!has_functions && !request.arguments.empty()) refuse("--args", "it has no functions");
    if (form != kernel_form::elf && request.assume_semaphores)
        refuse("--assume", "only functions of an ELF file wait for other threads");
    if (form == kernel_form::cpp) return;
    if (!request.template_arguments.empty()) refuse("--template", "only C++ has templates");
    if (!request.folders.empty()) refuse("--include", "only C++ includes headers");
    if (!request.definitions.empty()) refuse("--define", "only C++ has macros");
}

/// Assembly and words stay what they are; data that they do not name follow behind them.
kernel_text as_given(std::string content, const std::string& name, kernel_form form,
                     const source_request& request, const machine_choice& machine) {
    const bool is_words = form == kernel_form::hex;
    if (is_words != holds_words(content, name)) // --as says so, and who reads it so says what is wrong
        assemble_kernel(content, name, machine, is_words);
    const auto add = [&](const char* directive, const placed_tensor& each) {
        if (!content.empty() && content.back() != '\n') content += '\n';
        isa::tensor named;
        named.name = each.name;
        named.address = each.address;
        named.type = each.type;
        content += (is_words ? "; " : "") + isa::directive_text(directive, named) + "\n";
    };
    for (const placed_tensor& each : request.inputs) add(".input", each);
    for (const placed_tensor& each : request.outputs) add(".output", each);
    return {name, std::move(content), form, "", {}};
}

/// Who runs a function knows its addresses, and not of which file they are.
kernel_text with_name_in_front(kernel_text (*translate)(const translation&), const translation& of) {
    try {
        return translate(of);
    } catch (const input_error&) {
        throw;
    } catch (const user_error& refusal) {
        const std::string name = shown_name(of.name);
        if (std::string_view(refusal.what()).substr(0, name.size()) == name) throw;
        throw user_error(name + ": " + refusal.what());
    }
}

} // namespace

const char* to_string(kernel_form form) { return form_names[static_cast<unsigned>(form)]; }

std::optional<kernel_form> find_kernel_form(std::string_view name) {
    for (unsigned i = 0; i < kernel_form_count; ++i)
        if (name == form_names[i]) return static_cast<kernel_form>(i);
    return std::nullopt;
}

kernel_text translate_kernel(std::string content, const std::string& name, const source_request& request,
                             const machine_choice& machine, const session& caller) {
    const kernel_form form = request.form ? *request.form : form_of(content, name);
    refuse_what_has_no_meaning(name, form, request);
    const translation of{content, name, request, machine, caller};
    switch (form) {
    case kernel_form::elf: return with_name_in_front(translate_elf, of);
    case kernel_form::objdump: return with_name_in_front(translate_objdump, of);
    case kernel_form::gnu: return with_name_in_front(translate_gnu, of);
    case kernel_form::cpp: return translate_cpp(of);
    default: return as_given(std::move(content), name, form, request, machine);
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
