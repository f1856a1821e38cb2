# What the program needs to compile C++ kernels: a description beside the program, in the build tree and in the installed package.
# Paths are relative to its folder where it is installed, so that the package can be moved.

set(kit_link_options "")
if(SFPU_TLM_SANITIZE STREQUAL "thread")
    set(kit_link_options "\"-fsanitize=thread\"")
elseif(SFPU_TLM_SANITIZE)
    set(kit_link_options "\"-fsanitize=address,undefined\"")
elseif(SFPU_TLM_COVERAGE)
    set(kit_link_options "\"--coverage\"")
endif()

set(kit_libraries sfpu_kernel_recorder sfpu_isa sfpu_common) # each before those that it uses

# sfpu_write_kit(file folders libraries core)
function(sfpu_write_kit file folders libraries core)
    list(TRANSFORM folders REPLACE "(.+)" "\"\\1\"")
    list(TRANSFORM libraries REPLACE "(.+)" "\"\\1\"")
    list(JOIN folders ", " folders)
    list(JOIN libraries ", " libraries)
    file(GENERATE OUTPUT "${file}" CONTENT
        "{\"include\": [${folders}],\n \"libraries\": [${libraries}, \"-lfmt\"],\n \"options\": [${kit_link_options}],\n \"core\": [\"${core}\"]}\n")
endfunction()

set(built_folders "")
set(built_libraries "")
set(installed_libraries "")
foreach(library IN LISTS kit_libraries)
    string(REPLACE "sfpu_" "" folder ${library})
    list(APPEND built_folders "${PROJECT_SOURCE_DIR}/models/${folder}/include")
    list(APPEND built_libraries "$<TARGET_FILE:${library}>")
    list(APPEND installed_libraries "../../${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:${library}>")
endforeach()
set(published sfpu/kernel_recorder/published)
sfpu_write_kit("${PROJECT_BINARY_DIR}/share/sfpu-tlm/kernel_kit.json"
    "${PROJECT_SOURCE_DIR}/models/kernel_recorder/include/${published};${built_folders}" "${built_libraries}"
    "${PROJECT_SOURCE_DIR}/firmware/core_kernels")
sfpu_write_kit("${CMAKE_CURRENT_BINARY_DIR}/installed/kernel_kit.json"
    "../../${CMAKE_INSTALL_INCLUDEDIR}/${published};../../${CMAKE_INSTALL_INCLUDEDIR}" "${installed_libraries}"
    "firmware/core_kernels")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/installed/kernel_kit.json" DESTINATION share/sfpu-tlm COMPONENT program)
