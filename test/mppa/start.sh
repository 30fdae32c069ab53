# SPDX-License-Identifier: BSD-3-Clause
# A master starts 1, 4 and 16 programs: arguments, environment, output and exit codes are right, with and without oshrun, and in
# the place of one that has ended another may be started.
. "$(dirname "$0")/common.sh"
io start_io
cluster start_cluster
STARTED_FROM=here
export STARTED_FROM
check() { # clusters, sum, command...
    clusters=$1
    sum=$2
    shift 2
    run "$@" "$clusters" start_cluster
    expect_code 0 "$* $clusters"
    expect_silence
    [ "$(tail -n 1 out)" = "sum of codes $sum" ] || fail "$* $clusters: $(cat out)"
    [ "$(grep -c '^cluster [0-9]* of here$' out)" -eq "$clusters" ] || fail "$* $clusters: lines: $(cat out)"
}
for start in ./start_io "$oshrun ./start_io" "$oshrun -n 1 --bind core ./start_io"; do
    # shellcheck disable=SC2086
    check 1 0 $start
    # shellcheck disable=SC2086
    check 4 6 $start
    # shellcheck disable=SC2086
    check 16 120 $start
done
# From elsewhere: the programs of one image lie in one folder.
cd / || exit 1
timeout 60 "$work/start_io" 2 start_cluster >"$work/out" 2>"$work/err" || fail "from another folder: $(cat "$work/err")"
cd "$work" || exit 1
run ./start_io 4 start_cluster 3
expect_code 0 "three rounds"
[ "$(tail -n 1 out)" = "sum of codes 18" ] || fail "three rounds: $(cat out)"
run ./start_io 1 start_cluster large
expect_code 0 "large arguments"
expect_out 'result -1'
expect_line 'skerry: PE 0: cannot start *start_cluster for cluster 0: *'
expect_gone start_cluster
finish
