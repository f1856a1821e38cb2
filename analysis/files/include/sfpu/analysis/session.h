// What the caller of a long analysis hands in: where progress is told, and when to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sfpu::analysis {

/// One call of an analysis. All members may be left empty: nothing is told, nothing stops it.
struct session {
    /// Told a line for people, without its end.
    std::function<void(const std::string&)> progress;
    /// Told how much is done and how much there is to do, in units of the analysis: rows of a run, runs of
    /// lint.
    std::function<void(std::uint64_t done, std::uint64_t all)> advanced;
    /// Asked often, perhaps by several threads at once; true ends the analysis with what it has found by
    /// then.
    std::function<bool()> interrupted;
    /// From then on, too, it ends with what it has found.
    std::optional<std::chrono::steady_clock::time_point> deadline;

    void tell(const std::string& line) const {
        if (progress) progress(line);
    }
    void advance(std::uint64_t done, std::uint64_t all) const {
        if (advanced) advanced(done, all);
    }
    bool is_interrupted() const { return interrupted && interrupted(); }
    bool is_late() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
    bool is_over() const { return is_interrupted() || is_late(); }
};

} // namespace sfpu::analysis
