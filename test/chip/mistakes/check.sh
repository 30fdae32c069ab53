#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh BIN FOLDER: what a user is told of each mistake here. BIN has oshcc and oshrun, FOLDER is for programs.
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
folder=$2
failures=0
mkdir -p "$folder"

# compile PROGRAM SOURCE OPTIONS...
compile() {
    to=$folder/$1.elf source=$here/$2
    shift 2
    "$bin/oshcc" --machine epiphany-iii "$@" "$source" -o "$to" || exit 1
}

# says CODE TEXT COMMAND...: the command ends so and says that.
says() {
    code=$1 wanted=$2
    shift 2
    said=$("$@" 2>&1)
    got=$?
    case $said in *"$wanted"*) [ "$got" = "$code" ] && return ;; esac
    failures=$((failures + 1))
    printf '%s: expected code %s and in it\n%s\ngot %s and\n%s\n\n' "$*" "$code" "$wanted" "$got" "$said" >&2
}
on_chip() {
    "$bin/oshrun" --machine epiphany-iii -n 1 "$@"
}

compile null null_store.c -O1 -g
says 124 "store of 4 bytes at 0x00000000, which is in the table of interrupt vectors (a null pointer?)" on_chip "$folder/null.elf"
says 124 "at null_store.c:7" on_chip "$folder/null.elf"
says 0 "" on_chip --allow-code-writes "$folder/null.elf"

compile null-call null_call.c -O1 -g
says 124 "<skerry_jump_to_0>" on_chip --max-cycles 1000000 "$folder/null-call.elf"

for option in -O1 -O2 -Os; do
    compile wait wait.c $option -g
    says 124 "deadlock in cycle" on_chip --max-cycles 10000000 "$folder/wait.elf"
    says 124 "called from main at wait.c:9" on_chip --max-cycles 10000000 "$folder/wait.elf"
done

compile hang hang.c -O1 -g
says 124 "> at hang.c:18: polls" on_chip "$folder/hang.elf"
compile hang-plain hang.c -O1
says 124 "<main+0x" on_chip "$folder/hang-plain.elf"
case $(on_chip "$folder/hang-plain.elf" 2>&1) in
*" at "*"> at "*)
    failures=$((failures + 1))
    echo "a line is told of code without debug information" >&2
    ;;
esac

says 126 "null.elf: is a program for an Epiphany chip: oshrun --machine" "$bin/oshrun" "$folder/null.elf"
says 125 "/oshrun: it is not for an Epiphany chip" on_chip "$bin/oshrun"

exit "$((failures != 0))"
