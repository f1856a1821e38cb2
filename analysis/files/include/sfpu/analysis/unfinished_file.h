// Files that must not stay if a signal ends the program.
#pragma once

#include <string>

namespace sfpu::analysis {

/// A file that remove_unfinished_files() removes, as long as this lives.
class unfinished_file {
public:
    unfinished_file() = default;
    explicit unfinished_file(const std::string& name);
    unfinished_file(unfinished_file&& other) noexcept;
    unfinished_file& operator=(unfinished_file&& other) noexcept;
    ~unfinished_file();

private:
    int place_ = -1;
};

/// For a handler of signals: neither allocates nor waits for a lock.
void remove_unfinished_files() noexcept;

} // namespace sfpu::analysis
