#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshrun --machine with a name that no machine has prints one line with the names of all machines. A file goes to the simulator.
. "$(dirname "$0")/common.sh"
[ -x "$SKERRY_BIN/skerry-sim" ] || skip "this build has no simulator"

names=$(
    for file in "$SKERRY_BIN"/../share/skerry/machines/*.toml "$SKERRY_BIN"/../libexec/skerry/machines/*/oshrun; do
        [ -e "$file" ] || continue
        file=${file%/oshrun}
        file=${file##*/}
        echo "${file%.toml}"
    done | LC_ALL=C sort | paste -sd , | sed 's/,/, /g'
)
case $names in *epiphany-iii*) ;; *) fail "no chip: $names" ;; esac
for word in nope epiphany epiphany-ii ..; do
    run "$oshrun" --machine "$word" -n 2 true
    expect_code 2 "--machine $word"
    expect_line "oshrun: --machine $word: no such machine; there are $names"
done
run "$oshrun" --machine= true
expect_code 2 "--machine without a name"
expect_line "oshrun: --machine '': no such machine; there are $names"
run "$oshrun" --machine nope --heap 1m true
expect_line "oshrun: --machine nope: no such machine; there are *"

for word in ./nope nope.toml; do
    run "$oshrun" --machine "$word" true
    expect_code 125 "--machine $word"
    expect_line "skerry-sim: *nope*: No such file or directory"
done
finish
