#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A last line without an end stays as it is, unless something follows.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 1 printf 'no end'
printf 'no end' | cmp -s - out || fail "one PE: $(od -c out | head -3)"

run "$oshrun" -n 3 printf 'no end'
[ "$(cat out)" = "no end
no end
no end" ] || fail "three PEs: $(cat out)"

run "$oshrun" -n 1 sh -c 'printf "no end"; exit 3'
expect_code 3
expect_out "no end"
expect_line 'oshrun: PE 0 *'
"$oshrun" -n 1 sh -c 'printf "no end"; exit 3' 2>&1 | cat >out
[ "$(sed -n 1p out)" = "no end" ] || fail "our own line does not begin a new one: $(cat out)"

# A line longer than any buffer arrives complete.
run "$oshrun" -n 1 sh -c 'head -c 3000000 /dev/zero | tr "\0" x; echo'
[ "$(wc -c <out)" -eq 3000001 ] || fail "long line: $(wc -c <out) bytes"
finish
