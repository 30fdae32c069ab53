/* SPDX-License-Identifier: BSD-3-Clause
 * The counted channels of src/primitive/channel.h, and other communication that consists of stores only. PES processes,
 * each at its own pace, execute ROUNDS collectives of any kind:
 *   lower_pair, upper_pair   two PEs exchange data through each other's work area, as reductions do: first the owner
 *                            signals that its area is free, then the other PE stores the data, then its signal after
 *                            the data
 *   broadcast                PE 0 stores a value at all other PEs
 *   barrier                  a barrier of all PEs over channels
 *   own_barrier              a barrier over words of its own (barrier_of_partners in src/primitive/barrier.c)
 * Checks that no PE leaves a barrier before all have entered it, that the data sent before a signal has arrived when
 * the signal has, and that no PE waits for ever.
 *
 * Counts and the barrier's numbers have three bits, and begin at the largest value so that they wrap round. Two PEs are
 * never apart by as much as half of this range.
 *
 * Mistakes:
 *   -DFLAGS          a signal is the value 1 instead of a count, so a sender that is ahead loses a signal
 *   -DSIGNAL_FIRST   data is sent after its signal
 *   -DUNASKED        a PE stores into a work area before the owner has signalled that it is free
 *   -DUNWRAPPED      counts are compared as numbers, not by their difference
 */
// check: holds
// check: fails -DFLAGS
// check: fails -DSIGNAL_FIRST
// check: fails -DUNASKED
// check: fails -DUNWRAPPED
#define PES 3
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define HEARD 0   /* + sender: the sender's count */
#define WORK 3    /* this PE's work area */
#define PARTNER 4 /* + step: in own_barrier the barrier's number, stored by the partner of this step */
#define VALUE 6   /* + round: each value has a place of its own, as a program must provide */
#define PLACES (7 + ROUNDS)
#define COUNTS 8 /* number of different counts */
#define FIRST (COUNTS - 1)
#define NEXT(count) (((count) + 1) % COUNTS)
#ifdef UNWRAPPED
#define REACHED(count, wanted) ((count) >= (wanted))
#else
#define REACHED(count, wanted) (((count) + COUNTS - (wanted)) % COUNTS < COUNTS / 2)
#endif
#include "network.pml"

mtype = { lower_pair, upper_pair, broadcast, barrier, own_barrier };
mtype kind[ROUNDS + 1];
byte entered[PES];
byte barriers[PES];       /* own_barrier: number of the last barrier */
byte sent[PES * PES];     /* [from * PES + to]: number of signals sent */
byte expected[PES * PES]; /* [at * PES + from]: number of signals waited for */

inline signal(to) {
#ifdef FLAGS
    store(self, to, HEARD + self, 1)
#else
    sent[self * PES + to] = NEXT(sent[self * PES + to]);
    store(self, to, HEARD + self, sent[self * PES + to])
#endif
}

inline await(from) {
#ifdef FLAGS
    WORD(self, HEARD + from) == 1;
    WORD(self, HEARD + from) = 0
#else
    expected[self * PES + from] = NEXT(expected[self * PES + from]);
    REACHED(WORD(self, HEARD + from), expected[self * PES + from])
#endif
}

inline send(to, place, value) {
#ifdef SIGNAL_FIRST
    signal(to);
    store(self, to, place, value)
#else
    store(self, to, place, value);
    signal(to)
#endif
}

#define AHEAD(distance) ((self + distance) % PES)
#define BEHIND(distance) ((self + PES - distance) % PES)
#define ALL_ENTERED (entered[0] >= round && entered[1] >= round && entered[2] >= round)

/* In a barrier it is enough to see that a count or number has changed, as in the code. */
inline round_over_channels(distance) {
    signal(AHEAD(distance));
#ifdef FLAGS
    await(BEHIND(distance))
#else
    expected[self * PES + BEHIND(distance)] = NEXT(expected[self * PES + BEHIND(distance)]);
    NEXT(WORD(self, HEARD + BEHIND(distance))) != expected[self * PES + BEHIND(distance)]
#endif
}

inline over_channels() {
    round_over_channels(1);
    round_over_channels(2)
}

inline over_own_words() {
    store(self, AHEAD(1), PARTNER, NEXT(barriers[self]));
    WORD(self, PARTNER) != barriers[self];
    store(self, AHEAD(2), PARTNER + 1, NEXT(barriers[self]));
    WORD(self, PARTNER + 1) != barriers[self];
    barriers[self] = NEXT(barriers[self])
}

inline exchange(partner) {
    signal(partner); /* this PE's area is free */
#ifndef UNASKED
    await(partner);
#endif
    send(partner, WORK, 10 * self + round);
    await(partner);
#ifdef UNASKED
    await(partner);
#endif
    assert(WORD(self, WORK) == 10 * partner + round)
}

inline store_at_all() {
    if
    :: self == 0 ->
        send(1, VALUE + round, round);
        send(2, VALUE + round, round)
    :: else ->
        await(0);
        assert(WORD(self, VALUE + round) == round)
    fi
}

proctype pe(byte self) {
    byte round;
    do
    :: round < ROUNDS ->
        round++;
        entered[self] = round;
        if
        :: kind[round] == lower_pair && self < 2 -> exchange((1 - self))
        :: kind[round] == upper_pair && self > 0 -> exchange((3 - self))
        :: kind[round] == broadcast -> store_at_all()
        :: kind[round] == barrier -> over_channels(); assert(ALL_ENTERED)
        :: kind[round] == own_barrier -> over_own_words(); assert(ALL_ENTERED)
        :: else
        fi
    :: else -> break
    od
}

init {
    byte k, i;
    atomic {
#ifndef FLAGS
        for (k : 0 .. PES * PES - 1) {
            sent[k] = FIRST;
            expected[k] = FIRST;
            WORD(k / PES, HEARD + k % PES) = FIRST
        }
#endif
        for (i : 0 .. PES - 1) {
            barriers[i] = FIRST;
            WORD(i, PARTNER) = FIRST;
            WORD(i, PARTNER + 1) = FIRST
        }
        for (k : 1 .. ROUNDS) {
            if
            :: kind[k] = lower_pair
            :: kind[k] = upper_pair
            :: kind[k] = broadcast
            :: kind[k] = barrier
            :: kind[k] = own_barrier
            fi
        }
        run pe(0);
        run pe(1);
        run pe(2);
        run deliver(0, 1); run deliver(0, 2); run deliver(1, 0); run deliver(1, 2); run deliver(2, 0); run deliver(2, 1)
    }
}
