# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BIN: skerry bench --machine epiphany-iii openmp prints each construct, and the times with 16 cores are below their
# limits.
set -eu
bin=$1
table=$("$bin/skerry" bench --machine epiphany-iii openmp)
# at_most ROW LIMIT: the row's time with 16 cores is a number, at most LIMIT.
at_most() {
    cycles=$(printf '%s\n' "$table" | grep -F "| $1 |" | head -1 | cut -d'|' -f7 | tr -d ' ')
    if [ "${cycles:-$(($2 + 1))}" -gt "$2" ]; then
        echo "bench.sh: $1 takes ${cycles:-no} cycles, more than $2: $table" >&2
        exit 1
    fi
}
at_most '`parallel`' 320
at_most '`barrier`' 120
at_most '`for`, static' 130
at_most '`single`' 150
at_most 'the same by TESTSET, by hand' 55
by_hand=$cycles
at_most '`critical`' $((by_hand * 13 / 10))
at_most '`critical`, the first core alone' 40
at_most '`atomic`' 70
at_most '`parallel` with a `reduction`' 1400
at_most 'a task is made' 360
