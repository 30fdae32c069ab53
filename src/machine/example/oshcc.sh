# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for the example machine with the C compiler of the system on which oshcc runs
# (src/machine/README.md).
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
offers) offers=OpenSHMEM ;;
choose)
    ! $check || fail "--check: the example machine has no checks"
    ! $header_only || fail "--header-only: the example machine does not support it"
    [ -f "$library_folder/libskerry.a" ] || fail "--machine example: the library is not built (cmake --build build/default --target skerry_example)"
    ;;
compile)
    set -- '-DSKERRY_MACHINE_HEADER="example/machine.h"' "$@"
    ;;
link)
    set -- "$@" "-L$library_folder" -lskerry
    ;;
esac
