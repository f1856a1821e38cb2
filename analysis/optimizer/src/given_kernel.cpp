#include "given_kernel.h"

#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/macro_expansion.h>
#include <sfpu/analysis/waiting_kernel.h>
#include <sfpu/common/random_source.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace sfpu::analysis {
namespace {

/// Collects errors only.
class error_watch : public diagnostic_sink {
public:
    void diagnose(const diagnostic& what) override {
        if (what.level == severity::error && first.empty()) first = what.message;
    }
    std::string first;
};

/// Dst of random cells and of all extreme values of 32-bit and of 16-bit types, in turn.
platform::dst_rows random_dst(std::uint64_t seed, architecture arch) {
    constexpr dst_filling fillings[] = {dst_filling::mixture, dst_filling::wide_extremes,
                                        dst_filling::mixture, dst_filling::narrow_extremes};
    platform::run_request request;
    request.config.arch = arch;
    random_source random(seed);
    fill_dst(request, fillings[seed % std::size(fillings)], random);
    return request.dst_rows;
}

bool timing_differs(const parameters& one, const parameters& other) {
    return std::any_of(parameter_table().begin(), parameter_table().end(), [&](const parameter_row& row) {
        return row.timing && row.get(one) != row.get(other);
    });
}

} // namespace

isa::kernel assembled_kernel(const std::string& text, const std::string& name, const parameters& config) {
    isa::assembly done = isa::assemble(text, name, isa::make_machine(config).encoding());
    if (!done.ok()) throw std::runtime_error(done.errors.front().to_string() + "\n" + text);
    return std::move(done.program);
}

given_kernel::given_kernel(const optimize_request& request, const session& caller)
    : request_(request), caller_(caller), source_(request.text),
      plain_(assemble_kernel(source_, request.name, request.machine), request.machine, std::nullopt) {
    if (request_.llk_header) refuse_other_machines();
    original_.emplace(on_other_machine(source_, request_.name, plain_, chip()));
    if (request_.retime) expand();
    machine_ = isa::make_machine(plain_.request().config);
    if (request_.bubble_proof && machine_.issue_width > 1)
        throw user_error(fmt::format(
            "optimize: --bubble-proof of {}: found sfpu.issue_width = 2, expected 1: a word that is late "
            "shares no cycle with the one before, so that no schedule of pairs survives",
            shown_name(request_.name)));
    written_for_ = isa::make_machine(original_->request().config);
    // On a machine that the kernel is not written for its results are those of the machine that it is: there
    // an instruction may read what on this one comes later.
    on_its_machine_ = request_.retime || timing_differs(original_->request().config, plain_.request().config);
    measure();
}

void given_kernel::refuse_other_machines() {
    const parameter_values settings = machine_settings();
    if (!settings.empty())
        throw user_error(
            fmt::format("optimize: --llk writes for the chip: found {} = {}, which is not the chip's",
                        settings.front().first, settings.front().second));
}

void given_kernel::expand() {
    const parameters config = plain_.request().config;
    expanded_ = expand_kernel(runner_, *original_, source_, isa::make_machine(config));
    source_ = expanded_.text;
    plain_ = kernel_run(assembled_kernel(source_, "plain form of " + base_name(), config), request_.machine,
                        plain_.rows());
}

/// What is stored elsewhere counts for nothing beside declared outputs.
void given_kernel::expect_outputs() {
    const kernel_remarks remarks = remarks_on(runner_, reference());
    if (remarks.touches_no_output)
        throw input_error(fmt::format(
            "{}: never stored: {}; expected a row that stores an .output",
            location_of_line(reference(), reference().kernel().outputs.front().line, request_.name),
            fmt::join(remarks.untouched, ", ")));
    for (const std::string& name : remarks.untouched)
        warn(fmt::format("{}: {} is never stored, so that nothing of it is compared",
                         shown_name(request_.name), name));
}

void given_kernel::measure() {
    expect_outputs();
    if (const std::string error = first_error(reference(), cycles_); !error.empty())
        throw input_error(
            fmt::format("{}: the {} has a hazard: {}", shown_name(request_.name), given(), error));
    refuse_moved_indices();
    verdict_ = verdict_of(runner_, reference());
    if (!verdict_.robust())
        warn(fmt::format("{}: the {} is itself {}: {}", shown_name(request_.name), given(), verdict_.name,
                         verdict_.because));
    serves_ = !request_.retime && (!on_its_machine_ || serves(plain_));
    if (request_.retime || !on_its_machine_) return;
    first_error(plain_, cycles_);
    if (!serves_ && !is_words()) try_with_waits();
}

/// With ENABLE_DEST_INDEX an SFPSWAP of L0 to L3 exchanges their companions in L4 to L7, which its word does
/// not name.
void given_kernel::refuse_moved_indices() const {
    platform::run_request set_up = reference().request();
    if (set_up.segments.size() > 1) set_up.segments.resize(1); // rows do not change configuration
    runner_.run(set_up);
    if (!runner_.state().config.any_of(1u << isa::lane_configuration::enable_dest_index)) return;
    const isa::kernel& kernel = reference().kernel();
    for (const isa::source_word& each : kernel.loop)
        if (isa::classify(each.word, kernel.arch) == isa::word_kind::sfpu &&
            isa::decode(each.word, kernel.words).is(isa::opcode::sfpswap))
            throw input_error(fmt::format(
                "{}: sfpswap: LaneConfig has ENABLE_DEST_INDEX: it exchanges L4 to L7, too, and no schedule "
                "of that is known",
                location_of_line(reference(), each.line, request_.name)));
}

/// The same words, later.
void given_kernel::try_with_waits() {
    waiting_text_ = with_waits(plain_.kernel(), source_, machine_, written_for_, machine_settings());
    const kernel_run waiting(
        assembled_kernel(waiting_text_, "plain kernel with SFPNOPs", plain_.request().config),
        request_.machine, plain_.rows());
    serves_ = serves(waiting);
    if (serves_) first_error(waiting, cycles_);
    warn(fmt::format("{}: on this machine the plain kernel computes something else than on the chip{}",
                     shown_name(request_.name),
                     serves_ ? fmt::format("; with SFPNOPs it takes {:g} cycles a row", cycles_) : ""));
}

/// Whether a plain kernel is right on this machine.
bool given_kernel::serves(const kernel_run& kernel) const {
    double ignored = 0;
    return first_error(kernel, ignored).empty() &&
           compare_schedule(runner_, reference(), kernel, thoroughness::result, false).difference.empty();
}

std::string given_kernel::first_error(const kernel_run& kernel, double& cycles_per_row) const {
    error_watch errors;
    platform::run_request request = kernel.request();
    request.dst_rows = random_dst(1, plain_.kernel().arch);
    request.diagnostics = &errors;
    request.hazards = hazard_policy::warn;
    cycles_per_row = kernel.cycles_per_row(runner_.run(request));
    return errors.first;
}

parameter_values given_kernel::machine_settings() const {
    const parameters& config = plain_.request().config;
    parameter_values settings;
    for (const parameter_row& row : parameter_table())
        if (row.timing && row.differs_from_chip(config)) settings.emplace_back(row.path, row.text(config));
    return settings;
}

machine_choice given_kernel::chip() const {
    machine_choice chip;
    chip.arch = short_name(plain_.kernel().arch);
    chip.firmware_start = request_.machine.firmware_start;
    return chip;
}

kernel_run given_kernel::plain_on_chip() const {
    return on_other_machine(source_, "plain form of " + base_name(), plain_, chip());
}

kernel_run given_kernel::on_chip(const std::string& text) const {
    if (on_its_machine_) return on_other_machine(text, "rewritten " + base_name(), plain_, chip());
    return kernel_run(assembled_kernel(text, "rewritten " + base_name(), plain_.request().config),
                      request_.machine, plain_.rows());
}

std::string given_kernel::base_name() const {
    return shown_name(request_.name.substr(request_.name.find_last_of('/') + 1));
}

bool given_kernel::is_words() const { return holds_words(request_.text, request_.name); }

void given_kernel::warn(std::string line) {
    caller_.tell(line);
    warnings_.push_back(std::move(line));
}

} // namespace sfpu::analysis
