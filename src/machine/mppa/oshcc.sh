# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs whose PEs are the clusters of an MPPA. `oshcc --machine NAME` reads this file with `.`: with
# step=choose first, with step=compile if it compiles, and with step=link if it links. $@ has the arguments for the
# compiler. $library_folder contains the library, the linker script, omp.h, and the file `tools`, which names the folder of
# the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers="OpenSHMEM OpenMP MPPA" ;;
choose)
    ! $check || fail "--check: is not supported on $machine, because the checks are not part of its library"
    ! $header_only || fail "--header-only: is not supported on $machine, because its clusters have memory for the library"
    cxx_library=yes
    if $openmp; then
        . "$library_folder/../bare_openmp.sh"
    else
        choose_compiler riscv32-elf SKERRY_RISCV
        . "$library_folder/../bare_cxx.sh"
    fi
    ;;
compile)
    # -mstrict-align: the cores have no unaligned accesses. The user's options stand later on the command line, so they
    # can override this option. Thread-local variables are at fixed offsets from the thread pointer.
    set -- '-DSKERRY_MACHINE_HEADER="mppa/machine.h"' -O2 -mstrict-align -ftls-model=local-exec \
        -D_POSIX_PRIORITY_SCHEDULING=1 -isystem "$library_folder/include" "-I$include_folder/mppa" "$@"
    [ -z "$mppa" ] || set -- -D_POSIX_THREADS=1 -D_POSIX_BARRIERS=1 "$@" # <pthread.h>, as utask.h needs it
    . "$library_folder/../bare.sh"
    ;;
link)
    linker_script=$library_folder/mppa.ld
    link_options=
    # The symmetric heap of a program under MPPA's names has its queues only, if it uses any.
    [ -z "$mppa" ] || link_options=-Wl,--defsym=__skerry_queue_bytes=0x40000
    # By this function skerry-sim knows a master, also one that starts no program by mistake.
    [ "$mppa" != io ] || link_options="$link_options -Wl,--undefined=skerry_program_start"
    . "$library_folder/../bare.sh"
    ;;
esac
