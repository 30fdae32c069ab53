/* SPDX-License-Identifier: BSD-3-Clause
 * The queue lock of src/primitive/lock.c. PES processes take and release it ROUNDS times.
 * Checks mutual exclusion, that no process waits for ever, and that all words are 0 at the end.
 * Mistake: -DPLAIN_RELEASE the holder stores 0 to its successor's word instead of subtracting WAITING, which loses a
 * link.
 */
// check: holds
// check: fails -DPLAIN_RELEASE
#define PES 3
#define ROUNDS 2
#define WAITING 32
#define LINK(x) ((x) & 15)
#define LAST(q) ((q) & 15)
#define HOLDER(q) ((q) >> 4)
#define ALONE(me) ((me) * 17)

byte queue;      /* word of the home PE: the holder, and the last PE of the queue */
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
        atomic { before = queue; if :: queue == 0 -> queue = ALONE(me) :: else fi }
        if
        :: before == 0
        :: else ->
            next[_pid] = WAITING;
            atomic { /* the code repeats a compare-swap until it succeeds; this is the last one */
                before = queue;
                if
                :: queue == 0 -> queue = ALONE(me)
                :: else -> queue = HOLDER(queue) * 16 + me
                fi
            }
            if
            :: before == 0 -> next[_pid] = next[_pid] - WAITING              /* one atomic addition */
            :: else -> next[LAST(before) - 1] = next[LAST(before) - 1] + me /* one atomic addition */
            fi;
            (next[_pid] & WAITING) == 0
        fi;
        holders++;
        assert(holders == 1);
        assert(HOLDER(queue) == me);
        holders--;
        /* release the lock, or hand it over to the successor */
        atomic { before = queue; if :: queue == ALONE(me) -> queue = 0 :: else fi }
        if
        :: before == ALONE(me)
        :: else ->
            LINK(next[_pid]) != 0;
            successor = LINK(next[_pid]);
            next[_pid] = 0;
            queue = queue + (successor - me) * 16; /* one atomic addition */
#ifdef PLAIN_RELEASE
            next[successor - 1] = 0
#else
            next[successor - 1] = next[successor - 1] - WAITING /* one atomic addition */
#endif
        fi;
        round++
    :: else -> break
    od;
    atomic {
        finished++;
        if
        :: finished == PES -> assert(queue == 0 && next[0] == 0 && next[1] == 0 && next[2] == 0)
        :: else
        fi
    }
}
