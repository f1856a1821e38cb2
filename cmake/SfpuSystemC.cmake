# Finds SystemC and provides the target SystemC::systemc. Also installed, for users of the package.
#
# Looked for, in this order: a target SystemC::systemc of the parent project, the CMake package SystemCLanguage,
# pkg-config, and SYSTEMC_HOME (CMake variable or environment).
#
# Sets SFPU_SYSTEMC_VERSION, empty if the parent project has yet to build SystemC. The installed package sets
# SFPU_SYSTEMC_BUILT_WITH, the only version that it accepts.

set(SFPU_SYSTEMC_MINIMUM 2.3.4)
set(SFPU_SYSTEMC_CHECK "${CMAKE_CURRENT_LIST_DIR}/systemc_check.cpp")

# Makes SystemC::systemc from the pkg-config module, if there is one.
function(sfpu_systemc_from_pkg_config)
    find_package(PkgConfig QUIET)
    if(NOT PkgConfig_FOUND)
        return()
    endif()
    pkg_check_modules(SFPU_SYSTEMC QUIET IMPORTED_TARGET GLOBAL systemc)
    if(SFPU_SYSTEMC_FOUND)
        add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
        target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SFPU_SYSTEMC)
    endif()
endfunction()

# Makes SystemC::systemc from an installation made without CMake, if SYSTEMC_HOME tells where.
function(sfpu_systemc_from_home)
    set(home "${SYSTEMC_HOME}")
    if(NOT home)
        set(home "$ENV{SYSTEMC_HOME}")
    endif()
    if(NOT home)
        return()
    endif()
    find_path(SFPU_SYSTEMC_INCLUDE_DIR systemc PATHS "${home}/include" NO_DEFAULT_PATH)
    find_library(SFPU_SYSTEMC_LIBRARY systemc PATHS "${home}" NO_DEFAULT_PATH
        PATH_SUFFIXES lib lib64 lib-linux64 lib-linuxaarch64 lib-macosx64 lib-macosxarm64)
    mark_as_advanced(SFPU_SYSTEMC_INCLUDE_DIR SFPU_SYSTEMC_LIBRARY)
    if(SFPU_SYSTEMC_INCLUDE_DIR AND SFPU_SYSTEMC_LIBRARY)
        find_package(Threads REQUIRED)
        add_library(SystemC::systemc UNKNOWN IMPORTED GLOBAL)
        set_target_properties(SystemC::systemc PROPERTIES
            IMPORTED_LOCATION "${SFPU_SYSTEMC_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${SFPU_SYSTEMC_INCLUDE_DIR}"
            INTERFACE_LINK_LIBRARIES Threads::Threads)
    endif()
endfunction()

# Links the check program with the C++ standard `standard`. Sets `linked` and `output` for the caller.
function(sfpu_try_systemc standard linked output)
    try_compile(ok
        SOURCES "${SFPU_SYSTEMC_CHECK}"
        LINK_LIBRARIES SystemC::systemc
        CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        OUTPUT_VARIABLE text NO_CACHE)
    set(${linked} ${ok} PARENT_SCOPE)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

# Says in `problem` why an already built SystemC::systemc does not fit; sets it empty if it does. The symbol by which
# SystemC checks its ABI names version and C++ standard, so a mismatch shows as an undefined reference when linking.
function(sfpu_check_built_systemc standard problem)
    set(${problem} "" PARENT_SCOPE)
    sfpu_try_systemc(${standard} linked output)
    set(version "of unknown version")
    if(output MATCHES "sfpu-systemc-version ([0-9.]+)")
        set(version "${CMAKE_MATCH_1}")
        if(version VERSION_LESS SFPU_SYSTEMC_MINIMUM)
            set(${problem} "SfpuTlm needs SystemC ${SFPU_SYSTEMC_MINIMUM} or later, found SystemC ${version}." PARENT_SCOPE)
            return()
        endif()
    endif()
    if(SFPU_SYSTEMC_BUILT_WITH AND NOT version STREQUAL SFPU_SYSTEMC_BUILT_WITH)
        set(${problem} "SfpuTlm was built with SystemC ${SFPU_SYSTEMC_BUILT_WITH}, but SystemC ${version} was found. \
Build both with the same version." PARENT_SCOPE)
        return()
    endif()
    if(linked)
        message(STATUS "SystemC ${version} fits C++${standard}")
        set(SFPU_SYSTEMC_VERSION "${version}" CACHE INTERNAL "Version of SystemC")
        return()
    endif()
    foreach(other 11 14 17 20 23)
        if(NOT other EQUAL standard)
            sfpu_try_systemc(${other} linked ignored)
            if(linked)
                set(${problem} "SystemC ${version} was built for C++${other}, but SfpuTlm is used with C++${standard}. \
Build both with the same standard, C++17 at least." PARENT_SCOPE)
                return()
            endif()
        endif()
    endforeach()
    set(${problem} "A program with SystemC ${version} does not compile or link with C++${standard}:\n${output}"
        PARENT_SCOPE)
endfunction()

# A target that the parent project builds itself cannot be linked yet; its standard, where given, can be compared.
function(sfpu_check_unbuilt_systemc standard problem)
    set(${problem} "" PARENT_SCOPE)
    get_target_property(built_with SystemC::systemc CXX_STANDARD)
    if(built_with AND NOT built_with EQUAL standard)
        set(${problem} "The target SystemC::systemc is built for C++${built_with}, but SfpuTlm is used with \
C++${standard}. Build both with the same standard, C++17 at least." PARENT_SCOPE)
    endif()
endfunction()

# sfpu_find_systemc(problem): provides SystemC::systemc. `problem` is set to what is wrong, or to nothing.
function(sfpu_find_systemc problem)
    set(${problem} "" PARENT_SCOPE)
    if(NOT TARGET SystemC::systemc)
        find_package(SystemCLanguage CONFIG QUIET GLOBAL)
    endif()
    if(NOT TARGET SystemC::systemc)
        sfpu_systemc_from_pkg_config()
    endif()
    if(NOT TARGET SystemC::systemc)
        sfpu_systemc_from_home()
    endif()
    if(NOT TARGET SystemC::systemc)
        set(${problem} "SystemC ${SFPU_SYSTEMC_MINIMUM} or later was not found: there is no target SystemC::systemc, no \
CMake package SystemCLanguage, no pkg-config module systemc, and SYSTEMC_HOME names no installation." PARENT_SCOPE)
        return()
    endif()

    set(standard 17)
    if(CMAKE_CXX_STANDARD AND CMAKE_CXX_STANDARD GREATER 17)
        set(standard ${CMAKE_CXX_STANDARD})
    endif()
    get_target_property(imported SystemC::systemc IMPORTED)
    if(NOT imported)
        sfpu_check_unbuilt_systemc(${standard} found_problem)
    elseif(NOT SFPU_SYSTEMC_CHECKED STREQUAL "C++${standard}" OR NOT SFPU_SYSTEMC_VERSION)
        sfpu_check_built_systemc(${standard} found_problem)
        if(NOT found_problem)
            set(SFPU_SYSTEMC_CHECKED "C++${standard}" CACHE INTERNAL "SystemC is known to fit this standard")
        endif()
    endif()
    set(${problem} "${found_problem}" PARENT_SCOPE)
endfunction()
