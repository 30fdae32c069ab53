#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Large puts and gets go by remote access if UCX puts by a lane whose memory domain registers memory, or if
# SKERRY_NETWORK_PUT says so, and by messages otherwise.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}
[ -f "$SKERRY_REMOTE_ACCESS" ] || fail "the library $SKERRY_REMOTE_ACCESS is not there"
"$SKERRY_BIN/oshcc" -O2 -o "$folder/choice" "$(dirname "$0")/choice.c" || fail "choice.c does not compile"

# expect COUNTS VARIABLE=VALUE... : the numbers of puts and gets of the PEs, sorted, in a job with these variables.
expect() {
    expected=$1
    shift
    env "$@" SKERRY_NODES=2 UCX_ERROR_SIGNALS= UCX_MEM_EVENTS=n REMOTE_ACCESS_COUNTS=1 LD_PRELOAD="$SKERRY_REMOTE_ACCESS" \
        "$SKERRY_BIN/oshrun" --timeout 30 -n 2 "$folder/choice" 2>"$folder/errors" || fail "$*: $(cat "$folder/errors")"
    grep -v '^remote_access: [0-9]*$' "$folder/errors" && fail "$*: unexpected output"
    # The launcher's own process, which has no puts, counts 0 too.
    counts=$(sed 's/^remote_access: //' "$folder/errors" | sort -rn | head -n 2 | tr '\n' ' ')
    [ "$counts" = "$expected " ] || fail "$*: puts and gets by remote access are $counts instead of $expected"
}
expect "0 0" UCX_TLS=tcp,self
expect "0 0" UCX_TLS=posix,cma,self
expect "0 0" UCX_TLS=posix,cma,self REMOTE_ACCESS_REGISTERS=sysv
expect "1 1" UCX_TLS=posix,cma,self REMOTE_ACCESS_REGISTERS=posix
expect "1 1" UCX_TLS=sysv,self REMOTE_ACCESS_REGISTERS=sysv
expect "0 0" UCX_TLS=posix,cma,self REMOTE_ACCESS_REGISTERS=posix SKERRY_NETWORK_PUT=message
expect "1 1" UCX_TLS=tcp,self SKERRY_NETWORK_PUT=remote
expect "1 1" UCX_TLS=tcp,self SKERRY_NETWORK_PUT=remote:100000
expect "0 0" UCX_TLS=tcp,self SKERRY_NETWORK_PUT=remote:100001
