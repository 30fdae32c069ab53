# SPDX-License-Identifier: BSD-3-Clause
# Read by every test here. After test/launch/common.sh: finds mpirun, builds the program, and runs jobs.
. "$(dirname "$0")/../launch/common.sh"
command -v mpirun >/dev/null || skip "no mpirun (openmpi-bin)"
mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "mpirun is not Open MPI's"
[ -f "$SKERRY_BIN/../lib/skerry/start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
"$SKERRY_BIN/oshcc" -O1 -g "$here/pe.c" -o pe || exit 1
unset SKERRY_PMIX PMIX_NAMESPACE PMIX_RANK
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_orte_tmpdir_base=$work # goes away with the test, also if mpirun is killed
export OMPI_MCA_orte_tmpdir_base OMPI_MCA_rmaps_base_oversubscribe OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# job PES MODE: runs ./pe; leaves $code, out and err, with the lines of out sorted
job() {
    pes=$1
    shift
    run mpirun -n "$pes" ./pe "$@" </dev/null
    sort -o out out
}

# The output of PES PEs that have worked.
work_of() {
    i=0
    while [ "$i" -lt "$1" ]; do
        echo "PE $i of $1"
        i=$((i + 1))
    done | sort
}

expect_work() {
    expect_code 0 "$2"
    expect_out "$(work_of "$1")"
}

# Standard error has exactly one line of Skerry, and it matches a pattern of grep.
expect_skerry_line() {
    [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$2: expected one line of skerry, got: $(head -c 500 err)"
    grep -q "^skerry: $1\$" err || fail "$2: expected \"$1\", got: $(head -c 500 err)"
}

# no_pe_left: no process runs this test's program
no_pe_left() { [ -z "$(ps -eo args= | awk -v program="$PWD/pe" '$1 == program')" ]; }
