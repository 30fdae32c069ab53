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
# A module that cannot be loaded, because a library that it needs is missing.
mkdir -p bin lib/skerry/network
cp "$skerry" bin
echo 'int needed(void) { return 0; }' >needed.c
echo 'int needed(void); int module(void) { return needed(); }' >module.c
"${CC:-cc}" -shared -fPIC needed.c -o libneeded.so
"${CC:-cc}" -shared -fPIC module.c -L. -lneeded -o lib/skerry/network/ucx.so
rm libneeded.so
run bin/skerry info
expect_code 0 "a module without its library"
grep -q '^ucx  *no: libneeded.so: cannot open shared object file: No such file or directory ' out || fail "$(cat out)"
grep -q '^pmix  *no: Skerry was built without PMIx (libpmix-dev) ' out || fail "$(cat out)"
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
