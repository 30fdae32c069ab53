# SPDX-License-Identifier: BSD-3-Clause
# Compiles OpenMP programs for RISC-V cores without an operating system. The oshcc.sh of such a machine reads this file
# with step=choose and step=compile. The folder $library_folder contains the library, omp.h, and the file `tools`, which
# names the folder of the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine $machine: there is no C++ library for its cores"
    ! $check || fail "--check: is for OpenSHMEM, which is not used with OpenMP on $machine"
    ! $header_only || fail "--header-only: is for OpenSHMEM, which is not used with OpenMP on $machine"
    choose_compiler riscv32-elf SKERRY_RISCV
    # This GCC is built without threads. Its command gcc would add -pthread to -fopenmp, but does not support -pthread,
    # and so refuses -fopenmp. The compiler program that gcc starts (cc1) accepts -fopenmp alone, and -Wp passes an
    # option to this program only.
    remaining=$#
    while [ "$remaining" -gt 0 ]; do
        word=$1
        shift
        remaining=$((remaining - 1))
        case $word in
        -fopenmp | -fopenmp-simd) set -- "$@" "-Wp,$word" ;;
        -pthread) ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    ;;
compile)
    # These machines have no OpenSHMEM. The macro SKERRY_NO_OPENSHMEM makes the headers of OpenSHMEM stop the compiler
    # with a message (machine.h). The message lists the machines that have OpenSHMEM. Making this list takes time, so
    # the macro is defined only for programs that probably include a header of OpenSHMEM.
    for word; do
        case $word in *.c | *.h) ;; *) continue ;; esac
        if grep -q -s -E '#[[:space:]]*include[[:space:]]*[<"](mpp/)?(shmemx?|pshmem|aos)\.h' "$word"; then
            text="OpenSHMEM is not available on $machine${with_openmp:-}; machines that offer OpenSHMEM: $(machines_with OpenSHMEM)"
            set -- "-DSKERRY_NO_OPENSHMEM=\"$text\"" "$@"
            break
        fi
    done
    # The library defines sched_yield. The headers of newlib (the C library) declare this function only if the macro
    # _POSIX_PRIORITY_SCHEDULING is defined.
    set -- -D_POSIX_PRIORITY_SCHEDULING=1 -isystem "$library_folder/include" "$@"
    . "$library_folder/../bare.sh"
    ;;
esac
