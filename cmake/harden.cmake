# Hardening, as distributions do it. Each flag that the compiler or the linker
# knows goes in front of what the user asked for (CFLAGS, LDFLAGS), since of two
# flags that disagree the later one wins. tests/project/hardening.sh reads from
# what was built that it took effect.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(seenset_harden_compiler flag)
    string(MAKE_C_IDENTIFIER "seenset_has${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        set(CMAKE_C_FLAGS "${flag} ${CMAKE_C_FLAGS}" PARENT_SCOPE)
    endif()
endfunction()

function(seenset_harden_linker flag)
    string(MAKE_C_IDENTIFIER "seenset_has${flag}" known)
    check_linker_flag(C ${flag} ${known})
    if(${known})
        foreach(kind EXE SHARED)
            set(CMAKE_${kind}_LINKER_FLAGS
                "${flag} ${CMAKE_${kind}_LINKER_FLAGS}" PARENT_SCOPE)
        endforeach()
    endif()
endfunction()

# A write past a local array, or past the stack's end, stops the program.
seenset_harden_compiler(-fstack-protector-strong)
seenset_harden_compiler(-fstack-clash-protection)
# An indirect jump lands only where one is meant to.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    seenset_harden_compiler(-mbranch-protection=standard)
else()
    seenset_harden_compiler(-fcf-protection)
endif()
# Addresses of functions are looked up at the start, then made read-only, and
# nothing on the stack is ever run.
seenset_harden_linker(-Wl,-z,relro,-z,now)
seenset_harden_linker(-Wl,-z,noexecstack)

# The command lies at another address each time, as a library does anyway.
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
check_pie_supported(LANGUAGES C)

# Calls of the C library that know their buffer's size check it. That needs an
# optimising build, and not every compiler has level 3. A level of the user's
# own is left alone: to define it twice would be a warning.
set(fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <stdio.h>\nint main(void) { return 0; }"
                        seenset_has_fortify_3)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT seenset_has_fortify_3)
    set(fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
if(NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}" MATCHES "_FORTIFY_SOURCE")
    add_compile_options(
        "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:${fortify}>")
endif()
