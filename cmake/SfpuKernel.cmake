# Programs that record C++ kernels. Also installed, for users of the package.

# sfpu_add_kernel(name SOURCES files... ARCH bh|wh [ENTRY function])
#
# A program <name> that records the kernel which the function `void sfpu_kernel(sfpu::kernel_recorder::program_builder&)`, or
# ENTRY, describes. The sources may use the published macros and include the published file names; they are compiled
# with ARCH_BLACKHOLE or ARCH_WORMHOLE defined. Building the target <name>_words, part of `all`, runs the program, which
# writes <name>.s into the current binary directory. Building the target run_<name> runs that on the model, if sfpusim
# is part of this build or is found.
function(sfpu_add_kernel name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCH;ENTRY" "SOURCES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sfpu_add_kernel(${name}): found ${arg_UNPARSED_ARGUMENTS}, expected SOURCES, ARCH, ENTRY")
    endif()
    if(NOT arg_SOURCES)
        message(FATAL_ERROR "sfpu_add_kernel(${name}): SOURCES is missing")
    endif()
    if(arg_ARCH STREQUAL "bh")
        set(SFPU_KERNEL_ARCHITECTURE blackhole)
    elseif(arg_ARCH STREQUAL "wh")
        set(SFPU_KERNEL_ARCHITECTURE wormhole)
    else()
        message(FATAL_ERROR "sfpu_add_kernel(${name}): ARCH is '${arg_ARCH}', expected bh or wh")
    endif()
    if(NOT arg_ENTRY)
        set(arg_ENTRY sfpu_kernel)
    endif()

    set(SFPU_KERNEL_NAME "${name}")
    set(SFPU_KERNEL_ENTRY "${arg_ENTRY}")
    set(main "${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sfpu_kernel_main.cpp.in" "${main}" @ONLY)

    add_executable(${name} ${arg_SOURCES} "${main}")
    target_link_libraries(${name} PRIVATE SfpuTlm::kernel_headers)
    string(TOUPPER "ARCH_${SFPU_KERNEL_ARCHITECTURE}" arch_macro)
    target_compile_definitions(${name} PRIVATE ${arch_macro})

    set(words "${CMAKE_CURRENT_BINARY_DIR}/${name}.s")
    add_custom_command(OUTPUT "${words}" COMMAND ${name} "${words}" DEPENDS ${name} VERBATIM
        COMMENT "Recording kernel ${name}")
    add_custom_target(${name}_words ALL DEPENDS "${words}")

    if(TARGET sfpusim)
        set(simulator sfpusim)
    else()
        find_program(SFPUSIM_PROGRAM sfpusim)
        mark_as_advanced(SFPUSIM_PROGRAM)
        set(simulator "${SFPUSIM_PROGRAM}")
    endif()
    if(simulator)
        add_custom_target(run_${name} COMMAND ${simulator} run "${words}" DEPENDS "${words}" VERBATIM USES_TERMINAL
            COMMENT "Running kernel ${name}")
    endif()
endfunction()
