# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for a cluster of RISC-V cores that share one memory. `oshcc --machine NAME` reads this
# file with `.`: with step=choose first, with step=compile if it compiles, and with step=link if it links. $@ has the
# arguments for the compiler. $library_folder contains the library, the linker script, omp.h, and the file `tools`, which
# names the folder of the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers=OpenMP ;;
choose)
    cxx_library=yes
    . "$library_folder/../bare_openmp.sh"
    ;;
compile) . "$library_folder/../bare_openmp.sh" ;;
link)
    linker_script=$library_folder/cluster.ld
    link_options=
    . "$library_folder/../bare.sh"
    ;;
esac
