// A folder for what a question writes and nobody keeps.
#pragma once

#include <string>

namespace sfpu::analysis {

/// A new folder among the system's temporary files, removed with all that is in it.
class scratch_folder {
public:
    /// Throws user_error if it cannot be made.
    scratch_folder();
    ~scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

} // namespace sfpu::analysis
