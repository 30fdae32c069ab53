// SPDX-License-Identifier: BSD-3-Clause
// Requests to a PE that may wait or compute (src/machine/linux/pe/progress.c). Each of two requesters stores its request,
// executes a full fence and loads `polling`. If `polling` is not 0 the requester does nothing more; if it is 0 the
// requester sends a signal. The PE waits at times. It runs requests at the end of a wait, and in the signal's handler,
// which may run between any two of the PE's steps. The signal's handler runs the handlers of the requests unless they
// are running already. At the end the PE computes for ever.
// Checked: when nothing can happen any more, every request has been run.
// Mistakes that must be found:
//     -DLOOK_FIRST    a requester loads `polling` before its request is visible (no fence)
//     -DSERVE_FIRST   the PE polls for requests before it takes its part of `polling` back, and not afterwards
//     -DBUSY_LAST     the PE does not poll for requests again after it has cleared the bit BUSY
// check: holds
// check: fails -DLOOK_FIRST
// check: fails -DSERVE_FIRST
// check: fails -DBUSY_LAST
#define ASKERS 2
#define WAITS 2
#define BUSY 4

bool wanted[ASKERS], served[ASKERS];
byte polling; // the bit BUSY: handlers run; 1: the program waits
bool signal_sent;
byte at_rest;
bool in_handler; // the signal's handler runs, and the program does not

#define due (wanted[0] || wanted[1])

// run_handlers of the code: returns if BUSY is set. Otherwise sets BUSY, runs the requests, clears BUSY, and polls once
// more. `mine` is the condition under which the caller may make a step.
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
        polling = polling + 1; // begins to wait
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

// The signal's handler. It interrupts the program between any two of its steps.
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

// Checks the end: when no other process can make a step, all requests have been run.
active proctype judge() {
    at_rest == ASKERS + 1;
    (timeout);
    assert(!due && served[0] && served[1])
}
