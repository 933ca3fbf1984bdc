# The core as two files, build/amalgamation/seenset.c and seenset.h: the target
# seenset_amalgamation. cmake/amalgamation.py has how.
find_program(SEENSET_PYTHON3 python3 NO_CACHE)
if(NOT SEENSET_PYTHON3)
    return()
endif()
get_target_property(core_sources seenset_objects SOURCES)
set(amalgamation_inputs "")
foreach(source ${core_sources})
    get_source_file_property(kernel ${source} SEENSET_KERNEL)
    if(source IN_LIST seenset_thread_sources)
        cmake_path(GET source FILENAME name)
        list(APPEND amalgamation_inputs
            src/base/posix/${name}:!SEENSET_NO_THREADS
            src/base/alone/${name}:SEENSET_NO_THREADS)
    elseif(source IN_LIST seenset_file_sources
           OR source IN_LIST seenset_path_sources)
        list(APPEND amalgamation_inputs ${source}:!SEENSET_NO_FILES)
    elseif(kernel)
        list(JOIN kernel ":" kernel)
        list(APPEND amalgamation_inputs ${source}:${kernel})
    else()
        list(APPEND amalgamation_inputs ${source})
    endif()
endforeach()
set(without_files src/base/none/io.c src/base/none/map.c
    src/file/journal/none.c)
list(TRANSFORM without_files APPEND :SEENSET_NO_FILES
     OUTPUT_VARIABLE conditional)
list(APPEND amalgamation_inputs ${conditional})
set(seenset_amalgamation ${PROJECT_BINARY_DIR}/amalgamation)
file(GLOB_RECURSE amalgamation_headers CONFIGURE_DEPENDS src/*.h include/*.h)
add_custom_command(
    OUTPUT ${seenset_amalgamation}/seenset.c ${seenset_amalgamation}/seenset.h
    COMMAND ${SEENSET_PYTHON3} -B cmake/amalgamation.py .
        ${SEENSET_XXHASH_INCLUDE}/xxhash.h ${seenset_amalgamation}
        ${amalgamation_inputs}
    DEPENDS cmake/amalgamation.py cmake/c_names.py ${core_sources}
        ${amalgamation_headers} ${seenset_thread_sources} ${without_files}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Writing seenset.c and seenset.h"
    VERBATIM)
add_custom_target(seenset_amalgamation
    DEPENDS ${seenset_amalgamation}/seenset.c)
