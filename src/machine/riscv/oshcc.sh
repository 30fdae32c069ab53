# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for machines whose PEs are RISC-V cores. oshcc --machine NAME reads this file three times:
# with step=choose, then with step=compile and step=link if it compiles and links. The arguments of the script ($@) are
# the compiler's. In $library_folder are the library, the linker script and the name of the folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    if $openmp; then # its runtime is another library
        library_folder=${library_folder%/*}/sarc
        . "$library_folder/oshcc.sh"
        return
    fi
    [ "$language" = C ] || fail "--machine: there is no C++ library for RISC-V cores"
    ! $check || fail "--check: a core's memory has no room for the checks; use it on this machine"
    ! $header_only || fail "--header-only: not for RISC-V cores"
    choose_compiler riscv32-elf SKERRY_RISCV
    ;;
compile)
    # The cores have no unaligned accesses (-mstrict-align). The user's options stand later on the command line, so they
    # can override it.
    set -- '-DSKERRY_MACHINE_HEADER="riscv/machine.h"' -O1 -mstrict-align "$@"
    . "$library_folder/../bare.sh"
    ;;
link)
    linker_script=$library_folder/riscv.ld
    link_options=-Wl,-u,skerry_reset
    . "$library_folder/../bare.sh"
    ;;
esac
