#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A low limit on open files is lifted as far as it goes, kept from the PEs, and named where it does not suffice.
. "$(dirname "$0")/common.sh"

run sh -c "ulimit -Sn 40 && exec '$oshrun' -n 100 sh -c 'ulimit -Sn'"
expect_code 0 "soft limit"
[ "$(sort -u out)" = 40 ] || fail "PEs have another limit: $(sort -u out)"

run sh -c "ulimit -n 64 && exec '$oshrun' -n 100 true"
expect_code 1 "hard limit"
expect_line 'oshrun: -n 100 needs 232 open files, and the limit is 64 (ulimit -Hn)'

run sh -c "ulimit -n 40 && exec '$oshrun' -n 4 echo text"
expect_code 0 "just enough"

# Of oshrun's own files, only the job's memory reaches a PE, and that is out of the way of scripts.
# shellcheck disable=SC2012
expected=$(ls /proc/self/fd | cat; echo 60)
run "$oshrun" -n 2 --tag-output ls /proc/self/fd
for pe in 0 1; do
    found=$(sed -n "s/^\[$pe\] //p" out)
    [ "$(echo "$found" | sort -n)" = "$(echo "$expected" | sort -n)" ] || fail "descriptors of PE $pe: $found"
done
finish
