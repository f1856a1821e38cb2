#include <sfpu/analysis/output_file.h>

#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

constexpr const char* standard_output = "-";
bool standard_output_taken = false;

bool means_standard_output(const std::string& name) {
    return name == standard_output || name == "/dev/stdout" || name == "/dev/fd/1" ||
           name == "/proc/self/fd/1";
}

using identity = file_identity;

/// Threads of a command write files at the same time.
template <class T>
class shared_set {
public:
    /// Whether it is new.
    bool insert(T value) {
        const std::lock_guard guard(mutex_);
        return values_.insert(std::move(value)).second;
    }
    void erase(const T& value) {
        const std::lock_guard guard(mutex_);
        values_.erase(value);
    }
    bool contains(const T& value) const {
        const std::lock_guard guard(mutex_);
        return values_.count(value) != 0;
    }
    /// For the end of the program: takes no memory, and waits for no thread that may never go on.
    template <class Use>
    void visit_at_end(Use&& use) const {
        const std::unique_lock guard(mutex_, std::try_to_lock);
        for (const T& value : values_) use(value);
    }

private:
    mutable std::mutex mutex_;
    std::set<T> values_;
};

shared_set<identity>& files_read() {
    static shared_set<identity> files;
    return files;
}

/// Targets of outputs that are being written.
shared_set<std::string>& open_targets() {
    static shared_set<std::string> targets;
    return targets;
}

/// Those of them that exist already: hard links are one file by two names.
shared_set<identity>& open_files() {
    static shared_set<identity> files;
    return files;
}

/// What is written until they are replaced.
shared_set<std::string>& fresh_files() {
    static shared_set<std::string> files;
    return files;
}

/// The permissions that new files of this process do not get. To ask is to change them for a moment, so it is
/// done once.
mode_t file_mask() {
    static const mode_t mask = [] {
        const mode_t found = umask(0);
        umask(found);
        return found;
    }();
    return mask;
}

/// Regular files only.
bool is_protected(const std::string& path) {
    struct stat found = {};
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           files_read().contains({found.st_dev, found.st_ino});
}

void refuse_to_replace_input(const std::string& name, const std::string& target) {
    if (is_protected(target))
        throw user_error(shown_name(name) +
                         ": not overwritten, because this command reads it; expected another name");
}

user_error two_outputs(const std::string& name) {
    return user_error(shown_name(name) +
                      ": two outputs go to this file; expected another name for one of them");
}

/// Reports would go into a file that is replaced.
void refuse_to_replace_file_of_reports(const std::string& name) {
    struct stat found = {};
    if (stat(name.c_str(), &found) != 0) return;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat report = {};
        if (fstat(descriptor, &report) == 0 && report.st_dev == found.st_dev && report.st_ino == found.st_ino)
            throw user_error(fmt::format("{}: standard {} goes to this file; expected another name",
                                         shown_name(name), descriptor == STDOUT_FILENO ? "output" : "error"));
    }
}

/// What a name leads to, which need not exist.
fs::path end_of_links(const std::string& name) {
    std::error_code ignored;
    fs::path target = fs::absolute(name, ignored);
    for (int links = 0; links < 40 && fs::is_symlink(target, ignored); ++links)
        target = target.parent_path() / fs::read_symlink(target, ignored);
    return fs::weakly_canonical(target, ignored);
}

/// How the name of what is written until then begins; six letters follow.
std::string fresh_name(const fs::path& target) { return "." + target.filename().string() + "."; }

/// A new file beside the target with its permissions, or those of new files. Empty if the folder takes none.
std::string make_fresh(const fs::path& target, const struct stat* old) {
    const std::string pattern = (target.parent_path() / (fresh_name(target) + "XXXXXX")).string();
    std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
    const int file = mkstemp(name.data());
    if (file < 0) return "";
    const mode_t mode = old ? old->st_mode & 07777u : 0666u & ~file_mask();
    if (fchmod(file, mode) != 0) { // the file keeps the narrow permissions it was made with
    }
    close(file);
    fresh_files().insert(name.data());
    return name.data();
}

} // namespace

void remove_unfinished(const std::string& name) {
    const std::string begin = fresh_name(name);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::path(name).parent_path(), ignored))
        if (entry.path().filename().string().rfind(begin, 0) == 0) fs::remove(entry.path(), ignored);
}

output_file::output_file(const std::string& name) : name_(name) {
    if (name.empty()) return;
    if (means_standard_output(name)) {
        if (!open_targets().insert(standard_output))
            throw user_error("two outputs go to standard output ('-'); expected one");
        target_ = standard_output;
        standard_output_ = standard_output_taken = true;
        return;
    }
    struct stat old = {};
    const bool exists = stat(name.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        throw cannot_write(name);
    }
    refuse_to_replace_input(name, name);
    // Two may write to a device. A regular file behind a name of an open one (/dev/stderr) is somebody
    // else's.
    const bool is_device =
        (exists && !S_ISREG(old.st_mode)) || name.rfind("/dev/", 0) == 0 || name.rfind("/proc/", 0) == 0;
    if (!is_device) refuse_to_replace_file_of_reports(name);
    if (exists && S_ISREG(old.st_mode)) {
        if (!open_files().insert({old.st_dev, old.st_ino})) throw two_outputs(name);
        file_ = {old.st_dev, old.st_ino};
    }
    if (!is_device) {
        const fs::path target = end_of_links(name);
        if (!open_targets().insert(target.string())) throw two_outputs(name);
        target_ = target.string();
        if (!exists || access(name.c_str(), W_OK) == 0) fresh_ = make_fresh(target, exists ? &old : nullptr);
        if (!fresh_.empty()) unfinished_ = unfinished_file(fresh_);
    }
    errno = 0;
    stream_.open(fresh_.empty() ? name : fresh_,
                 std::ios::binary | (is_device ? std::ios::app : std::ios::trunc));
    if (!stream_) {
        const user_error problem = cannot_write(name);
        discard();
        throw problem;
    }
}

output_file::output_file(output_file&& other) noexcept
    : name_(std::exchange(other.name_, {})), target_(std::exchange(other.target_, {})),
      file_(std::exchange(other.file_, {})), fresh_(std::exchange(other.fresh_, {})),
      unfinished_(std::move(other.unfinished_)), stream_(std::move(other.stream_)),
      standard_output_(std::exchange(other.standard_output_, false)) {}

output_file& output_file::operator=(output_file&& other) noexcept {
    if (this == &other) return *this;
    discard();
    name_ = std::exchange(other.name_, {});
    target_ = std::exchange(other.target_, {});
    file_ = std::exchange(other.file_, {});
    fresh_ = std::exchange(other.fresh_, {});
    unfinished_ = std::move(other.unfinished_);
    stream_ = std::move(other.stream_);
    standard_output_ = std::exchange(other.standard_output_, false);
    return *this;
}

output_file::~output_file() { discard(); }

void output_file::discard() noexcept {
    if (stream_.is_open()) stream_.close();
    if (!fresh_.empty()) {
        std::remove(fresh_.c_str());
        fresh_files().erase(fresh_);
    }
    fresh_.clear();
    unfinished_ = {};
    if (!target_.empty()) open_targets().erase(target_);
    target_.clear();
    if (file_) open_files().erase(*file_);
    file_.reset();
}

std::ostream& output_file::stream() {
    return standard_output_ ? static_cast<std::ostream&>(std::cout) : stream_;
}

void output_file::commit() {
    if (name_.empty()) return;
    if (standard_output_) {
        std::cout.flush();
        if (!std::cout) throw cannot_write("standard output");
        discard();
        return;
    }
    if (stream_) errno = 0; // otherwise it says why an earlier write failed
    stream_.close();
    if (!stream_) throw cannot_write(name_);
    if (!fresh_.empty()) {
        refuse_to_replace_input(name_, target_);
        if (std::rename(fresh_.c_str(), target_.c_str()) != 0) throw cannot_write(name_);
        fresh_files().erase(fresh_);
        fresh_.clear();
    }
    discard();
}

void protect_from_outputs(const std::string& path) {
    struct stat found = {};
    if (stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode))
        files_read().insert({found.st_dev, found.st_ino});
}

void discard_open_outputs() noexcept {
    fresh_files().visit_at_end([](const std::string& name) { std::remove(name.c_str()); });
}

bool output_takes_standard_output() { return standard_output_taken; }

} // namespace sfpu::analysis
