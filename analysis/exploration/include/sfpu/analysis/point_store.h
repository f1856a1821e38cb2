// Results of points on disk, found again by what they depend on.
#pragma once

#include <sfpu/analysis/point.h>

#include <optional>
#include <string>

namespace sfpu::analysis {

/// A folder with a file for each result. A file appears whole or not at all, so that a process can be killed
/// at any time; several processes and threads may share the folder.
class point_store {
public:
    /// Makes the folder. Throws user_error if that fails.
    explicit point_store(std::string folder);

    /// The result that was recorded for these inputs, if there is one; damaged files count as none.
    std::optional<point_result> find(const std::string& inputs) const;
    /// Throws user_error if the result cannot be written; nothing is left then.
    void record(const std::string& inputs, const point_result& result) const;

    /// The name under which a result stands.
    static std::string key(const std::string& inputs);
    /// Whether there is a result of this name, be it damaged.
    bool has(const std::string& key) const;
    void forget(const std::string& inputs) const;
    /// Removes what a process leaves that is killed while it records the result.
    void remove_unfinished(const std::string& inputs) const;

private:
    std::string file_of(const std::string& key) const;
    std::string folder_;
};

} // namespace sfpu::analysis
