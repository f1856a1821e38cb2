// What `llk` has found of headers before: a file for each, so that a second call begins where the first
// ended.
#pragma once

#include <sfpu/analysis/library_check.h>

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

    /// Both may be called by several threads at once.
    std::optional<std::vector<analysis::library_row>> find(const analysis::kernel_header& header) const;
    void keep(const analysis::kernel_header& header, const std::vector<analysis::library_row>& rows);

private:
    std::string file_of(const analysis::kernel_header& header) const;
    std::string key_of(const analysis::kernel_header& header) const;

    std::string folder_;
    std::uint64_t common_;
    std::mutex writing_;
};

} // namespace sfpu::cli
