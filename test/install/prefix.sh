#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installation works after it has been moved elsewhere, also to a place with a blank in its name. It has at most 25 MB.
. "$(dirname "$0")/common.sh"
cmake --install "$SKERRY_BUILD" --strip --prefix "$work/first" >install.log || fail "cmake --install: $(cat install.log)"
mkdir "$work/another place"
mv "$work/first" "$work/another place/second"
bytes=$(find "$work/another place/second" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
[ "$bytes" -le 25000000 ] || fail "the installation has $bytes bytes, more than 25 MB"
[ ! -e "$work/another place/second/lib/debug" ] || fail "debug information is installed unasked"
cmake --install "$SKERRY_BUILD" --prefix "$work/debug" --component debug >install.log || fail "cmake --install --component debug: $(cat install.log)"
debug_is_below "$work/debug/lib/debug" "$work/another place/second/bin/oshrun"
try_installation "$work/another place/second" "$work/first"
