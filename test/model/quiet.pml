/* SPDX-License-Identifier: BSD-3-Clause
 * Quiet on the chip (src/machine/epiphany/quiet.S). PE 0 puts to PEs 1 and 2, by its stores or by a DMA channel, and
 * calls quiet. A handler interrupts PE 0 anywhere, also puts, and may call quiet. Quiet handles PEs 1 and 2 in two
 * passes. Loads may be executed before earlier stores here.
 * Checks that at the end of a quiet everything that was put before it has arrived: for the program all that it and the
 * handlers put, for a handler what this run of it put.
 *
 * Mistakes:
 *   -DMARK_FIRST      marks the PE before the store, and a handler's quiet in between clears the mark
 *   -DANY_CHANNEL     does not wait for the DMA channel
 *   -DIDLE_LATE       clears `started` before it waits for the channel, and a handler in between clears the mark
 *   -DSTARTED_UNSEEN  clears marks also if a handler has started a channel in the meantime
 *   -DINTERRUPTED     clears marks and counts with interrupts enabled, so that marks are lost and numbers are used
 *                     twice
 *   -DBELIEVE_LOADS   sends no number and only loads
 *
 * Numbers have four bits. They begin after FIRST - 1, so that they pass the end of the signed or of the unsigned range.
 * A quiet that reads another number than its own sends its own again, because a handler may have sent a later number.
 * Mistakes:
 *   -DSIGNED   accepts a number that is not below its own, compared as signed numbers
 *   -DONCE     does not send its number again
 */
// check: holds -DRUNS=1
// check: large
// check: fails -DMARK_FIRST
// check: fails -DANY_CHANNEL
// check: fails -DIDLE_LATE
// check: fails -DSTARTED_UNSEEN
// check: fails -DINTERRUPTED
// check: fails -DBELIEVE_LOADS
// check: holds -DFIRST=16 -DRUNS=1
// check: fails -DSIGNED
// check: fails -DONCE
#ifndef FIRST
#define FIRST 8
#endif
#define PES 3
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef RUNS
#define RUNS 2 /* largest number of runs of the handler */
#endif
#define DATA 0   /* put by the program */
#define STORED 1 /* put by handlers with stores */
#define SENT 2   /* put by handlers with the channel; not ordered with STORED */
#define ECHO 3
#define PLACES 4
#include "network.pml"

bit served;
bit written[PES];
bit started; /* a channel was started since quiet last found no channel busy */
byte quiets = FIRST - 1;
byte put[PES * PLACES]; /* the last value that was put to each place */
byte channel;           /* the PE to which the channel is sending; 0: idle */
byte channel_place, channel_value;
bit finished;

#define LAST(pe, place) put[(pe) * PLACES + (place)]

inline put_to(pe, place, value) {
#ifdef MARK_FIRST
    written[pe] = 1;
#endif
    store(0, pe, place, value);
    LAST(pe, place) = value;
#ifndef MARK_FIRST
    written[pe] = 1
#endif
}

inline send_to(pe, place, value) {
    atomic { channel == 0 -> channel = pe; channel_place = place; channel_value = value; LAST(pe, place) = value }
    started = 1;
    written[pe] = 1
}

inline wait_for_channels() {
#ifdef ANY_CHANNEL
    started = 0
#elif defined(IDLE_LATE)
    started = 0;
    channel == 0
#else
    atomic { channel == 0 -> started = 0 }
#endif
}

#ifdef INTERRUPTED
#define UNINTERRUPTED
#else
#define UNINTERRUPTED atomic
#endif
#ifdef STARTED_UNSEEN
#define STARTED_SINCE false
#else
#define STARTED_SINCE started
#endif
#ifdef BELIEVE_LOADS
#define ARRIVED true
#else
#ifdef SIGNED
#define ARRIVED ((WORD(pe, ECHO) ^ 8) >= (number ^ 8))
#else
#define ARRIVED (WORD(pe, ECHO) == number)
#endif
#endif
#ifdef ONCE
#define SENDS_AGAIN false
#else
#define SENDS_AGAIN true
#endif

/* Waits until the stores to PE `pe` have arrived. `mark` is the PE's mark as quiet read it before. */
inline pass(pe) {
    do
    :: mark ->
        UNINTERRUPTED {
            wait = STARTED_SINCE;
            if
            :: wait
            :: else -> mark = written[pe]; written[pe] = 0; number = (quiets + 1) % 16; quiets = number
            fi
        }
        if
        :: wait -> wait_for_channels()
        :: !wait && mark ->
            store(0, pe, ECHO, number);
            do
            :: LOAD_PAST(0, pe) && ARRIVED -> break
            :: SENDS_AGAIN && LOAD_PAST(0, pe) && !ARRIVED -> store(0, pe, ECHO, number)
            od;
            break
        :: else -> break
        fi
    :: else -> break
    od;
    atomic { number = 0; mark = 0 }
}

inline quiet() {
    wait = started;
    mark = written[1];
    if
    :: wait -> wait_for_channels()
    :: else
    fi;
    pass(1);
    mark = written[2];
    pass(2);
    wait = 0
}

active proctype channels() {
end: do
    :: channel != 0 -> store(0, channel, channel_place, channel_value); channel = 0
    od
}

proctype program() provided (!served) {
    byte round, number, stored1, stored2, sent1, sent2;
    bit mark, wait;
    do
    :: round < ROUNDS ->
        round++;
        if
        :: true -> put_to(1, DATA, round)
        :: true -> put_to(2, DATA, round)
        :: send_to(2, DATA, round)
        fi;
        atomic { stored1 = LAST(1, STORED); stored2 = LAST(2, STORED); sent1 = LAST(1, SENT); sent2 = LAST(2, SENT) }
        quiet();
        atomic {
            assert(WORD(1, DATA) == LAST(1, DATA) && WORD(2, DATA) == LAST(2, DATA));
            assert(WORD(1, STORED) >= stored1 && WORD(2, STORED) >= stored2);
            assert(WORD(1, SENT) >= sent1 && WORD(2, SENT) >= sent2);
            stored1 = 0; stored2 = 0; sent1 = 0; sent2 = 0
        }
    :: else -> break
    od;
    finished = 1
}

proctype handler() {
    byte runs, number, to, place;
    bit mark, wait;
end: do
    :: atomic { runs < RUNS && !finished -> runs++; served = 1 }
        if
        :: to = 1
        :: to = 2
        fi;
        if
        :: true -> put_to(to, STORED, runs); place = STORED
        :: send_to(to, SENT, runs); place = SENT
        fi;
        if
        :: quiet(); assert(WORD(to, place) == runs)
        :: skip
        fi;
        atomic { to = 0; place = 0; served = 0 }
    od
}

init {
    atomic {
        WORD(1, ECHO) = FIRST - 1;
        WORD(2, ECHO) = FIRST - 1;
        run program();
        run handler();
        run deliver(0, 1);
        run deliver(0, 2)
    }
    finished
}
