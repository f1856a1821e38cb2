#include <sfpu/analysis/scratch_folder.h>

#include <sfpu/analysis/errors.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace sfpu::analysis {

scratch_folder::scratch_folder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "sfpusim-XXXXXX").string();
    if (error || !mkdtemp(name.data())) throw user_error(name + ": cannot be made: " + std::strerror(errno));
    path_ = name;
}

scratch_folder::~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace sfpu::analysis
