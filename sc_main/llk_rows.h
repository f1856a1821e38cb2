// What `llk` has found of headers before: a file for each, so that a second call begins where the first
// ended.
#pragma once

#include <sfpu/analysis/library_check.h>
#include <sfpu/analysis/session.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

/// FNV-1a.
std::uint64_t text_hash(const std::string& text, std::uint64_t from = 0xcbf29ce484222325u);

class llk_rows {
public:
    /// Rows count as long as all headers, this program, the compiler, its flags and what is asked `more` stay
    /// the same. Makes the folder; throws user_error.
    llk_rows(std::string folder, const std::vector<analysis::kernel_header>& headers,
             const analysis::kernel_tools& tools, bool record_only, const std::string& more);

    /// Tries the headers that are not known, and says on a terminal how far it is, if that is `wanted`.
    analysis::library_answer checked(analysis::library_request request, const analysis::session& of,
                                     bool wanted);
    /// "llk: 3 of 104 headers, 17 schedules"
    std::string progress(std::size_t headers, bool with_schedules) const;

private:
    /// Both may be called by several threads at once.
    std::optional<std::vector<analysis::library_row>> find(const analysis::kernel_header& header) const;
    void keep(const analysis::kernel_header& header, const std::vector<analysis::library_row>& rows);
    std::string file_of(const analysis::kernel_header& header) const;
    std::string key_of(const analysis::kernel_header& header) const;

    std::string folder_;
    std::uint64_t common_;
    std::mutex writing_;
    std::atomic<std::size_t> done_{0}, schedules_{0};
};

} // namespace sfpu::cli
