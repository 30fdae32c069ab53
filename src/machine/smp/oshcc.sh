# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links OpenMP programs for machines whose RISC-V cores have one memory. oshcc --machine NAME reads this
# file three times: with step=choose, then with step=compile and step=link if it compiles and links. The arguments of
# the script ($@) are the compiler's. In $library_folder are the library, the linker script, omp.h and the name of the
# folder with the compiler.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
choose)
    [ "$language" = C ] || fail "--machine $machine: there is no C++ library for its cores"
    ! $check || fail "--check: is for OpenSHMEM, which $machine does not have"
    ! $header_only || fail "--header-only: is for chips whose cores have small memories"
    [ -f "$library_folder/libskerry.a" ] || fail "--machine $machine: built without the tools for its cores; make chip builds them"
    if [ -z "${SKERRY_RISCV_CC:-}" ]; then
        read -r tools <"$library_folder/tools"
        compiler=$tools/riscv32-elf-gcc
        [ -x "$compiler" ] || compiler=riscv32-elf-gcc
        command -v "$compiler" >/dev/null || fail "--machine $machine: $tools/riscv32-elf-gcc is gone; make chip builds it again"
    else
        compiler=$SKERRY_RISCV_CC
    fi
    # The driver refuses -fopenmp, because it would also pass -pthread. The compiler proper accepts it.
    remaining=$#
    while [ "$remaining" -gt 0 ]; do
        word=$1
        shift
        remaining=$((remaining - 1))
        case $word in
        -fopenmp | -fopenmp-simd) set -- "$@" "-Wp,$word" ;;
        -pthread) ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    ;;
compile)
    # Each function and object gets a section of its own, so that the linker leaves out what is not used. newlib declares
    # sched_yield, which the library defines, only if the system says that it has it.
    set -- -ffunction-sections -fdata-sections -D_POSIX_PRIORITY_SCHEDULING=1 -isystem "$library_folder/include" "$@"
    ;;
link)
    # The linker script needs the place and size of the machine's memories. The simulator prints them. There is enough
    # memory for the functions by which printf and scanf treat floating point.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    # shellcheck disable=SC2086 # $numbers has several words
    set -- "$@" -nostartfiles -nostdlib -T "$library_folder/smp.ld" $numbers -Wl,--gc-sections \
        -Wl,-u,_printf_float -Wl,-u,_scanf_float \
        "-L$library_folder" -Wl,--start-group -lskerry -lm -lc -lgcc -Wl,--end-group
    ;;
esac
