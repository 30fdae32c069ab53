# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for machines whose PEs are RISC-V cores. `oshcc --machine NAME` reads this file with `.`:
# with step=choose first, with step=compile if it compiles, and with step=link if it links. $@ has the arguments for the
# compiler. $library_folder contains the library, the linker script, and the file `tools`, which names the folder of the
# compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers="OpenSHMEM OpenMP" ;;
choose)
    if $openmp; then # the OpenMP runtime is another library
        with_openmp=" with -fopenmp"
        library_folder=${library_folder%/*}/sarc
        . "$library_folder/oshcc.sh"
        return
    fi
    # The checks of the library do not fit into a core's memory. So --check tests only the PE numbers of inlined
    # routines.
    check_pe=$check check=false
    ! $header_only || fail "--header-only: RISC-V cores do not support it"
    choose_compiler riscv32-elf SKERRY_RISCV
    . "$library_folder/../bare_cxx.sh"
    ;;
compile)
    # -mstrict-align: the cores have no unaligned accesses. The user's options stand later on the command line, so they
    # can override this option. A PE has one thread, so static variables need no lock.
    cxx_statics=-fno-threadsafe-statics
    . "$library_folder/../bare_cxx.sh"
    if $check_pe; then set -- -DSKERRY_CHECK_PE "$@"; fi
    set -- '-DSKERRY_MACHINE_HEADER="riscv/machine.h"' -O1 -mstrict-align "$@"
    . "$library_folder/../bare.sh"
    ;;
link)
    linker_script=$library_folder/riscv.ld
    link_options=-Wl,-u,skerry_reset
    . "$library_folder/../bare.sh"
    ;;
esac
