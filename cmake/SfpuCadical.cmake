# Finds the solver CaDiCaL, which has no package of its own, and provides the target CaDiCaL::cadical. Also installed, for users
# of the package.

# Sets `problem` to what is missing, empty if nothing is.
function(sfpu_find_cadical problem)
    set(${problem} "" PARENT_SCOPE)
    if(TARGET CaDiCaL::cadical)
        return()
    endif()
    find_path(CADICAL_INCLUDE_DIR cadical.hpp)
    find_library(CADICAL_LIBRARY cadical)
    mark_as_advanced(CADICAL_INCLUDE_DIR CADICAL_LIBRARY)
    if(NOT CADICAL_INCLUDE_DIR OR NOT CADICAL_LIBRARY)
        set(${problem} "needs the solver CaDiCaL (Debian: libcadical-dev): there is no cadical.hpp, or no library cadical"
            PARENT_SCOPE)
        return()
    endif()
    add_library(CaDiCaL::cadical UNKNOWN IMPORTED GLOBAL)
    set_target_properties(CaDiCaL::cadical PROPERTIES
        IMPORTED_LOCATION "${CADICAL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${CADICAL_INCLUDE_DIR}")
endfunction()
