#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The whole environment is passed on; -x sets, or insists.
. "$(dirname "$0")/common.sh"

KEPT='a b' run "$oshrun" -n 1 sh -c 'echo "$KEPT"'
expect_out "a b"
run "$oshrun" -n 2 -x 'NEW=x=y z' -x EMPTY= sh -c 'echo "$NEW${EMPTY-unset}"'
expect_out "x=y z
x=y z"
KEPT=old run "$oshrun" -n 1 -x KEPT=new sh -c 'echo "$KEPT"'
expect_out "new"
KEPT=old run "$oshrun" -n 1 -x KEPT sh -c 'echo "$KEPT"'
expect_out "old"
run "$oshrun" -n 1 -x NOT_SET_ANYWHERE true
expect_code 2
expect_line 'oshrun: -x NOT_SET_ANYWHERE: *'
run "$oshrun" -n 1 -x =value true
expect_code 2
expect_line 'oshrun: -x =value: *'

for word in 0 no 1 On ''; do
    SKERRY_HUGE_PAGES=$word run "$oshrun" -n 1 true
    expect_code 0 "SKERRY_HUGE_PAGES=$word"
done

# A job inside a job is a new one.
run "$oshrun" -n 1 "$oshrun" -n 2 sh -c 'echo "$SKERRY_PES $(env | grep -c ^SKERRY_JOB=)"'
expect_out "2 1
2 1"
finish
