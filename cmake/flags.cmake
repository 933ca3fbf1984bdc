# Flags for our own code: seenset_flags carries the warnings to each target
# that links it; sanitizers and coverage go to everything built.
add_library(seenset_flags INTERFACE)
target_compile_options(seenset_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
    $<$<BOOL:${SEENSET_WERROR}>:-Werror>)
target_compile_definitions(seenset_flags INTERFACE _FILE_OFFSET_BITS=64)

if(SEENSET_SANITIZE)
    add_compile_options(-fsanitize=${SEENSET_SANITIZE}
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SEENSET_SANITIZE})
endif()
if(SEENSET_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
