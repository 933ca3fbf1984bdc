# The core as two files, build/amalgamation/seenset.c and seenset.h: the target
# seenset_amalgamation. cmake/amalgamation.py has how.
find_program(SEENSET_PYTHON3 python3 NO_CACHE)
if(NOT SEENSET_PYTHON3)
    return()
endif()
# Every platform's files, each under the macro that chooses it. A system with
# files of its own is a list of their names, as POSIX and Linux are.
set(platform_inputs)
foreach(name ${seenset_posix_names})
    if(name IN_LIST seenset_linux_names)
        list(APPEND platform_inputs src/base/linux/${name}.c:SS_ON_LINUX
            src/base/posix/${name}.c:SS_ON_POSIX)
    else()
        list(APPEND platform_inputs src/base/posix/${name}.c:!SS_ON_WINDOWS)
    endif()
endforeach()
foreach(name ${seenset_windows_names})
    list(APPEND platform_inputs src/base/windows/${name}.c:SS_ON_WINDOWS)
endforeach()
# Those of files, and what a program without files has.
list(TRANSFORM platform_inputs APPEND :!SEENSET_NO_FILES
     REGEX "/(disk|io|map|map_few|path|rename)\\.c:")
list(APPEND platform_inputs
    src/base/none/huge_pages.c:!SS_ON_LINUX
    src/base/none/io.c:SEENSET_NO_FILES
    src/base/none/map.c:SEENSET_NO_FILES
    src/file/journal/none.c:SEENSET_NO_FILES)
foreach(source ${seenset_thread_sources})
    cmake_path(GET source FILENAME name)
    list(APPEND platform_inputs
        src/base/posix/${name}:!SEENSET_NO_THREADS:!SS_ON_WINDOWS
        src/base/windows/${name}:!SEENSET_NO_THREADS:SS_ON_WINDOWS
        src/base/alone/${name}:SEENSET_NO_THREADS)
endforeach()

get_target_property(core_sources seenset_objects SOURCES)
set(amalgamation_inputs ${platform_inputs})
foreach(source ${core_sources})
    get_source_file_property(kernel ${source} SEENSET_KERNEL)
    if(kernel)
        list(JOIN kernel ":" kernel)
        list(APPEND amalgamation_inputs ${source}:${kernel})
    elseif(source IN_LIST seenset_path_sources
           OR source MATCHES "^src/base/io(_folder)?\\.c$")
        list(APPEND amalgamation_inputs ${source}:!SEENSET_NO_FILES)
    elseif(NOT source MATCHES "^src/base/[a-z]+/")
        list(APPEND amalgamation_inputs ${source})
    endif()
endforeach()
string(REGEX REPLACE ":[^;]*" "" platform_sources "${platform_inputs}")
set(seenset_amalgamation ${PROJECT_BINARY_DIR}/amalgamation)
file(GLOB_RECURSE amalgamation_headers CONFIGURE_DEPENDS src/*.h include/*.h)
add_custom_command(
    OUTPUT ${seenset_amalgamation}/seenset.c ${seenset_amalgamation}/seenset.h
    COMMAND ${SEENSET_PYTHON3} -B cmake/amalgamation.py .
        ${SEENSET_XXHASH_INCLUDE}/xxhash.h ${seenset_amalgamation}
        ${amalgamation_inputs}
    DEPENDS cmake/amalgamation.py cmake/c_names.py ${core_sources}
        ${amalgamation_headers} ${platform_sources}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Writing seenset.c and seenset.h"
    VERBATIM)
add_custom_target(seenset_amalgamation
    DEPENDS ${seenset_amalgamation}/seenset.c)
