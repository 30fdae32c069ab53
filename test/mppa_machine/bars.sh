#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bars.sh BIN: all conditions that skerry bench --machine mppa prints hold, for the library and for the hardware alone.
set -eu
report=$("$1/skerry" bench --machine mppa --json)
[ "$(echo "$report" | grep -c '"holds": true')" -ge 25 ] || {
    echo "bars.sh: fewer conditions than expected: $report" >&2
    exit 1
}
if echo "$report" | grep '"holds": false' >&2; then
    echo "bars.sh: these conditions do not hold" >&2
    exit 1
fi
