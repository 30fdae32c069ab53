# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for Epiphany chips. oshcc --machine NAME reads this file three times: with step=choose,
# then with step=compile and step=link if it compiles and links. The arguments of the script ($@) are the compiler's. In
# $library_folder are the library, the linker script and the name of the folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine: there is no C++ library for the chip"
    ! $openmp || fail "-fopenmp: there is no OpenMP runtime for $machine; smp-16 has one"
    ! $check || fail "--check: a core's memory has no room for the checks; use it on this machine"
    choose_compiler epiphany-elf SKERRY_EPIPHANY
    ;;
compile)
    # A function that changes the FPU's mode restores it (-mfp-mode=caller), because with the other setting this GCC loses
    # the earlier mode. -O1 is needed because GCC 12 for Epiphany, without optimisation, fails with an internal error if it
    # compiles a remainder (%). The user's options stand later on the command line, so they can override it.
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
