# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores have memories of their own. oshcc --machine NAME reads this
# file three times: with step=choose, then with step=compile and step=link if it compiles and links. The arguments of
# the script ($@) are the compiler's. In $library_folder are the library, the linker script, omp.h and the name of the
# folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose) . "$library_folder/../bare_openmp.sh" ;;
compile)
    set -- -mstrict-align "$@" # the cores have no unaligned accesses
    . "$library_folder/../bare_openmp.sh"
    ;;
link)
    linker_script=$library_folder/sarc.ld
    link_options=
    . "$library_folder/../bare.sh"
    ;;
esac
