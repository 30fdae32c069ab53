# SPDX-License-Identifier: BSD-3-Clause
# Compiles C++ for cores without an operating system. The oshcc.sh of such machines, and bare_openmp.sh, read this file with
# `.`, once with step=choose and once with step=compile.
# * If $cxx_library is not empty, programs use the C++ library that toolchain/riscv.sh builds.
# * Otherwise the machine's memories are too small for that library, so programs cannot use exceptions and run-time types.
#   $cxx_statics is one more option of the compiler, or empty.
# shellcheck shell=sh disable=SC2154 # oshcc and the callers set the variables

case $step in
choose)
    cxx_link=
    if [ "$language" = C++ ] && [ -n "${cxx_library:-}" ]; then
        # The tools have a g++ only if they have the library.
        compiler=${compiler%-gcc}-g++
        command -v "$compiler" >/dev/null ||
            fail "--machine $machine: there is no C++ library for its cores, because $compiler does not exist; make chip builds it"
        # The library prints floating-point numbers by printf, which newlib leaves out by default.
        cxx_link="-lstdc++ -Wl,-u,_printf_float"
        return
    fi
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
    [ -z "${cxx_library:-}" ] || return 0
    for word; do
        case $word in *.cc | *.cpp | *.cxx | *.C) ;; *) continue ;; esac
        header=$(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\(<[a-z_]*>\).*/\1/p' "$word" 2>/dev/null | head -n 1)
        [ -z "$header" ] ||
            echo "$name: warning: $word includes $header, but there is no C++ library for the cores of $machine; C headers such as <stdio.h> exist" >&2
    done
    # shellcheck disable=SC2086 # one word or none
    if [ "$language" = C++ ]; then set -- -fno-exceptions -fno-rtti $cxx_statics "$@"; fi
    ;;
esac
