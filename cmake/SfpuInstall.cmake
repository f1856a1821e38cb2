# What is installed: the CMake package SfpuTlm with its libraries, pkg-config files, the firmware kit, the program; and
# the Debian packages made of them. The target `product` builds all that is installed, and no more.
get_property(products GLOBAL PROPERTY SFPU_TLM_PRODUCTS)
if(SFPU_TLM_BUILD_TOOLS)
    list(APPEND products sfpusim)
    if(TARGET sfpusim_pages)
        list(APPEND products sfpusim_pages)
    endif()
endif()
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(product DEPENDS ${products})
    if(TARGET python_package)
        add_dependencies(product python_package)
    endif()
endif()
include(CMakePackageConfigHelpers)
include(SfpuPkgConfig)

# Libraries under one name: those without SystemC, and the answers about kernels and machines.
add_library(sfpu_core INTERFACE)
add_library(SfpuTlm::core ALIAS sfpu_core)
set_target_properties(sfpu_core PROPERTIES EXPORT_NAME core)
target_link_libraries(sfpu_core INTERFACE SfpuTlm::timing SfpuTlm::probe SfpuTlm::isa SfpuTlm::common)
get_property(answers GLOBAL PROPERTY SFPU_TLM_ANALYSIS_NAMES)
if(answers)
    add_library(sfpu_analysis INTERFACE)
    add_library(SfpuTlm::analysis ALIAS sfpu_analysis)
    set_target_properties(sfpu_analysis PROPERTIES EXPORT_NAME analysis)
endif()
foreach(answer IN LISTS answers)
    sfpu_needs(SfpuTlm::${answer} SystemC::systemc needs_systemc)
    sfpu_needs(SfpuTlm::${answer} Z3::z3 needs_z3)
    if(NOT needs_systemc AND NOT needs_z3) # those of firmware, and the SMT solver, are components of their own
        target_link_libraries(sfpu_analysis INTERFACE SfpuTlm::${answer})
    endif()
endforeach()

# Components of find_package, each also a pkg-config file "sfpu-tlm-<component>". What needs a solver is a set of targets of
# its own for each, so that a project without CaDiCaL or z3 finds all else.
get_property(SFPU_TLM_COMPONENTS GLOBAL PROPERTY SFPU_TLM_LIBRARY_NAMES)
list(APPEND SFPU_TLM_COMPONENTS core kernel_headers)
if(answers)
    list(APPEND SFPU_TLM_COMPONENTS analysis)
endif()
set(SFPU_TLM_PURE_COMPONENTS "")
set(SFPU_TLM_SOLVER_COMPONENTS "")
set(SFPU_TLM_Z3_COMPONENTS "")
foreach(component IN LISTS SFPU_TLM_COMPONENTS)
    sfpu_needs(SfpuTlm::${component} SystemC::systemc needs_systemc)
    if(NOT needs_systemc)
        list(APPEND SFPU_TLM_PURE_COMPONENTS ${component})
    endif()
    set(targets SfpuTlmTargets)
    sfpu_needs(SfpuTlm::${component} CaDiCaL::cadical needs_solver)
    if(needs_solver)
        list(APPEND SFPU_TLM_SOLVER_COMPONENTS ${component})
        set(targets SfpuTlmSolverTargets)
    endif()
    sfpu_needs(SfpuTlm::${component} Z3::z3 needs_z3)
    if(needs_z3)
        list(APPEND SFPU_TLM_Z3_COMPONENTS ${component})
        set(targets SfpuTlmZ3Targets)
    endif()
    if(NOT component STREQUAL "kernel_headers") # installed where it is made
        get_target_property(target SfpuTlm::${component} ALIASED_TARGET)
        install(TARGETS ${target} EXPORT ${targets}
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
    sfpu_install_pkg_config(${component})
endforeach()
set(has_solver_targets ${SFPU_TLM_SOLVER_COMPONENTS})
set(has_z3_targets ${SFPU_TLM_Z3_COMPONENTS})
list(JOIN SFPU_TLM_COMPONENTS " " SFPU_TLM_COMPONENTS)
list(JOIN SFPU_TLM_PURE_COMPONENTS " " SFPU_TLM_PURE_COMPONENTS)
list(JOIN SFPU_TLM_SOLVER_COMPONENTS " " SFPU_TLM_SOLVER_COMPONENTS)
list(JOIN SFPU_TLM_Z3_COMPONENTS " " SFPU_TLM_Z3_COMPONENTS)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/SfpuTlm")
set(SFPU_FIRMWARE_INSTALL_DIR "${CMAKE_INSTALL_DATADIR}/sfpu-tlm/firmware")
configure_package_config_file(cmake/SfpuTlmConfig.cmake.in "${PROJECT_BINARY_DIR}/SfpuTlmConfig.cmake"
    INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_BINDIR SFPU_FIRMWARE_INSTALL_DIR)
configure_file(cmake/SfpuTlmConfigVersion.cmake.in "${PROJECT_BINARY_DIR}/SfpuTlmConfigVersion.cmake" @ONLY)
install(FILES
    "${PROJECT_BINARY_DIR}/SfpuTlmConfig.cmake"
    "${PROJECT_BINARY_DIR}/SfpuTlmConfigVersion.cmake"
    cmake/SfpuSystemC.cmake
    cmake/SfpuCadical.cmake
    cmake/SfpuZ3.cmake
    cmake/systemc_check.cpp
    cmake/SfpuKernel.cmake
    cmake/SfpuFirmware.cmake
    cmake/firmware_words.cmake
    cmake/sfpu_kernel_main.cpp.in
    DESTINATION "${package_dir}")
install(EXPORT SfpuTlmTargets NAMESPACE SfpuTlm:: DESTINATION "${package_dir}")
if(has_solver_targets)
    install(EXPORT SfpuTlmSolverTargets NAMESPACE SfpuTlm:: DESTINATION "${package_dir}")
endif()
if(has_z3_targets)
    install(EXPORT SfpuTlmZ3Targets NAMESPACE SfpuTlm:: DESTINATION "${package_dir}")
endif()

# The firmware kit: what programs for the tile, and drivers for the unit, are built from.
install(FILES firmware/crt.S firmware/sfpu_unit.c firmware/link_l1.ld firmware/link_ram.ld firmware/sections.ld
    DESTINATION "${SFPU_FIRMWARE_INSTALL_DIR}")
install(DIRECTORY firmware/include firmware/core_kernels firmware/vendor DESTINATION "${SFPU_FIRMWARE_INSTALL_DIR}")

if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall VERBATIM
        COMMAND "${CMAKE_COMMAND}" "-DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt"
                -P "${PROJECT_SOURCE_DIR}/cmake/SfpuUninstall.cmake"
        COMMENT "Removing what the latest `cmake --install` has installed")
    include(SfpuDebian)
endif()
