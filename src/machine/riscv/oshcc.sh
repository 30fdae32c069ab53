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
    ! $check || fail "--check: a core's memory has no room for the checks; use it on this machine"
    ! $header_only || fail "--header-only: not for RISC-V cores"
    choose_compiler riscv32-elf SKERRY_RISCV
    # The compiler tells the language of a file by its name. oshc++ also takes a file NAME.c for C++, as g++ does.
    remaining=$#
    while [ "$language" = C++ ] && [ "$remaining" -gt 0 ]; do
        word=$1
        shift
        remaining=$((remaining - 1))
        case $word in
        *.c) set -- "$@" -x c++ "$word" -x none ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    ;;
compile)
    # The cores have no unaligned accesses (-mstrict-align). The user's options stand later on the command line, so they
    # can override it.
    # There is no library of C++, so there are no exceptions, no run-time types and no guards of static variables.
    if [ "$language" = C++ ]; then set -- -fno-exceptions -fno-rtti -fno-threadsafe-statics "$@"; fi
    set -- '-DSKERRY_MACHINE_HEADER="riscv/machine.h"' -O1 -mstrict-align "$@"
    . "$library_folder/../bare.sh"
    ;;
link)
    linker_script=$library_folder/riscv.ld
    link_options=-Wl,-u,skerry_reset
    . "$library_folder/../bare.sh"
    ;;
esac
