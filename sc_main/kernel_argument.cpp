#include "kernel_argument.h"

#include "interrupts.h"
#include "own_kernel_kit.h"
#include "program.h"

#include <sfpu/analysis/output_file.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace sfpu::cli {
namespace {

constexpr auto kernel_group = "Kernels in other forms";
constexpr unsigned last_dst_address = 1023;

std::vector<std::string> form_names() {
    std::vector<std::string> names;
    for (unsigned i = 0; i < kernel_form_count; ++i)
        names.emplace_back(to_string(static_cast<kernel_form>(i)));
    return names;
}

CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& to, const char* text) {
    return app.add_option(name, to, text)->type_size(1)->allow_extra_args(false)->group(kernel_group);
}

void add_function_options(CLI::App& app, kernel_options& to, const std::string& ending, const char* of) {
    app.add_option("--as" + ending, to.form,
                   fmt::format("what {} is, where its content can be two things", of))
        ->type_name("FORM")
        ->check(one_of(form_names()))
        ->group(kernel_group);
    app.add_option("--function" + ending, to.function,
                   fmt::format("of {}: mangled, demangled or a part that only one has", of))
        ->type_name("NAME")
        ->group(kernel_group);
    app.add_option("--template" + ending, to.template_arguments, "arguments of its template, as in 'true, 8'")
        ->type_name("ARGS")
        ->group(kernel_group);
    app.add_option("--args" + ending, to.arguments,
                   "arguments of the function: numbers, or C++ between commas")
        ->type_name("A,B,...")
        ->group(kernel_group);
}

/// Commas inside of parentheses and braces separate nothing.
std::vector<std::string> split_arguments(const std::string& text) {
    std::vector<std::string> arguments;
    if (text.empty()) return arguments;
    arguments.emplace_back();
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' || c == '{' || c == '[';
        depth -= c == ')' || c == '}' || c == ']';
        if (c == ',' && depth <= 0) arguments.emplace_back();
        else if (c != ' ' || !arguments.back().empty()) arguments.back() += c;
    }
    return arguments;
}

std::optional<unsigned> address_in(std::string_view text) {
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hexadecimal) text.remove_prefix(2);
    unsigned value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    const bool right = error == std::errc{} && end == text.data() + text.size() && value <= last_dst_address;
    return right ? std::optional(value) : std::nullopt;
}

placed_tensor placed(const char* option, const std::string& given) {
    const std::size_t equals = given.find('='), colon = given.rfind(':');
    placed_tensor one;
    const bool has_parts =
        equals != std::string::npos && equals != 0 && colon != std::string::npos && equals < colon;
    const auto address =
        has_parts ? address_in(std::string_view(given).substr(equals + 1, colon - equals - 1)) : std::nullopt;
    const auto type =
        has_parts ? isa::find_data_type(std::string_view(given).substr(colon + 1)) : std::nullopt;
    if (!address || !type)
        throw user_error(
            fmt::format("{}: found '{}', expected NAME=ADDRESS:TYPE with an address in Dst from 0 to "
                        "{} and a type as .input has it, as in 'x=0x40:f32'",
                        option, shown_name(given), last_dst_address));
    one.name = given.substr(0, equals);
    one.address = *address;
    one.type = *type;
    return one;
}

} // namespace

void kernel_argument::add_options(CLI::App& app, const char* text) {
    app.add_option(operand_, file_, text);
    add_function_options(app, options_, "", "the kernel");
    add_list(app, "--include", options_.folders, "a folder with headers of C++ (repeatable)")
        ->type_name("DIR");
    add_list(app, "--define", options_.definitions, "a macro of C++ (repeatable)")->type_name("X=Y");
    add_list(app, "--input-at", options_.inputs, "names data that the kernel does not name (repeatable)")
        ->type_name("NAME=ADDRESS:TYPE");
    add_list(app, "--output-at", options_.outputs, "the same for what it stores (repeatable)")
        ->type_name("NAME=ADDRESS:TYPE");
    std::vector<std::string> words{"semaphores"};
    words.insert(words.end(), assumable_.begin(), assumable_.end());
    app.add_option("--assume", options_.assumed,
                   "what a function of an ELF file may wait for: other threads post and take semaphores")
        ->type_name("WHAT")
        ->check(assumable_.empty() ? one_of(words) : list_of(words))
        ->group(kernel_group);
}

bool kernel_argument::assumes(const std::string& word) const {
    return ("," + options_.assumed + ",").find("," + word + ",") != std::string::npos;
}

void kernel_argument::add_options_beside(CLI::App& app, const kernel_argument& first, const char* text) {
    first_ = &first;
    app.add_option(operand_, file_, text);
    add_function_options(app, options_, "-b", "B");
}

void kernel_argument::expect() const {
    if (file_.empty()) throw user_error(fmt::format("{}: {} is missing", command_, operand_));
}

kernel_options kernel_argument::all_options() const {
    if (!first_) return options_;
    kernel_options all = first_->options_;
    all.form = options_.form;       // it is another file
    if (!options_.function.empty()) // another one takes others
        all.template_arguments = all.arguments = "";
    for (std::string kernel_options::*each :
         {&kernel_options::function, &kernel_options::template_arguments, &kernel_options::arguments})
        if (!(options_.*each).empty()) all.*each = options_.*each;
    return all;
}

const std::string& kernel_argument::content() {
    expect();
    if (!content_) content_ = read_input(file_);
    return *content_;
}

kernel_form kernel_argument::form() {
    const std::string given = all_options().form;
    return given.empty() ? form_of(content(), file_) : *find_kernel_form(given);
}

source_request kernel_argument::request(const kernel_options& given) const {
    source_request wanted;
    wanted.function = given.function;
    wanted.template_arguments = given.template_arguments;
    wanted.arguments = split_arguments(given.arguments);
    wanted.folders = given.folders;
    wanted.definitions = given.definitions;
    for (const std::string& each : given.inputs) wanted.inputs.push_back(placed("--input-at", each));
    for (const std::string& each : given.outputs) wanted.outputs.push_back(placed("--output-at", each));
    wanted.assume_semaphores = ("," + given.assumed + ",").find(",semaphores,") != std::string::npos;
    return wanted;
}

source_request kernel_argument::whole_request(const kernel_options& given) {
    source_request wanted = request(given);
    wanted.form = form();
    wanted.tools.compiler = chosen_compiler();
    if (*wanted.form == kernel_form::cpp) wanted.tools.kit = own_kernel_kit();
    return wanted;
}

void kernel_argument::translate(const kernel_options& given, const common_options& options) {
    const source_request wanted = whole_request(given);
    const bool is_own_text = *wanted.form == kernel_form::assembly || *wanted.form == kernel_form::hex;
    given_.file = file_;
    given_.form = to_string(*wanted.form);
    if (!is_own_text && *wanted.form != kernel_form::elf) given_.text = content();
    std::optional<interrupt_guard> guard; // for what takes longer than to be read
    if (!is_own_text) guard.emplace();
    session caller;
    caller.interrupted = interrupt_guard::interrupted;
    text_ = translate_kernel(std::move(*content_), file_, wanted, options, caller);
    given_.function = text_->function;
    given_.told = text_->told;
}

bool kernel_argument::names_data() {
    const auto has = [this](const char* directive) { return content().find(directive) != std::string::npos; };
    return has(".input") || has(".output");
}

const kernel_text& kernel_argument::read(const common_options& options) {
    content();
    if (!text_) translate(all_options(), options);
    return *text_;
}

isa::kernel kernel_argument::assembled(const common_options& options) {
    const kernel_text& text = read(options);
    return assemble_kernel(text.text, text.name, options);
}

parameters kernel_argument::configuration(const common_options& options) {
    return is_given() ? kernel_configuration(assembled(options), options) : resolved_configuration(options);
}

kernel_facts kernel_argument::facts(const common_options& options) {
    const source_request wanted = whole_request(options_);
    const std::vector<kernel_function> functions = functions_of(content(), file_, wanted);
    kernel_facts facts;
    if (functions.size() <= 1 || !options_.function.empty()) {
        facts = facts_of(kernel_run(assembled(options), options, std::nullopt));
        facts.given = given_;
    } else {
        facts.given.file = file_;
        facts.given.form = to_string(*wanted.form);
    }
    facts.functions = functions;
    return facts;
}

std::string kernel_argument::told() const {
    if (!text_ || text_->form == kernel_form::assembly || text_->form == kernel_form::hex) return "";
    std::string lines = fmt::format("{}: {}{}\n", shown_name(file_), given_.form,
                                    given_.function.empty() ? "" : ", " + shown_text(given_.function));
    for (const std::string& each : given_.told) lines += "  " + shown_text(each) + "\n";
    return lines;
}

void kernel_argument::read_both(kernel_argument& a, kernel_argument& b, const common_options& options) {
    a.content();
    b.content();
    const bool differ = a.form() != b.form();
    const auto has_functions = [](kernel_argument& each) {
        return each.form() != kernel_form::assembly && each.form() != kernel_form::hex;
    };
    const bool one_has_functions = has_functions(a) != has_functions(b);
    for (kernel_argument* each : {&a, &b}) {
        kernel_options given = each->all_options();
        const kernel_form form = each->form();
        if (one_has_functions && !has_functions(*each)) given.function = given.arguments = "";
        if (differ && each->names_data()) given.inputs = given.outputs = {};
        if (differ && form != kernel_form::cpp) {
            given.template_arguments = "";
            given.folders = given.definitions = {};
        }
        if (differ && form != kernel_form::elf) given.assumed = "";
        if (!each->text_) each->translate(given, options);
    }
}

} // namespace sfpu::cli
