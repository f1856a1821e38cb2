// What differs between two statistics files (docs/trace-formats.md), and why one run took longer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sfpu::analysis {

/// A value of a statistics file; std::monostate is null, or nothing.
using statistic = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;
/// Numbers are compared by value: 1 and 1.0 are the same.
bool same_statistic(const statistic& a, const statistic& b);

struct statistics_file {
    std::string name;
    std::map<std::string, statistic> values; ///< by path: "stalls.swap"
};

/// Reads a file that --stats wrote, or standard input for "-". Throws user_error if it cannot be read,
/// input_error if it is none.
statistics_file read_statistics(const std::string& file);
/// The same for the text of such a file.
statistics_file parse_statistics(const std::string& file, const std::string& text);

struct statistics_comparison {
    struct difference {
        std::string path;
        statistic a, b; ///< monostate where the file has nothing
    };
    std::string a_file, b_file;
    std::vector<difference> differences; ///< by group, in the order in which people want to read them
    std::vector<std::string> why; ///< what explains the difference in cycles, a sentence for each cause

    bool equal() const { return differences.empty(); }
};

statistics_comparison compare_statistics(const statistics_file& a, const statistics_file& b);

} // namespace sfpu::analysis
