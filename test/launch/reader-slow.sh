#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A reader that reads nothing holds up neither the end of a job that failed, nor --timeout, nor the line about it. Each
# check runs in a folder of its own, and all run at the same time, because they mostly sleep.
. "$(dirname "$0")/common.sh"
exits_with_7="[ \$SKERRY_PE = 0 ] && exec yes; sleep 0.5; exit 7"

# Runs oshrun with these arguments and a reader that reads nothing; sets $code and $seconds. $place says what goes to the
# pipe: standard output, or standard error too ("both").
unread() {
    sleep 100 <pipe &
    reader=$!
    begin=$(date +%s)
    case $place in
    both) timeout -k 5 60 "$oshrun" "$@" >pipe 2>&1 ;;
    *) timeout -k 5 60 "$oshrun" "$@" >pipe 2>err ;;
    esac
    code=$?
    seconds=$(($(date +%s) - begin))
    kill $reader
    wait $reader 2>/dev/null
}

check_failed() {
    unread -n 2 sh -c "$exits_with_7"
    expect_code 7 "failed"
    [ "$(head -1 err | sed 's/process [0-9]*/process N/')" = "oshrun: PE 1 (process N) exited with code 7; job stopped" ] || fail "$(cat err)"
    [ "$(wc -l <err)" -eq 2 ] || fail "$(cat err)"
    case $(tail -1 err) in *"bytes of output are lost, because the reader of oshrun's output does not read them") ;; *) fail "$(cat err)" ;; esac
    [ $seconds -lt 30 ] || fail "$seconds seconds"
}

check_failed_with_limit() {
    unread -n 2 --timeout 3 sh -c "$exits_with_7"
    expect_code 7 "failed, with a limit"
    [ $seconds -lt 20 ] || fail "--timeout 3: $seconds seconds"
}

check_ended_with_limit() {
    unread -n 2 --timeout 3 sh -c 'yes | head -c 100000'
    expect_code 124 "ended, with a limit"
    case $(cat err) in *"job stopped after 3 s (--timeout), all PEs have ended, but the reader of oshrun's output does not read the rest"*) ;; *) fail "$(cat err)" ;; esac
}

check_running_with_limit() {
    unread -n 2 --timeout 3 yes
    expect_code 124 "running, with a limit"
}

# Both streams in one pipe: the line about the job comes behind the output that nobody reads.
check_one_pipe() {
    place=both
    unread -n 2 sh -c "$exits_with_7"
    expect_code 7 "failed, one pipe"
    [ $seconds -lt 30 ] || fail "one pipe: $seconds seconds"
}

check_one_pipe_with_limit() {
    place=both
    unread -n 2 --timeout 3 sh -c "[ \$SKERRY_PE = 0 ] && exec yes >&2; sleep 0.5; exit 7"
    expect_code 7 "failed, one pipe, with a limit"
    [ $seconds -lt 20 ] || fail "one pipe, --timeout 3: $seconds seconds"
}

check_one_pipe_ended() {
    place=both
    unread -n 2 --timeout 3 sh -c 'yes | head -c 100000'
    expect_code 124 "ended, one pipe, with a limit"
    [ $seconds -lt 20 ] || fail "ended, one pipe, --timeout 3: $seconds seconds"
}

# A reader that is only late gets the whole line, at the end and on a line of its own.
check_late() {
    (sleep 3; cat) <pipe >got &
    timeout -k 5 60 "$oshrun" -n 2 sh -c "$exits_with_7" >pipe 2>&1
    code=$?
    wait
    expect_code 7 "failed, one pipe, read late"
    [ "$(tail -1 got | sed 's/process [0-9]*/process N/')" = "oshrun: PE 1 (process N) exited with code 7; job stopped" ] || fail "read late: $(tail -1 got)"
}

together failed failed_with_limit ended_with_limit running_with_limit one_pipe one_pipe_with_limit one_pipe_ended late
finish
