#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BIN DESCRIPTION: skerry bench --machine, in its short form, of another machine than the papers', and of a user's own.
set -eu
PATH=$1:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "bench: $*" >&2
    exit 1
}
skerry bench --machine epiphany-iv --quick >out 2>err || fail "$(cat err)"
grep -q '^Skerry on epiphany-iv, simulated: 8 x 8 cores, 800 MHz' out || fail "$(head -3 out)"
grep -q '^| barrier_all | 4 | 16 | [0-9.]* | [0-9.]* | [0-9.]* |$' out || fail "no barrier: $(tail -5 out)"
sed -e 's/^rows = 4/rows = 2/' -e 's/^east_link_row = .*/east_link_row = 1/' -e 's/epiphany-iii/small/' "$2" >small.toml
skerry bench --machine "$PWD/small.toml" --quick --json >out 2>err || fail "a file: $(cat err)"
grep -q '"machine": "small"' out || fail "a file: $(head -3 out)"
grep -q '"name": "barrier_all", "pes": 4' out || fail "a file: no barrier"
skerry bench --machine epiphany-iii rpc >out 2>err || fail "rpc: $(cat err)"
grep -q '^| RPC of an empty function on the neighbour, until it is answered | <= 300 cycles | [0-9]* cycles | yes |' out || fail "rpc: $(tail -5 out)"
skerry bench --machine epiphany-iii aos >out2 2>err || fail "aos: $(cat err)"
grep -q '^| aos_postadd | 8 | [0-9]* | [0-9]* | [0-9]* |$' out2 || fail "aos: no postadd: $(cat out2)"
grep -q '^| 15 | [0-9]* ([0-9]*) / [0-9]* ([0-9]*) |' out2 || fail "aos: no table 2: $(tail -5 out2)"
grep -q '^| get, external memory (1 DDR) | [0-9]* | [0-9.]* |$' out2 || fail "aos: no fit: $(cat out2)"
if grep -q 'broadcast64' out; then fail "rpc: measured more"; fi
if skerry bench --machine epiphany-iii no-such >out 2>err; then fail "measured a program that is not there"; fi
grep -q 'no-such: no such program for a chip' err || fail "no such program: $(cat err)"
# s2 is the name of paths in version 0.1. The plot cannot be written, so nothing is measured.
if skerry bench --machine epiphany-iii --plot no-such/plot.svg s2 >out 2>err; then fail "wrote a plot into a missing folder"; fi
grep -q -e '--plot no-such/plot.svg: cannot write' err || fail "s2: $(cat err)"
if skerry bench --machine no-such --quick >out 2>err; then fail "measured a machine that is not there"; fi
grep -q 'no-such: cannot read' err || fail "no such machine: $(cat err)"
