// SPDX-License-Identifier: BSD-3-Clause
// The bounded queue of many producers (src/primitive/queue.h), in shared memory. Two producers: one takes a ticket and
// waits until its slot is free; the other takes a ticket only if the slot is free. There is one reader, or with
// -DREADERS=2 two readers that take tickets: one waits for the message of its ticket, the other takes a ticket only if
// the message has arrived. There are two slots, so that each is used again. Tickets have three bits and begin at the
// last value but one, so that they wrap round. Stores become visible in the order in which they are made, which the
// code ensures by releases. A message is two words.
// Checked: no message is lost, read twice, torn, or out of its producer's order; no process waits for ever.
// Mistakes that must be found:
//     -DPUBLISH_FIRST   a producer stores the turn before the message
//     -DNO_ROOM         a producer fills its slot without waiting until it is free
//     -DRELEASE_FIRST   a reader releases the slot before it has read the message
//     -DPLAIN_TICKET    a producer takes its ticket by a load and a store
//     -DUNWRAPPED       (one reader) tickets are compared as numbers, not by their difference
//     -DHEAD_FIRST      (two readers) a reader that must not wait takes its ticket before it knows that there is a
//                       message
// check: holds
// check: holds -DREADERS=2
// check: fails -DPUBLISH_FIRST
// check: fails -DNO_ROOM
// check: fails -DRELEASE_FIRST
// check: fails -DPLAIN_TICKET
// check: fails -DUNWRAPPED
// check: fails -DREADERS=2 -DRELEASE_FIRST
// check: fails -DREADERS=2 -DHEAD_FIRST
#ifndef READERS
#define READERS 1
#endif
#define SLOTS 2
#define EACH 3 // number of messages of each producer
#define WRAP 8
#define FIRST (WRAP - 2) // the first ticket, as if this many messages had been sent and read
#define slot(t) ((t) % SLOTS)

byte tail, head;
byte turn[SLOTS];
byte first[SLOTS], second[SLOTS]; // the message: producer and number, twice
byte taken[2];                    // number of messages of each producer that have been read
byte readings;

#if READERS == 1
#ifdef UNWRAPPED
#define has_room(t) ((t) - head < SLOTS)
#else
#define has_room(t) ((((t) - head + WRAP) % WRAP) < SLOTS)
#endif
#define published(t) (((t) + 1) % WRAP)
#else
// Turns are stored minus the slot's number, so that a queue of zeros is empty and its tickets begin at 0.
#define has_room(t) ((turn[slot(t)] + slot(t)) % WRAP == (t))
#define published(t) (((t) + 1 + WRAP - slot(t)) % WRAP)
#endif

inline fill(t, what) {
#ifdef PUBLISH_FIRST
    turn[slot(t)] = published(t);
#endif
    first[slot(t)] = what;
    second[slot(t)] = what;
#ifndef PUBLISH_FIRST
    turn[slot(t)] = published(t);
#endif
}

proctype waiting_producer() {
    byte n = 0, t;
    do
    :: n < EACH ->
#ifdef PLAIN_TICKET
        t = tail;
        tail = (t + 1) % WRAP;
#else
        atomic { t = tail; tail = (t + 1) % WRAP }
#endif
#ifndef NO_ROOM
        has_room(t);
#endif
        fill(t, 16 + n);
        n++
    :: else -> break
    od
}

proctype trying_producer() {
    byte n = 0, t, now;
    bool won;
    do
    :: n < EACH ->
        t = tail;
        do
        :: !has_room(t) ->
            now = tail;
            if
            :: now == t -> (tail != t || has_room(t)) // full: waits for a change before it tries again
            :: else
            fi;
            t = tail
        :: has_room(t) ->
            atomic {
                won = tail == t;
                if
                :: won -> tail = (t + 1) % WRAP
                :: else -> t = tail
                fi
            }
            if
            :: won -> break
            :: else
            fi
        od;
        fill(t, 32 + n);
        n++
    :: else -> break
    od
}

inline read_message(t, check_order) {
    byte a, b;
    a = first[slot(t)];
    b = second[slot(t)];
    assert(a == b);
    if
    :: check_order -> assert(a % 16 == taken[a / 16 - 1])
    :: else
    fi;
    taken[a / 16 - 1]++;
    a = 0;
    b = 0
}

#if READERS == 1
proctype reader() {
    do
    :: readings < 2 * EACH ->
        turn[slot(head)] == (head + 1) % WRAP;
#ifdef RELEASE_FIRST
        head = (head + 1) % WRAP;
        read_message((head + WRAP - 1) % WRAP, true);
#else
        read_message(head, true);
        head = (head + 1) % WRAP;
#endif
        readings++
    :: else -> break
    od
}
#else
#define has_come(t) ((turn[slot(t)] + slot(t)) % WRAP == ((t) + 1) % WRAP)
#define free_again(t) (((t) + SLOTS + WRAP - slot(t)) % WRAP)

// Takes a ticket even if there is no message. The ticket then belongs to a later enqueue.
proctype waiting_reader() {
    byte n = 0, t;
    do
    :: n < EACH ->
        atomic { t = head; head = (t + 1) % WRAP }
        has_come(t);
#ifdef RELEASE_FIRST
        turn[slot(t)] = free_again(t);
        read_message(t, false);
#else
        read_message(t, false);
        turn[slot(t)] = free_again(t);
#endif
        n++
    :: else -> break
    od
}

proctype trying_reader() {
    byte n = 0, t;
    bool won;
    do
    :: n < EACH ->
        t = head;
#ifdef HEAD_FIRST
        atomic { t = head; head = (t + 1) % WRAP }
        won = has_come(t); // if the message has not arrived, the reader leaves and its ticket is lost
#else
        if
        :: has_come(t) ->
            atomic {
                won = head == t;
                if
                :: won -> head = (t + 1) % WRAP
                :: else
                fi
            }
        :: else -> won = false; (head != t || has_come(t))
        fi;
#endif
        if
        :: won ->
            read_message(t, false);
            turn[slot(t)] = free_again(t);
            n++
        :: else
        fi
    :: else -> break
    od
}
#endif

init {
    atomic {
        tail = FIRST;
        head = FIRST;
#if READERS == 1
        turn[slot(FIRST)] = published(FIRST - SLOTS);
        turn[slot(FIRST + 1)] = published(FIRST + 1 - SLOTS);
#else
        turn[slot(FIRST)] = FIRST - slot(FIRST);
        turn[slot(FIRST + 1)] = FIRST + 1 - slot(FIRST + 1);
#endif
        run waiting_producer();
        run trying_producer();
#if READERS == 1
        run reader();
#else
        run waiting_reader();
        run trying_reader();
#endif
    }
    _nr_pr == 1;
    assert(taken[0] == EACH && taken[1] == EACH)
}
