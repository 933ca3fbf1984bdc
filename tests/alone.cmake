# Which programs start no thread and no process, nor lend their memory to one:
# none of their sources has a word for it. A test that the thread sanitizer
# leaves out is not built for it either. That they start no thread is what they
# are linked for, in the other builds: support/one_thread.c ends one that does.
set(words "thread|team|parallel|fork\\(|spawn|popen|system\\(|INTERVAL")

# These have a word for it and start no thread: the calls are refused or have
# fewer keys than are shared out, none of the command's objects that have threads
# is run, or they have processes of one thread each: the thread sanitizer does
# not see what one process does beside another.
set(known abi extent fields input_none lines nulls open_matrix
    processes queue_sets save schemes sealed split urls)
# This one has no word for it: the durability of its queues is a number of a row.
set(hidden promises)
set(alone)

add_library(seenset_test_one_thread OBJECT support/one_thread.c)
target_link_libraries(seenset_test_one_thread PRIVATE seenset_flags)
function(seenset_forbid_threads program)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:seenset_test_one_thread>)
    target_link_options(${program} PRIVATE LINKER:--wrap=pthread_create)
endfunction()

foreach(test ${tests})
    get_target_property(sources test_${test} SOURCES)
    set(is_alone TRUE)
    foreach(source ${sources})
        if(source MATCHES "TARGET_OBJECTS")
            set(is_alone FALSE) # of the command, or of queues: with threads
            continue()
        endif()
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${here})
        file(STRINGS ${source} found REGEX "${words}" LIMIT_COUNT 1)
        if(found)
            set(is_alone FALSE)
        endif()
    endforeach()
    if(test IN_LIST hidden)
        set(is_alone FALSE)
    endif()
    if(test IN_LIST known)
        if(is_alone)
            message(FATAL_ERROR "the test ${test} has no word for threads")
        endif()
        set(is_alone TRUE)
    endif()
    if(is_alone)
        list(APPEND alone ${test})
        set_property(TEST ${test} APPEND PROPERTY LABELS alone)
        seenset_forbid_threads(test_${test})
        if(SEENSET_SANITIZE STREQUAL "thread")
            set_target_properties(test_${test} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
    endif()
endforeach()

# Both kinds are told apart, and a thread of a program without is found.
foreach(test threads pairs pipeline queue queue_kill add_parallel)
    if(test IN_LIST alone)
        message(FATAL_ERROR "the test ${test} has threads or processes")
    endif()
endforeach()
if(NOT "plan" IN_LIST alone)
    message(FATAL_ERROR "the test plan has no thread")
endif()
add_executable(test_alone_planted unit/set/recent.c)
target_link_libraries(test_alone_planted PRIVATE seenset_test_doors
    seenset_test_inside seenset_test_private)
seenset_forbid_threads(test_alone_planted)
add_test(NAME alone_planted COMMAND test_alone_planted)
set_tests_properties(alone_planted PROPERTIES LABELS alone
    PASS_REGULAR_EXPRESSION "labelled alone starts a thread")
if(SEENSET_SANITIZE STREQUAL "thread")
    set_target_properties(test_alone_planted PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# What a sanitizer does not run for another reason is not built for it either
# (CMakePresets.json).
set(not_run)
if(SEENSET_SANITIZE STREQUAL "thread")
    set(not_run huge slow measures commands)
elseif(SEENSET_SANITIZE)
    set(not_run huge measures commands)
endif()
foreach(test ${tests})
    get_test_property(${test} LABELS labels)
    foreach(label ${not_run})
        if(label IN_LIST labels)
            set_target_properties(test_${test} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
    endforeach()
endforeach()
