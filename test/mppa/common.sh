# SPDX-License-Identifier: BSD-3-Clause
# Read by every test here: what the launcher's tests read, and building a master and the programs of clusters.
# shellcheck source=test/launch/common.sh
. "$(dirname "$0")/../launch/common.sh"

# Builds NAME.c as an I/O program, a cluster's or a host program: io NAME, cluster NAME, host NAME.
io() {
    "$SKERRY_BIN/oshcc" --mppa=io -O2 -g -Wall -Wextra -Werror "$here/$1.c" -o "$1" || exit 1
}
cluster() {
    "$SKERRY_BIN/oshcc" --mppa=cluster -O2 -g -Wall -Wextra -Werror "$here/$1.c" -o "$1" || exit 1
}
host() {
    "$SKERRY_BIN/oshcc" --mppa=host -O2 -g -Wall -Wextra -Werror "$here/$1.c" -o "$1" -lpcie -lmppa_remote || exit 1
}

# No process of this test is left, by the name of its program, after at most ten seconds.
none_left() {
    left=0
    for exe in /proc/[0-9]*/exe; do
        case $(readlink "$exe" 2>/dev/null) in "$work/$1") left=$((left + 1)) ;; esac
    done
    [ "$left" -eq 0 ]
}
expect_gone() { wait_until none_left "$1" || fail "$left processes of $1 are left"; }
