# SPDX-License-Identifier: BSD-3-Clause
# Builds and registers tests. If a test needs more than the usual, comment lines in its source say so
# (test/shmem/README.md). So a test is added by adding a file.

# SKERRY_VARIANT is the name of this build: native, asan, tsan, ubsan, or a processor. It is the prefix of the tests'
# names, so that one run of ctest can have the tests of several builds. (The names of the tests of `native` have no
# prefix.) A test's source names the variants in which it is not run in a "// skip:" line.
if(SKERRY_SANITIZE MATCHES "address")
  set(SKERRY_VARIANT asan)
elseif(SKERRY_SANITIZE MATCHES "thread")
  set(SKERRY_VARIANT tsan)
elseif(SKERRY_SANITIZE)
  set(SKERRY_VARIANT ubsan)
elseif(CMAKE_CROSSCOMPILING)
  set(SKERRY_VARIANT ${CMAKE_SYSTEM_PROCESSOR})
else()
  set(SKERRY_VARIANT native)
endif()
set(SKERRY_TEST_PREFIX "${SKERRY_VARIANT}.")
set(SKERRY_TEST_LABEL ${SKERRY_VARIANT})
if(SKERRY_VARIANT STREQUAL "native")
  set(SKERRY_TEST_PREFIX "")
elseif(SKERRY_SANITIZE)
  set(SKERRY_TEST_LABEL sanitizer)
endif()

set(SKERRY_TEST_PES "" CACHE STRING "Numbers of PEs to test with where the test allows them; empty for all it names")
set(SKERRY_TEST_PES_USUAL 1 2 3 4 7 8 16)
if(SKERRY_LAUNCH_WITH)
  set(SKERRY_OSHRUN ${SKERRY_LAUNCH_WITH})
else()
  set(SKERRY_OSHRUN $<TARGET_FILE:oshrun>)
endif()
# Environment of a job that puts and gets by remote access. The library that stands in for it needs UCX at the start of the
# program, so the variables that libskerry sets for UCX are set here.
set(SKERRY_REMOTE_ENVIRONMENT UCX_TLS=tcp SKERRY_NETWORK_PUT=remote:16 UCX_ERROR_SIGNALS= UCX_MEM_EVENTS=n
  LD_PRELOAD=${PROJECT_BINARY_DIR}/test/remote_access.so)
cmake_host_system_information(RESULT SKERRY_TEST_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)

# The leak check is off, because these runs search for other errors.
set(SKERRY_TEST_ENVIRONMENT "")
if(SKERRY_SANITIZE)
  list(APPEND SKERRY_TEST_ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1"
    "UBSAN_OPTIONS=print_stacktrace=1" "TSAN_OPTIONS=halt_on_error=1:atexit_sleep_ms=0:suppressions=${PROJECT_SOURCE_DIR}/test/tsan.supp")
endif()

# Stores into `result` the targets of a folder and its subfolders that the default target builds (targets without
# EXCLUDE_FROM_ALL).
function(skerry_targets_below folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(chosen "")
  foreach(target IN LISTS targets)
    get_target_property(is_apart ${target} EXCLUDE_FROM_ALL)
    if(NOT is_apart)
      list(APPEND chosen ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    skerry_targets_below(${subfolder} below)
    list(APPEND chosen ${below})
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Removes from the list in `variable` the sources that SKERRY_TEST_PROGRAMS does not choose.
function(skerry_chosen_programs variable)
  set(chosen ${${variable}})
  if(SKERRY_TEST_PROGRAMS)
    list(FILTER chosen INCLUDE REGEX "/(${SKERRY_TEST_PROGRAMS})[^/]*$")
  endif()
  set(${variable} ${chosen} PARENT_SCOPE)
endfunction()

# Registers one test: skerry_test(NAME name LABELS ... [TIMEOUT s] [PROCESSORS n] [ENVIRONMENT ...] COMMAND ...)
function(skerry_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TIMEOUT;PROCESSORS" "LABELS;ENVIRONMENT;COMMAND")
  set(name ${SKERRY_TEST_PREFIX}${test_NAME})
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 120)
  endif()
  if(NOT test_PROCESSORS)
    set(test_PROCESSORS 1)
  endif()
  add_test(NAME ${name} COMMAND ${test_COMMAND})
  # ctest starts the tests with the highest cost first, so that no long test is left alone at the end.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${test_TIMEOUT} COST ${test_TIMEOUT} PROCESSORS ${test_PROCESSORS} SKIP_RETURN_CODE 77
    LABELS "${SKERRY_TEST_LABEL};${test_LABELS}" ENVIRONMENT "${SKERRY_TEST_ENVIRONMENT};${test_ENVIRONMENT}")
endfunction()

# Reads "// KEY: VALUE" lines (in Fortran "! KEY: VALUE") from the head of a source into variables note_KEY of the
# caller.
function(skerry_test_notes source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} lines LIMIT_INPUT 8192 REGEX "^(//|!) [a-z-]+: ")
  foreach(key IN ITEMS pes args check expect-fail expect-exit expect-stderr link threads flags env oshrun timeout skip peer nodes ways alone)
    set(note_${key} "" PARENT_SCOPE)
    foreach(line IN LISTS lines)
      if(line MATCHES "^(//|!) ${key}: (.*)$")
        string(STRIP "${CMAKE_MATCH_2}" value)
        set(note_${key} "${value}" PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

# Stores into `result` the PE counts to run with: those in `wanted` that SKERRY_TEST_PES also has, or the first one in
# `wanted` if it has none of them. Stores all of `wanted` if SKERRY_TEST_PES is empty.
function(skerry_test_pes result wanted)
  set(counts ${wanted})
  if(SKERRY_TEST_PES)
    set(counts "")
    foreach(count IN LISTS wanted)
      if(count IN_LIST SKERRY_TEST_PES)
        list(APPEND counts ${count})
      endif()
    endforeach()
    if(NOT counts)
      list(GET wanted 0 counts)
    endif()
  endif()
  set(${result} ${counts} PARENT_SCOPE)
endfunction()

# Stores into `result` a command that runs the test's own command and checks how it ends (test/expect.sh). The caller
# puts it in front of the test's own command. It is empty if the test's notes do not say how the test ends.
function(skerry_test_expectation result)
  set(${result} "" PARENT_SCOPE)
  if(note_expect-fail OR note_expect-exit OR note_expect-stderr)
    set(code 0)
    set(pattern "${note_expect-stderr}")
    if(note_expect-fail)
      set(code failure)
      set(pattern "${note_expect-fail}")
    endif()
    if(NOT note_expect-exit STREQUAL "")
      set(code ${note_expect-exit})
    endif()
    string(REPLACE ";" "\\;" pattern "${pattern}") # the pattern is one element of a list
    set(${result} sh ${PROJECT_SOURCE_DIR}/test/expect.sh ${code} "${pattern}" PARENT_SCOPE)
  endif()
endfunction()

# Stores into `result` the ways to run a test on several nodes, each as PEs:nodes:transports. The nodes are made on this
# machine. Two nodes use TCP, three nodes what UCX chooses. A test that does not run with the first number of PEs of a
# list uses the second, if it has one.
function(skerry_test_ways result counts)
  set(ways "")
  foreach(list IN ITEMS "4:2:tcp 2:2:tcp" "7:3:all 3:3:all")
    separate_arguments(list UNIX_COMMAND "${list}")
    foreach(way IN LISTS list)
      string(REGEX MATCH "^[0-9]+" count ${way})
      if(count IN_LIST counts)
        list(APPEND ways ${way})
        break()
      endif()
    endforeach()
  endforeach()
  set(${result} ${ways} PARENT_SCOPE)
endfunction()

option(SKERRY_TEST_MATRIX "Run tests also on 2, 3 and 4 nodes with 1, 3 and 4 PEs each: some 1200 tests more" OFF)

# Appends to the list `ways` those of 1, 3 and 4 PEs on each of 2, 3 and 4 nodes that it does not have, with TCP, if
# SKERRY_TEST_MATRIX is on. If the list `wanted` is not empty, only those whose number of PEs it has.
function(skerry_test_matrix ways wanted)
  set(list ${${ways}})
  if(SKERRY_TEST_MATRIX AND SKERRY_VARIANT STREQUAL "native" AND NOT note_alone)
    foreach(nodes IN ITEMS 2 3 4)
      foreach(each IN ITEMS 1 3 4)
        math(EXPR count "${nodes} * ${each}")
        if((NOT wanted OR count IN_LIST wanted) AND NOT list MATCHES "(^|;)${count}:${nodes}:")
          list(APPEND list ${count}:${nodes}:tcp)
        endif()
      endforeach()
    endforeach()
  endif()
  set(${ways} ${list} PARENT_SCOPE)
endfunction()

# skerry_shmem_test(SOURCE [PES n...] [ARGS ...] [CHECK] [ONE_NODE] [ENV ...] [NAME name] [LABEL label]) builds an
# OpenSHMEM program. For each PE count N it registers a test NAME.N, which runs the program by oshrun with N PEs. ARGS
# come before the arguments in the source's `// args:` line. Some of the tests also run on several nodes, but not with
# ONE_NODE or the line `// nodes: 1`, and with `// nodes: only` on several nodes alone. The line `// ways:` lists further
# ways to run the test on several nodes, each as PEs:nodes:transports (skerry_test_on_nodes).
function(skerry_shmem_test source)
  cmake_parse_arguments(PARSE_ARGV 1 test "CHECK;ONE_NODE" "NAME;LABEL" "PES;ARGS;ENV")
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  skerry_test_notes(${source})
  separate_arguments(note_skip UNIX_COMMAND "${note_skip}")
  if(SKERRY_VARIANT IN_LIST note_skip)
    return()
  endif()
  if(NOT test_NAME)
    cmake_path(GET source STEM stem)
    set(test_NAME shmem.${stem})
  endif()
  if(NOT test_LABEL)
    set(test_LABEL shmem)
  endif()

  set(target ${test_NAME})
  add_executable(${target} ${source})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test
    C_STANDARD 11 C_EXTENSIONS ON CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  if(note_link STREQUAL "static")
    target_link_libraries(${target} PRIVATE skerry_static)
  else()
    target_link_libraries(${target} PRIVATE skerry_shared)
  endif()
  target_link_libraries(${target} PRIVATE skerry_warnings skerry_test_instruments m)
  if(test_CHECK OR note_check STREQUAL "yes") # as oshcc --check builds it
    target_compile_definitions(${target} PRIVATE SKERRY_CHECK SKERRY_NO_INLINE)
    target_link_libraries(${target} PRIVATE $<TARGET_OBJECTS:skerry_check_on>)
  endif()
  if(note_threads STREQUAL "yes")
    target_compile_options(${target} PRIVATE -pthread)
    target_link_options(${target} PRIVATE -pthread)
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # to follow variables through optimised code takes up to half of the compiler's time
    target_compile_options(${target} PRIVATE -fno-var-tracking)
  endif()
  if(SKERRY_SANITIZE) # a third less time to compile; with -Og the compiler gives false warnings
    target_compile_options(${target} PRIVATE -Og -Wno-maybe-uninitialized -Wno-psabi)
  endif()
  separate_arguments(flags UNIX_COMMAND "${note_flags}")
  target_compile_options(${target} PRIVATE ${flags})
  target_link_options(${target} PRIVATE ${flags})

  if(NOT test_PES)
    separate_arguments(test_PES UNIX_COMMAND "${note_pes}")
    if(NOT test_PES)
      set(test_PES ${SKERRY_TEST_PES_USUAL})
    endif()
  endif()
  skerry_test_pes(counts "${test_PES}")
  set(timeout 60)
  if(note_timeout)
    set(timeout ${note_timeout})
  endif()
  separate_arguments(arguments UNIX_COMMAND "${note_args}")
  separate_arguments(launch UNIX_COMMAND "${note_oshrun}")
  separate_arguments(variables UNIX_COMMAND "${note_env}")
  skerry_test_expectation(expect)
  math(EXPR limit "${timeout} + 30")
  set(counts_here ${counts})
  if(note_nodes STREQUAL "only")
    set(counts_here "")
  endif()
  foreach(count IN LISTS counts_here)
    set(processors ${count})
    if(processors GREATER SKERRY_TEST_PROCESSORS)
      set(processors ${SKERRY_TEST_PROCESSORS})
    endif()
    skerry_test(NAME ${test_NAME}.${count} LABELS ${test_LABEL} TIMEOUT ${limit} PROCESSORS ${processors}
      ENVIRONMENT ${test_ENV} ${variables}
      COMMAND ${expect} ${SKERRY_OSHRUN} -n ${count} --timeout ${timeout} ${launch}
        ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> ${test_ARGS} ${arguments})
    if(note_alone STREQUAL "yes")
      set_tests_properties(${SKERRY_TEST_PREFIX}${test_NAME}.${count} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endforeach()

  # The same on several nodes.
  if(NOT TARGET skerry_ucx OR note_nodes STREQUAL "1" OR test_ONE_NODE OR
      NOT test_NAME MATCHES "^((shmem|primitive|rpc|aos|check[.]collective)[.]|check[.]correct)" OR
      note_link STREQUAL "static" OR test_CHECK)
    return()
  endif()
  string(REGEX REPLACE "^(shmem|primitive)[.]" "" stem ${test_NAME})
  skerry_test_ways(ways "${counts}")
  separate_arguments(more UNIX_COMMAND "${note_ways}")
  separate_arguments(wanted UNIX_COMMAND "${note_pes}")
  skerry_test_matrix(more "${wanted}")
  foreach(way IN LISTS ways)
    skerry_test_on_nodes("" ${way})
  endforeach()
  foreach(way IN LISTS more)
    skerry_test_on_nodes(_on_ ${way})
  endforeach()
endfunction()

# Registers the caller's test on several nodes. The transport `remote` is TCP beside remote access by a stand-in
# (test/network), and `emulated` is remote access that UCX itself executes by messages over TCP. The name of the test ends
# with the number of PEs; then comes `separator`, if there is one, and the number of nodes; or one of these two words.
# Only the native build runs more than 16 PEs.
macro(skerry_test_on_nodes separator way)
  string(REPLACE ":" ";" parts ${way})
  list(GET parts 0 count)
  list(GET parts 1 nodes)
  list(GET parts 2 transports)
  set(network UCX_TLS=${transports})
  set(ending ${count})
  if(transports STREQUAL "remote")
    set(network ${SKERRY_REMOTE_ENVIRONMENT})
    set(ending ${count}_remote)
  elseif(transports STREQUAL "emulated")
    set(network UCX_TLS=tcp SKERRY_NETWORK_PUT=remote:16)
    set(ending ${count}_emulated)
  elseif(NOT "${separator}" STREQUAL "")
    set(ending ${count}${separator}${nodes})
  endif()
  if(SKERRY_VARIANT STREQUAL "native" OR (NOT transports STREQUAL "remote" AND count LESS_EQUAL 16))
    skerry_test(NAME nodes.${stem}.${ending} LABELS nodes TIMEOUT ${limit} PROCESSORS ${SKERRY_TEST_PROCESSORS}
      ENVIRONMENT ${test_ENV} ${variables} SKERRY_NODES=${nodes} ${network}
      COMMAND ${expect} ${SKERRY_OSHRUN} -n ${count} --timeout ${timeout} ${launch} $<TARGET_FILE:${target}> ${test_ARGS} ${arguments})
    if(note_alone STREQUAL "yes")
      set_tests_properties(${SKERRY_TEST_PREFIX}nodes.${stem}.${ending} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endif()
endmacro()
