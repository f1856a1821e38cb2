# pkg-config files, made from what the targets link.

# The pkg-config modules of what others provide; headers alone need none.
set(sfpu_pkg_config_module_SystemC::systemc systemc)
set(sfpu_pkg_config_module_fmt::fmt fmt)
set(sfpu_pkg_config_module_PkgConfig::libdeflate libdeflate)
set(sfpu_pkg_config_module_Boost::headers "")
# Those without a pkg-config module: libraries that the linker finds where it always looks.
set(sfpu_pkg_config_module_CaDiCaL::cadical "")
set(sfpu_pkg_config_library_CaDiCaL::cadical cadical)
set(sfpu_pkg_config_module_Z3::z3 "")
set(sfpu_pkg_config_library_Z3::z3 z3)
set(sfpu_pkg_config_module_dw "")
set(sfpu_pkg_config_library_dw dw)
set(sfpu_pkg_config_module_elf "")
set(sfpu_pkg_config_library_elf elf)

# Sets `ours` to the libraries of ours that `target` needs, itself included, users before what they use, and `others` to
# the rest.
function(sfpu_link_closure target ours others)
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
        set(target ${aliased})
    endif()
    set(below "")
    set(foreign "")
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    if(NOT links)
        set(links "")
    endif()
    foreach(link IN LISTS links)
        string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" link "${link}")
        if(link MATCHES "^SfpuTlm::")
            sfpu_link_closure(${link} link_ours link_others)
            # What is named again moves behind all its users.
            list(REMOVE_ITEM below ${link_ours})
            list(APPEND below ${link_ours})
            list(APPEND foreign ${link_others})
        elseif(NOT link MATCHES "^\\$<") # headers that only the build needs
            list(APPEND foreign ${link})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES foreign)
    set(${ours} ${target} ${below} PARENT_SCOPE)
    set(${others} ${foreign} PARENT_SCOPE)
endfunction()

# Whether who links `target` needs `other`, too, which is none of ours.
function(sfpu_needs target other result)
    sfpu_link_closure(${target} ours others)
    if(other IN_LIST others)
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

# Installs sfpu-tlm-<component>.pc. It names no absolute path, so that the installed folder may be moved.
function(sfpu_install_pkg_config component)
    sfpu_link_closure(SfpuTlm::${component} ours others)
    set(libs "")
    set(includes "-I\${includedir}")
    foreach(library IN LISTS ours)
        get_target_property(type ${library} TYPE)
        if(NOT type STREQUAL "INTERFACE_LIBRARY")
            string(APPEND libs " -l${library}")
        endif()
    endforeach()
    if(component STREQUAL "kernel_headers")
        string(APPEND includes " -I\${includedir}/sfpu/kernel_recorder/published")
    endif()
    set(requires "")
    foreach(other IN LISTS others)
        if(NOT DEFINED sfpu_pkg_config_module_${other})
            message(FATAL_ERROR "sfpu_install_pkg_config(${component}): no pkg-config module is known for ${other}")
        endif()
        list(APPEND requires ${sfpu_pkg_config_module_${other}})
        if(DEFINED sfpu_pkg_config_library_${other})
            string(APPEND libs " -l${sfpu_pkg_config_library_${other}}")
        endif()
    endforeach()
    list(JOIN requires ", " requires)
    set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pc_dir}" OUTPUT_VARIABLE up)
    set(file "${PROJECT_BINARY_DIR}/pkgconfig/sfpu-tlm-${component}.pc")
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT "prefix=\${pcfiledir}/${up}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: SFPU-TLM ${component}
Description: ${PROJECT_DESCRIPTION}, ${component}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Cflags: ${includes}
Libs: -L\${libdir}${libs}
")
    install(FILES "${file}" DESTINATION "${pc_dir}")
endfunction()
