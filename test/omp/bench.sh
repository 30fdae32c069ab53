#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh SKERRY LIBRARY PROGRAMS: the programs of `skerry bench omp` run on our library with few and with many threads and
# compute what they should; the driver prints what they measured.
set -eu
skerry=$1 library=$2 programs=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "bench: $*" >&2
    exit 1
}
for threads in 1 3; do
    for program in constructs reductions schedules arrays tasks fib queens lu cholesky bitonic stream loops regions; do
        OMP_NUM_THREADS=$threads LD_LIBRARY_PATH=$library timeout 100 "$programs/$program" --seconds 0.0001 --batch 0.00001 \
            >"$work/out" 2>&1 || fail "$program with $threads threads: $(cat "$work/out")"
        grep -q "^implementation $library/libgomp" "$work/out" || fail "$program ran on another: $(head -1 "$work/out")"
        ! grep '^wrong' "$work/out" || fail "$program with $threads threads computed something else"
        grep -q "^result [a-z_]* $threads " "$work/out" || fail "no result of $program: $(cat "$work/out")"
    done
done
"$skerry" bench omp --quick --only barrier,dense --pairs 1 --seconds 0.001 --peer none --library "$library" -n 1,2 --json >"$work/json"
grep -q '"name": "barrier", "threads": 2' "$work/json" || fail "no barrier: $(cat "$work/json")"
# A peer's name with characters that JSON must escape.
name=$(printf 'a"b\\\tc')
"$skerry" bench omp --quick --only barrier --pairs 1 --seconds 0.001 --no-limits --peer "$name=$library" --library "$library" -n 2 --json >"$work/json"
python3 -c 'import json, sys; sys.exit(sys.argv[2] not in json.load(open(sys.argv[1]))["contenders"])' "$work/json" "$name" ||
    fail "the peer is missing in the JSON, or it is no JSON: $(cat "$work/json")"
"$skerry" bench omp --quick --only barrier --pairs 1 --seconds 0.001 --peer none --library "$library" -n 2 >"$work/table"
grep -q '^barrier  *2 ' "$work/table" || fail "no table: $(cat "$work/table")"
for load in "--load 2" "--copies 2"; do
    # shellcheck disable=SC2086
    "$skerry" bench omp --only regions_short --pairs 1 --seconds 0.01 --peer none --no-limits --library "$library" -n 2 $load >"$work/table"
    grep -q '^regions_short  *2 ' "$work/table" || fail "$load: $(cat "$work/table")"
done
timeout --preserve-status -s KILL 2 "$skerry" bench omp --only regions_short --pairs 1 --seconds 4 --peer none --no-limits \
    --library "$library" -n 2 --load 1 >"$work/out" 2>&1 || true
sleep 1
if grep -la "[o]mp.--only.regions_short.--pairs.1.--seconds.4.*$library" /proc/[0-9]*/cmdline >"$work/out" 2>/dev/null; then
    fail "--load: a busy loop is left of a program that was killed: $(cat "$work/out")"
fi
"$skerry" bench omp --by-variant --quick --pairs 1 --seconds 0.001 --library "$library" -n 1 >"$work/table"
# Other programs may disturb the measurement of the work alone: a difference may be negative.
grep -q '^| reduction | scr | *-*[0-9]' "$work/table" || fail "--by-variant: $(cat "$work/table")"
grep -q '/omp-variants/libgomp' "$work/table" || fail "--by-variant ran on another library: $(cat "$work/table")"
"$skerry" bench omp --only lock --variant SKERRY_OMP_LOCK=queue --pairs 1 --seconds 0.001 --peer none --no-limits --library "$library" -n 1 \
    >"$work/table"
"$skerry" bench omp --only lock --variant lock=queue --pairs 1 --seconds 0.001 --peer none --no-limits --library "$library" -n 1 \
    >"$work/short" 2>&1 || fail "--variant lock=queue: $(cat "$work/short")"
grep -q '/omp-variants/libgomp' "$work/short" || fail "--variant lock=queue ran on another library: $(cat "$work/short")"
for wrong in rubbish =queue '' tasks=nope Tasks=srq colour=red; do
    code=0
    "$skerry" bench omp --only lock --variant "$wrong" --pairs 1 --seconds 0.001 --peer none --no-limits -n 1 >"$work/short" 2>&1 || code=$?
    [ $code = 2 ] || fail "--variant '$wrong': $(cat "$work/short")"
done
grep -q 'LOCK=queue' "$work/table" || fail "--variant: $(cat "$work/table")"
# On a machine with much else to do 1, 4 or 15 seconds may be too short for the first figure.
for times in "1 0.001" "4 0.001" "15 0.001" "100 0.2"; do # until it is interrupted; of a measurement
    code=0
    timeout --preserve-status -s INT "${times% *}" "$skerry" bench omp --no-limits --only barrier --pairs 1000 --seconds "${times#* }" --peer none \
        --library "$library" -n 2 >"$work/table" 2>"$work/errors" || code=$?
    [ "$code" -eq 130 ] || fail "interrupted: exit code $code: $(cat "$work/errors")"
    if grep -q '^barrier  *2 ' "$work/table"; then break; fi
done
grep -q '^barrier  *2 ' "$work/table" || fail "interrupted: what was measured is lost: $(cat "$work/table")"
for wrong in "--only nothing" "--peer nobody" "-n 0" "--pairs x"; do
    code=0
    # shellcheck disable=SC2086
    "$skerry" bench omp --library "$library" $wrong >"$work/out" 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "$wrong: exit code $code: $(cat "$work/out")"
done
