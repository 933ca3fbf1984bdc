# The toolchain of the WebAssembly module: Debian's clang, lld and wasi-libc.
# Of wasi-libc it takes malloc, strings and maths; what a system would have to
# give comes from src/base/wasi/.
#
#     cmake --preset wasm           with SIMD
#     cmake --preset wasm_plain     for hosts without
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(SEENSET_PLATFORM wasi)
set(CMAKE_C_COMPILER clang CACHE STRING "The compiler")
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_INCLUDE_PATH /usr/include /usr/local/include) # xxhash.h
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)

# clang that links with -O hands the result to wasm-opt, and Debian's rejects
# SIMD unless it is told of it. So the level is an option of compiling only.
set(CMAKE_C_FLAGS_RELEASE "-DNDEBUG" CACHE STRING "Flags of a release")
add_compile_options(-O2)
