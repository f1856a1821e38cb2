#include <sfpu/traces/gtkwave_view.h>

#include "trace_support.h"
#include "vcd_document.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/probe/event_meaning.h>

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace sfpu::traces {

using namespace probe;

namespace {

// Flags of GTKWave: how the signals that follow are shown.
constexpr const char* hexadecimal = "@22";
constexpr const char* decimal = "@24";
constexpr const char* as_bits = "@28";
constexpr const char* as_text = "@20";

constexpr unsigned page_width = 1600, names_width = 190, shown_cycles = 20;

class save_file {
public:
    explicit save_file(std::string& text) : text_(text) {}

    void signal(const char* flags, std::string_view name) { text_ += fmt::format("{}\n{}\n", flags, name); }
    void vector(const char* flags, std::string_view name, unsigned size) {
        text_ += fmt::format("{}\n{}[{}:0]\n", flags, name, size - 1);
    }
    void begin_group(std::string_view name) { text_ += fmt::format("@800200\n-{}\n", name); }
    void end_group(std::string_view name) { text_ += fmt::format("@1000200\n-{}\n", name); }

private:
    std::string& text_;
};

void show_units(save_file& view) {
    for (const unit_column& column : pipeline_columns) {
        const std::string scope = fmt::format("sfpu.{}", isa::to_string(column.unit));
        view.begin_group(column.title);
        view.signal(as_text, scope + ".text");
        view.signal(as_bits, scope + ".origin");
        view.signal(decimal, scope + ".row");
        view.end_group(column.title);
    }
}

void show_lanes(save_file& view, const std::vector<unsigned>& value_lanes) {
    constexpr std::size_t most = 4; // of all 32 the rest is one search away
    for (std::size_t i = 0; i < std::min(most, value_lanes.size()); ++i) {
        const std::string scope = fmt::format("sfpu.lane{}", value_lanes[i]);
        const std::string title = fmt::format("Lane {}", value_lanes[i]);
        view.begin_group(title);
        for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
            if (isa::contains(isa::result_registers, lreg))
                view.vector(hexadecimal, fmt::format("{}.L{}", scope, lreg), 32);
        view.vector(hexadecimal, scope + ".load_data", 32);
        view.vector(hexadecimal, scope + ".store_data", 32);
        view.end_group(title);
    }
}

} // namespace

std::string gtkwave_view(const std::string& dump_name, const trace_options& options,
                         const std::vector<unsigned>& value_lanes, cycles first) {
    // GTKWave shows 2^-zoom units of time in 200 pixels.
    const double units =
        static_cast<double>(shown_cycles * vcd_document::cycle_length) / (page_width - 2 * names_width) * 200;
    const std::int64_t start = first.count() * vcd_document::cycle_length;
    const std::string name = shown_name(dump_name); // GTKWave has no way to write others
    std::string text = fmt::format("[*] View of {0}: gtkwave {0} with this file behind it shows it\n", name);
    text += fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] {} 1000\n[pos] -1 -1\n", name, start,
                        page_width);
    text += fmt::format("*{:.6f} {}", -std::log2(units), start);
    for (unsigned marker = 0; marker < 26; ++marker) text += " -1";
    text += fmt::format("\n[treeopen] sfpu.\n[sst_width] 180\n[signals_width] {}\n[sst_expanded] 0\n",
                        names_width);
    save_file view(text);
    view.signal(as_bits, "clock.clock");
    view.signal(decimal, "sfpu.counters.cycle");
    view.begin_group("Issue");
    view.signal(decimal, "sfpu.counters.row");
    view.signal(as_text, "sfpu.issue.text");
    view.signal(as_bits, "sfpu.issue.stalled");
    view.signal(as_text, "sfpu.issue.stall_cause");
    view.end_group("Issue");
    view.signal(as_bits, "sfpu.hazards.hazard");
    view.signal(as_text, "sfpu.hazards.id");
    if (!options.lanes.empty()) view.begin_group("Tile");
    for (const activity_lane& lane : options.lanes)
        view.signal(as_text,
                    fmt::format("tile.{}.text", lane_name(lane.unit, lane.instance, lane.name, '_')));
    if (!options.lanes.empty()) view.end_group("Tile");
    show_units(view);
    show_lanes(view, value_lanes);
    if (!value_lanes.empty()) view.vector(hexadecimal, "sfpu.lanes.flags", lane_count);
    view.begin_group("Dst ports");
    view.vector(hexadecimal, "sfpu.dst.load_address", 10);
    view.vector(hexadecimal, "sfpu.dst.store_address", 10);
    view.end_group("Dst ports");
    view.begin_group("Macro entries");
    unsigned count = 1;
    while (1u << count <= options.slots * isa::scheduled_units) ++count;
    view.vector(decimal, "sfpu.macro.outstanding", count);
    for (unsigned unit = 0; unit < isa::scheduled_units; ++unit)
        view.vector(as_bits, fmt::format("sfpu.macro.{}", isa::to_string(static_cast<isa::sub_unit>(unit))),
                    1u << options.words.delay_bits);
    view.end_group("Macro entries");
    view.begin_group("Address counters");
    for (const char* counter : {"dst", "dst_cr", "sp"})
        view.vector(hexadecimal, fmt::format("sfpu.counters.{}", counter), 10);
    view.end_group("Address counters");
    return text + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

} // namespace sfpu::traces
