# SPDX-License-Identifier: BSD-3-Clause
# Read by tests here. Their first argument is the folder of oshcc and oshrun. Each works in a folder that goes away.
set -eu
PATH=$1:$PATH
test_name=${0##*/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "$test_name: $*" >&2
    exit 1
}
