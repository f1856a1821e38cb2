#include <sfpu/analysis/kernel_file.h>

#include "loop_rows.h"

#include <sfpu/analysis/text_files.h>
#include <sfpu/analysis/thread_settings.h>

#include <sfpu/analysis/word_places.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/kernel_segments.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr unsigned default_rows = 64; ///< the rows of a 32 x 32 tile, twice

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Calls `use` with each line, without its end.
template <typename Use>
void for_each_line(std::string_view text, Use&& use) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        use(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

// Words -----------------------------------------------------------------------------------------------------

/// Digits of a word, of as many as there may be. RISC-V's `add` has none in it.
bool is_word_like(std::string_view token) {
    const bool prefixed = token.substr(0, 2) == "0x" || token.substr(0, 2) == "0X";
    if (prefixed) token.remove_prefix(2);
    bool any_digit = prefixed;
    for (const char c : token) {
        const auto each = static_cast<unsigned char>(c);
        if (!std::isxdigit(each)) return false;
        any_digit = any_digit || std::isdigit(each);
    }
    return !token.empty() && (any_digit || token.size() == 8);
}

/// What a comment of a .hex file says about the kernel, empty if it is an ordinary comment.
std::string_view directive_in(std::string_view line) {
    if (line.substr(0, 3) != "; .") return {};
    const std::string_view directive = line.substr(2);
    for (const std::string_view known : {".arch", ".init", ".loop", ".tail", ".rows", ".peeled", ".expect",
                                         ".config", ".allow", ".input", ".output", ".gap", ".origin"})
        if (directive.substr(0, directive.find_first_of(" \t\r")) == known) return directive;
    return {};
}

/// The first character that no text has, npos if there is none.
std::size_t find_control_character(std::string_view text) {
    constexpr std::string_view in_texts = "\t\n\v\f\r";
    constexpr unsigned char first_printable = ' ', deleted = 0x7f;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto each = static_cast<unsigned char>(text[i]);
        if ((each < first_printable && in_texts.find(text[i]) == std::string_view::npos) || each == deleted)
            return i;
    }
    return std::string_view::npos;
}

/// The same kernel as assembly, line by line, so that positions stay what they are.
std::string assembly_of_words(std::string_view text) {
    std::string source;
    for_each_line(text, [&](std::string_view line) {
        const std::string_view directive = directive_in(line);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (!directive.empty()) {
            source += directive;
        } else if (first != std::string_view::npos &&
                   std::isxdigit(static_cast<unsigned char>(line[first]))) {
            const bool prefixed = line.substr(first, 2) == "0x" || line.substr(first, 2) == "0X";
            source += ".word 0x";
            source += line.substr(prefixed ? first + 2 : first);
        }
        source += '\n';
    });
    return source;
}

/// "; it was made from "x.elf", 0, 0x5f08" if the text was translated: lines of such a text nobody knows.
std::string origin_before(std::string_view text, unsigned line) {
    std::string_view last;
    unsigned number = 0;
    for_each_line(text, [&](std::string_view each) {
        if (++number < line && each.substr(0, 8) == ".origin ") last = each.substr(8);
    });
    return last.empty() ? "" : "; the line was made from " + std::string(last);
}

isa::kernel checked(isa::assembly assembled, std::string_view text) {
    if (assembled.ok()) return std::move(assembled.program);
    std::vector<finding> faults;
    for (const isa::source_error& each : assembled.errors) {
        finding fault;
        fault.id = "/sfpu/source/assembly";
        fault.message = each.message;
        if (faults.size() <
            most_shown_faults) { // of the others nobody sees the line, and a file may have millions
            fault.message += origin_before(text, each.line);
            fault.where = place_of_word(each.file, text, each.line, each.column);
        } else {
            fault.where.file = each.file;
            fault.where.line = each.line;
            fault.where.column = each.column;
        }
        fault.help = "The line is no assembly of this machine; docs/assembly.md has the grammar.";
        fault.fails = true;
        faults.push_back(std::move(fault));
    }
    throw input_error(std::move(faults));
}

// Settings --------------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const isa::kernel& kernel, const isa::config_setting& setting,
                         const std::string& problem) {
    finding fault;
    fault.id = "/sfpu/source/setting";
    fault.message = problem;
    fault.where.file = kernel.file;
    fault.where.line = setting.line;
    fault.where.column = setting.column;
    fault.help =
        "A .config directive has no such key or value; 'sfpusim info --params' has those of the machine.";
    fault.fails = true;
    throw input_error({fault});
}

std::optional<unsigned> parse_value(std::string_view text, const thread_setting& setting) {
    if (text == "true" || text == "false")
        return setting.is_boolean() ? std::optional(text == "true" ? 1u : 0u) : std::nullopt;
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text.remove_prefix(2);
        base = 16;
    }
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size() || value > setting.maximum)
        return std::nullopt;
    return value;
}

std::vector<std::string_view> split_list(std::string_view text) {
    std::vector<std::string_view> elements;
    constexpr auto separators = ", \t[]";
    for (std::size_t begin = 0;
         (begin = text.find_first_not_of(separators, begin)) != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        elements.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return elements;
}

/// What .config directives change.
struct kernel_setup {
    parameters& config;
    thread_setup thread;
    bool firmware_start = false; ///< see start_as_firmware()
};

constexpr auto firmware_start_key = "firmware_start"; ///< the one setting that is neither machine nor thread

/// Applies one .config directive.
void apply_setting(const isa::kernel& kernel, const isa::config_setting& given, kernel_setup& setup) {
    if (given.key == firmware_start_key) {
        if (given.value != "true" && given.value != "false")
            refuse(kernel, given, given.key + ": found '" + given.value + "', expected true or false");
        setup.firmware_start = given.value == "true";
        return;
    }
    if (const thread_setting* setting = find_thread_setting(given.key)) {
        const std::vector<std::string_view> elements = split_list(given.value);
        const auto wrong = [&] {
            refuse(kernel, given,
                   given.key + ": found '" + given.value + "', expected " + expected_values(*setting));
        };
        if (elements.size() != setting->count) wrong();
        for (unsigned i = 0; i < setting->count; ++i) {
            const auto value = parse_value(elements[i], *setting);
            if (!value) wrong();
            setting->apply(setup.thread, i, *value);
        }
        return;
    }
    if (given.key == "arch") refuse(kernel, given, "the architecture is set by .arch");
    if (!find_parameter(given.key)) {
        std::vector<std::string> known = thread_setting_names();
        known.emplace_back(firmware_start_key);
        for (const parameter_row& row : parameter_table()) known.emplace_back(row.path);
        refuse(kernel, given,
               "unknown setting '" + given.key + "'" +
                   suggestion(given.key, known, fmt::format("; expected one of {}", fmt::join(known, ", "))));
    }
    if (const auto problem = set_parameter(setup.config, given.key, given.value))
        refuse(kernel, given, *problem);
}

void apply_settings(const isa::kernel& kernel, kernel_setup& setup) {
    setup.config.arch = kernel.arch;
    for (const isa::config_setting& setting : kernel.config) apply_setting(kernel, setting, setup);
}

} // namespace

isa::kernel load_kernel(const std::string& file, const machine_choice& options) {
    return assemble_kernel(read_input(file), file, options);
}

bool holds_words(std::string_view text, const std::string& file) {
    std::size_t words = 0, others = 0;
    for_each_line(text, [&](std::string_view line) {
        const std::size_t first = line.find_first_not_of(" \t\v\f\r");
        if (first == std::string_view::npos) return;
        line.remove_prefix(first);
        if (line[0] == ';' || line[0] == '#' || line.substr(0, 2) == "//") return;
        const bool is_symbol = line.find(" <") != std::string_view::npos; // of a disassembly
        const std::string_view token = line.substr(0, line.find_first_of(" \t\v\f\r;#/"));
        (is_word_like(token) && !is_symbol ? words : others) += 1;
    });
    return words == others ? ends_with(file, ".hex") : words > others;
}

isa::kernel assemble_kernel(const std::string& text, const std::string& file, const machine_choice& options) {
    return assemble_kernel(text, file, options, holds_words(text, file));
}

isa::kernel assemble_kernel(const std::string& given, const std::string& file, const machine_choice& options,
                            bool is_words) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf"; // some editors begin texts with it
    const std::string text = given.compare(0, byte_order_mark.size(), byte_order_mark) == 0
                                 ? given.substr(byte_order_mark.size())
                                 : given;
    const isa::word_encoding words = isa::make_machine(resolved_configuration(options)).encoding();
    if (const std::size_t odd = find_control_character(text); odd != std::string::npos)
        throw input_error(fmt::format(
            "{}: found {}, expected text: this is a binary file", to_string(file, position_of(text, odd)),
            text[odd] == 0 ? std::string("a zero byte")
                           : fmt::format("the byte {:#04x}", static_cast<unsigned char>(text[odd]))));
    isa::kernel kernel;
    if (is_words) {
        checked(isa::read_hex(text, file, words), text); // every line must be a word or a comment
        kernel = checked(isa::assemble(assembly_of_words(text), file, words), text);
        kernel.remarks.clear(); // words need no sections
    } else {
        kernel = checked(isa::assemble(text, file, words), text);
    }
    const auto demanded = demanded_architecture(options);
    if (demanded && *demanded != kernel.arch)
        throw input_error(fmt::format("{}: found .arch {}, but the command line says {}", shown_name(file),
                                      short_name(kernel.arch), short_name(*demanded)));
    return kernel;
}

std::string kernel_words(const isa::kernel& kernel) {
    std::string text;
    if (kernel.arch != isa::kernel{}.arch) text += fmt::format("; .arch {}\n", short_name(kernel.arch));
    for (const isa::config_setting& setting : kernel.config)
        text += fmt::format("; .config {}, {}\n", setting.key, setting.value);
    if (kernel.rows) text += fmt::format("; .rows {}\n", *kernel.rows);
    if (kernel.peeled_rows) text += fmt::format("; .peeled {}\n", kernel.peeled_rows);
    if (kernel.expected_cycles_per_row)
        text += fmt::format("; .expect cycles_per_row {}\n", *kernel.expected_cycles_per_row);
    for (const isa::allowance& one : kernel.allowed) text += "; " + isa::directive_text(one) + "\n";
    for (const isa::tensor& one : kernel.inputs) text += "; " + isa::directive_text(".input", one) + "\n";
    for (const isa::tensor& one : kernel.outputs) text += "; " + isa::directive_text(".output", one) + "\n";
    const auto append_words = [&](const std::vector<isa::source_word>& words) {
        unsigned origin = 0;
        for (const isa::source_word& word : words) {
            if (word.origin != origin && word.origin != 0)
                text += "; " + isa::directive_text(kernel.origins[word.origin - 1]) + "\n";
            origin = word.origin;
            text += fmt::format("{}{:08x}\n", word.gap ? "; .gap\n" : "", word.word);
        }
    };
    const bool only_loop = kernel.init.empty() && kernel.tail.empty();
    if (!kernel.init.empty()) text += "; .init\n";
    append_words(kernel.init);
    if (!kernel.loop.empty() && (!only_loop || kernel.rows_per_iteration != 1))
        text += fmt::format("; .loop {}\n", kernel.rows_per_iteration);
    append_words(kernel.loop);
    if (!kernel.tail.empty()) text += "; .tail\n";
    append_words(kernel.tail);
    return text;
}

parameters kernel_configuration(const isa::kernel& kernel, const machine_choice& options) {
    parameters config = file_configuration(options);
    isa::thread_state thread;
    platform::front_end_setup front_end;
    kernel_setup setup{config, {thread, front_end}};
    apply_settings(kernel, setup);
    apply_command_line(options, config);
    return config;
}

/// A kernel whose words are those of a larger machine means something else on a smaller one.
void check_words(const isa::kernel& kernel, const parameters& config) {
    const auto check = [&](const char* path, unsigned written_for, bool fits) {
        if (!fits)
            throw input_error(
                fmt::format("{}: its words are for a machine with {} {}, but the command line says {}",
                            shown_name(kernel.file), path, written_for, find_parameter(path)->text(config)));
    };
    const isa::word_encoding &given = kernel.words, run = isa::make_machine(config).encoding();
    check("macro.count", given.macros, !given.wide_macro_index() || given.macros <= run.macros);
    check("macro.templates", given.templates, given.templates <= 4 || given.templates <= run.templates);
    check("macro.delay_bits", given.delay_bits, given.delay_bits <= 3 || given.delay_bits <= run.delay_bits);
}

kernel_run::kernel_run(isa::kernel kernel, const machine_choice& options, std::optional<unsigned> rows)
    : kernel_(std::move(kernel)) {
    if (kernel_.init.empty() && kernel_.loop.empty() && kernel_.tail.empty())
        throw input_error(shown_name(kernel_.file) + ": found no instruction, expected a kernel");
    request_.config = file_configuration(options);
    request_.thread.reset(kernel_.arch);
    kernel_setup setup{request_.config, {request_.thread, request_.front_end}};
    apply_settings(kernel_, setup);
    apply_command_line(options, request_.config);
    check_words(kernel_, request_.config);
    request_.state.reset(request_.config.sfpu_lreg12_default);
    if (options.firmware_start.value_or(setup.firmware_start)) start_as_firmware(request_.state);
    request_.hazards = hazards(options);

    if (!kernel_.loop.empty()) {
        const unsigned per_iteration = kernel_.rows_per_iteration;
        rows_together_ = is_row_by_row(kernel_) ? 1 : per_iteration;
        const unsigned peeled = kernel_.peeled_rows, most = std::max(default_rows, peeled + per_iteration);
        const unsigned whole_iterations =
            peeled + (most - peeled + per_iteration - 1) / per_iteration * per_iteration;
        rows_ = rows.value_or(kernel_.rows.value_or(whole_iterations));
        if (peeled > 0 && (rows_ < peeled + per_iteration || (rows_ - peeled) % per_iteration != 0))
            throw user_error(
                fmt::format("{}: found {} rows, expected the {} that are peeled and a multiple of "
                            "{} more, the rows of one iteration",
                            kernel_.file, rows_, peeled, per_iteration));
        if ((rows_ - peeled) % per_iteration != 0)
            throw user_error(
                fmt::format("{}: found {} rows, expected a multiple of {}, the rows of one iteration",
                            kernel_.file, rows_, per_iteration));
    }
    request_.segments = platform::segments_of(kernel_, iterations());
}

void kernel_run::end_after(std::uint64_t iterations) {
    rows_ = static_cast<unsigned>(iterations) * kernel_.rows_per_iteration + kernel_.peeled_rows;
    request_.segments[1].repeat = iterations;
}

double kernel_run::cycles_per_row(const platform::run_result& result) const {
    if (rows_ == 0) return 0;
    if (iterations() == 1) return static_cast<double>(result.cycles_used.count()) / rows_;
    const platform::run_result::segment_span& loop = result.segments[1];
    return static_cast<double>((loop.last - loop.first).count()) / (iterations() - 1) /
           kernel_.rows_per_iteration;
}

const isa::source_word* kernel_run::source_of(std::int64_t word) const {
    if (word < 0) return nullptr;
    auto index = static_cast<std::uint64_t>(word);
    const std::uint64_t looped = std::uint64_t{iterations()} * kernel_.loop.size();
    if (index < kernel_.init.size()) return &kernel_.init[index];
    index -= kernel_.init.size();
    if (index < looped) return &kernel_.loop[index % kernel_.loop.size()];
    index -= looped;
    return index < kernel_.tail.size() ? &kernel_.tail[index] : nullptr;
}

unsigned kernel_run::line(std::int64_t word) const { return place(word).line; }

unsigned kernel_run::text_line(std::int64_t word) const {
    const isa::source_word* source = source_of(word);
    return source ? source->line : 0;
}

isa::word_origin kernel_run::place(std::int64_t word) const {
    const isa::source_word* source = source_of(word);
    if (source && source->origin) return kernel_.origins[source->origin - 1];
    isa::word_origin here;
    here.file = kernel_.file;
    if (source) here.line = source->line;
    return here;
}

std::string kernel_run::location(std::int64_t word) const { return location_text(place(word)); }

std::string kernel_run::location(const diagnostic& what) const { return location(word_of(what)); }

std::string kernel_run::message(const diagnostic& what) const {
    const isa::source_word* source = source_of(word_of(what));
    const std::string text =
        with_places(what.message, [this](std::int64_t word) { return mention_text(place(word)); });
    const std::string insn = source ? isa::disassemble(source->word, kernel_.words) : std::string();
    return text.find(insn) == std::string::npos ? insn + ": " + text : text;
}

std::int64_t kernel_run::row_of_word(std::int64_t word) const {
    const std::int64_t in_loop = word - static_cast<std::int64_t>(kernel_.init.size());
    const auto length = static_cast<std::int64_t>(kernel_.loop.size());
    if (word < 0 || in_loop < 0 || length == 0 || in_loop >= length * iterations()) return -1;
    const std::int64_t first = in_loop / length * kernel_.rows_per_iteration;
    if (rows_together_ != 1) return first;
    return first + in_loop % length / (length / kernel_.rows_per_iteration);
}

} // namespace sfpu::analysis
