#include "run_notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_shown_notes = 10;
constexpr std::size_t most_kept_notes = 1000; ///< of hostile programs, too

} // namespace

std::string run_notes::place(std::uint32_t pc) const {
    return name_ ? name_(pc) : fmt::format("{:#010x}", pc);
}

void run_notes::waits(std::uint32_t pc, std::string what) {
    const bool is_known = std::any_of(waits_.begin(), waits_.end(), [&](const auto& each) {
        return each.first == pc && each.second == what;
    });
    if (!is_known && waits_.size() < most_kept_notes) waits_.emplace_back(pc, std::move(what));
}

void run_notes::assumes(std::uint32_t pc, const std::string& what, const std::string& outcome) {
    const auto found = known_.find({pc, what});
    if (found != known_.end()) {
        ++assumptions_[found->second].times;
        return;
    }
    if (assumptions_.size() == most_kept_notes) return;
    known_.emplace(std::make_pair(pc, what), assumptions_.size());
    assumptions_.push_back({pc, what, outcome, 1});
}

std::string run_notes::waits_text(const char* indent) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(waits_.size(), most_shown_notes); ++i)
        text += fmt::format("{}{}{}: {}", i ? "\n" : "", indent, place(waits_[i].first), waits_[i].second);
    if (waits_.size() > most_shown_notes)
        text += fmt::format("\n{}and {} more", indent, waits_.size() - most_shown_notes);
    return text;
}

void run_notes::tell(std::vector<std::string>& to) const {
    for (std::size_t i = 0; i < std::min(waits_.size(), most_shown_notes); ++i)
        to.push_back(
            fmt::format("{}: {}; assumed to be over at once", place(waits_[i].first), waits_[i].second));
    if (waits_.size() > most_shown_notes)
        to.push_back(
            fmt::format("{} more waits are assumed to be over at once", waits_.size() - most_shown_notes));
    for (std::size_t i = 0; i < std::min(assumptions_.size(), most_shown_notes); ++i) {
        const assumption& each = assumptions_[i];
        to.push_back(fmt::format("{}: {}{}: {}", place(each.pc), each.what,
                                 each.times > 1 ? fmt::format(", {} times", each.times) : "", each.outcome));
    }
    if (assumptions_.size() > most_shown_notes)
        to.push_back(fmt::format("{} more places of this kind", assumptions_.size() - most_shown_notes));
}

} // namespace sfpu::analysis
