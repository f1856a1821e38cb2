# Debian packages, by `cpack` in the build directory: libsfpu-tlm-dev, what `find_package` and pkg-config find, and
# sfpusim, the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sfpu-tlm)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "SFPU-TLM")
set(CPACK_PACKAGE_CONTACT "The authors of SFPU-TLM")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsfpu-tlm-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libsystemc-dev (>= ${SFPU_SYSTEMC_MINIMUM}), libfmt-dev, libdeflate-dev, libboost-dev")
# For the optimizer, for proofs by a solver, for lines of C++ in ELF files, and for views that give JSON as values.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libcadical-dev, libz3-dev, libdw-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "sfpusim, gcc-riscv64-unknown-elf")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "SystemC model of the Tensix vector unit, development files
 Libraries, headers, CMake package, pkg-config files and firmware kit.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sfpusim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libjs-chart.js, gnuplot-nox")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "simulator of the Tensix vector unit
 Runs, schedules, checks and explores SFPU kernels cycle by cycle.")
set(CPACK_COMPONENTS_ALL development)
if(SFPU_TLM_BUILD_TOOLS)
    list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(SFPU_TLM_SHARED) # the program needs the libraries, which are in the other package
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libsfpu-tlm-dev (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS OFF)
endif()
include(CPack)
