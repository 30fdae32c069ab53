# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores have memories of their own. `oshcc --machine NAME`
# reads this file with `.`: with step=choose first, with step=compile if it compiles, and with step=link if it links. $@
# has the arguments for the compiler. $library_folder contains the library, the linker script, omp.h, and the file
# `tools`, which names the folder of the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers=OpenMP ;;
choose) . "$library_folder/../bare_openmp.sh" ;;
compile)
    # The cores have no unaligned accesses. skerry_omp.h uses the library's copies, which go on while the core computes.
    set -- -mstrict-align -DSKERRY_OMP_COPIES=1 "$@"
    # The runtime combines the reductions with which a region ends. On machines with more than 10 cores single additions of
    # integers are posted to a counter, and with more than 16 cores those of large teams go up a tree of threads. For this the assembler is the
    # script assembler/as, if the compiler is the library's own.
    case $compiler in
    */riscv32-elf-gcc)
        cores=$("$here/skerry-sim" --machine "$machine" --linker-symbols | sed 's/.*__skerry_pes_max=\([0-9]*\).*/\1/')
        SKERRY_LAST_ADDITIONS=
        if [ "${cores:-0}" -gt 10 ]; then SKERRY_LAST_ADDITIONS=post; fi
        if [ "${cores:-0}" -gt 16 ]; then SKERRY_LAST_ADDITIONS=tree; fi
        export SKERRY_LAST_ADDITIONS
        set -- "-B$library_folder/assembler/" "$@"
        ;;
    esac
    . "$library_folder/../bare_openmp.sh"
    ;;
link)
    linker_script=$library_folder/sarc.ld
    link_options=
    . "$library_folder/../bare.sh"
    ;;
esac
