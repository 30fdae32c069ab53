#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skerry bench --table --vs: Open MPI's launcher is told what it wants to be told, and each figure that is not measured says why.
. "$(dirname "$0")/common.sh"
[ "$(nproc)" -ge 2 ] || skip "needs two processors"
cat >wrapper <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && : >"$2"
    shift
done
END
cat >launcher <<'END'
#!/bin/sh
echo "told: root ${OMPI_ALLOW_RUN_AS_ROOT-no} ${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM-no}, crowd $OMPI_MCA_rmaps_base_oversubscribe, osc $OMPI_MCA_osc" >&2
echo ------------------------ >&2
exit 3
END
chmod +x wrapper launcher
root="no no"
[ "$(id -u)" -ne 0 ] || root="1 1"
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
OMPI_MCA_osc=mine timeout 250 "$SKERRY_BIN/skerry" bench --table --no-limits --repeat 1 --seconds 0.001 --vs "fake=./wrapper ./launcher" >out 2>err || :
grep -q "broadcast 8, 16 PEs .* | not measured: fake: collective with 16 PEs failed: exit code 3: told: root $root, crowd 1, osc mine |\$" out ||
    fail "no reason: $(grep 'broadcast 8, 16' out)"
! grep -E 'not measured( \||: *\||: fake: no figure)' out || fail "a figure without a reason"
finish
