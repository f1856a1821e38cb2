// Files that come into being whole.
#pragma once

#include <sfpu/analysis/unfinished_file.h>

#include <sys/types.h>

#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace sfpu::analysis {

/// What tells files apart, whatever their names.
using file_identity = std::pair<dev_t, ino_t>;

/// Removes what processes have left that were killed while they wrote this file.
void remove_unfinished(const std::string& name);

/// A file to be written. What is written goes to a file of another name in the same folder, and commit()
/// gives it its own name: whoever looks sees the file that was there before or the whole new one, whenever
/// the program is killed. "-" is standard output, and so are its names in /dev and /proc. Devices, pipes and
/// files in folders that take no new ones are written directly.
///
/// A file that the command has read is not overwritten, nor one that standard output or standard error goes
/// to, nor do two outputs go to one file by two names.
class output_file {
public:
    output_file() = default; ///< no file
    /// Throws user_error if nothing can be written there. An empty name is no file.
    explicit output_file(const std::string& name);
    output_file(output_file&& other) noexcept;
    output_file& operator=(output_file&& other) noexcept;
    ~output_file(); ///< without commit() nothing has happened

    bool is_wanted() const { return !name_.empty(); }
    const std::string& name() const { return name_; }
    std::ostream& stream();
    /// Throws user_error if something could not be written; the old file is still there then.
    void commit();

private:
    void discard() noexcept;

    std::string name_;
    std::string target_;                ///< what is replaced, symbolic links followed
    std::optional<file_identity> file_; ///< that it had when it was opened, if it existed
    std::string fresh_;                 ///< what is written until then; empty: the target itself
    unfinished_file unfinished_;        ///< that file
    std::ofstream stream_;
    bool standard_output_ = false;
};

/// Notes that a file was read, so that no output replaces it.
void protect_from_outputs(const std::string& path);

/// Removes what is not committed, for a program that ends without its destructors.
void discard_open_outputs() noexcept;

/// Whether an output went or goes to standard output, where reports have no place then.
bool output_takes_standard_output();

} // namespace sfpu::analysis
