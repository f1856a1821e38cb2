# Firmware for the tile: RISC-V programs in C, C++ (all sources then) or assembly with the words of SFPU kernels, as ELF files.
#
#   sfpu_add_firmware(name [ARCH bh|wh] [MEMORY ram|l1] [NO_CRT] SOURCES files... [KERNELS files.s...])
#
# makes target `name` and "${CMAKE_CURRENT_BINARY_DIR}/name.elf". ARCH (default bh) is the architecture for which
# kernels are translated, MEMORY (default ram) says where the program lies. Each kernel x.s is translated by sfpusim into
# a header "x.words.h", see sfpu_tensix.h. NO_CRT: the sources have start-up code of their own.
#
# Needs a compiler for bare RISC-V; SFPU_RISCV_COMPILER is its path, empty if there is none. Also installed, for users of
# the package; KERNELS needs sfpusim then, on the path or in SFPUSIM_PROGRAM.

find_program(SFPU_RISCV_COMPILER NAMES riscv64-unknown-elf-gcc riscv32-unknown-elf-gcc)
mark_as_advanced(SFPU_RISCV_COMPILER)
set(firmware_dir "${CMAKE_CURRENT_LIST_DIR}/../firmware")
if(SFPU_INSTALLED_FIRMWARE_DIR)
    set(firmware_dir "${SFPU_INSTALLED_FIRMWARE_DIR}")
endif()
set(SFPU_FIRMWARE_DIR "${firmware_dir}" CACHE INTERNAL "Start-up code, linker scripts and headers of firmware")
set(SFPU_FIRMWARE_WORDS_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/firmware_words.cmake" CACHE INTERNAL "Makes *.words.h")

function(sfpu_add_firmware name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NO_CRT" "ARCH;MEMORY" "SOURCES;KERNELS")
    if(NOT SFPU_RISCV_COMPILER)
        message(FATAL_ERROR "sfpu_add_firmware(${name}): there is no compiler for bare RISC-V; \
install gcc-riscv64-unknown-elf or set SFPU_RISCV_COMPILER")
    endif()
    if(TARGET sfpusim)
        set(simulator sfpusim)
    elseif(SFPUSIM_PROGRAM OR NOT arg_KERNELS)
        set(simulator "${SFPUSIM_PROGRAM}")
    else()
        message(FATAL_ERROR "sfpu_add_firmware(${name}): KERNELS needs the program sfpusim; set SFPUSIM_PROGRAM")
    endif()
    if(NOT arg_ARCH OR arg_ARCH STREQUAL "bh")
        set(arg_ARCH bh)
        set(arch_macro SFPU_ARCH_BLACKHOLE)
    elseif(arg_ARCH STREQUAL "wh")
        set(arch_macro SFPU_ARCH_WORMHOLE)
    else()
        message(FATAL_ERROR "sfpu_add_firmware(${name}): ARCH is '${arg_ARCH}', expected bh or wh")
    endif()
    if(NOT arg_MEMORY)
        set(arg_MEMORY ram)
    elseif(NOT arg_MEMORY MATCHES "^(ram|l1)$")
        message(FATAL_ERROR "sfpu_add_firmware(${name}): MEMORY is '${arg_MEMORY}', expected ram or l1")
    endif()

    set(words_dir "${CMAKE_CURRENT_BINARY_DIR}/${name}.words")
    set(headers "")
    foreach(kernel IN LISTS arg_KERNELS)
        cmake_path(ABSOLUTE_PATH kernel)
        cmake_path(GET kernel STEM stem)
        set(header "${words_dir}/${stem}.words.h")
        add_custom_command(OUTPUT "${header}"
            COMMAND ${CMAKE_COMMAND} -E make_directory "${words_dir}"
            COMMAND "${simulator}" asm --arch ${arg_ARCH} "${kernel}" -o "${words_dir}/${stem}.hex"
            COMMAND ${CMAKE_COMMAND} "-DNAME=${stem}" "-DWORDS=${words_dir}/${stem}.hex" "-DHEADER=${header}"
                    -P "${SFPU_FIRMWARE_WORDS_SCRIPT}"
            DEPENDS "${kernel}" "${SFPU_FIRMWARE_WORDS_SCRIPT}" ${simulator} VERBATIM
            COMMENT "Translating kernel ${stem} for ${name}")
        list(APPEND headers "${header}")
    endforeach()

    # Only -misa-spec=2.2 gives Debian's compiler both CSR instructions and its rv32im library.
    set(language -std=gnu11)
    if(arg_SOURCES MATCHES "\\.(cc|cpp|cxx)(;|$)")
        set(language -std=gnu++17 -fno-exceptions -fno-rtti)
    endif()
    set(flags -march=rv32im -misa-spec=2.2 -mabi=ilp32 -O2 -g -Wall -Wextra -Werror ${language} -ffreestanding -fno-pic
        -msmall-data-limit=0 -nostartfiles -nostdlib -static)
    if(SFPU_TLM_REPRODUCIBLE)
        foreach(map IN ITEMS "${PROJECT_BINARY_DIR}=build" "${PROJECT_SOURCE_DIR}=.")
            list(APPEND flags "-ffile-prefix-map=${map}" "-Wa,--debug-prefix-map,${map}")
        endforeach()
    endif()
    set(sources "")
    if(NOT arg_NO_CRT)
        set(sources "${SFPU_FIRMWARE_DIR}/crt.S")
    endif()
    foreach(source IN LISTS arg_SOURCES)
        cmake_path(ABSOLUTE_PATH source)
        list(APPEND sources "${source}")
    endforeach()
    file(GLOB common "${SFPU_FIRMWARE_DIR}/include/*.h" "${SFPU_FIRMWARE_DIR}/*.ld")
    set(elf "${CMAKE_CURRENT_BINARY_DIR}/${name}.elf")
    add_custom_command(OUTPUT "${elf}"
        COMMAND "${SFPU_RISCV_COMPILER}" ${flags} -D${arch_macro} "-I${SFPU_FIRMWARE_DIR}/include"
                "-I${words_dir}" "-L${SFPU_FIRMWARE_DIR}" -T link_${arg_MEMORY}.ld -Wl,--build-id=none,-z,max-page-size=64
                -Wl,--no-warn-rwx-segments ${sources} -lgcc -o "${elf}"
        DEPENDS ${sources} ${headers} ${common} VERBATIM
        COMMENT "Building firmware ${name}")
    add_custom_target(${name} ALL DEPENDS "${elf}")
endfunction()
