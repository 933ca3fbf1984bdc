# The toolchain for 64-bit Windows: Debian's gcc-mingw-w64-x86-64. What the
# programs need there is Windows' own C library and no other file.
#
#     cmake --preset windows
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${triple}-gcc CACHE STRING "The compiler")
set(CMAKE_RC_COMPILER ${triple}-windres CACHE STRING "Of resources")
set(CMAKE_FIND_ROOT_PATH /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# xxhash.h is the same for all systems, and in no folder of this one's.
find_path(SEENSET_XXHASH_INCLUDE xxhash.h PATHS /usr/include /usr/local/include
          NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
# The libraries that Debian has for Windows, and none of this system's.
set(ENV{PKG_CONFIG_LIBDIR} /usr/${triple}/lib/pkgconfig)
