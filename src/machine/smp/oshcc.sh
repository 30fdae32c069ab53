# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores have one memory. oshcc --machine NAME reads this
# file three times: with step=choose, then with step=compile and step=link if it compiles and links. The arguments of
# the script ($@) are the compiler's. In $library_folder are the library, the linker script, omp.h and the name of the
# folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose | compile) . "$library_folder/../bare_openmp.sh" ;;
link)
    # There is enough memory for the functions by which printf and scanf treat floating point.
    linker_script=$library_folder/smp.ld
    link_options="-Wl,-u,_printf_float -Wl,-u,_scanf_float"
    . "$library_folder/../bare.sh"
    ;;
esac
