#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PEs are pinned to different processors when there are enough, and the job is told how many there are.
. "$(dirname "$0")/common.sh"
allowed='sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" /proc/self/status'
bound='echo "$SKERRY_JOB" | sed "s/.*bound=\([01]\).*/\1/"'
mine=$(eval "$allowed")
processors=$(nproc)

run "$oshrun" sh -c "$allowed"
[ "$(sort -u out | wc -l)" -eq "$processors" ] || fail "default: $(cat out)"
run "$oshrun" sh -c "$bound"
[ "$(sort -u out)" = 1 ] || fail "default is not bound"

run "$oshrun" -n 2 --bind none sh -c "$allowed"
[ "$(sort -u out)" = "$mine" ] || fail "none: $(cat out)"
run "$oshrun" -n 2 --bind none sh -c "$bound"
[ "$(sort -u out)" = 0 ] || fail "none is bound"

run "$oshrun" -n $((processors + 1)) sh -c "$allowed"
[ "$(sort -u out)" = "$mine" ] || fail "more PEs than processors: $(cat out)"
run "$oshrun" -n $((processors * 2)) --bind core sh -c "$allowed"
[ "$(sort -u out | wc -l)" -eq "$processors" ] || fail "twice around: $(cat out)"
run "$oshrun" -n $((processors * 2)) --bind core sh -c "$bound"
[ "$(sort -u out)" = 0 ] || fail "shared processors count as own"
run "$oshrun" -n 1 --bind socket sh -c "$allowed"
expect_code 0 "socket"

first=${mine%%[-,]*}
run taskset -c "$first" "$oshrun" sh -c "$allowed; echo \$SKERRY_JOB"
sed -n 1p out | grep -qx "$first" || fail "outside of the own set: $(cat out)"
grep -q 'pes=1,.*cpus=1,' out || fail "processors miscounted: $(cat out)"

# A control group may grant less time than there are processors.
group='mount -t tmpfs none /sys/fs/cgroup && echo "100000 100000" >/sys/fs/cgroup/cpu.max'
if unshare -rm sh -c "$group" 2>/dev/null; then
    run unshare -rm sh -c "$group && exec '$oshrun' sh -c 'echo \$SKERRY_JOB'"
    grep -q 'pes=1,.*cpus=1,' out || fail "the control group's limit is not seen: $(cat out err)"
fi
finish
