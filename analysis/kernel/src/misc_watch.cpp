#include <sfpu/analysis/misc_watch.h>

#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

namespace opcode = isa::opcode;

} // namespace

misc_watch::misc_watch(architecture arch, std::function<bool(std::int64_t)> in_loop)
    : arch_(arch), in_loop_(std::move(in_loop)) {}

void misc_watch::executed(const probe::execution_event& event) {
    latest_ = std::max(latest_, event.end);
    const isa::instruction& insn = event.insn;
    if (event.from != probe::origin::issued || event.unit == isa::sub_unit::front_end) return;
    if (insn.is(opcode::sfpconfig) && insn.vd == isa::config_destination_vd::misc) {
        all_ = loop_ = {};
        written_by_ = event.word;
        first_plain_ = -1;
        return;
    }
    if (insn.is(opcode::sfpnop) || insn.is(opcode::sfpconfig) || insn.is(opcode::sfploadi)) return;
    const bool is_macro = insn.is(opcode::sfploadmacro);
    for (issued_words* words : {&all_, in_loop_(event.word) ? &loop_ : nullptr})
        if (words) ++(is_macro ? words->macros : words->plain);
    if (!is_macro && first_plain_ < 0) first_plain_ = event.word;
}

bool misc_watch::concerns(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return false;
    case architecture::wormhole: return true;
    }
    __builtin_unreachable();
}

void misc_watch::judge(const isa::vector_state& state, probe::reporter& reporter) const {
    if (!concerns(arch_)) return;
    const auto armed =
        std::find_if(state.macro.begin(), state.macro.end(),
                     [](const isa::macro_configuration& each) { return each.misc >> 8 & 15u; });
    if (armed == state.macro.end() || (!all_.without_macros() && !loop_.without_macros())) return;
    reporter.report(report_id::hazard_misc_left_armed, latest_, written_by_, [&] {
        return fmt::format(
            "Misc is {:03x} at the end, UnitDelayKind {}; {} plain instruction{}, the first of them "
            "word {}, came after the write without an SFPLOADMACRO{}",
            armed->misc, armed->misc >> 8 & 15u, all_.plain, all_.plain == 1 ? "" : "s", first_plain_,
            all_.macros ? " in the loop" : "");
    });
}

} // namespace sfpu::analysis
