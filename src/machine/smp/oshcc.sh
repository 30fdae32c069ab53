# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores have one memory. oshcc --machine NAME reads this
# file three times: with step=choose, then with step=compile and step=link if it compiles and links. The arguments of
# the script ($@) are the compiler's. In $library_folder are the library, the linker script, omp.h and the name of the
# folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine $machine: there is no C++ library for its cores"
    ! $check || fail "--check: is for OpenSHMEM, which $machine does not have"
    ! $header_only || fail "--header-only: is for chips whose cores have small memories"
    choose_compiler riscv32-elf SKERRY_RISCV
    # The driver refuses -fopenmp, because it would also pass -pthread. The compiler proper accepts it.
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
    # newlib declares sched_yield, which the library defines, only if the system says that it has it.
    set -- -D_POSIX_PRIORITY_SCHEDULING=1 -isystem "$library_folder/include" "$@"
    . "$library_folder/../bare.sh"
    ;;
link)
    # There is enough memory for the functions by which printf and scanf treat floating point.
    linker_script=$library_folder/smp.ld
    link_options="-Wl,-u,_printf_float -Wl,-u,_scanf_float"
    . "$library_folder/../bare.sh"
    ;;
esac
