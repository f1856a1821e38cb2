#include <sfpu/views/exec_protocol.h>

#include "exec_fields.h"
#include "exec_values.h"

#include <sfpu/analysis/machine_choice.h>
#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/replay_expander.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

namespace sfpu::views {

using namespace analysis;

namespace {

constexpr unsigned maximum_depth = 64; ///< of nested values; a request needs three
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string json_text(const request_value& value) { return simdjson::to_string(value); }

/// Bounds the depth before nlohmann/json builds a document that would be too deep for its recursion.
void check_depth(std::string_view line) {
    unsigned depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > maximum_depth)
                throw request_error("bad-json",
                                    "column " + std::to_string(i + 1) + ": nested deeper than 64 levels");
        } else if ((c == ']' || c == '}') && depth) {
            --depth;
        }
    }
}

/// Where a line is no JSON and what stands there. It keeps nothing, so that any length needs no memory.
class fault_finder : public nlohmann::json::json_sax_t {
public:
    std::string found; ///< empty: nothing is wrong

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& fault) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"; a number out of
        // range has no column
        std::string_view reason = fault.what();
        const std::size_t column = reason.find("column ");
        if (column != std::string_view::npos) reason.remove_prefix(column);
        found = reason;
        return false;
    }
};

/// A line that simdjson refused. It is quick but does not tell what it found where; nlohmann/json does.
[[noreturn]] void refuse_line(std::string_view line, simdjson::error_code error) {
    constexpr std::size_t longest_document = 1 << 20; // in which the place of a number is worth its memory
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    check_depth(line);
    fault_finder finder;
    nlohmann::json::sax_parse(line, &finder);
    if (!finder.found.empty()) throw request_error("bad-json", finder.found);
    // What only nlohmann/json accepts: text behind a NUL, integers of more than 64 bits.
    if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos)
        throw request_error("bad-json", "column " + std::to_string(nul + 1) + ": found a NUL byte");
    if (line.size() > longest_document) throw request_error("bad-json", simdjson::error_message(error));
    const nlohmann::json leaves = nlohmann::json::parse(line).flatten();
    for (const auto& [path, value] : leaves.items()) {
        if (!value.is_number_float() || std::abs(value.get<double>()) < 0x1p63) continue;
        std::string where = path.empty() ? "the line" : path.substr(1); // "bubbles/0"
        std::replace(where.begin(), where.end(), '/', '.');
        refuse(where + ": found " + value.dump() + ", expected an integer of at most 64 bits");
    }
    throw request_error("bad-json", simdjson::error_message(error));
}

/// The last of equal names counts.
std::optional<request_value> find(const simdjson::dom::object& document, std::string_view name) {
    std::optional<request_value> found;
    for (const auto& [key, value] : document)
        if (key == name) found = value;
    return found;
}

/// The machine: architecture and parameters decide what the other fields mean.
void read_configuration(const simdjson::dom::object& document, parameters& config) {
    if (const auto arch = find(document, "arch")) {
        constexpr auto expected = "\"bh\" or \"wh\"";
        if (set_parameter(config, "arch", std::string(read_string(*arch, {"arch"}, expected))))
            refuse({"arch"}, *arch, expected);
    }
    const auto given = find(document, "parameters");
    if (!given) return;
    for (const auto& [key, value] : read_object(*given, {"parameters"}, "an object of parameters")) {
        if (value.is_array() || value.is_object() || value.is_null())
            refuse({"parameters", key}, value, "one value");
        if (key == "arch") refuse("parameters: the architecture is the field 'arch'");
        std::string_view text;
        const std::string setting = value.get(text) ? json_text(value) : std::string(text);
        if (const auto problem = set_parameter(config, key, setting)) refuse("parameters: " + *problem);
    }
}

void check_word(std::uint32_t word, architecture arch, std::size_t index, const char* origin) {
    if (isa::classify(word, arch) != isa::word_kind::no_instruction) return;
    throw request_error("bad-word",
                        fmt::format("words[{}]: {}{:08x} has opcode {:02x}, which is no instruction on {}",
                                    index, origin, word, word >> 24, short_name(arch)),
                        index);
}

/// How many words the front end makes of a word that is no MOP: a REPLAY that plays, as many as it says.
std::uint64_t words_made_of(std::uint32_t word, const parameters& config) {
    if (word >> 24 != isa::opcode::replay || (word & 1) != 0) return 1;
    const unsigned count = frontend::replay_expander::count_field(word);
    return count != 0 ? count : config.front_end.replay_count_zero;
}

/// Every word, what each MOP becomes, and that they do not become too many.
void check_words(const platform::run_request& run, std::uint64_t max_words) {
    const std::vector<std::uint32_t>& words = run.segments.front().words;
    const architecture arch = run.config.arch;
    std::array<frontend::mop_expander, isa::thread_count> mops;
    for (unsigned thread = 0; thread < mops.size(); ++thread) {
        const platform::front_end_setup& setup = run.front_end_of(thread);
        for (unsigned i = 0; i < setup.mop_config.size(); ++i)
            mops[thread].set_config(i, setup.mop_config[i]);
        mops[thread].set_mask_hi(setup.mop_mask_hi);
    }
    std::uint64_t made = 0;
    const auto count = [&](std::uint32_t word, std::size_t index) {
        made += words_made_of(word, run.config);
        if (made <= max_words) return;
        throw request_error("bad-request",
                            fmt::format("words[{}]: MOPs and playbacks make more than {} words, the most "
                                        "that --max-words allows",
                                        index, max_words),
                            index);
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        check_word(words[i], arch, i, "");
        frontend::mop_expander& mop = mops[i < run.threads.size() ? run.threads[i] : 0];
        if (words[i] >> 24 == isa::opcode::mop_cfg) mop.set_mask_hi(words[i]);
        if (words[i] >> 24 != isa::opcode::mop) {
            count(words[i], i);
            continue;
        }
        mop.begin(words[i]);
        while (mop.pending()) {
            const std::uint32_t word = mop.take();
            check_word(word, arch, i, "the MOP issues a word of config.mop_cfg: ");
            count(word, i);
        }
    }
}

} // namespace

struct request_parser::implementation {
    simdjson::dom::parser parser; ///< keeps its memory from line to line
    bool knows_depth = false;

    simdjson::dom::parser& ready() {
        // simdjson refuses at this depth, in which an empty innermost array or object does not count.
        if (!knows_depth && parser.allocate(0, maximum_depth + 1)) throw std::bad_alloc();
        knows_depth = true;
        return parser;
    }
};

request_parser::request_parser() : implementation_(std::make_unique<implementation>()) {}
request_parser::~request_parser() = default;

void request_parser::let_go() {
    implementation_->parser = simdjson::dom::parser();
    implementation_->knows_depth = false;
}

void request_parser::parse(std::string& line, const exec_defaults& defaults, exec_request& request) {
    line.reserve(line.size() + simdjson::SIMDJSON_PADDING); // else it would be copied
    std::string_view text = line;
    if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
    request_value document;
    if (const auto error = implementation_->ready().parse(text.data(), text.size(), false).get(document))
        refuse_line(line, error);
    simdjson::dom::object fields_given;
    if (document.get(fields_given))
        throw request_error("bad-request", "found " + describe(document) + ", expected an object");
    if (const auto id = find(fields_given, "id")) request.id = json_text(*id);

    platform::run_request& run = request.run;
    run.config = defaults.config;
    run.hazards = defaults.hazards;
    read_configuration(fields_given, run.config);
    request.strict = defaults.strict;
    run.state.reset(run.config.sfpu_lreg12_default);
    run.thread.reset(run.config.arch);
    const auto start = find(fields_given, "firmware_start");
    if (start ? read_boolean(*start, {"firmware_start"}) : defaults.firmware_start)
        start_as_firmware(run.state);
    read_fields(fields_given, request);

    if (run.segments.empty()) refuse("words: missing");
    if (run.bubbles.size() > run.segments.front().words.size())
        refuse("bubbles: found " + std::to_string(run.bubbles.size()) +
               " of them, expected at most one for each of " +
               std::to_string(run.segments.front().words.size()) + " words");
    const std::size_t words = run.segments.front().words.size();
    if (request.thread_of_all) run.threads.assign(words, *request.thread_of_all);
    if (request.threads && run.threads.size() != words)
        refuse("thread: found " + std::to_string(run.threads.size()) + " of them, expected one for each of " +
               std::to_string(words) + " words");
    check_words(run, defaults.max_words);
}

} // namespace sfpu::views
