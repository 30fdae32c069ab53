// SPDX-License-Identifier: BSD-3-Clause
// Handlers that a server runs beside the threads of its PE (src/machine/mppa/requests.c). Handlers are raised by another thread or
// by a job, which also wakes the server. Threads mask handlers, and run those that are due when the last thread unmasks. Handler 1,
// if it is the first to run, raises handler 0. The server sleeps if no handler is due, if handlers are masked, or if a thread runs
// handlers.
// Checked: only one thread at a time runs handlers; none runs while a thread has masked them; when nothing can happen any more, no
// handler is due.
// Mistakes that must be found:
//     -DLOOK_FIRST    the server loads `masked` before it sets `running`
//     -DMASK_ONLY     a thread that masks does not wait until no handler runs
//     -DUNMASK_RUNS   a thread that has unmasked runs handlers, also if another thread has masked them meanwhile
//     -DNO_WAKE       a thread that has run handlers does not look again whether some are due
//     -DCLEAR_LATE    the server clears its interrupt after it has looked whether handlers are due
// check: holds
// check: fails -DLOOK_FIRST
// check: fails -DMASK_ONLY
// check: fails -DUNMASK_RUNS
// check: fails -DNO_WAKE
// check: fails -DCLEAR_LATE
#define THREADS 2
#define RAISES 2

bool raised[2];
bool woken;       // the interrupt that ends the server's sleep
byte running, masked;
byte inside;      // threads between the end of their mask and the begin of their unmask
byte in_handler;
byte at_rest;

#define due (raised[0] || raised[1])

inline run_handler(number) {
    atomic { raised[number]; raised[number] = false; in_handler++; assert(in_handler == 1 && inside == 0) };
    atomic {
        assert(inside == 0);
        if
        :: number == 1 && !has_raised -> has_raised = true; raised[0] = true
        :: else
        fi;
        in_handler--
    }
}

bool has_raised;

// Runs handlers until a pass over all of them finds none due.
inline run_due() {
    do
    :: due ->
        do
        :: raised[0] -> run_handler(0)
        :: else -> break
        od;
        do
        :: raised[1] -> run_handler(1)
        :: else -> break
        od
    :: else -> break
    od
}

active proctype server() {
    bool got, seen;
end:
    do
    ::
#ifndef CLEAR_LATE
        woken = false;
#endif
        if
        :: due ->
#ifdef LOOK_FIRST
            seen = masked == 0;
#endif
            atomic { got = running == 0; running = 1 };
            if
            :: got ->
#ifndef LOOK_FIRST
                seen = masked == 0;
#endif
                if
                :: seen -> run_due()
                :: else
                fi;
                running = 0;
                if
                :: seen -> woken = true // looks again
                :: else
                fi
            :: else
            fi
        :: else
        fi;
#ifdef CLEAR_LATE
        woken = false;
#endif
end_asleep:
        woken
    od
}

active [THREADS] proctype thread() {
    bool last;
    masked++;
#ifndef MASK_ONLY
    running == 0;
#endif
    inside++;
    atomic { inside--; masked--; last = masked == 0 };
    if
    :: last && due ->
        atomic { running == 0 -> running = 1 };
#ifdef UNMASK_RUNS
        run_due();
#else
        if
        :: masked == 0 -> run_due()
        :: else
        fi;
#endif
        running = 0;
#ifndef NO_WAKE
        if
        :: due -> woken = true
        :: else
        fi
#endif
    :: else
    fi;
    at_rest++
}

active proctype raiser() {
    raised[1] = true;
    woken = true;
    raised[0] = true;
    woken = true;
    at_rest++
}

// Checks the end: when no other process can make a step, no handler is due.
active proctype judge() {
    at_rest == THREADS + 1;
    (timeout);
    assert(!due)
}
