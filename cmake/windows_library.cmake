# What is different where the core is built for Windows.

# gcc for Windows takes vectors of 32 and 64 bytes on the stack to be aligned,
# and Windows aligns the stack to 16 bytes only (gcc's bug 54412): a kernel that
# has to spill one to the stack would crash, at times. With this option the
# assembler writes each move of a vector as one that need not be aligned, which
# is as fast where it happens to be. Other instructions with such operands need
# no alignment. Where it is not known there are no kernels: base/kernels.h.
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wa,-muse-unaligned-vector-move seenset_has_unaligned)
if(seenset_has_unaligned)
    add_compile_options(-Wa,-muse-unaligned-vector-move)
    add_compile_definitions(SEENSET_UNALIGNED_VECTOR_MOVES)
endif()

# What gcc has for itself becomes part of what is built: the only libraries
# needed are Windows' own.
add_link_options(-static-libgcc)

# seenset_export(LIBRARY MAP): the library exports what programs may use: the
# names in the versions of the map that are not private.
function(seenset_export library map)
    file(STRINGS ${map} lines)
    set(names "")
    set(is_public OFF)
    foreach(line IN LISTS lines)
        if(line MATCHES "^SEENSET_[A-Z_]*([0-9.]*) +{")
            string(COMPARE NOTEQUAL "${CMAKE_MATCH_1}" "" is_public)
        elseif(is_public AND line MATCHES "^ +(seenset_[a-z0-9_]+);")
            string(APPEND names "    ${CMAKE_MATCH_1}\n")
        endif()
    endforeach()
    set(list ${PROJECT_BINARY_DIR}/${library}.def)
    file(WRITE ${list} "EXPORTS\n${names}")
    target_sources(${library} PRIVATE ${list})
endfunction()
