# SPDX-License-Identifier: BSD-3-Clause
# Builds a machine's library with a cross compiler for cores without an operating system.

# skerry_bare_tools(PREFIX VARIABLE CORES): finds the compiler PREFIX-gcc in the folder that the cache variable
# VARIABLE_TOOLS names. If this variable is empty, searches the folder in which `make chip` has installed the tools for
# CORES (toolchain/where). Sets the cache variable VARIABLE_CC to the compiler, or to an empty text if there is no
# compiler that runs. Sets `tools` to the compiler's folder.
function(skerry_bare_tools prefix variable cores)
  set(${variable}_TOOLS "" CACHE PATH "Folder of ${prefix}-gcc; empty to use what `make chip` has built")
  set(tools ${${variable}_TOOLS})
  if(NOT tools)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/toolchain/where ${cores} OUTPUT_VARIABLE tools
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  unset(${variable}_CC CACHE)
  find_program(${variable}_CC ${prefix}-gcc HINTS ${tools})
  if(${variable}_CC) # checked, because it can be a script that calls a compiler which is not installed any more
    execute_process(COMMAND ${${variable}_CC} --version RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT ${variable}_CC OR NOT status EQUAL 0)
    set(${variable}_CC "" CACHE FILEPATH "The compiler ${prefix}-gcc; empty if there is none" FORCE)
    message(STATUS "${prefix}-gcc not found: programs cannot be built for its cores (make chip)")
    return()
  endif()
  cmake_path(GET ${variable}_CC PARENT_PATH tools)
  set(tools ${tools} PARENT_SCOPE)
endfunction()

# skerry_bare_name(SOURCE RESULT): sets RESULT to the name of a source's object, without its ending, and RESULT_path to
# the source's path below src/.
function(skerry_bare_name source result)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE path)
  string(REPLACE "/" "." name ${path})
  set(${result} ${name} PARENT_SCOPE)
  set(${result}_path ${path} PARENT_SCOPE)
endfunction()

# skerry_bare_object(COMPILER SOURCE NAME OBJECTS FLAG...): compiles a source to NAME.o in the current folder, and
# appends the object's path to the list OBJECTS. Warnings are errors in a developer's build.
function(skerry_bare_object compiler source name list_name)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  if(SKERRY_DEVELOPER)
    set(warnings -Wall -Wextra -Wshadow -Wconversion -Werror)
  endif()
  add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d VERBATIM
    COMMAND ${compiler} ${ARGN} ${warnings} -MD -MF ${object}.d -c ${source} -o ${object})
  set(${list_name} ${${list_name}} ${object} PARENT_SCOPE)
endfunction()

# skerry_bare_archive(ARCHIVE AR OBJECT...): makes a library of objects.
function(skerry_bare_archive archive ar)
  add_custom_command(OUTPUT ${archive} DEPENDS ${ARGN} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${ar} rcs ${archive} ${ARGN})
endfunction()

# skerry_bare_machine(MACHINE COMPILER PREFIX ALL OWN FLAG...): adds the target skerry_MACHINE, which builds the
# machine's files in lib/skerry/MACHINE: the files in the caller's list `built`. Installs the files in the caller's list
# `installed`. ALL is the name of a list of all objects. OWN is the name of a list of the objects that only this machine
# has. test/structure/CMakeLists.txt checks these lists against the machine's contract. FLAGs are the compiler options
# for the test of the contract. PREFIX is the beginning of the paths of the tools, such as /x/bin/riscv32-elf.
function(skerry_bare_machine machine compiler prefix all_list own_list)
  add_custom_target(skerry_${machine} ALL DEPENDS ${built})
  set_property(GLOBAL APPEND PROPERTY SKERRY_CHIPS skerry_${machine})
  foreach(list IN ITEMS ${all_list} ${own_list})
    list(JOIN ${list} "\n" lines)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${list}.txt "${lines}\n")
  endforeach()
  set(files "${CMAKE_CURRENT_BINARY_DIR}/${own_list}.txt|${CMAKE_CURRENT_BINARY_DIR}/${all_list}.txt")
  set_property(GLOBAL APPEND PROPERTY SKERRY_CONTRACTS "${machine}|${compiler}|${prefix}-nm|${files}|${ARGN}")
  set(installed_library ${CMAKE_INSTALL_LIBDIR}/skerry/${machine})
  set_property(GLOBAL APPEND PROPERTY SKERRY_STRIPPED "${prefix}-strip|${installed_library}/libskerry.a")
  install(FILES ${installed} DESTINATION ${installed_library} COMPONENT development)
endfunction()
