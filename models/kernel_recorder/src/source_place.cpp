#include <sfpu/kernel_recorder/source_place.h>

#include <cstring>

namespace sfpu::kernel_recorder {

bool source_place::is_of_kernel() const {
    return file != nullptr && std::strstr(file, "sfpu/kernel_recorder/") == nullptr;
}

std::string to_text(const source_place& place) {
    if (place.file == nullptr) return {};
    const char* const slash = std::strrchr(place.file, '/');
    return std::string(slash ? slash + 1 : place.file) + ":" + std::to_string(place.line);
}

} // namespace sfpu::kernel_recorder
