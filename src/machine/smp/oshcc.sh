# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores share one memory. `oshcc --machine NAME` reads this
# file once with step=choose, then once with step=compile if it compiles, and once with step=link if it links. The
# arguments of the script ($@) are the arguments for the compiler. The folder $library_folder contains the library, the
# linker script, omp.h, and the file `tools`, which names the folder of the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers=OpenMP ;;
choose | compile) . "$library_folder/../bare_openmp.sh" ;;
link)
    # These options link the functions by which printf and scanf treat floating point. The shared memory is large enough
    # for them.
    linker_script=$library_folder/smp.ld
    link_options="-Wl,-u,_printf_float -Wl,-u,_scanf_float"
    . "$library_folder/../bare.sh"
    ;;
esac
