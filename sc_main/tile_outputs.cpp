#include "tile_outputs.h"

#include "versions.h"
#include <sfpu/views/run.h>

#include "program.h"
#include <sfpu/analysis/kernel_file.h>

#include <sfpu/probe/time_order.h>
#include <sfpu/traces/gtkwave_view.h>
#include <sfpu/traces/konata_writer.h>
#include <sfpu/traces/perfetto_writer.h>
#include <sfpu/traces/vcd_writer.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace sfpu::cli {
/// The writers. Those of formats along the time axis stand behind `order`.
struct tile_outputs::sinks {
    /// When the vector unit begins to work: there a view of the waveform opens.
    struct first_word : probe::pipeline_observer {
        std::optional<cycles> at;
        void executed(const probe::execution_event& event) override {
            if (!at) at = event.begin;
        }
    };

    first_word first;
    std::optional<traces::perfetto_writer> perfetto;
    std::optional<traces::vcd_writer> vcd;
    std::optional<traces::konata_writer> konata;
    probe::observer_list ordered;
    std::optional<probe::time_order> order;
};

tile_outputs::tile_outputs(const platform::tile_run& tile, const parameters& config,
                           const common_options& options, cycles horizon, std::vector<unsigned> value_lanes)
    : config_(config), stats_(options.stats_file), vcd_(options.vcd_file),
      view_(view_name_of(options.vcd_file)), konata_(options.konata_file), perfetto_(options.perfetto_file),
      value_lanes_(std::move(value_lanes)), shown_(trace_options_of(config, options)),
      sinks_(std::make_unique<sinks>()) {
    probe::trace_options& shown = shown_;
    shown.lanes = tile.lanes();
    for (const probe::activity_lane& lane : shown.lanes)
        if (lane.unit == probe::tile_unit::front_end)
            shown.threads = std::max(shown.threads, lane.instance + 1u);
    if (perfetto_.is_wanted())
        observers_.add(sinks_->perfetto.emplace(perfetto_.stream(), shown, value_lanes_.front()));
    if (vcd_.is_wanted()) {
        sinks_->ordered.add(sinks_->vcd.emplace(vcd_.stream(), shown, value_lanes_));
        observers_.add(sinks_->first);
    }
    if (konata_.is_wanted()) sinks_->ordered.add(sinks_->konata.emplace(konata_.stream(), shown));
    if (!sinks_->ordered.empty())
        observers_.add(sinks_->order.emplace(sinks_->ordered, horizon,
                                             vcd_.is_wanted() ? value_lanes_ : std::vector<unsigned>{},
                                             probe::cycle_window(shown)));
}

tile_outputs::~tile_outputs() = default;

void tile_outputs::listen(firmware_options& how) {
    how.observer = observers_.empty() ? nullptr : &observers_;
    how.retired = sinks_->perfetto || sinks_->order;
    const probe::cycle_window window(shown_);
    how.retired_from = window.first;
    how.retired_to = window.last;
}

void tile_outputs::complete(output_file& file, const char* what) {
    if (!file.is_wanted()) return;
    file.commit();
    written_.push_back(what + (" " + file.name()));
}

void tile_outputs::finish(const firmware_answer& answer) {
    const platform::tile_result& result = answer.result;
    if (sinks_->order) sinks_->order->finish();
    if (sinks_->vcd) sinks_->vcd->finish(result.last_cycle);
    if (sinks_->konata) sinks_->konata->finish(result.last_cycle);
    if (sinks_->perfetto) sinks_->perfetto->finish();
    if (stats_.is_wanted()) {
        probe::statistics_input input =
            statistics_of(config_, answer.vector_unit, answer.diagnostics, versions().systemc);
        input.cycles = static_cast<std::uint64_t>(result.cycles_run.count());
        input.tile = answer.parts;
        stats_.stream() << probe::statistics_json(input);
    }
    complete(stats_, "statistics");
    complete(perfetto_, "trace");
    complete(konata_, "pipeline log");
    complete(vcd_, "waveform");
    if (!view_.is_wanted()) return;
    const std::string& vcd = vcd_.name();
    view_.stream() << traces::gtkwave_view(vcd.substr(vcd.find_last_of('/') + 1), shown_, value_lanes_,
                                           shown_.from.value_or(sinks_->first.at.value_or(cycles{})));
    view_.commit();
    written_.back() += opening_of(vcd, view_.name());
}

} // namespace sfpu::cli
