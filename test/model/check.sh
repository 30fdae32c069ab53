#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Model-checks the subtle protocols with spin: each must hold, and each deliberate mistake must be found (a model that cannot
# fail proves nothing). Usage: check.sh DIRECTORY-OF-MODELS; works in the current directory.
set -eu
models=$1
command -v spin >/dev/null || { echo "check.sh: spin is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
checked=0

# verify EXPECTED MODEL OPTIONS...: EXPECTED is holds or fails
verify() {
    expected=$1 model=$2 optimize=-O1
    shift 2
    if [ "$expected" = fails ]; then optimize=-O0; fi # soon found
    spin -a "$@" "$models/$model.pml" >spin.log 2>&1 || { cat spin.log >&2; exit 1; }
    ${CC:-cc} $optimize -w -DSAFETY -DMEMLIM=4000 -o pan pan.c
    ./pan -m200000 >pan.log 2>&1 || true
    if grep -q 'errors: 0' pan.log && ! grep -q 'max search depth too small\|out of memory' pan.log; then
        outcome=holds
    else
        outcome=fails
    fi
    echo "$model $* : $outcome, $(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log) states"
    if [ "$outcome" != "$expected" ]; then
        echo "check.sh: $model $* should be: $expected" >&2
        cat pan.log >&2
        exit 1
    fi
    rm -f pan pan.* ./*.trail
    checked=$((checked + 1))
}

verify holds wait
verify fails wait -DWITHOUT_MEMBARRIER
verify fails wait -DFLAG_AFTER_LOOK
verify fails wait -DBELLS=2
verify holds wait -DFEW
verify fails wait -DFEW -DFEW_TAKES_FLAG
verify holds sleep_flag
verify fails sleep_flag -DWITHOUT_FENCE
verify fails sleep_flag -DALL_FIRST
verify fails sleep_flag -DALL_BY_ANYONE
verify fails sleep_flag -DSTOP_BY_STORE
verify holds parked
verify holds parked -DWORDS=2 -DPARKERS=1
verify fails parked -DWITHOUT_MEMBARRIER
verify fails parked -DGIVE_UP
verify fails parked -DUNCOUNTED -DWORDS=2
verify fails parked -DLOOK_FIRST
verify holds parked_private
verify fails parked_private -DWITHOUT_WANTED
verify fails parked_private -DONE_TRY
verify holds counter
verify fails counter -DADD_FIRST
verify fails counter -DPLAIN_ADD
verify fails counter -DRESET
verify fails counter -DEQUAL
verify holds mailbox
verify fails mailbox -DNUMBER_FIRST
verify fails mailbox -DWITHOUT_LEAVE
verify fails mailbox -DSAME_NUMBER
verify fails mailbox -DREAD_LATE
verify holds inside
verify fails inside -DWITHOUT_FENCE
verify fails inside -DLOOK_FIRST
verify fails inside -DLEAVE_FIRST
verify holds lock
verify fails lock -DPLAIN_RELEASE
verify holds barrier -DKIND=0
verify holds barrier -DKIND=1
verify holds barrier -DKIND=2
verify holds barrier -DKIND=1 -DPES=4
verify fails barrier -DKIND=3 -DPES=4
verify holds barrier -DKIND=4
verify fails barrier -DKIND=5
verify holds broadcast
verify fails broadcast -DWITHOUT_ROOM
verify holds exchange
verify fails exchange -DHALVES=1
verify holds channel
verify fails channel -DFLAGS
verify fails channel -DSIGNAL_FIRST
verify fails channel -DUNASKED
verify fails channel -DUNWRAPPED
verify holds lock_narrow
verify fails lock_narrow -DPLAIN_RELEASE
verify fails lock_narrow -DGIVE_UP
verify fails lock_narrow -DLOAD=LOAD_PAST
verify holds interrupt
verify holds interrupt -DGETS=2 -DRAISINGS=0 -DADDITIONS=0
verify holds interrupt -DGETS_OF_2=1 -DRAISINGS=0 -DADDITIONS=0
verify holds interrupt -DGETS=0 -DRAISINGS=2
verify fails interrupt -DINTERRUPT_FIRST
verify fails interrupt -DGETS=2 -DRAISINGS=0 -DADDITIONS=0 -DSERVED_LATE
verify fails interrupt -DGETS=0 -DRAISINGS=2 -DHANDLED_LATE
verify fails interrupt -DGETS=0 -DUNMASKED
verify holds get_later
verify fails get_later -DMASKED_LATE
verify fails get_later -DUNMASKED
verify fails get_later -DGOT_FIRST
verify fails get_later -DUNNOTED
verify fails get_later -DFORGET
verify holds quiet
verify fails quiet -DMARK_FIRST
verify fails quiet -DANY_CHANNEL
verify fails quiet -DIDLE_LATE
verify fails quiet -DSTARTED_UNSEEN
verify fails quiet -DINTERRUPTED
verify fails quiet -DBELIEVE_LOADS
verify holds quiet -DFIRST=16
verify fails quiet -DSIGNED
verify fails quiet -DONCE
verify holds queue
verify holds queue -DREADERS=2
verify fails queue -DPUBLISH_FIRST
verify fails queue -DNO_ROOM
verify fails queue -DRELEASE_FIRST
verify fails queue -DPLAIN_TICKET
verify fails queue -DUNWRAPPED
verify fails queue -DREADERS=2 -DRELEASE_FIRST
verify fails queue -DREADERS=2 -DHEAD_FIRST
verify holds attending
verify fails attending -DLOOK_FIRST
verify fails attending -DSERVE_FIRST
verify fails attending -DBUSY_LAST
verify holds deque
verify fails deque -DOWNER_UNFENCED
verify fails deque -DTHIEF_UNFENCED
verify fails deque -DPUBLISH_FIRST
verify fails deque -DNO_MARGIN
verify fails deque -DNOT_RESTORED
verify fails deque -DBELIEVE_CLAIM
verify holds drain
verify fails drain -DMADE_FIRST
verify fails drain -DCOUNT_LATE
verify fails drain -DNOT_ALL
verify fails drain -DFINISH_FIRST
verify holds children
verify holds children -DDETACHED=1
verify holds children -DMOST=1
verify holds children -DMOST=1 -DDETACHED=1
verify fails children -DMOST=1 -DKEEP_FINISHED
verify fails children -DFINISH_LAST
verify fails children -DBLIND
verify fails children -DADD_LATE
verify fails children -DDETACHED=1 -DEND_LATE
verify holds share
verify holds share -DTHREADS=2 -DCONSTRUCTS=5 -DSPARES_MAX=0
verify holds share -DWITHOUT_FIRST -DTHREADS=2
verify fails share -DCOUNT_FIRST
verify fails share -DREADY_FIRST
verify fails share -DREADY_KEPT
verify fails share -DCLEAR_LATE
verify fails share -DLINK_BY_STORE
verify fails share -DTAKE_ONE -DCONSTRUCTS=4 -DSPARES_MAX=0
verify holds ranges -DCHUNKS=4
verify holds ranges -DTHREADS=2 -DCHUNKS=7
verify fails ranges -DTHIEF_STORES
verify fails ranges -DOWNER_STORES
verify fails ranges -DBELIEVE_LOOK
verify fails ranges -DNOT_CLEARED -DTHREADS=2
verify fails ranges -DKEEP_FIRST
verify fails ranges -DLAST_IN_RANGE
verify holds mutex
verify fails mutex -DWITHOUT_MEMBARRIER
verify fails mutex -DLOOK_FIRST
verify fails mutex -DMARK_BY_STORE
verify fails mutex -DMARK_EARLY
verify fails mutex -DKEEP_MARK
verify holds single
verify fails single -DLOOK_THEN_STORE
verify fails single -DPOST_FIRST
verify fails single -DNO_BARRIER
verify fails single -DFLAG
verify holds doacross
verify fails doacross -DOUTER_FIRST
verify fails doacross -DINNER_FIRST
verify holds wand
verify fails wand -DKEPT
verify fails wand -DCLEARED_LATE
verify fails wand -DPUT_BACK
verify holds rpc
verify holds rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2
verify holds rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DDEPTH=2
verify holds rpc -DCALLS_OF_2=0 -DGETS=1
verify fails rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DSLEEP_UNLOCKED
verify fails rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DGATE_FIRST
verify fails rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DAWAKE_BY_GATE
verify fails rpc -DINTERRUPT_FIRST
verify fails rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DDEPTH=2 -DEND_FIRST
verify fails rpc -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DFREE_FIRST
verify fails rpc -DANSWER_FIRST
verify fails rpc -DUNMASKED
verify fails rpc -DCALLS_OF_2=0 -DGETS=1 -DIN_HANDLER
verify holds rpc -DCALLS_OF_0=0 -DHOLDS=1
verify fails rpc -DCALLS_OF_0=0 -DHOLDS=1 -DOPEN_SILENTLY
verify holds rpc_class
verify holds rpc_class -DURGENT=0 -DCALLS=1
verify holds rpc_class -DURGENT=0
verify fails rpc_class -DNO_DOZE
verify fails rpc_class -DDOZE_UNTOLD
verify fails rpc_class -DURGENT=0 -DCALLS=1 -DLIMIT_UNLOCKED
verify fails rpc_class -DWAKE_FIRST
verify fails rpc_class -DURGENT=0 -DCLASS_UNSEEN
echo "$checked passed, 0 failed"
