// SPDX-License-Identifier: BSD-3-Clause
// Ending a queue while others send (src/aos/queue.c, making.c), on a machine whose stores wait in a buffer: two senders say that they
// are inside, look whether the queue is there, and write; its owner ends it, and gives its memory away when nobody is inside.
// Checked: nobody writes to memory that was given away; the owner does not wait for ever.
// Mistakes that must be found: -DWITHOUT_FENCE the owner does not empty the senders' buffers, -DLOOK_FIRST a sender looks before it says
// that it is inside, -DLEAVE_FIRST it says that it has left before its last store.
// check: holds
// check: fails -DWITHOUT_FENCE
// check: fails -DLOOK_FIRST
// check: fails -DLEAVE_FIRST
#define SENDERS 2
#define EACH 2 // messages of a sender

bool inside[SENDERS];   // memory
byte buffered[SENDERS]; // a store that only its sender's processor knows yet: 0 none, 1 false, 2 true
bool ended, given_away;

inline commit(s) {
    if
    :: buffered[s] != 0 -> inside[s] = buffered[s] == 2; buffered[s] = 0
    :: else
    fi
}

// The processor empties its buffer whenever it likes.
active [SENDERS] proctype buffer() {
end:
    do
    :: atomic { buffered[_pid] != 0 -> commit(_pid) }
    od
}

inline say(what) {
    atomic { commit(s); buffered[s] = 1 + what } // in order behind the store before
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
            assert(!given_away); // takes a ticket: a locked operation
            atomic { commit(s); assert(!given_away) }
            assert(!given_away) // writes
        :: else
        fi;
        say(0);
        n++
    :: else -> break
    od
}

active proctype owner() {
    ended = true; // under a lock
#ifndef WITHOUT_FENCE
    atomic { commit(0); commit(1) }
#endif
    !inside[0];
    !inside[1];
    given_away = true
}
