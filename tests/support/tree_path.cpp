#include "tree_path.h"

std::string tree_path(const std::string& below) { return SFPU_SOURCE_DIR "/" + below; }
std::string recorded_kernel_path(const std::string& name) { return SFPU_CPP_KERNEL_DIR "/" + name + ".s"; }
