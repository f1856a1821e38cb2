#include <sfpu/views/kernel_picture.h>

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/isa/machine.h>
#include <sfpu/views/run.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/views/svg_schedule.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace sfpu::views {
namespace {

constexpr unsigned iterations = 32; ///< of a run; the picture begins in the middle
constexpr std::size_t first_drawn = iterations / 2;
constexpr std::int64_t least_cycles = 12, most_cycles = 96; ///< of a picture

/// The cycles in which the first words of iterations are issued.
class iteration_starts : public probe::pipeline_observer {
public:
    iteration_starts(std::int64_t first_word, std::int64_t words) : first_word_(first_word), words_(words) {}

    void executed(const probe::execution_event& event) override {
        const std::int64_t word = event.word - first_word_;
        if (event.from == probe::origin::issued && word >= 0 && word % words_ == 0)
            at_.push_back(event.begin.count());
    }
    const std::vector<std::int64_t>& at() const { return at_; }

private:
    std::int64_t first_word_, words_;
    std::vector<std::int64_t> at_;
};

/// What the drawing needs to know of the machine, and which cycles it shows.
probe::trace_options window_of(const analysis::kernel_run& run, const analysis::kernel_picture& picture) {
    const parameters& config = run.request().config;
    const isa::machine machine = isa::make_machine(config);
    probe::trace_options shown;
    shown.from = cycles{picture.from_cycle};
    shown.to = cycles{picture.to_cycle};
    shown.period_ps = config.period_ps();
    shown.words = machine.encoding();
    shown.slots = machine.slots;
    shown.mad_units = machine.mad_units;
    shown.load_ports = machine.load_ports;
    shown.store_ports = machine.store_ports;
    shown.row_of_word = [&run](std::int64_t word) { return run.row_of_word(word); };
    shown.rows_together = run.rows_together();
    return shown;
}

} // namespace

analysis::kernel_picture picture_of(platform::program_runner& runner, const std::string& text,
                                    const analysis::kernel_run& kernel,
                                    const analysis::machine_choice& machine) {
    analysis::kernel_picture picture;
    if (kernel.rows() == 0) return picture;
    const std::string& file = kernel.kernel().file;
    picture.rows = kernel.kernel().peeled_rows + iterations * kernel.kernel().rows_per_iteration;
    analysis::kernel_run run(analysis::assemble_kernel(text, file, machine), machine, picture.rows);
    const auto words_of = [&](std::size_t segment) {
        return static_cast<std::int64_t>(run.request().segments[segment].words.size());
    };
    iteration_starts starts(words_of(0), words_of(1));
    run.request().observer = &starts;
    runner.run(run.request());
    const std::vector<std::int64_t>& at = starts.at();
    if (at.size() < iterations) return picture; // a loop of words that are never issued

    std::size_t end = first_drawn + 2;
    while (end + 1 < iterations && at[end] - at[first_drawn] < least_cycles) ++end;
    picture.from_cycle = at[first_drawn];
    picture.to_cycle = std::min(at[end], picture.from_cycle + most_cycles) - 1;

    svg_schedule drawing(window_of(run, picture), shown_name(file.substr(file.find_last_of('/') + 1)));
    run.request().observer = &drawing;
    drawing.summarise(summary_line(run, runner.run(run.request())));
    std::ostringstream svg;
    drawing.print(svg);
    picture.svg = svg.str();
    return picture;
}

} // namespace sfpu::views
