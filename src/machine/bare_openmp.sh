# SPDX-License-Identifier: BSD-3-Clause
# Compiles OpenMP programs for cores without an operating system. The oshcc.sh of each such machine reads this file with
# `.`, once with step=choose and once with step=compile. $library_folder contains the library, omp.h, and the file `tools`,
# which names the folder of the compiler. $openmp_tools is the prefix of the compiler's name and the begin of the user's
# variable; not set: those for RISC-V.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || [ -z "${openmp_tools:-}" ] ||
        fail "--machine $machine: programs with -fopenmp must be in C, because there is no C++ library for its cores"
    ! $check || fail "--check: is for OpenSHMEM, which is not used with OpenMP on $machine"
    ! $header_only || fail "--header-only: is for OpenSHMEM, which is not used with OpenMP on $machine"
    # shellcheck disable=SC2086 # two words
    choose_compiler ${openmp_tools:-riscv32-elf SKERRY_RISCV}
    # This GCC is built without threads. Its command gcc adds -pthread to -fopenmp, does not support -pthread, and
    # refuses both. The compiler program that gcc starts (cc1) accepts -fopenmp alone. The option -Wp passes -fopenmp to
    # cc1 only.
    remaining=$#
    while [ "$remaining" -gt 0 ]; do
        word=$1
        shift
        remaining=$((remaining - 1))
        case $word in
        -fopenmp | -fopenmp-simd) set -- "$@" "-Wp,$word" ;;
        -pthread) ;;
        # Both make gcc pass -pthread to another gcc.
        -flto* | -fopenacc*) fail "$word: is not supported with -fopenmp on $machine" ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    . "$machines_folder/bare_cxx.sh"
    ;;
compile)
    # These machines have no OpenSHMEM. If the macro SKERRY_NO_OPENSHMEM is defined, the headers of OpenSHMEM stop the
    # compiler with the macro's text as the message. The text lists the machines that have OpenSHMEM. Making this list
    # takes time, so the script makes it only for sources that include a header of OpenSHMEM.
    for word; do
        case $word in *.c | *.h | *.cc | *.cpp | *.cxx | *.C) ;; *) continue ;; esac
        if grep -q -s -E '#[[:space:]]*include[[:space:]]*[<"](mpp/)?(shmemx?|pshmem|aos)\.h' "$word"; then
            text="OpenSHMEM is not available on $machine${with_openmp:-}; machines that offer OpenSHMEM: $(machines_with OpenSHMEM)"
            set -- "-DSKERRY_NO_OPENSHMEM=\"$text\"" "$@"
            break
        fi
    done
    # The library defines sched_yield. The headers of newlib (the C library) declare sched_yield only if
    # _POSIX_PRIORITY_SCHEDULING is defined.
    set -- -D_POSIX_PRIORITY_SCHEDULING=1 -isystem "$library_folder/include" "$@"
    # Static variables of functions are initialised under a lock, because several threads can do it.
    cxx_statics=
    . "$machines_folder/bare_cxx.sh"
    . "$machines_folder/bare.sh"
    ;;
esac
