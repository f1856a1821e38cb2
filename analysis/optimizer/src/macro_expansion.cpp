#include <sfpu/analysis/macro_expansion.h>

#include <sfpu/analysis/errors.h>

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/common/random_source.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

namespace sfpu::analysis {
namespace {

class recorder : public probe::pipeline_observer {
public:
    void executed(const probe::execution_event& event) override {
        if (event.discarded || !event.takes_effect || event.unit == isa::sub_unit::front_end) return;
        optimizer::executed_instruction each;
        each.begin = event.begin.count();
        each.visible = event.end.count() + 1;
        each.insn = event.insn;
        each.scheduled = event.from == probe::origin::macro;
        each.word = event.word;
        each.dst_address = event.dst_address;
        each.lanes = event.lanes;
        record.push_back(each);
    }
    std::vector<optimizer::executed_instruction> record;
};

} // namespace

optimizer::expanded_kernel expand_kernel(platform::program_runner& runner, const kernel_run& run,
                                         const std::string& text, const isa::machine& other) {
    platform::run_request request = run.request();
    if (run.rows() == 0)
        throw input_error(
            fmt::format("{}: there is no .loop: a row is what stands in it", shown_name(run.kernel().file)));
    request.segments[1].repeat = optimizer::expansion_run;
    request.hazards = hazard_policy::off;
    random_source random(1);
    fill_dst(request, dst_filling::mixture, random);
    recorder observer;
    request.observer = &observer;
    runner.run(request);
    try {
        return optimizer::expand_macros(run.kernel(), text, observer.record, run.rows(),
                                        isa::make_machine(request.config), other, request.thread);
    } catch (const optimizer::row_error& error) {
        throw input_error(text_of(error, run, run.kernel().file));
    }
}

std::string text_of(const optimizer::row_error& error, const kernel_run& run, const std::string& file) {
    return fmt::format("{}: {}", location_of_line(run, error.line, file), error.what());
}

std::string location_of_line(const kernel_run& run, unsigned line, const std::string& file) {
    const user_places places = run.places();
    isa::word_origin at = places.of(line);
    if (places.empty()) at.file = file;
    return location_text(at);
}

} // namespace sfpu::analysis
