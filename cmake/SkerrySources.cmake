# SPDX-License-Identifier: BSD-3-Clause
# Makes headers with a hash of sources, by which the programs on different nodes of a job find out if they were built
# from the same sources.
#
# skerry_hash_sources(TARGET NAME FOLDER...): makes a header NAME.h, which defines NAME in capital letters as a text of 8
# hexadecimal digits, and adds its folder to the include folders of TARGET. The hash is that of the files for Linux below
# the folders: their names and contents. It does not depend on the place of the source tree.
#
# If CMake runs this file as a script (cmake -P), it writes the header. ROOT, FILES, MACRO and HEADER are then set.
if(CMAKE_SCRIPT_MODE_FILE)
  set(text "")
  string(REPLACE "|" ";" FILES "${FILES}")
  foreach(file IN LISTS FILES)
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 8 hash)
  file(WRITE ${HEADER} "#define ${MACRO} \"${hash}\"\n")
  return()
endif()

function(skerry_hash_sources target name)
  cmake_path(SET root NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  set(files "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found RELATIVE ${root} CONFIGURE_DEPENDS ${root}/${folder}/*.c ${root}/${folder}/*.cpp
      ${root}/${folder}/*.h ${root}/${folder}/*.hpp)
    list(APPEND files ${found})
  endforeach()
  list(FILTER files EXCLUDE REGEX "^src/(omp|config/(epiphany|example|mppa|riscv)|machine/(chip|cluster|epiphany|example|mppa|riscv|sarc|smp))")
  list(SORT files)
  list(TRANSFORM files PREPEND ${root}/ OUTPUT_VARIABLE dependencies)
  string(REPLACE ";" "|" joined "${files}")
  string(TOUPPER ${name} macro)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/sources)
  add_custom_command(OUTPUT ${folder}/${name}.h DEPENDS ${dependencies} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D ROOT=${root} -D "FILES=${joined}" -D MACRO=${macro} -D HEADER=${folder}/${name}.h
      -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  target_sources(${target} PRIVATE ${folder}/${name}.h)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
