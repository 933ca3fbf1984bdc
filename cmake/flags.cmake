# Flags for our own code: seenset_flags carries the warnings to each target
# that links it; sanitizers and coverage go to everything built.
add_library(seenset_flags INTERFACE)
target_compile_options(seenset_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
    -Wdate-time
    $<$<BOOL:${SEENSET_WERROR}>:-Werror>)
if(WIN32) # whose isfinite() is a macro that names each kind of number
    target_compile_options(seenset_flags INTERFACE -Wno-float-conversion)
endif()
# For 32 bits: lengths of files and times that do not end at 2 GB and in 2038.
target_compile_definitions(seenset_flags INTERFACE _FILE_OFFSET_BITS=64
    _TIME_BITS=64)

# Doubles have 64 bits everywhere. The x87 computes with 80, and rounds when it
# likes: sizes would be planned that differ by a block from those of other
# machines, and so would the bytes of files.
include(CheckCSourceCompiles)
check_c_source_compiles("#ifndef __i386__
#error another processor
#endif
int main(void) { return 0; }" SEENSET_IS_I386)
if(SEENSET_IS_I386)
    add_compile_options(-msse2 -mfpmath=sse)
endif()

if(SEENSET_SANITIZE)
    add_compile_options(-fsanitize=${SEENSET_SANITIZE}
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SEENSET_SANITIZE})
endif()
if(SEENSET_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()

# What makes a mistake of ours harder to use against whoever runs it. Sanitizers
# and coverage do without: they look closer, and fortified calls hide from them.
# On Windows the linker's defaults are all there is: gcc's stack protector needs a
# library beside each program there, and its stack probes stop the compiler.
if(SEENSET_HARDEN AND NOT SEENSET_SANITIZE AND NOT SEENSET_COVERAGE
   AND NOT WIN32)
    include(cmake/harden.cmake)
    set(SEENSET_HARDENED ON)
endif()

# The same sources give the same bytes, whatever folder they lie in: no path of
# it is in them, and archives hold no dates, users or modes. A debugger wants
# the paths.
foreach(map ${PROJECT_SOURCE_DIR}=. ${PROJECT_BINARY_DIR}=build)
    add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${map}>")
endforeach()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
endif()
