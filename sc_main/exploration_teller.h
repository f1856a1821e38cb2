// What `explore` says while it works.
#pragma once

#include "program.h"
#include "progress.h"

#include <sfpu/analysis/exploration.h>

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace sfpu::cli {

/// Reports to standard output, and how far the sweep is to a terminal. Says nothing if `quiet`.
class exploration_teller : public exploration_listener {
public:
    exploration_teller(const std::string& what, bool quiet) : quiet_(quiet), line_(what, !quiet) {}

    void begins(std::size_t points, std::size_t known) override {
        if (!quiet_) write_report(fmt::format("{} points, {} known\n", points, known));
    }
    void progress(std::size_t done, std::size_t all) override { line_.show(done, all, "points"); }
    void submitted(const std::string& job, std::size_t points, std::size_t tasks) override {
        if (!quiet_)
            write_report(fmt::format("job {}: {} points in an array of {} tasks\n", job, points, tasks));
    }

private:
    bool quiet_;
    progress_line line_;
};

} // namespace sfpu::cli
