#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skerry tells about the machine in words and in JSON, and refuses what it does not know.
. "$(dirname "$0")/common.sh"
skerry=$SKERRY_BIN/skerry

run "$skerry" info
expect_code 0 "info"
grep -q '^processors  *[0-9]' out || fail "$(cat out)"
run "$skerry" info --json
expect_code 0 "json"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; facts = json.load(sys.stdin); assert facts["pes_max"] > 0 and facts["processors"] > 0' <out ||
        fail "not JSON: $(cat out)"
fi
run "$skerry" --help
expect_code 0 "help"
run "$skerry" --version
expect_code 0 "version"
run "$skerry"
expect_code 2 "nothing"
for wrong in nonsense ../oshrun --nonsense; do
    run "$skerry" $wrong
    expect_code 2 "$wrong"
    expect_line "skerry: $wrong: no such command*"
done
run "$skerry" info --nonsense
expect_code 2 "info --nonsense"
run "$skerry" info >/dev/full
finish
