// SPDX-License-Identifier: BSD-3-Clause
// How the DDR of the last PE of a job of several programs on the MPPA is opened (src/machine/mppa/common_memory.c and
// programs.c). A PE reaches it by jobs for the last PE, so this PE must have set up its DMA unit and must run a server. It runs
// programs that PE 0 starts, one after the other, or its server alone, which PE 0 starts when a PE needs the DDR. Each of them
// sets the word `open` at PE 0 when the unit is set up. PE 0's server starts the server alone in the handler of a message, and
// a thread of PE 0 starts programs. A lock orders the two. The holder of the lock waits for the last PE's server, which
// possibly waits until PE 0's server has executed its last reply.
// Checked: no job is sent to a unit that is not set up; the last PE never runs two programs at once; all jobs are answered,
// also those that come while one program follows another; no wait is for ever.
// Mistakes that must be found:
//     -DOPEN_BY_STARTER  PE 0 sets the word when it has started the last PE
//     -DUNLOCK_EARLY     PE 0 frees the lock before the DDR is open
//     -DNO_LOCK          the two starts are not ordered
//     -DNO_REPLIES       PE 0's server executes no replies while it waits for the lock
//     -DNOT_STOPPED      the server alone goes on when a program is started
// check: holds
// check: fails -DOPEN_BY_STARTER
// check: fails -DUNLOCK_EARLY
// check: fails -DNO_LOCK
// check: fails -DNO_REPLIES
// check: fails -DNOT_STOPPED
#define CLUSTERS 2
#define STARTS 2 // programs that PE 0 starts on the last PE
#define STOP 255

mtype = { none, runs, ended };
mtype program = none;     // of the last PE
bool serves;              // the last PE runs its server alone
bool is_set_up;           // the DMA unit of the last PE
bool open;
bool locked;
bool is_stopped;          // answer to the job STOP
byte servers;             // that the last PE runs
byte at_rest;             // clusters that are done
bit answered[CLUSTERS], opened[CLUSTERS];
chan jobs = [CLUSTERS + 1] of { byte };  // the ring of the last PE
chan asks = [CLUSTERS] of { byte };      // messages to PE 0's server
chan replies = [0] of { bit };           // from the last PE's server, whose credit is used up, to PE 0's

inline send_job(job) {
    assert(is_set_up);
    jobs!job
}

proctype last_pe(bool has_main) {
    byte job;
    servers++;
    assert(servers == 1);
    is_set_up = true;
    open = true;
    if
    :: has_main -> program = ended // its server goes on
    :: else
    fi;
end:
    do
    :: jobs?job ->
        if
        :: job == STOP -> servers--; is_stopped = true; break
        :: else ->
            if
            :: true -> replies!1 // the handler sends a reply
            :: true
            fi;
            answered[job] = 1
        fi
    od
}

inline lock() {
#ifdef NO_LOCK
    skip
#else
    atomic { !locked -> locked = true }
#endif
}

inline unlock() {
    locked = false
}

proctype cluster(byte me) {
    if
    :: open
    :: !open -> asks!me; opened[me] == 1; assert(open)
    fi;
    send_job(me);
    answered[me] == 1;
    at_rest++
}

active proctype server() {
    byte from;
    bit reply;
end:
    do
    :: replies?reply
    :: asks?from ->
        do
#ifdef NO_LOCK
        :: break
#else
        :: atomic { !locked -> locked = true; break }
#ifndef NO_REPLIES
        :: replies?reply
#endif
#endif
        od;
        if
        :: program == none && !serves ->
            serves = true;
            run last_pe(false)
#ifdef OPEN_BY_STARTER
            ; open = true
#endif
        :: else
        fi;
#ifdef UNLOCK_EARLY
        unlock();
#endif
        do
        :: open -> break
        :: replies?reply
        od;
#ifndef UNLOCK_EARLY
        unlock();
#endif
        opened[from] = 1
    od
}

active proctype starter() {
    byte started = 0;
    do
    :: started < STARTS ->
        lock();
        if
        :: program == runs -> unlock(); program != runs
        :: else ->
#ifdef NOT_STOPPED
            if
            :: program == ended -> send_job(STOP); is_stopped; is_stopped = false
            :: else
            fi;
#else
            if
            :: program == ended || serves -> send_job(STOP); is_stopped; is_stopped = false
            :: else
            fi;
#endif
            serves = false;
            program = runs;
            run last_pe(true);
            unlock();
            started++
        fi
    :: break // a job without, or with fewer programs there
    od
}

init {
    atomic {
        byte n = 0;
        do
        :: n < CLUSTERS -> run cluster(n); n++
        :: else -> break
        od
    }
    at_rest == CLUSTERS
}
