# What `make foreign` builds and runs on other processors: the rooms api, unit,
# hostile and vectors, each test with its room as a label. A target for each
# room, as a sanitizer runs only two of them there.
add_custom_target(foreign_tests)
foreach(room api unit hostile vectors)
    add_custom_target(foreign_${room})
    add_dependencies(foreign_tests foreign_${room})
    get_property(tests_of_room DIRECTORY PROPERTY seenset_tests_${room})
    foreach(test ${tests_of_room})
        set_property(TEST ${test} APPEND PROPERTY LABELS ${room})
        set_property(TEST ${test} PROPERTY SKIP_RETURN_CODE 77)
        add_dependencies(foreign_${room} test_${test})
    endforeach()
endforeach()

# Counts in tests are small and of 64 bits. Where size_t has 32, each would need
# a cast, which says nothing.
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    target_compile_options(seenset_test_support PUBLIC -Wno-error=conversion)
endif()
