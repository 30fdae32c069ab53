#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When nobody reads the output any more the job ends, as a single program would; when it cannot be stored, oshrun says so.
. "$(dirname "$0")/common.sh"
duration=$(unique_duration 5)

first=$( (timeout 30 "$oshrun" -n 4 sh -c 'while :; do echo text; done' 2>err; echo $? >code) | head -1)
[ "$first" = text ] || fail "no first line: $first"
[ "$(cat code)" = 141 ] || fail "exit code $(cat code) instead of 141"
expect_silence

timeout 30 "$oshrun" -n 2 sh -c "echo text; exec sleep $duration" >/dev/full 2>err
code=$?
expect_code 1 "full disk"
expect_line 'oshrun: cannot write standard output: No space left on device; job stopped'
none_sleeps "$duration" || fail "processes are left"

# A closed standard output loses the output, which is an error too. Nothing is lost if there is no output.
timeout 30 "$oshrun" -n 2 echo text >&- 2>err
code=$?
expect_code 1 "closed standard output"
expect_line 'oshrun: cannot write standard output: Bad file descriptor; job stopped'
timeout 30 "$oshrun" -n 2 true >&- 2>err
code=$?
expect_code 0 "closed standard output, no output"
expect_silence
timeout 30 "$oshrun" -n 2 sh -c 'cat; echo text' <&- >out 2>err
code=$?
expect_code 0 "closed standard input"
none_sleeps "$duration" || fail "processes are left"
finish
