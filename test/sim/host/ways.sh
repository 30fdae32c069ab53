#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ways.sh SKERRY-SIM PROGRAM.ELF: what goes in and out of ways.c, and how its mistakes are reported.
sim=$1
program=$2
failures=0

# expect NAME CODE OUTPUT INPUT OPTIONS...: standard output and error together are OUTPUT.
expect() {
    name=$1 code=$2 wanted=$3 input=$4
    shift 4
    said=$(printf '%b' "$input" | "$sim" --cores 1 --max-cycles 100000000 "$@" "$program" 2>&1)
    got=$?
    [ "$said" = "$wanted" ] && [ "$got" = "$code" ] && return
    failures=$((failures + 1))
    printf '%s: expected code %s and\n%s\ngot %s and\n%s\n\n' "$name" "$code" "$wanted" "$got" "$said" >&2
}

# contains NAME CODE TEXT INPUT OPTIONS...: they contain TEXT.
contains() {
    name=$1 code=$2 wanted=$3 input=$4
    shift 4
    said=$(printf '%b' "$input" | "$sim" --cores 1 --max-cycles 100000000 "$@" "$program" 2>&1)
    got=$?
    case $said in *"$wanted"*) [ "$got" = "$code" ] && return ;; esac
    failures=$((failures + 1))
    printf '%s: expected code %s and in it\n%s\ngot %s and\n%s\n\n' "$name" "$code" "$wanted" "$got" "$said" >&2
}

expect "exit code" 42 "" "exit\n"
expect "end of input" 0 "" ""
expect "lines" 0 "one
two" "print\n"
expect "a line without an end" 0 "no end" "begin\n"
expect "labels" 0 "(32,8) one
(32,8) two
(32,8) no end" "print\nbegin\n" --label
expect "standard error" 0 "on stderr" "error\n"
expect "environment" 0 "A=1
LONG=two words = more
B=(none)" "get A\nget LONG\nget B\n" --env A=1 --env "LONG=two words = more"
expect "no environment" 0 "A=(none)" "get A\n"
contains "a name without a value" 125 "A is not set in the environment" "" --env A
contains "nowhere" 124 "store of 4 bytes at 0x00200000, where no memory is" "nowhere\n"
contains "nowhere, place" 124 "<touch+0x2> at ways.c:10: str" "nowhere\n"
contains "code" 124 "<main>, which is code and must not be written" "code\n"
contains "code that may be written" 0 "" "code\n" --allow-code-writes
contains "polling" 124 "deadlock in cycle" "poll\n"
contains "polling, place" 124 " at ways.c:14: polls 0x" "poll\n"
contains "polling, symbol" 124 "<flag>" "poll\n"

exit "$((failures != 0))"
