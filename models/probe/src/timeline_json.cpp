// The Trace Event Format, JSON object form.
#include "output_buffer.h"
#include "timeline.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace sfpu::probe {
namespace {

constexpr std::size_t longest_event = 512; ///< room for an event without the texts of a user

std::string json_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

class json_timeline final : public timeline {
public:
    json_timeline(std::ostream& stream, const trace_options& options, const text_cache& texts,
                  unsigned value_lane)
        : out_(stream), options_(options), period_ps_(options.period_ps), texts_(texts) {
        out_.append(fmt::format(
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"architecture\":\"{}\",\"period_ps\":{},"
            "\"time_scale\":\"1 us is 1 ns of simulated time\",\"values\":\"lane {}\"}},\"traceEvents\":[",
            short_name(options.words.arch), options.period_ps, value_lane));
    }

    void name_process(const timeline_track& first, std::string_view name) override {
        out_.append(
            fmt::format(R"({}{{"name":"process_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})",
                        separator(), first.process, first.thread, name));
    }

    /// Threads stand in the viewer in the order of their numbers.
    void name_track(const timeline_track& track, std::string_view name) override {
        out_.append(
            fmt::format(R"({}{{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})",
                        separator(), track.process, track.thread, name));
        out_.append(fmt::format(
            R"({}{{"name":"thread_sort_index","ph":"M","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
            separator(), track.process, track.thread, track.thread));
    }

    void instruction(const execution_event& event, const timeline_track& track, std::int64_t length,
                     std::int64_t row, std::uint32_t text, const lane_values& values) override {
        const std::string_view mnemonic = event.insn.op->mnemonic, shown = escaped(text);
        char* to = out_.room(longest_event + mnemonic.size() + shown.size());
        to = put(to, ",\n{\"name\":\"");
        to = put(to, mnemonic);
        to = put(to, "\",\"cat\":\"");
        to = put(to, std::string_view(category_of(event)));
        to = put_slice(to, track, event.begin, length);
        to = put_cycle_and_word(to, event.begin, event.word);
        to = put_thread(to, event.thread);
        if (row >= 0) to = put_decimal(put(to, ",\"row\":"), row);
        if (reads_dst(event) || writes_dst(event))
            to = put_decimal(put(to, ",\"dst\":"), shown_dst_address(event));
        if (values.cell) to = put_bits(put(to, ",\"cell\":"), *values.cell);
        if (values.result) to = put_bits(put(to, ",\"result\":"), *values.result);
        to = put(to, ",\"origin\":\"");
        to = put(to, std::string_view(origin_of(event)));
        to = put(to, "\",\"text\":\"");
        to = put(to, shown);
        out_.commit(put(to, "\"}}"));
    }

    void stall(const stall_event& event, const timeline_track& track) override {
        char* to = out_.room(longest_event);
        to = put(to, ",\n{\"name\":\"stall: ");
        to = put(to, std::string_view(to_string(event.cause)));
        to = put_slice(put(to, "\",\"cat\":\"stall"), track, event.at, 1);
        out_.commit(put(put_thread(put_cycle_and_word(to, event.at, event.word), event.thread), "}}"));
    }

    void activity(const activity_event& event, const timeline_track& track) override {
        const std::string text = json_escaped(event.text.empty() ? event.kind : event.text);
        const std::string_view kind = event.kind;
        char* to = out_.room(longest_event + text.size() + 2 * kind.size());
        to = put(to, ",\n{\"name\":\"");
        to = put(to, text);
        to = put(to, "\",\"cat\":\"");
        to = put(to, kind);
        to = put_slice(to, track, event.begin, (event.end - event.begin + one_cycle).count());
        to = put_decimal(put(to, ",\"args\":{\"cycle\":"), event.begin.count());
        to = put(put(to, ",\"kind\":\""), kind);
        out_.commit(put(to, "\"}}"));
    }

    /// An arrow binds to the slices that are open at its two times.
    void arrow(const timeline_arrow& what, const timeline_track& from, cycles start, const timeline_track& to,
               cycles end) override {
        char* at = out_.room(longest_event);
        at = put_arrow_end(at, what, "\",\"ph\":\"s\",\"id\":", from, start);
        at = put_arrow_end(at, what, "\",\"ph\":\"f\",\"bp\":\"e\",\"id\":", to, end);
        out_.commit(at);
        ++next_arrow_;
    }

    void slots(const slots_event& event, cycles at) override {
        char* to = put_counter(out_.room(longest_event), slots_counter, at);
        for (unsigned i = 0; i < isa::scheduled_units; ++i) {
            to = put(to, i == 0 ? std::string_view("\"") : std::string_view(",\""));
            to = put(to, std::string_view(isa::to_string(static_cast<isa::sub_unit>(i))));
            to = put_decimal(put(to, "\":"), count_of_bits(event.outstanding[i]));
        }
        out_.commit(put(to, "}}"));
    }

    void rate(std::uint32_t instructions, cycles at) override {
        char* to = put(put_counter(out_.room(longest_event), rate_counter, at), "\"");
        to = put_decimal(put(put(to, rate_part), "\":"), instructions / rate_cycles);
        // Sixteenths have four decimals.
        const auto rest = static_cast<unsigned>(instructions % rate_cycles * (10000 / rate_cycles));
        *to++ = '.';
        for (const unsigned pair : {rest / 100, rest % 100}) {
            std::memcpy(to, &detail::digit_pairs[2 * pair], 2);
            to += 2;
        }
        out_.commit(put(to, "}}"));
    }

    void counters(const counters_event& event, cycles at) override {
        char* to = put_counter(out_.room(longest_event), address_counter_name(event.thread), at);
        to = put_decimal(put(to, "\"dst\":"), event.dst);
        to = put_decimal(put(to, ",\"dst_cr\":"), event.dst_cr);
        to = put_decimal(put(to, ",\"sp\":"), event.sp);
        out_.commit(put(to, "}}"));
    }

    void report(const diagnostic& what, const timeline_track& track) override {
        const std::string_view name = describe(what.id).name;
        const std::string message = json_escaped(what.message);
        char* to = out_.room(longest_event + name.size() + message.size());
        to = put(put(to, ",\n{\"name\":\""), name);
        to = put(put(to, "\",\"cat\":\""), std::string_view(to_string(what.level)));
        to = put_place(put(to, "\",\"ph\":\"i\",\"s\":\"t"), track);
        to = put_cycle_and_word(put_time(put(to, ",\"ts\":"), what.at.count()), what.at, what.word);
        to = put(put(to, ",\"message\":\""), message);
        out_.commit(put(to, "\"}}"));
    }

    void finish() override {
        out_.append("\n]}\n");
        out_.flush();
    }

private:
    /// What stands before an event of the header; the others always follow one.
    std::string_view separator() { return std::exchange(is_first_, false) ? "\n" : ",\n"; }

    std::string_view escaped(std::uint32_t text) {
        while (escaped_.size() <= text) escaped_.push_back(json_escaped(texts_[escaped_.size()]));
        return escaped_[text];
    }

    // Pieces of an event. Each begins inside or behind the value before it.

    static char* put_place(char* to, const timeline_track& track) {
        to = put_decimal(put(to, "\",\"pid\":"), track.process);
        return put_decimal(put(to, ",\"tid\":"), track.thread);
    }
    /// Microseconds: a picosecond of the model is 0.001.
    char* put_time(char* to, std::int64_t cycle_count) const {
        const std::int64_t total = cycle_count * period_ps_;
        to = put_decimal(to, total / 1000);
        const auto rest = static_cast<unsigned>(total % 1000);
        *to++ = '.';
        *to++ = static_cast<char>('0' + rest / 100);
        std::memcpy(to, &detail::digit_pairs[2 * (rest % 100)], 2);
        return to + 2;
    }
    char* put_slice(char* to, const timeline_track& track, cycles begin, std::int64_t length) const {
        to = put_place(put(to, "\",\"ph\":\"X"), track);
        to = put_time(put(to, ",\"ts\":"), begin.count());
        return put_time(put(to, ",\"dur\":"), length);
    }
    char* put_thread(char* to, unsigned thread) const {
        return shows_thread(options_, thread) ? put_decimal(put(to, ",\"thread\":"), thread) : to;
    }
    /// "0x3f800000"
    static char* put_bits(char* to, std::uint32_t bits) {
        to = put(to, "\"0x");
        for (int shift = 28; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[bits >> shift & 15];
        *to++ = '"';
        return to;
    }
    static char* put_cycle_and_word(char* to, cycles at, std::int64_t word) {
        to = put_decimal(put(to, ",\"args\":{\"cycle\":"), at.count());
        return put_decimal(put(to, ",\"word\":"), word);
    }
    char* put_arrow_end(char* to, const timeline_arrow& what, std::string_view phase,
                        const timeline_track& track, cycles at) const {
        to = put(put(to, ",\n{\"name\":\""), std::string_view(what.name));
        to = put(put(to, "\",\"cat\":\""), std::string_view(what.category));
        to = put_decimal(put(to, phase), next_arrow_);
        to = put_decimal(put(to, ",\"pid\":"), track.process);
        to = put_decimal(put(to, ",\"tid\":"), track.thread);
        return put(put_time(put(to, ",\"ts\":"), at.count()), "}");
    }
    char* put_counter(char* to, std::string_view name, cycles at) const {
        to = put(put(to, ",\n{\"name\":\""), name);
        to = put_time(put(to, "\",\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":"), at.count());
        return put(to, ",\"args\":{");
    }

    output_buffer out_;
    trace_options options_;
    std::int64_t period_ps_;
    const text_cache& texts_;
    std::vector<std::string> escaped_; ///< the texts so far
    std::int64_t next_arrow_ = 1;
    bool is_first_ = true;
};

} // namespace

std::unique_ptr<timeline> make_json_timeline(std::ostream& out, const trace_options& options,
                                             const text_cache& texts, unsigned value_lane) {
    return std::make_unique<json_timeline>(out, options, texts, value_lane);
}

} // namespace sfpu::probe
