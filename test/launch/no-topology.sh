#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where /sys is missing, as in a bare chroot, nothing is known about cores and sockets: jobs run, PEs are pinned to
# processors, and nothing is said about it.
. "$(dirname "$0")/common.sh"
unshare -m -r sh -c 'mount -t tmpfs none /sys' 2>err || skip "no name spaces here: $(head -1 err)"
allowed=$(taskset -cp $$ | sed 's/.*: //')

without_sys() {
    run unshare -m -r sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@"
    expect_code 0 "$*"
    expect_silence
}
without_sys "$oshrun" -n 1 --bind core sh -c 'taskset -cp $$ | sed "s/.*: //"'
case $(cat out) in
*[!0-9]* | "") fail "not pinned to one processor: $(cat out)" ;;
esac
without_sys "$oshrun" -n 1 --bind socket sh -c 'taskset -cp $$ | sed "s/.*: //"'
expect_out "$allowed"
without_sys "$oshrun" -n 2 true
without_sys "$SKERRY_BIN/skerry" info
# A /sys that is there but holds nothing of use.
run unshare -m -r sh -c 'mount -t tmpfs none /sys && mkdir -p /sys/devices/system/cpu && exec "$@"' \
    sh "$oshrun" -n 1 --bind core true
expect_code 0 "empty folder"
expect_silence
finish
