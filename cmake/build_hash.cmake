# cmake -DSOURCES=LIST_FILE -DROOT=DIR -DCOMPILER=TEXT -DTEMPLATE=FILE -DOUTPUT=FILE -P build_hash.cmake
#
# Writes TEMPLATE with @hash@: a SHA-256 over the compiler's text and, for each source in the list, its name below ROOT and its content.
# A build of the same sources gives the same hash in every folder and at every time.
file(STRINGS "${SOURCES}" sources)
foreach(source IN LISTS sources)
    file(RELATIVE_PATH name "${ROOT}" "${source}")
    file(SHA256 "${source}" content)
    list(APPEND entries "${name} ${content}")
endforeach()
list(SORT entries)
list(JOIN entries "\n" entries)
string(SHA256 hash "${COMPILER}\n${entries}\n")
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
