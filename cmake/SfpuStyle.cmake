# Targets that check or change the sources: format, tidy.

set(styled_dirs kernels models platforms sc_main tests)
list(TRANSFORM styled_dirs APPEND "/*.h" OUTPUT_VARIABLE header_globs)
list(TRANSFORM styled_dirs APPEND "/*.cpp" OUTPUT_VARIABLE source_globs)
file(GLOB_RECURSE styled_files CONFIGURE_DEPENDS ${header_globs} ${source_globs})

# Versions of clang-format disagree, so the one of Debian 12 goes first.
find_program(SFPU_TLM_CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(SFPU_TLM_RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
mark_as_advanced(SFPU_TLM_CLANG_FORMAT SFPU_TLM_RUN_CLANG_TIDY)

if(SFPU_TLM_CLANG_FORMAT)
    add_custom_target(format COMMAND "${SFPU_TLM_CLANG_FORMAT}" -i ${styled_files} VERBATIM
        COMMENT "Formatting the sources")
    if(SFPU_TLM_BUILD_TESTS)
        add_test(NAME style.format COMMAND "${SFPU_TLM_CLANG_FORMAT}" --dry-run -Werror ${styled_files})
    endif()
endif()

if(SFPU_TLM_RUN_CLANG_TIDY)
    add_custom_target(tidy
        COMMAND "${SFPU_TLM_RUN_CLANG_TIDY}" -quiet -p "${PROJECT_BINARY_DIR}"
                "^${PROJECT_SOURCE_DIR}/(models|platforms|sc_main)/"
        VERBATIM USES_TERMINAL COMMENT "Running clang-tidy on all sources")
endif()
