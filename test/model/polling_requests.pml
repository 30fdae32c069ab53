// SPDX-License-Identifier: BSD-3-Clause
// Requests to a PE that may wait or compute (src/machine/linux/progress.c): two askers store what they want, make a full fence and look
// at `polling`; set, they go away, clear, they send a signal. The PE waits now and then, and serves when it ends a wait, and
// in the signal's handler, which runs between any two of its steps and finds handlers running already or runs them. Then it
// computes for ever. Checked: when all have come to rest, everything was served.
// Mistakes that must be found: -DLOOK_FIRST an asker looks before its store is visible (no fence), -DSERVE_FIRST the PE looks before
// it clears the word and not again, -DBUSY_LAST it clears the bit of the handlers and does not look again.
// check: holds
// check: fails -DLOOK_FIRST
// check: fails -DSERVE_FIRST
// check: fails -DBUSY_LAST
#define ASKERS 2
#define WAITS 2
#define BUSY 4

bool wanted[ASKERS], served[ASKERS];
byte polling; // BUSY, and 1 for the wait
bool signal_sent;
byte at_rest;
bool in_handler; // the signal's handler runs: the program does not

#define due (wanted[0] || wanted[1])

// run_handlers: sets BUSY unless it is set, serves, clears it, looks once more. `mine` says who may take a step.
inline run_handlers(mine) {
    bool got;
    do
    :: mine ->
        atomic { got = (polling & BUSY) == 0; polling = polling | BUSY }
        if
        :: !got -> break
        :: else
        fi;
        mine;
        do
        :: mine && wanted[0] -> atomic { wanted[0] = false; served[0] = true }
        :: mine && wanted[1] -> atomic { wanted[1] = false; served[1] = true }
        :: mine && !wanted[0] && !wanted[1] -> break
        od;
        mine;
        polling = polling & ~BUSY;
        mine;
#ifdef BUSY_LAST
        break
#else
        if
        :: due
        :: else -> break
        fi
#endif
    od
}

active proctype program() {
    byte n = 0;
    do
    :: n < WAITS ->
        !in_handler;
        polling = polling + 1; // waits
        !in_handler;
#ifdef SERVE_FIRST
        if
        :: due -> run_handlers(!in_handler)
        :: else
        fi;
        !in_handler;
        polling = polling - 1;
#else
        polling = polling - 1;
        !in_handler;
        if
        :: due -> run_handlers(!in_handler)
        :: else
        fi;
#endif
        n++
    :: else -> break
    od;
    at_rest++
}

// Interrupts the program between any two of its steps.
active proctype handler() {
end:
    do
    :: atomic { signal_sent -> signal_sent = false; in_handler = true }
        if
        :: due -> run_handlers(true)
        :: else
        fi;
        in_handler = false
    od
}

active [ASKERS] proctype asker() {
    byte me = _pid - 2;
    bool seen;
#ifdef LOOK_FIRST
    seen = polling != 0;
    wanted[me] = true;
#else
    wanted[me] = true;
    seen = polling != 0;
#endif
    if
    :: !seen -> signal_sent = true
    :: else
    fi;
    at_rest++
}

// When nothing can happen any more, nothing is left to do.
active proctype judge() {
    at_rest == ASKERS + 1;
    (timeout);
    assert(!due && served[0] && served[1])
}
