#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# repeat.sh TIMES COMMAND...: passes when COMMAND succeeds so many times in a row; for what goes wrong only now and then.
set -u
left=$1
shift
while [ "$left" -gt 0 ]; do
    "$@" || exit 1
    left=$((left - 1))
done
