# The installed CMake package: find_package(SfpuTlm). The target `product` builds all that is installed, and no more.
get_property(products GLOBAL PROPERTY SFPU_TLM_PRODUCTS)
if(SFPU_TLM_BUILD_TOOLS)
    list(APPEND products sfpusim)
endif()
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(product DEPENDS ${products})
endif()
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/SfpuTlm")
configure_package_config_file(cmake/SfpuTlmConfig.cmake.in "${PROJECT_BINARY_DIR}/SfpuTlmConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/SfpuTlmConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/SfpuTlmConfig.cmake"
    "${PROJECT_BINARY_DIR}/SfpuTlmConfigVersion.cmake"
    cmake/SfpuSystemC.cmake
    cmake/systemc_check.cpp
    cmake/SfpuKernel.cmake
    cmake/SfpuOldNames.cmake
    cmake/sfpu_kernel_main.cpp.in
    DESTINATION "${package_dir}")
install(EXPORT SfpuTlmTargets NAMESPACE SfpuTlm:: DESTINATION "${package_dir}")
