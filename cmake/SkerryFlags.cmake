# SPDX-License-Identifier: BSD-3-Clause
# Defines interface targets that carry compiler options. skerry_warnings is for all code of Skerry. skerry_instruments
# is for code that runs under a sanitizer or counts its executed lines. skerry_test_instruments is the same for test
# programs themselves: it leaves out the checks for undefined behaviour, which double the time to compile them. The
# library's inline functions have these checks where the library itself is compiled. skerry_headers is for code that
# includes <shmem.h> from the build tree.
add_library(skerry_warnings INTERFACE)
set(SKERRY_LAUNCH_FLAGS "")
if(SKERRY_DEVELOPER)
  target_compile_options(skerry_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror)
  set(SKERRY_LAUNCH_FLAGS -Wall -Wextra -Wshadow -Wconversion -Werror)
endif()

add_library(skerry_instruments INTERFACE)
if(SKERRY_SANITIZE)
  target_compile_options(skerry_instruments INTERFACE -fsanitize=${SKERRY_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(skerry_instruments INTERFACE -fsanitize=${SKERRY_SANITIZE})
endif()
add_library(skerry_test_instruments INTERFACE)
if(SKERRY_SANITIZE MATCHES "address,undefined")
  # The address sanitizer itself finds accesses through a null pointer and behind an object.
  target_compile_options(skerry_instruments INTERFACE -fno-sanitize=null,object-size)
  target_compile_options(skerry_test_instruments INTERFACE -fsanitize=address -fno-omit-frame-pointer)
  target_link_options(skerry_test_instruments INTERFACE -fsanitize=${SKERRY_SANITIZE})
else()
  target_link_libraries(skerry_test_instruments INTERFACE skerry_instruments)
endif()
if(SKERRY_COVERAGE)
  target_compile_options(skerry_instruments INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(skerry_instruments INTERFACE --coverage)
endif()

# Headers include files of src/ as <skerry/...>. So `skerry` in the build tree's include folder is a link to src/. An
# installation has copies of the public files instead.
set(SKERRY_BUILD_INCLUDE ${PROJECT_BINARY_DIR}/include)
set(SKERRY_BUILD_LIBRARY ${PROJECT_BINARY_DIR}/lib)
file(MAKE_DIRECTORY ${SKERRY_BUILD_INCLUDE})
file(GLOB SKERRY_PUBLIC_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
foreach(header IN LISTS SKERRY_PUBLIC_HEADERS)
  cmake_path(GET header FILENAME name)
  file(CREATE_LINK ${header} ${SKERRY_BUILD_INCLUDE}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/mpp ${SKERRY_BUILD_INCLUDE}/mpp SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/mppa ${SKERRY_BUILD_INCLUDE}/mppa SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src ${SKERRY_BUILD_INCLUDE}/skerry SYMBOLIC)
add_library(skerry_headers INTERFACE)
target_include_directories(skerry_headers INTERFACE ${SKERRY_BUILD_INCLUDE})

# Compiler options for C++ tools whose own speed does not matter. These options halve the time to compile the tools. The
# debug information has line tables but no types. Under a sanitizer these tools run for a second and compile for minutes.
add_library(skerry_tool_flags INTERFACE)
if(SKERRY_SANITIZE)
  target_compile_options(skerry_tool_flags INTERFACE $<$<CONFIG:Release>:-O0>)
else()
  target_compile_options(skerry_tool_flags INTERFACE $<$<CONFIG:Release>:-O1>)
endif()
target_compile_options(skerry_tool_flags INTERFACE $<$<CONFIG:Release>:-g1>)
