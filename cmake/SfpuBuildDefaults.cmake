# What a build of this project on its own wants. A parent project keeps its own choices.

if(PROJECT_IS_TOP_LEVEL)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
    endif()

    if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        find_program(SFPU_TLM_CCACHE ccache)
        mark_as_advanced(SFPU_TLM_CCACHE)
        if(SFPU_TLM_CCACHE)
            set(CMAKE_CXX_COMPILER_LAUNCHER "${SFPU_TLM_CCACHE}")
        endif()
    endif()
endif()

if(SFPU_TLM_SANITIZE STREQUAL "thread")
    # GCC warns of each fence, which the sanitizer does not understand; those of Highway only keep the compiler from moving code.
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    add_link_options(-fsanitize=thread)
elseif(SFPU_TLM_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # The sanitizers describe each check and each variable by data with addresses. In a position-independent program every
    # process would relocate two million of them before it begins, which takes longer than most tests.
    # What they add to a program makes the plain linker slow.
    find_program(SFPU_TLM_LLD NAMES ld.lld)
    mark_as_advanced(SFPU_TLM_LLD)
    if(SFPU_TLM_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_link_options(-fuse-ld=lld)
    endif()
    add_link_options(-fsanitize=address,undefined $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
if(SFPU_TLM_FUZZ)
    # Counters of edges and no more: calls at every comparison (fuzzer-no-link) cost time, and the words that comparisons look for
    # are in the dictionary.
    add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
endif()
if(SFPU_TLM_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()

# Debug information and messages name files relative to the sources; a debugger that is started there finds them.
if(SFPU_TLM_REPRODUCIBLE)
    add_compile_options("-ffile-prefix-map=${PROJECT_BINARY_DIR}=build" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
endif()
if(SFPU_TLM_HARDEN)
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()
# Costs nothing once a program runs.
add_link_options(-Wl,-z,relro,-z,now)

set(SFPU_TLM_LIBRARY_TYPE STATIC)
if(SFPU_TLM_SHARED)
    set(SFPU_TLM_LIBRARY_TYPE SHARED)
endif()
