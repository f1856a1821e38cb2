#include <sfpu/analysis/diagnostic_summary.h>

#include <sfpu/isa/other_units.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {

void diagnostic_summary::diagnose(const diagnostic& what) {
    if (allowed_.take(what.id)) return;
    entry& known = entries_[static_cast<unsigned>(what.id)];
    const bool is_error = what.level == severity::error || (strict_ && leaves_something_undone(what.id));
    if (known.count++ == 0) {
        known.first = what;
        if (is_error) known.first.level = severity::error;
    }
    if (is_error) ++errors_;
}

bool diagnostic_summary::any() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const entry& each) { return each.count != 0; });
}

std::vector<std::pair<std::string, std::uint64_t>> not_modelled_words(const probe::unit_counters& counters,
                                                                      architecture arch) {
    std::vector<std::pair<std::string, std::uint64_t>> words;
    for (const auto& [opcode, count] : counters.not_modelled) {
        const isa::other_unit_instruction* known = isa::find_other_unit(opcode, arch);
        words.emplace_back(known ? known->mnemonic : fmt::format("opcode {:02x}", opcode), count);
    }
    return words;
}

} // namespace sfpu::analysis
