#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A signal to oshrun ends the job with 128 plus its number and leaves no process.
. "$(dirname "$0")/common.sh"
env --default-signal=INT true 2>/dev/null || skip "env cannot restore signals"
duration=$(unique_duration 1)

for signal in INT TERM HUP QUIT; do
    case $signal in INT) number=2 ;; TERM) number=15 ;; HUP) number=1 ;; QUIT) number=3 ;; esac
    # A shell starts background processes with SIGINT and SIGQUIT ignored.
    env --default-signal=INT,QUIT "$oshrun" -n 3 sh -c "sleep $duration & (setsid sleep $duration &); wait" >out 2>err &
    launcher=$!
    wait_until as_many_sleep 6 "$duration" || fail "$signal: the job did not start"
    kill -s $signal $launcher
    wait $launcher
    code=$?
    expect_code $((128 + number)) "$signal"
    expect_line "oshrun: stopped by signal $number (*)"
    wait_until none_sleeps "$duration" || fail "$signal: processes are left: $(sleepers "$duration")"
done

# PEs may tidy up.
env --default-signal=INT,QUIT "$oshrun" -n 2 sh -c "trap 'echo tidy; exit 0' TERM; sleep $duration & wait" >out 2>err &
launcher=$!
wait_until as_many_sleep 2 "$duration" || fail "the job did not start"
kill -s TERM $launcher
wait $launcher
code=$?
expect_code 143 "tidying"
expect_out "tidy
tidy"

# A launcher whose user has SIGTERM ignored still notices the end of its other half.
sh -c "trap '' TERM; exec '$oshrun' -n 2 sleep $duration" >out 2>err &
launcher=$!
wait_until as_many_sleep 2 "$duration" || fail "the job did not start"
kill -9 $launcher
wait $launcher 2>/dev/null
wait_until none_sleeps "$duration" || fail "SIGTERM ignored: processes are left"

# SIGUSR1 is for the program.
"$oshrun" -n 2 sh -c "trap 'echo got it; exit 0' USR1; sleep $duration & wait" >out 2>err &
launcher=$!
wait_until as_many_sleep 2 "$duration" || fail "the job did not start"
kill -s USR1 $launcher
wait $launcher
code=$?
expect_code 0 "SIGUSR1"
expect_out "got it
got it"
finish
