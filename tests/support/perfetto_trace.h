// Reads a trace for Perfetto. Written from Perfetto's public schema (protos/perfetto/trace/) and the page
// "Encoding" of protobuf; it shares nothing with the writer.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::test {

class perfetto_trace {
public:
    using thread_id = std::pair<std::uint64_t, std::uint64_t>; ///< process and thread

    // Times are in picoseconds of the model.

    struct place {
        thread_id thread;
        std::int64_t at = 0;
    };
    struct slice {
        thread_id thread;
        std::string name, category;
        std::int64_t begin = 0, end = 0;
        nlohmann::json args; ///< numbers and texts; a number that readers show in hexadecimal is a text
    };
    struct instant {
        place where;
        std::string name, category;
        nlohmann::json args;
    };
    struct arrow {
        std::string name, category;
        place from, to;
    };
    struct count {
        std::string counter;
        std::int64_t at = 0;
        double value = 0;
    };

    /// Throws std::runtime_error if the format forbids something, slices of a thread overlap, or an arrow
    /// ends outside of all slices or goes back in time.
    explicit perfetto_trace(const std::string& file);

    const std::vector<slice>& slices() const { return slices_; }
    std::vector<slice> slices(const std::string& thread, const std::string& name) const;
    /// The first of them; throws if there is none.
    const slice& find(const std::string& thread, const std::string& name) const;
    const std::vector<instant>& instants() const { return instants_; }
    const std::vector<arrow>& arrows() const { return arrows_; }
    /// Pairs of the texts of the slices that arrows of this category join.
    std::vector<std::pair<std::string, std::string>> joined(const std::string& category) const;
    const std::vector<count>& counts() const { return counts_; }
    const std::map<std::uint64_t, std::string>& processes() const { return processes_; }
    const std::map<thread_id, std::string>& threads() const { return threads_; }
    std::set<std::string> thread_names() const;
    /// What the file says about itself.
    const std::set<std::string>& labels() const { return labels_; }

private:
    class reader;

    const slice& enclosing(const place& where) const;
    void check_slices() const;
    void check_arrows() const;

    std::vector<slice> slices_;
    std::vector<instant> instants_;
    std::vector<arrow> arrows_;
    std::vector<count> counts_;
    std::map<std::uint64_t, std::string> processes_;
    std::map<thread_id, std::string> threads_;
    std::set<std::string> labels_;
};

} // namespace sfpu::test
