# Finds the SMT solver z3 (Debian has no CMake package of it) and provides the target Z3::z3. Also installed, for users of the
# package.

# Sets `problem` to what is missing, empty if nothing is.
function(sfpu_find_z3 problem)
    set(${problem} "" PARENT_SCOPE)
    if(TARGET Z3::z3)
        return()
    endif()
    find_path(Z3_INCLUDE_DIR z3++.h)
    find_library(Z3_LIBRARY z3)
    mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)
    if(NOT Z3_INCLUDE_DIR OR NOT Z3_LIBRARY)
        set(${problem} "needs the solver z3 (Debian: libz3-dev): there is no z3++.h, or no library z3" PARENT_SCOPE)
        return()
    endif()
    add_library(Z3::z3 UNKNOWN IMPORTED GLOBAL)
    set_target_properties(Z3::z3 PROPERTIES
        IMPORTED_LOCATION "${Z3_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
endfunction()
