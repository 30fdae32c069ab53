/* SPDX-License-Identifier: BSD-3-Clause
 * rendezvous_of_oversubscribed in src/primitive/levels/levels.c. The members of a node count their arrivals. The last one to
 * arrive does the work of the node, or leaves it to the leader (member 0) if its network is not open. The word `released` is
 * for all members, `handed` (in the second member's area) for the leader: all have arrived.
 * Checks that the work is done once in each barrier, when all members have arrived and before any of them leaves, and that no
 * member waits for ever.
 * Mistake: with -DLEADER_FIRST a member that has done the work releases the leader before it releases the others. The leader
 * does the work again.
 */
// check: holds
// check: fails -DLEADER_FIRST
#define MEMBERS 3
#define BARRIERS 3

byte arrived, released, handed, done;

active [MEMBERS] proctype member() {
    byte epoch;
    bool is_last, finishes;
    do
    :: epoch < BARRIERS ->
        epoch++;
        atomic { arrived++; is_last = arrived == epoch * MEMBERS }
        finishes = false;
        if
        :: is_last && _pid == 0 -> finishes = true
        :: is_last && _pid != 0 -> finishes = true // its network is open
        :: is_last && _pid != 0 -> handed = epoch
        :: !is_last && _pid == 0 ->
            handed >= epoch;
            finishes = released < epoch
        :: else
        fi;
        if
        :: finishes ->
            assert(arrived == epoch * MEMBERS && done == epoch - 1);
            done = epoch;
#ifdef LEADER_FIRST
            if
            :: _pid != 0 -> handed = epoch
            :: else
            fi;
            released = epoch
#else
            released = epoch;
            if
            :: _pid != 0 -> handed = epoch
            :: else
            fi
#endif
        :: else
        fi;
        released >= epoch;
        assert(done >= epoch)
    :: else -> break
    od
}
