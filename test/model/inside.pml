// SPDX-License-Identifier: BSD-3-Clause
// Destroying a queue while other PEs send (src/aos/queue.c, making.c), on a machine with store buffers. Each of two
// senders stores that it is inside, checks that the queue exists, and writes. The owner ends the queue, and releases
// its memory when no sender is inside.
// Checked: no sender writes to released memory; the owner does not wait for ever.
// Mistakes that must be found:
//     -DWITHOUT_FENCE   the owner does not make the senders' processors empty their store buffers
//     -DLOOK_FIRST      a sender checks the queue before it stores that it is inside
//     -DLEAVE_FIRST     a sender stores that it has left before its last store to the queue
// check: holds
// check: fails -DWITHOUT_FENCE
// check: fails -DLOOK_FIRST
// check: fails -DLEAVE_FIRST
#define SENDERS 2
#define EACH 2 // number of messages of each sender

bool inside[SENDERS];   // in memory: visible to all
byte buffered[SENDERS]; // value in the store buffer of the sender's processor: 0 none, 1 false, 2 true
bool ended, given_away;

inline commit(s) {
    if
    :: buffered[s] != 0 -> inside[s] = buffered[s] == 2; buffered[s] = 0
    :: else
    fi
}

// The processor may empty its store buffer at any time.
active [SENDERS] proctype buffer() {
end:
    do
    :: atomic { buffered[_pid] != 0 -> commit(_pid) }
    od
}

inline say(what) {
    atomic { commit(s); buffered[s] = 1 + what } // stores leave the buffer in order
}

active [SENDERS] proctype sender() {
    byte s = _pid - SENDERS, n = 0;
    bool seen;
    do
    :: n < EACH ->
#ifdef LOOK_FIRST
        seen = ended;
        say(1);
#else
        say(1);
        seen = ended;
#endif
        if
        :: !seen ->
#ifdef LEAVE_FIRST
            say(0);
#endif
            assert(!given_away); // takes a ticket by a locked operation, which empties the buffer
            atomic { commit(s); assert(!given_away) }
            assert(!given_away) // writes the message
        :: else
        fi;
        say(0);
        n++
    :: else -> break
    od
}

active proctype owner() {
    ended = true; // the code holds a lock here
#ifndef WITHOUT_FENCE
    atomic { commit(0); commit(1) }
#endif
    !inside[0];
    !inside[1];
    given_away = true
}
