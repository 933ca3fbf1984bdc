# One program a source file, tests/test_<name>.c, each added by its own line.
# They link the static library and may include the private headers of src/.
#
# Labels: "long" takes over ten seconds in a release build, "large" takes
# over 256 MiB of memory. CMakePresets.json says which builds leave them out.
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

add_library(seenset_test_support STATIC support.c golden_sets.c forge.c)
target_include_directories(seenset_test_support PUBLIC
    ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_include_directories(seenset_test_support SYSTEM PUBLIC
    ${xxhash_INCLUDE_DIRS})
target_compile_options(seenset_test_support PUBLIC -UNDEBUG)
target_compile_definitions(seenset_test_support PUBLIC
    SEENSET_TEST_GOLDEN="${CMAKE_CURRENT_SOURCE_DIR}/golden")
target_link_libraries(seenset_test_support PUBLIC
    seenset_static seenset_flags PkgConfig::cmocka m)

function(seenset_test name)
    add_executable(test_${name} test_${name}.c)
    target_link_libraries(test_${name} PRIVATE seenset_test_support)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${ARGN}")
endfunction()

# ground
seenset_test(error)
seenset_test(abi)
seenset_test(plan)
seenset_test(rate)
seenset_test(hash)
seenset_test(memory)
# index schemes, and once more for each idea that a compiler can have of char
seenset_test(figures)
seenset_test(scheme)
foreach(kind signed unsigned)
    list(TRANSFORM seenset_scheme_sources PREPEND ${PROJECT_SOURCE_DIR}/
         OUTPUT_VARIABLE sources)
    add_executable(test_scheme_${kind} test_scheme.c ${sources})
    target_compile_options(test_scheme_${kind} PRIVATE -f${kind}-char)
    target_link_libraries(test_scheme_${kind} PRIVATE seenset_test_support)
    target_include_directories(test_scheme_${kind} SYSTEM PRIVATE
        ${md_INCLUDE_DIRS})
    add_test(NAME scheme_${kind} COMMAND test_scheme_${kind})
endforeach()
target_compile_options(test_scheme_unsigned PRIVATE -U__SIZEOF_INT128__)
# layouts
seenset_test(bloom)
seenset_test(blocked)
seenset_test(twins)
seenset_test(counting)
seenset_test(sealed)
seenset_test(attack)
seenset_test(crash_causes)
seenset_test(sort)
seenset_test(fuse)
seenset_test(fuse_build)
# set and file
seenset_test(set)
seenset_test(generations)
seenset_test(window)
seenset_test(algebra)
seenset_test(build)
seenset_test(shared)
seenset_test(threads)
seenset_test(io)
seenset_test(header)
seenset_test(header_extremes long)
seenset_test(file)
seenset_test(file_corners)
seenset_test(save)
seenset_test(file_faults)
seenset_test(processes)
# urls
seenset_test(url)
# queue
seenset_test(queue)
seenset_test(queue_log)
seenset_test(queue_corners)
seenset_test(queue_forged)
seenset_test(queue_extremes)
seenset_test(queue_faults long)
seenset_test(queue_power long)
seenset_test(queue_kill long)
seenset_test(queue_wrong long)
seenset_test(queue_waiters)
foreach(test queue queue_log queue_extremes queue_faults queue_power
        queue_kill)
    target_sources(test_${test} PRIVATE queue_model.c
        queue_disk.c queue_disk_files.c queue_disk_io.c)
endforeach()
# the command's stream of lines
foreach(test split lines pipeline)
    seenset_test(${test})
    target_sources(test_${test} PRIVATE $<TARGET_OBJECTS:seenset_stream>)
endforeach()
# every allocation fails
seenset_test(out_of_memory long)
target_sources(test_out_of_memory PRIVATE libc_faults.c out_of_memory_kinds.c
    out_of_memory_sets.c out_of_memory_queue.c)
target_compile_definitions(test_out_of_memory PRIVATE
    SEENSET_TEST_MAP="${PROJECT_SOURCE_DIR}/src/seenset.map")
target_link_libraries(test_out_of_memory PRIVATE ${CMAKE_DL_LIBS})
# what mutants got away with
seenset_test(mutants)
# the whole, against formulas and a naive twin
seenset_test(model long)
seenset_test(measured long)
seenset_test(big large)
seenset_test(large)

# Writes tests/golden/; only a new format version needs it to run.
add_executable(make_golden golden/make_golden.c)
target_link_libraries(make_golden PRIVATE seenset_test_support)

# The command, the exported names.
set(here ${CMAKE_CURRENT_SOURCE_DIR})
add_test(NAME cli COMMAND ${here}/cli/run.sh $<TARGET_FILE_DIR:seenset_command>)
add_test(NAME exports COMMAND ${here}/test_exports.sh
         $<TARGET_FILE:seenset_shared> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli PROPERTIES TIMEOUT 900)
foreach(shell fish zsh)
    add_test(NAME completions_${shell} COMMAND ${here}/test_completions.sh
             ${shell} ${PROJECT_SOURCE_DIR}/completions)
    set_tests_properties(completions_${shell} PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 100)
endforeach()

# The crawler of examples/ over a site of 10,000 pages, killed again and again.
add_executable(crawl_site crawl_site.c)
target_link_libraries(crawl_site PRIVATE seenset_flags)
add_test(NAME crawl COMMAND ${here}/test_crawl.sh
         $<TARGET_FILE:example_crawl> $<TARGET_FILE:crawl_site>)
set_tests_properties(crawl PROPERTIES TIMEOUT 300 LABELS long)

# System calls that fail, preloaded. A sanitizer has to be loaded first itself,
# and replaces the same functions: not in its builds.
if(NOT SEENSET_SANITIZE AND NOT SEENSET_COVERAGE)
    add_library(faulty MODULE faulty.c)
    target_link_libraries(faulty PRIVATE seenset_flags)
    add_test(NAME faulty COMMAND ${here}/test_faulty.sh
             $<TARGET_FILE:seenset_command> $<TARGET_FILE:faulty> 3)
    set_tests_properties(faulty PROPERTIES TIMEOUT 900 LABELS long)
endif()

# A program of somebody else's can't load a library full of sanitizers.
if(NOT SEENSET_SANITIZE AND NOT SEENSET_COVERAGE)
    add_test(NAME install COMMAND ${here}/test_install.sh
             ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
    add_test(NAME readme COMMAND ${here}/test_readme.sh
             ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
    add_test(NAME examples COMMAND ${here}/test_examples.sh
             ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
    set_tests_properties(install readme examples PROPERTIES
        ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
if(SEENSET_HARDENED AND CMAKE_BUILD_TYPE STREQUAL "Release")
    add_test(NAME hardening COMMAND ${here}/test_hardening.sh
             $<TARGET_FILE:seenset_command> $<TARGET_FILE:seenset_shared>
             ${PROJECT_SOURCE_DIR})
    set_tests_properties(hardening PROPERTIES
        ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
