# SPDX-License-Identifier: BSD-3-Clause
# Builds the library of a machine with RISC-V cores that runs OpenMP programs: the OpenMP runtime (src/omp) and the
# machine's own code.

# skerry_bare_openmp(MACHINE FAST FLAG...): builds the library if the compiler is found. Otherwise does nothing; `make
# chip` installs the compiler and runs cmake again. All files are built into lib/skerry/MACHINE, because oshcc --machine
# searches this folder. The linker script is MACHINE.ld. The variable more_of_riscv can name further files of
# src/machine/riscv that the machine uses. FAST is the name of a list of sources, as paths below src/,
# that are compiled with -O2.
macro(skerry_bare_openmp machine fast)
  skerry_machine_files(${machine} INSTALL)
  skerry_bare_tools(riscv32-elf SKERRY_RISCV riscv)
  if(SKERRY_RISCV_CC)
    set(omp ${PROJECT_SOURCE_DIR}/src/omp)
    file(GLOB portable CONFIGURE_DEPENDS ${omp}/*.c ${omp}/environment/*.c ${omp}/routines/*.c ${omp}/sync/*.c
      ${omp}/target/*.c ${omp}/task/*.c ${omp}/work_sharing/*.c)
    file(GLOB own CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${CMAKE_CURRENT_SOURCE_DIR}/*.S)
    set(machines ${PROJECT_SOURCE_DIR}/src/machine)
    list(APPEND own ${machines}/chip/host_library.c)
    foreach(name IN LISTS more_of_riscv ITEMS atomic.c c_locks.c c_math.c cxx_exit.c entropy.c memcpy.c worker_clock.c worker_process.c
      worker_thread_objects.c worker_world.c)
      list(APPEND own ${machines}/riscv/${name})
    endforeach()
    set(flags -std=gnu11 -g -ffunction-sections -fdata-sections -DSKERRY_BUILD -DSKERRY_WORKERS
      "-DSKERRY_MACHINE_HEADER=\"${machine}/machine.h\"" -iquote ${machines}/riscv -I${SKERRY_BUILD_INCLUDE} ${ARGN})
    set(folder ${SKERRY_BUILD_LIBRARY}/skerry/${machine})
    file(MAKE_DIRECTORY ${folder}/include)
    file(WRITE ${folder}/tools "${tools}\n")
    configure_file(${machine}.ld ${folder}/${machine}.ld COPYONLY)
    configure_file(${omp}/omp.h ${folder}/include/omp.h COPYONLY)
    foreach(name IN ITEMS math stdlib)
      configure_file(${machines}/riscv/cxx_${name}.h ${folder}/include/${name}.h COPYONLY)
      install(FILES ${machines}/riscv/cxx_${name}.h RENAME ${name}.h DESTINATION ${CMAKE_INSTALL_LIBDIR}/skerry/${machine}/include
        COMPONENT development)
    endforeach()
    set(objects "")
    set(machine_objects "")
    foreach(source IN LISTS own portable)
      skerry_bare_name(${source} name)
      set(more "")
      if(source IN_LIST portable)
        list(APPEND more -ffreestanding)
      endif()
      if(name_path IN_LIST ${fast})
        list(APPEND more -O2 -falign-functions=8) # a fetch reads 8 bytes
      endif()
      skerry_bare_object(${SKERRY_RISCV_CC} ${source} ${name} objects ${flags} ${more})
      if(source IN_LIST own)
        list(APPEND machine_objects ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
      endif()
    endforeach()
    skerry_bare_archive(${folder}/libskerry.a ${tools}/riscv32-elf-ar ${objects})
    set(built ${folder}/libskerry.a)
    set(installed ${folder}/libskerry.a ${folder}/${machine}.ld ${folder}/tools)
    skerry_bare_machine(${machine} ${SKERRY_RISCV_CC} ${tools}/riscv32-elf objects machine_objects -DSKERRY_WORKERS)
    install(FILES ${omp}/omp.h DESTINATION ${CMAKE_INSTALL_LIBDIR}/skerry/${machine}/include COMPONENT development)
  endif()
endmacro()
