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
        set_tests_properties(style.format PROPERTIES LABELS style)
    endif()
endif()

if(SFPU_TLM_RUN_CLANG_TIDY)
    # Commands of GCC hold options that Clang warns about.
    set(tidy_command "${SFPU_TLM_RUN_CLANG_TIDY}" -quiet -p "${PROJECT_BINARY_DIR}"
        -extra-arg=-Wno-ignored-optimization-argument -extra-arg=-Wno-unknown-warning-option
        "^${PROJECT_SOURCE_DIR}/(models|platforms|sc_main)/")
    add_custom_target(tidy COMMAND ${tidy_command} VERBATIM USES_TERMINAL COMMENT "Running clang-tidy on all sources")
    if(SFPU_TLM_BUILD_TESTS AND SFPU_TLM_TIDY_TEST)
        add_test(NAME style.tidy COMMAND ${tidy_command})
        set_tests_properties(style.tidy PROPERTIES LABELS style TIMEOUT 3600 RUN_SERIAL ON COST 2000)
    endif()
endif()
