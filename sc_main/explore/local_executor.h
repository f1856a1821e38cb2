// Runs points in processes of their own on this machine.
#pragma once

#include "point.h"
#include "point_store.h"

#include <cstddef>
#include <vector>

namespace sfpu::cli {

/// Told whenever a point is done.
class progress_listener {
public:
    virtual ~progress_listener() = default;
    virtual void progress(std::size_t done, std::size_t all) { (void)done, (void)all; }
};

/// Runs the points, at most `jobs` at once, and records each result. A point that crashes, takes too long or too much
/// memory has a result that says so. Returns false if the user interrupted it (SIGINT, SIGTERM); throws user_error if results
/// cannot be recorded. What is recorded by then stays.
bool run_locally(const sweep& of, const std::vector<point_id>& points, const point_store& store,
                 unsigned jobs, progress_listener& listener);

} // namespace sfpu::cli
