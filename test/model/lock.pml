/* SPDX-License-Identifier: BSD-3-Clause
 * The queue lock of src/primitive/lock.c. PES processes take and release it ROUNDS times.
 * Checks mutual exclusion, that no process waits for ever, and that all words are 0 at the end.
 * Mistake: -DPLAIN_RELEASE the holder stores HOLDING to its successor's word instead of adding to it, which loses a link.
 */
// check: holds
// check: fails -DPLAIN_RELEASE
#define PES 3
#define ROUNDS 2
#define HOLDING 32
#define WAITING 64
#define LINK(x) ((x) & 15)

byte last;       /* word of the home PE: the last PE of the queue */
byte next[PES];
byte holders;
byte finished;

active [PES] proctype pe() {
    byte me = _pid + 1;
    byte round, before, successor;
    do
    :: round < ROUNDS ->
        /* take the lock, or join the queue and wait */
        assert(next[_pid] == 0);
        next[_pid] = HOLDING;
        atomic { before = last; if :: last == 0 -> last = me :: else fi }
        if
        :: before == 0
        :: else ->
            next[_pid] = WAITING;
            atomic { before = last; last = me } /* a swap */
            if
            :: before == 0 -> next[_pid] = next[_pid] + HOLDING - WAITING    /* one atomic addition */
            :: else -> next[before - 1] = next[before - 1] + me             /* one atomic addition */
            fi;
            (next[_pid] & WAITING) == 0
        fi;
        holders++;
        assert(holders == 1);
        assert(next[_pid] & HOLDING);
        holders--;
        /* release the lock, or hand it over to the successor */
        before = 0;
        if
        :: next[_pid] == HOLDING -> atomic { before = last; if :: last == me -> last = 0 :: else fi }
        :: else
        fi;
        if
        :: before == me -> next[_pid] = 0
        :: else ->
            LINK(next[_pid]) != 0;
            successor = LINK(next[_pid]);
            next[_pid] = 0;
#ifdef PLAIN_RELEASE
            next[successor - 1] = HOLDING
#else
            next[successor - 1] = next[successor - 1] + HOLDING - WAITING /* one atomic addition */
#endif
        fi;
        round++
    :: else -> break
    od;
    atomic {
        finished++;
        if
        :: finished == PES -> assert(last == 0 && next[0] == 0 && next[1] == 0 && next[2] == 0)
        :: else
        fi
    }
}
