#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshcc.sh BIN SOURCE: oshcc --machine compiles and links only for a machine that it knows, and compiles and links in two steps
# with --header-only too.
set -eu
PATH=$1:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "oshcc: $*" >&2
    exit 1
}
if oshcc --machine no-such -c "$2" -o hello.o 2>err; then fail "compiled for a machine that is not there"; fi
grep -q no-such err || fail "does not say which machine: $(cat err)"
oshcc --machine epiphany-iii -c "$2" -o hello.o || fail "does not compile"
if oshcc --machine no-such hello.o -o hello.elf 2>err; then fail "linked for a machine that is not there"; fi
grep -q no-such err || fail "does not say which machine: $(cat err)"
for option in '' --header-only; do
    # shellcheck disable=SC2086 # none or one
    oshcc --machine epiphany-iii $option -Os -c "$2" -o hello.o
    # shellcheck disable=SC2086
    oshcc --machine epiphany-iii $option hello.o -o hello.elf
    oshrun --machine epiphany-iii -n 2 hello.elf | sort >out
    printf 'hello from PE %d of 2\n' 0 1 | cmp - out || fail "$option: $(cat out)"
done
