#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --tag-output puts the PE before each line of both outputs.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 2 --tag-output sh -c 'echo a; echo; echo "b c"; echo d >&2'
expect_code 0
[ "$(sort out | tr '\n' '|')" = "[0] |[0] a|[0] b c|[1] |[1] a|[1] b c|" ] || fail "$(cat out)"
[ "$(sort err | tr '\n' '|')" = "[0] d|[1] d|" ] || fail "$(cat err)"
finish
