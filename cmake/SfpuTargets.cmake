# Functions with which every library and program of the project is declared.

# Warnings, and errors for them under SFPU_TLM_WERROR or in continuous integration. A switch that forgets an enumerator,
# such as a chip, is an error always.
function(sfpu_set_warnings target)
    # Clang does not know GCC's hints for the vectoriser.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror=switch
        $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-unknown-pragmas>)
    if(SFPU_TLM_WERROR OR (PROJECT_IS_TOP_LEVEL AND "$ENV{CI}" STREQUAL "true"))
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# Archives may become part of somebody's shared library, so all code is position-independent, unless the builder says
# otherwise. Calls within a library stay direct for all that: nobody replaces single functions of ours.
function(sfpu_set_library_form target)
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
endfunction()

# Under SFPU_TLM_UNITY the compiler sees sixteen sources of the target as one: what is in many headers, first of all the
# templates of JSON and SystemC, is then compiled once. What is inlined where changes with it, so bench/check_instruction_counts
# decides for libraries that run for each word. Names of anonymous namespaces must differ within such a target.
function(sfpu_compile_together target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${SFPU_TLM_UNITY} UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# Of the sanitizers' checks, those of pointers are a quarter of what Clang takes for code that is not optimised, and a third of
# its size; the address sanitizer looks at the same accesses. Code that runs for each word keeps them.
set(sfpu_without_pointer_checks "")
if(SFPU_TLM_SANITIZE AND NOT SFPU_TLM_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(sfpu_without_pointer_checks -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
endif()
set(sfpu_unoptimised -O0 ${sfpu_without_pointer_checks})

# Analyses that search and prove: the only ones that instrumented builds optimise.
set(sfpu_searching_analyses sfpu_equivalence sfpu_optimizer sfpu_rewriting sfpu_smt sfpu_symbolic)

# Code that runs once for a command and not for a word: building it quickly saves more than running it quickly. At -O1
# GCC 12 takes members of std::optional for uninitialised that it follows at -O3.
function(sfpu_compile_quickly target)
    if(SFPU_TLM_SANITIZE)
        target_compile_options(${target} PRIVATE ${sfpu_unoptimised})
    elseif(NOT SFPU_TLM_COVERAGE)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    endif()
endfunction()

# sfpu_add_library(sfpu_isa EXPORT_NAME isa [PUBLIC targets...] [PRIVATE targets...])
#
# A library of src/*.cpp, static unless SFPU_TLM_SHARED, with the public headers in include/, known as SfpuTlm::<EXPORT_NAME> here and in the
# installed package (SfpuInstall). PUBLIC and PRIVATE are what it links.
function(sfpu_add_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT_NAME" "PUBLIC;PRIVATE")
    file(GLOB sources CONFIGURE_DEPENDS src/*.cpp)
    add_library(${target} ${SFPU_TLM_LIBRARY_TYPE} ${sources})
    add_library(SfpuTlm::${arg_EXPORT_NAME} ALIAS ${target})
    sfpu_set_library_form(${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_EXPORT_NAME})
    target_compile_features(${target} PUBLIC cxx_std_17)
    target_include_directories(${target} PUBLIC
        "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    sfpu_set_warnings(${target})
    if(SFPU_TLM_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug") # nobody counts instructions
        sfpu_compile_together(${target})
    endif()
    # Most analyses run once for a kernel: instrumented, they take the compiler three times as long at -O1 as without optimisation,
    # and are run for seconds. None runs for each word.
    if(SFPU_TLM_SANITIZE AND CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/analysis/")
        if(target IN_LIST sfpu_searching_analyses)
            target_compile_options(${target} PRIVATE ${sfpu_without_pointer_checks})
        else()
            target_compile_options(${target} PRIVATE ${sfpu_unoptimised})
        endif()
    endif()
    set_property(GLOBAL APPEND PROPERTY SFPU_TLM_PRODUCTS ${target})
    set_property(GLOBAL APPEND PROPERTY SFPU_TLM_LIBRARY_NAMES ${arg_EXPORT_NAME})
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/analysis/")
        set_property(GLOBAL APPEND PROPERTY SFPU_TLM_ANALYSIS_NAMES ${arg_EXPORT_NAME})
    endif()
    install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endfunction()

# sfpu_compile_for_vector_targets(target source): the source holds lane loops and includes Highway's foreach_target.h,
# which includes it again by its name, once for each vector instruction set. Such loops become vector code only at -O3,
# without which even development builds are several times slower. Builds for a debugger or with instrumentation keep
# their own level. Of the sanitizers' checks, those of pointers would take Clang twice as long in Highway's functions,
# which are all inlined; the address sanitizer looks at the same accesses. Of Highway, the headers are enough, see
# vector_targets.h.
function(sfpu_compile_for_vector_targets target source)
    cmake_path(GET source PARENT_PATH folder)
    target_include_directories(${target} PRIVATE "${folder}" "${PROJECT_SOURCE_DIR}/models/common/vectors")
    target_include_directories(${target} SYSTEM PRIVATE "$<TARGET_PROPERTY:hwy::hwy,INTERFACE_INCLUDE_DIRECTORIES>")
    if(SFPU_TLM_SANITIZE AND NOT SFPU_TLM_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # In a function that everything is inlined into, a check is a call: thousands of checks in one body take the register
        # allocator longer than all the rest.
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS
            "-fno-sanitize=null,alignment,object-size,pointer-overflow;-mllvm;-asan-instrumentation-with-call-threshold=300")
    elseif(NOT SFPU_TLM_SANITIZE AND NOT SFPU_TLM_COVERAGE)
        set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3>")
    endif()
endfunction()
