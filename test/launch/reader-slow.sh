#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A reader that reads nothing holds up neither the end of a job that failed, nor --timeout, nor the line about it.
. "$(dirname "$0")/common.sh"
mkfifo pipe

# The arguments are oshrun's.
unread() {
    sleep 100 <pipe &
    reader=$!
    begin=$(date +%s)
    timeout -k 5 60 "$oshrun" "$@" >pipe 2>err
    code=$?
    seconds=$(($(date +%s) - begin))
    kill $reader
    wait $reader 2>/dev/null
}

unread -n 2 sh -c "[ \$SKERRY_PE = 0 ] && exec yes; sleep 0.5; exit 7"
expect_code 7 "failed"
[ "$(head -1 err | sed 's/process [0-9]*/process N/')" = "oshrun: PE 1 (process N) exited with code 7; job stopped" ] || fail "$(cat err)"
[ "$(wc -l <err)" -eq 2 ] || fail "$(cat err)"
case $(tail -1 err) in *'bytes of output are dropped, because nobody reads them') ;; *) fail "$(cat err)" ;; esac
[ $seconds -lt 30 ] || fail "$seconds seconds"

unread -n 2 --timeout 3 sh -c "[ \$SKERRY_PE = 0 ] && exec yes; sleep 0.5; exit 7"
expect_code 7 "failed, with a limit"
[ $seconds -lt 9 ] || fail "--timeout 3: $seconds seconds"

unread -n 2 --timeout 3 sh -c 'yes | head -c 100000'
expect_code 124 "ended, with a limit"
case $(cat err) in *'job stopped after 3 s (--timeout), all PEs have ended, and nobody reads their output'*) ;; *) fail "$(cat err)" ;; esac

unread -n 2 --timeout 3 yes
expect_code 124 "running, with a limit"
finish
