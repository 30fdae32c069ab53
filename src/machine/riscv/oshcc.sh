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
    # The compiler derives a file's language from its name. Like g++, oshc++ compiles a file NAME.c as C++. So the loop
    # adds the option -x.
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
    # -mstrict-align: the cores have no unaligned accesses. The user's options stand later on the command line, so they
    # can override this option. These cores have no C++ library. So programs cannot use exceptions, run-time types and
    # guards of static variables.
    for word; do
        case $word in *.cc | *.cpp | *.cxx | *.C) ;; *) continue ;; esac
        header=$(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\(<[a-z_]*>\).*/\1/p' "$word" 2>/dev/null | head -n 1)
        [ -z "$header" ] ||
            echo "$name: warning: $word includes $header, but there is no C++ library for RISC-V cores; C headers such as <stdio.h> exist" >&2
    done
    if [ "$language" = C++ ]; then set -- -fno-exceptions -fno-rtti -fno-threadsafe-statics "$@"; fi
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
