#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that oshrun has no right to kill is waited for as long as the job goes well, and left alone when it does not: after a failure
# and at the end of --timeout.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root can make a program of other rights"
command -v setpriv >/dev/null || skip "no setpriv"
user="setpriv --reuid 65534 --regid 65534 --clear-groups"
build other-rights
chmod 755 "$work"
cp "$oshrun" oshrun
chmod 4755 other-rights
$user test -x "$work/oshrun" || skip "an unprivileged user cannot get here"

# Process ids of all programs of other rights.
others() { ps -eo pid=,args= | awk '$2 == "./other-rights" { print $1 }'; }

begin=$(date +%s)
run $user ./oshrun -n 2 --bind none sh -c '[ "$SKERRY_PE" = 1 ] && exec ./other-rights; sleep 1; exit 4'
seconds=$(($(date +%s) - begin))
left=$(others)
[ -n "$left" ] || skip "programs do not change the user here"
kill $left
expect_code 4
[ "$(head -1 err)" = "oshrun: PE 1 cannot be killed (no permission, or it waits in the kernel): left running" ] || fail "$(cat err)"
sed -i 1d err
expect_line 'oshrun: PE 0 (process *) exited with code 4; job stopped'
[ "$seconds" -lt 12 ] || fail "oshrun took $seconds seconds"

# --timeout
begin=$(date +%s)
run $user ./oshrun -n 2 --bind none --timeout 1 sh -c '[ "$SKERRY_PE" = 1 ] && exec ./other-rights; exec sleep 30'
seconds=$(($(date +%s) - begin))
left=$(others)
[ -n "$left" ] || fail "it was killed"
kill $left
expect_code 124 "--timeout"
[ "$(head -1 err)" = "oshrun: PE 1 cannot be killed (no permission, or it waits in the kernel): left running" ] || fail "--timeout: $(cat err)"
sed -i 1d err
expect_line 'oshrun: job stopped after 1 s (--timeout), PEs 0-1 still running'
[ "$seconds" -lt 12 ] || fail "--timeout 1 took $seconds seconds"
finish
