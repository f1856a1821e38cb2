# Targets that check or change the sources: format, tidy.

set(styled_dirs analysis bindings kernels models platforms sc_main tests traces views)
list(TRANSFORM styled_dirs APPEND "/*.h" OUTPUT_VARIABLE header_globs)
list(TRANSFORM styled_dirs APPEND "/*.cpp" OUTPUT_VARIABLE source_globs)
file(GLOB_RECURSE styled_files CONFIGURE_DEPENDS ${header_globs} ${source_globs})

# Versions of clang-format disagree, so the one of Debian 12 goes first.
find_program(SFPU_TLM_CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(SFPU_TLM_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
mark_as_advanced(SFPU_TLM_CLANG_FORMAT SFPU_TLM_CLANG_TIDY)

if(SFPU_TLM_CLANG_FORMAT)
    add_custom_target(format COMMAND "${SFPU_TLM_CLANG_FORMAT}" -i ${styled_files} VERBATIM
        COMMENT "Formatting the sources")
    if(SFPU_TLM_BUILD_TESTS)
        add_test(NAME style.format COMMAND "${SFPU_TLM_CLANG_FORMAT}" --dry-run -Werror ${styled_files})
        set_tests_properties(style.format PROPERTIES LABELS style COST 600)
    endif()
endif()

if(SFPU_TLM_CLANG_TIDY)
    find_package(Python3 3.9 COMPONENTS Interpreter)
    set(tidy_command Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/support/tidy_check.py" "${SFPU_TLM_CLANG_TIDY}"
        "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
    if(Python3_FOUND)
        add_custom_target(tidy COMMAND ${tidy_command} VERBATIM USES_TERMINAL COMMENT "Running clang-tidy on all sources")
        if(SFPU_TLM_BUILD_TESTS AND SFPU_TLM_TIDY_TEST)
            add_test(NAME style.tidy COMMAND ${tidy_command})
            set_tests_properties(style.tidy PROPERTIES LABELS style TIMEOUT 7200 RUN_SERIAL ON COST 2000)
        endif()
    endif()
endif()
