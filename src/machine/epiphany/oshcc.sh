# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for Epiphany chips. `oshcc --machine NAME` reads this file with `.`: with step=choose
# first, with step=compile if it compiles, and with step=link if it links. $@ has the arguments for the compiler.
# $library_folder contains the library, the linker script, and the file `tools`, which names the folder of the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers="OpenSHMEM OpenMP" ;;
choose)
    if $openmp; then # the OpenMP runtime is another library
        with_openmp=" with -fopenmp"
        library_folder=$library_folder/openmp
        need_library epiphany-elf # its oshcc.sh is missing too
        . "$library_folder/oshcc.sh"
        return
    fi
    [ "$language" = C ] || fail "--machine: there is no C++ library for the chip"
    ! $check || fail "--check: the checks do not fit into a core's memory; check the program without --machine"
    choose_compiler epiphany-elf SKERRY_EPIPHANY
    ;;
compile)
    # -mfp-mode=caller: a function that changes the FPU's mode restores it at its end. With the other setting this GCC
    # loses the earlier mode. -O1: GCC 12 for Epiphany without optimisation fails with an internal error when it
    # compiles a remainder (%). The user's options stand later on the command line, so they can override -O1.
    if $header_only; then
        set -- -fwhole-program -fno-tree-loop-distribute-patterns -include "$library_folder/header-only/library.h" "$@"
    fi
    set -- '-DSKERRY_MACHINE_HEADER="epiphany/machine.h"' -O1 -mfp-mode=caller "$@"
    . "$library_folder/../bare.sh"
    ;;
link)
    linker_script=$library_folder/epiphany.ld
    link_options=-Wl,-u,_skerry_reset
    if $header_only; then library_folder=$library_folder/header-only; fi
    . "${linker_script%/*}/../bare.sh"
    ;;
esac
