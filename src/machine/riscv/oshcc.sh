# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for machines whose PEs are RISC-V cores. oshcc --machine NAME reads this file three times:
# with step=choose, then with step=compile and step=link if it compiles and links. The arguments of the script ($@) are
# the compiler's. In $library_folder are the library, the linker script and the name of the folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine: there is no C++ library for RISC-V cores"
    ! $check || fail "--check: a core's memory has no room for the checks; use it on this machine"
    ! $header_only || fail "--header-only: not for RISC-V cores"
    [ -f "$library_folder/libskerry.a" ] || fail "--machine: built without the tools for RISC-V cores; make chip builds them"
    if [ -z "${SKERRY_RISCV_CC:-}" ]; then
        read -r tools <"$library_folder/tools"
        compiler=$tools/riscv32-elf-gcc
        [ -x "$compiler" ] || compiler=riscv32-elf-gcc
        command -v "$compiler" >/dev/null || fail "--machine: $tools/riscv32-elf-gcc is gone; make chip builds it again"
    else
        compiler=$SKERRY_RISCV_CC
    fi
    ;;
compile)
    # Each function and object gets a section of its own (-ffunction-sections, -fdata-sections), so that the linker
    # leaves out what is not used. The cores have no unaligned accesses (-mstrict-align). The user's options stand later
    # on the command line, so they can override it.
    set -- '-DSKERRY_MACHINE_HEADER="riscv/machine.h"' -O1 -mstrict-align -ffunction-sections -fdata-sections "$@"
    ;;
link)
    # The linker script needs numbers of the machine, such as its memory sizes. The simulator prints them.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    # shellcheck disable=SC2086 # $numbers has several words
    set -- "$@" -nostartfiles -nostdlib -T "$library_folder/riscv.ld" $numbers -Wl,--gc-sections -Wl,-u,skerry_reset \
        "-L$library_folder" -Wl,--start-group -lskerry -lm -lc -lgcc -Wl,--end-group
    ;;
esac
