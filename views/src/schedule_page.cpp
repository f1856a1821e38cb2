#include <sfpu/views/schedule_page.h>

#include "schedule_page_parts.h"

#include <sfpu/views/instruction_profile.h>

#include <sfpu/analysis/word_places.h>
#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <ostream>
#include <string_view>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;

/// As page.js numbers them.
enum class shown_kind : unsigned { issued, scheduled, discarded, held, diagnostic, forgotten };
constexpr unsigned issue_lane = 0;

unsigned lane_of(isa::sub_unit unit) {
    switch (unit) {
    case isa::sub_unit::load: return 1;
    case isa::sub_unit::simple: return 2;
    case isa::sub_unit::mad: return 3;
    case isa::sub_unit::round: return 4;
    case isa::sub_unit::store: return 5;
    case isa::sub_unit::front_end: break;
    }
    return issue_lane;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

/// Nothing if all words come from elsewhere: then their lines are not those of this text.
json source_lines(std::string_view source, const analysis::instruction_profile& profile) {
    const bool has_own = std::any_of(profile.words.begin(), profile.words.end(),
                                     [](const analysis::word_facts& word) { return !word.has_origin; });
    json lines = json::array();
    while (has_own && !source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

} // namespace

struct schedule_page::implementation {
    std::ostream& out;
    const analysis::kernel_run& kernel;
    probe::trace_options options;
    std::map<std::string, unsigned> numbers; ///< of the texts
    std::vector<std::string> texts;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
    bool any = false;

    bool shows(cycles at) const {
        return (!options.from || *options.from <= at) && (!options.to || at <= *options.to);
    }
    unsigned number_of(const std::string& text) {
        const auto [known, is_new] = numbers.try_emplace(text, static_cast<unsigned>(texts.size()));
        if (is_new) texts.push_back(text);
        return known->second;
    }
    void write(cycles begin, std::int64_t length, unsigned lane, const std::string& text, shown_kind what,
               std::int64_t word, const std::string& value = "") {
        first = std::min(first, begin.count());
        last = std::max(last, begin.count() + length - 1);
        out << (any ? ",\n" : "")
            << fmt::format("[{},{},{},{},{},{},{},{}", begin.count(), length, lane, number_of(text),
                           static_cast<unsigned>(what), kernel.row_of_word(word), word, kernel.line(word));
        if (!value.empty()) out << ",\"" << value << '"';
        out << ']';
        any = true;
    }
    std::string value_of(const probe::execution_event& event) const;
};

/// What lane 0 gets, and where it goes; nothing if it is disabled.
std::string schedule_page::implementation::value_of(const probe::execution_event& event) const {
    std::string text;
    if (!(event.lanes & 1u)) return text;
    if (event.cells && event.takes_effect)
        text = fmt::format("Dst 0x{:x}: {:08x} in lane 0", event.dst_address & ~1u, event.cells->v[0]);
    if (event.result && event.insn.use.results() != 0)
        text +=
            fmt::format("{}L{} = {:08x} in lane 0, visible from cycle {}", text.empty() ? "" : "; ",
                        __builtin_ctz(event.insn.use.results()), event.result->v[0], event.end.count() + 1);
    return text;
}

schedule_page::schedule_page(std::ostream& out, const analysis::kernel_run& kernel,
                             const probe::trace_options& options, const std::string& title)
    : impl_(new implementation{out, kernel, options, {}, {}}) {
    std::string head = schedule_page_parts::html;
    replace_all(head, "{{style}}", schedule_page_parts::style);
    replace_all(head, "{{title}}", markup_text(title));
    out << head << "<script type=\"application/json\" id=\"data\">\n{\"events\":[\n";
}
schedule_page::~schedule_page() = default;

void schedule_page::executed(const probe::execution_event& event) {
    if (!impl_->shows(event.begin)) return;
    const bool scheduled = event.from == probe::origin::macro;
    const std::string text = isa::text(event.insn, impl_->options.words);
    const shown_kind what = event.discarded ? shown_kind::discarded
                            : scheduled     ? shown_kind::scheduled
                                            : shown_kind::issued;
    if (!scheduled) impl_->write(event.begin, 1, issue_lane, text, shown_kind::issued, event.word);
    if (event.unit == isa::sub_unit::front_end) return;
    const bool holds =
        event.insn.latency == isa::latency_class::swap || event.insn.latency == isa::latency_class::shuffle;
    impl_->write(event.begin, holds ? (event.end - event.begin + one_cycle).count() : 1, lane_of(event.unit),
                 text, what, event.word, impl_->value_of(event));
}

void schedule_page::stalled(const probe::stall_event& event) {
    if (impl_->shows(event.at))
        impl_->write(event.at, 1, issue_lane, fmt::format("held: {}", probe::to_string(event.cause)),
                     shown_kind::held, event.word);
}

void schedule_page::forgotten(const probe::forgotten_event& event) {
    if (impl_->shows(event.at))
        impl_->write(event.at, 1, lane_of(event.unit),
                     "forgotten: " + isa::text(event.insn, impl_->options.words), shown_kind::forgotten,
                     event.word);
}

void schedule_page::diagnosed(const diagnostic& what) {
    if (impl_->shows(what.at))
        impl_->write(what.at, 1, issue_lane,
                     fmt::format("{}: {}: {}", to_string(what.level), describe(what.id).name,
                                 impl_->kernel.message(what)),
                     shown_kind::diagnostic, analysis::word_of(what));
}

void schedule_page::finish(const std::string& summary, cycles steady, const std::string& source,
                           const analysis::instruction_profile& profile) {
    const bool any = impl_->any;
    const json rest{{"texts", impl_->texts},
                    {"first", any ? impl_->first : 0},
                    {"last", any ? impl_->last : 0},
                    {"steady", steady.count()},
                    {"rows_together", impl_->kernel.rows_together()},
                    {"summary", summary},
                    {"source", source_lines(source, profile)},
                    {"profile", json_of(profile)}};
    impl_->out << "\n]}\n</script>\n<script type=\"application/json\" id=\"texts\">"
               << inside_script(rest.dump(-1, ' ', false, json::error_handler_t::replace), "\\u003c")
               << "</script>\n<script>" << schedule_page_parts::script << "</script>\n</body>\n</html>\n";
}

} // namespace sfpu::views
