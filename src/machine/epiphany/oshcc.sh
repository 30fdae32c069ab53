# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for Epiphany chips. oshcc --machine NAME reads this file three times: with step=choose,
# then with step=compile and step=link if it compiles and links. The arguments of the script ($@) are the compiler's. In
# $library_folder are the library, the linker script and the name of the folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine: there is no C++ library for the chip"
    ! $openmp || fail "-fopenmp: there is no OpenMP runtime for $machine; smp-16 has one"
    ! $check || fail "--check: a core's memory has no room for the checks; use it on this machine"
    [ -f "$library_folder/libskerry.a" ] || fail "--machine: built without the chip's tools; make chip builds them"
    if [ -z "${SKERRY_EPIPHANY_CC:-}" ]; then
        read -r tools <"$library_folder/tools"
        compiler=$tools/epiphany-elf-gcc
        [ -x "$compiler" ] || compiler=epiphany-elf-gcc
        command -v "$compiler" >/dev/null || fail "--machine: $tools/epiphany-elf-gcc is gone; make chip builds it again"
    else
        compiler=$SKERRY_EPIPHANY_CC
    fi
    ;;
compile)
    # Each function and object gets a section of its own (-ffunction-sections, -fdata-sections), so that the linker
    # leaves out what is not used. A function that changes the FPU's mode restores it (-mfp-mode=caller), because with
    # the other setting this GCC loses the earlier mode. -O1 is needed because GCC 12 for Epiphany, without
    # optimisation, fails with an internal error if it compiles a remainder (%). The user's options stand later on the
    # command line, so they can override it.
    if $header_only; then
        set -- -fwhole-program -fno-tree-loop-distribute-patterns -include "$library_folder/header-only/library.h" "$@"
    fi
    set -- '-DSKERRY_MACHINE_HEADER="epiphany/machine.h"' -O1 -mfp-mode=caller -ffunction-sections -fdata-sections "$@"
    ;;
link)
    # The linker script needs numbers of the chip, such as its memory sizes. The simulator prints them.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    chip_library=$library_folder
    if $header_only; then chip_library=$library_folder/header-only; fi
    # shellcheck disable=SC2086 # $numbers has several words
    set -- "$@" -nostartfiles -nostdlib -T "$library_folder/epiphany.ld" $numbers -Wl,--gc-sections \
        -Wl,-u,_skerry_reset "-L$chip_library" -Wl,--start-group -lskerry -lm -lc -lgcc -Wl,--end-group
    ;;
esac
