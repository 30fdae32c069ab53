# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for Epiphany chips. ../oshcc.sh reads this file with `.` if -fopenmp is given: with
# step=choose first, and then `oshcc` itself with step=compile and step=link. $@ has the arguments for the compiler.
# $library_folder contains the library, the linker script, omp.h, and the file `tools`, which names the folder of the
# compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    openmp_tools="epiphany-elf SKERRY_EPIPHANY"
    . "$machines_folder/bare_openmp.sh"
    ;;
compile)
    # The options are those of ../oshcc.sh.
    set -- -O1 -mfp-mode=caller "$@"
    . "$machines_folder/bare_openmp.sh"
    ;;
link)
    linker_script=$library_folder/openmp.ld
    link_options=-Wl,-u,_skerry_reset
    . "$machines_folder/bare.sh"
    ;;
esac
