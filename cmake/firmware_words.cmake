# Turns the output of `sfpusim asm` (WORDS) into a C header (HEADER) with one list of words for each section of the
# kernel NAME. The lists are macros, see sfpu_tensix.h.

string(TOUPPER "${NAME}" prefix)
string(MAKE_C_IDENTIFIER "${prefix}" prefix)
file(STRINGS "${WORDS}" lines)

set(section LOOP) # a kernel that is nothing but a loop has no marks
foreach(name IN ITEMS INIT LOOP TAIL)
    set(list_${name} "")
    set(count_${name} 0)
endforeach()
foreach(line IN LISTS lines)
    if(line MATCHES "^; \\.(init|loop|tail)")
        string(TOUPPER "${CMAKE_MATCH_1}" section)
    elseif(line MATCHES "^[0-9a-f]+$")
        string(APPEND list_${section} " \\\n    WORD(0x${line})")
        math(EXPR count_${section} "${count_${section}} + 1")
    endif()
endforeach()

set(text "/* Words of the kernel ${NAME}, translated by sfpusim asm when the firmware was built. */\n")
foreach(name IN ITEMS INIT LOOP TAIL)
    string(APPEND text "#define ${prefix}_${name}_COUNT ${count_${name}}\n")
    string(APPEND text "#define ${prefix}_${name}(WORD)${list_${name}}\n")
endforeach()
file(WRITE "${HEADER}" "${text}")
