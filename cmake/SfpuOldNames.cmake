# Names that targets had before, kept for one release: see docs/migration.md. Also installed, for users of the package.
foreach(renamed IN ITEMS sfpu=vector_unit bench=sfpu_bench lint=sfpu_lint)
    string(REGEX MATCH "(.+)=(.+)" _ "${renamed}")
    if(TARGET SfpuTlm::${CMAKE_MATCH_2} AND NOT TARGET SfpuTlm::${CMAKE_MATCH_1})
        add_library(SfpuTlm::${CMAKE_MATCH_1} INTERFACE IMPORTED GLOBAL)
        set_target_properties(SfpuTlm::${CMAKE_MATCH_1} PROPERTIES
            INTERFACE_LINK_LIBRARIES SfpuTlm::${CMAKE_MATCH_2}
            DEPRECATION "it is called SfpuTlm::${CMAKE_MATCH_2} now")
    endif()
endforeach()
