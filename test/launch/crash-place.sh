#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The line about a crash says where it happened, as well as the program's debug information allows.
. "$(dirname "$0")/common.sh"
[ -x "$SKERRY_BIN/skerry-where" ] || [ -x "$SKERRY_BIN/../libexec/skerry/skerry-where" ] || skip "no skerry-where"

address_of() { nm "$1" | awk -v name="$2" '$3 == name { print $1 }'; }

build pe "-O0 -g"
address=$(address_of pe pause_for)
line=$(grep -n 'static void pause_for' "$here/pe.c" | cut -d: -f1)
run "$oshrun" -n 3 ./pe init @1 "crash=$address" sleep=30
expect_code 139 "debug information"
expect_line "oshrun: PE 1 (process *) was killed by signal 11 (Segmentation fault: address 0x10) in pause_for at pe.c:$line; job stopped"

# The shell between oshrun and the program only says 139.
run "$oshrun" -n 1 sh -c "./pe init crash=$address; exit \$?"
expect_code 139 "under a shell"
grep -q 'was killed by signal 11 .* in pause_for at pe.c' err || fail "under a shell: $(cat err)"

build pe "-O0"
run "$oshrun" -n 1 ./pe init "crash=$(address_of pe pause_for)"
expect_line "oshrun: PE 0 (process *) was killed by signal 11 (*) in pause_for; job stopped"

strip pe
run "$oshrun" -n 1 ./pe init "crash=$address"
expect_line "oshrun: PE 0 (process *) was killed by signal 11 (*) in pe+0x*; job stopped"
finish
