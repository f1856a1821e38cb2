#include "session.h"

#include "interrupts.h"
#include "program.h"

#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/table.h>
#include <sfpu/timing/write_back.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sfpu::cli::debug {
namespace {

constexpr std::int64_t recorded_cycles = 2048; ///< at a time
constexpr std::size_t most_hazards = 10000;    ///< that are listed

} // namespace

void session::hazard_list::diagnose(const diagnostic& what) {
    ++count;
    if (list.size() < most_hazards) list.push_back(what);
}

session::session(kernel_run& kernel, platform::program_runner& runner) : kernel_(kernel), runner_(runner) {
    kernel_.request().diagnostics = &hazards_;
    last_cycle_ = runner_.run(kernel_.request()).last_cycle.count();
    kernel_.request().diagnostics = nullptr;
    std::stable_sort(hazards_.list.begin(), hazards_.list.end(),
                     [](const diagnostic& a, const diagnostic& b) { return a.at < b.at; });
}

/// Runs the program up to the end of a cycle, or a little further. Each word takes a slot of its own, so that later words
/// need not be there.
void session::run(probe::pipeline_observer& observer, std::int64_t last_cycle,
                  const std::function<bool()>& enough) {
    platform::run_request request = kernel_.request();
    request.observer = &observer;
    auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(last_cycle, 0) + 2) *
                request.config.sfpu_issue_width;
    for (platform::program_segment& segment : request.segments) {
        const std::uint64_t length = segment.words.size();
        if (length == 0) continue;
        segment.repeat = std::min<std::uint64_t>(segment.repeat, left / length + 1);
        left -= std::min(left, length * segment.repeat);
        if (left == 0) break;
    }
    if (enough) request.stop = [&](std::uint64_t) { return enough() || interrupt_guard::interrupted(); };
    runner_.run(request);
}

void session::move_to(std::int64_t cycle) {
    position_ = std::clamp<std::int64_t>(cycle, -1, last_cycle_);
    state_.reset();
}

const cycle_record& session::record(std::int64_t cycle) {
    if (!recent_ || !recent_->holds(cycle)) {
        const std::int64_t first = std::max<std::int64_t>(0, cycle - recorded_cycles / 2);
        const std::int64_t last = first + recorded_cycles - 1;
        recent_ = std::make_unique<recording>(runner_, first, last);
        run(*recent_, last);
    }
    return recent_->of(cycle);
}

machine_state session::state_at(std::int64_t cycle) {
    if (cycle < 0) {
        record(0);
        return recent_->state_after(-1);
    }
    record(cycle);
    return recent_->state_after(cycle);
}

const machine_state& session::state() {
    if (!state_) state_ = state_at(position_);
    return *state_;
}

unsigned session::line_of(std::int64_t word) const { return kernel_.line(word); }

// --- targets -------------------------------------------------------------------------------------------------------

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<unsigned> number_of(std::string_view text) {
    text = trimmed(text);
    int base = 10;
    if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
        base = 16;
        text.remove_prefix(2);
    }
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct range {
    unsigned first = 0, end = 0;
};
/// "3", "0:4", "0:", ":4", ":"
range parse_range(std::string_view text, unsigned size, const char* what) {
    const std::size_t colon = text.find(':');
    std::optional<unsigned> first, end;
    if (colon == std::string_view::npos) {
        first = number_of(text);
        if (first) end = *first + 1;
    } else {
        const std::string_view before = trimmed(text.substr(0, colon)),
                               after = trimmed(text.substr(colon + 1));
        first = before.empty() ? 0u : number_of(before);
        end = after.empty() ? size : number_of(after);
    }
    if (!first || !end || *first >= *end || *end > size)
        throw user_error(fmt::format("found '{}', expected {} like 3 or 0:4, below {}", text, what, size));
    return {*first, *end};
}

/// Takes "[...]" off the end; what stands in it, cut at commas.
std::vector<std::string_view> take_brackets(std::string_view& text) {
    std::vector<std::string_view> parts;
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos) return parts;
    if (text.back() != ']') throw user_error(fmt::format("found '{}', expected a ']' at the end", text));
    std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    for (std::size_t comma; (comma = inside.find(',')) != std::string_view::npos;
         inside.remove_prefix(comma + 1))
        parts.push_back(inside.substr(0, comma));
    parts.push_back(inside);
    text = trimmed(text.substr(0, open));
    return parts;
}

/// "L3", "l16"
std::optional<unsigned> lreg_named(std::string_view text) {
    if (text.size() < 2 || (text[0] != 'L' && text[0] != 'l')) return std::nullopt;
    const auto number = number_of(text.substr(1));
    return number && *number < isa::lreg_count ? number : std::nullopt;
}

} // namespace

target session::parse_target(std::string_view text) const {
    text = trimmed(text);
    target result;
    bool wide = true, typed = false;
    if (const std::size_t as = text.rfind(" as "); as != std::string_view::npos) {
        const std::string name(trimmed(text.substr(as + 4)));
        text = trimmed(text.substr(0, as));
        typed = true;
        if (name == "hex16") {
            wide = false;
        } else if (name != "hex") {
            result.type = isa::find_data_type(name);
            if (!result.type)
                throw user_error(fmt::format("found the type '{}', expected one of hex, hex16, {}", name,
                                             isa::data_type_names()));
            wide = isa::has_wide_cells(*result.type);
        }
    }
    const std::vector<std::string_view> brackets = take_brackets(text);
    const auto take_lanes = [&](std::size_t index) {
        if (brackets.size() <= index) return;
        const range lanes = parse_range(brackets[index], lane_count, "lanes");
        result.first_lane = lanes.first;
        result.end_lane = lanes.end;
    };
    const auto at_most = [&](std::size_t parts) {
        if (brackets.size() > parts)
            throw user_error(
                fmt::format("found {} ranges in brackets, expected at most {}", brackets.size(), parts));
    };
    result.name = std::string(text);
    if (const auto lreg = lreg_named(text)) {
        at_most(1);
        result.lreg = *lreg;
        result.name = fmt::format("L{}", *lreg);
        if (!wide)
            throw user_error(
                "registers hold 32 bits: expected one of hex, f32, i32, u32, sm32 as their type");
        take_lanes(0);
        return result;
    }
    if (text == "flags") {
        at_most(1);
        result.what = target::kind::flags;
        take_lanes(0);
        return result;
    }
    result.what = target::kind::dst;
    const isa::thread_state& thread = kernel_.request().thread;
    if (text.substr(0, 4) == "dst ") {
        at_most(1);
        const auto address = number_of(text.substr(4));
        if (!address || *address > 0x3ff)
            throw user_error(
                fmt::format("found '{}', expected dst ADDRESS with an address of Dst, 0 to 0x3ff", text));
        result.rows = {analysis::slice_at(*address, wide, thread.backend().rows)};
        take_lanes(0);
        return result;
    }
    const isa::kernel& source = kernel_.kernel();
    std::vector<std::string> names{"L0", "flags", "dst"};
    for (const auto* list : {&source.outputs, &source.inputs})
        for (const isa::tensor& tensor : *list) {
            names.push_back(tensor.name);
            if (tensor.name != text || !result.rows.empty()) continue;
            at_most(2);
            result.is_tensor = true;
            if (!typed) {
                result.type = tensor.type;
                wide = isa::has_wide_cells(tensor.type);
            }
            range rows{0, kernel_.rows()};
            if (!brackets.empty()) rows = parse_range(brackets[0], kernel_.rows(), "rows");
            result.first_row = rows.first;
            for (unsigned row = rows.first; row < rows.end; ++row)
                result.rows.push_back(analysis::slice_of_row(tensor.address, row, wide, thread));
            take_lanes(1);
        }
    if (result.rows.empty())
        throw user_error(fmt::format("found '{}', expected a register (L0 to L16), flags, dst ADDRESS, or "
                                     "the name of an .input or .output{}",
                                     text, suggestion(text, names)));
    return result;
}

std::uint32_t session::bits_of(const machine_state& state, const target& what, std::size_t row,
                               unsigned lane) {
    switch (what.what) {
    case target::kind::lreg: return state.lreg[what.lreg].v[lane];
    case target::kind::flags: return state.flags >> lane & 1u;
    case target::kind::dst: break;
    }
    return analysis::read_cell(state.dst, what.rows[row], lane);
}

bool session::differs(const machine_state& a, const machine_state& b, const target& what) {
    const std::size_t rows = what.what == target::kind::dst ? what.rows.size() : 1;
    for (std::size_t row = 0; row < rows; ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; ++lane)
            if (bits_of(a, what, row, lane) != bits_of(b, what, row, lane)) return true;
    return false;
}

// --- questions -----------------------------------------------------------------------------------------------------

std::optional<std::int64_t> session::find(std::int64_t from, const search::condition& wanted) {
    search looking(runner_, from, wanted);
    run(looking, last_cycle_, [&] { return looking.found().has_value(); });
    return interrupt_guard::interrupted() ? std::nullopt : looking.found();
}

bool session::stores_wide(const isa::instruction& insn) const {
    const isa::backend_configuration& backend = kernel_.request().thread.backend();
    return isa::dst_mode::store_is_32_bit(
        isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format));
}

bool session::writes(const execution& what, const target& of, std::size_t row, unsigned lane) const {
    const probe::execution_event& event = what.event;
    if (!event.takes_effect) return false;
    switch (of.what) {
    case target::kind::lreg:
        return isa::contains(event.insn.use.writes, of.lreg) && (event.lanes >> lane & 1u);
    case target::kind::flags: return false;
    case target::kind::dst: break;
    }
    if (!event.insn.is(isa::opcode::sfpstore) || event.insn.names_template()) return false;
    const analysis::dst_slice to = analysis::slice_at(event.dst_address, stores_wide(event.insn),
                                                      kernel_.request().thread.backend().rows);
    const analysis::dst_slice& cells = of.rows[row];
    const auto meets = [&](unsigned a, unsigned b) {
        return (to.wide || a == 0) && (cells.wide || b == 0) &&
               to.row + a * analysis::lower_half_distance == cells.row + b * analysis::lower_half_distance;
    };
    return to.odd == cells.odd && (event.lanes >> lane & 1u) &&
           (meets(0, 0) || meets(0, 1) || meets(1, 0) || meets(1, 1));
}

/// Of two results that arrive in one cycle, which one is written last (T2a).
bool session::is_later(const execution& a, const execution& b) const {
    if (a.event.end != b.event.end) return b.event.end < a.event.end;
    const auto order = timing::port_order(isa::make_machine(kernel_.request().config).write_order);
    const auto place = [&](const execution& one) {
        return std::find(order.begin(), order.end(), timing::port_of(one.event.insn, 0)) - order.begin();
    };
    return place(b) <= place(a);
}

std::optional<writer> session::last_writer(const target& what, std::size_t row, unsigned lane) {
    std::optional<writer> latest;
    const auto note = [&](std::int64_t at, const cycle_record& record, const machine_state&) {
        if (at > position_) return true;
        for (const execution& one : record.executed) {
            if (one.event.end.count() > position_ || !writes(one, what, row, lane)) continue;
            if (!latest || is_later(one, latest->by)) latest = writer{one, one.event.end.count() + 1};
        }
        return false;
    };
    find(0, note);
    return latest;
}

} // namespace sfpu::cli::debug
