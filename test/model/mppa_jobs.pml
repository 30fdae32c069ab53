// SPDX-License-Identifier: BSD-3-Clause
// Jobs that cores of several clusters send to the server of one cluster of the MPPA (src/machine/mppa). Packets of a core
// to one cluster arrive in the order in which the core has sent them; packets of different cores in any order. A job goes
// to the next slot of a ring, and counts an end of transfer, which notifies the server. Each job is answered by an end of
// transfer of the core's own tag. A core has at most CREDIT jobs without an answer, so that the ring is never full. A large
// put is sent by a micro-core, which the core starts and which counts when its last packet has entered the network. At the
// end each core fences and puts a flag: the fence waits for the answers to its jobs (posted atomic operations).
// Checked: no job is stored over one that the server has not read; the server never sleeps while a job waits; a core that
// has the answer to a job finds all of its earlier puts in memory, and its earlier jobs done; whoever sees the flag does too.
// Mistakes that must be found:
//     -DNO_CREDIT     a core does not wait for answers before it sends further jobs
//     -DCLEAR_LATE    the server clears its interrupt after it has looked for jobs
//     -DNOT_LOCAL     a core sends a job before the micro-core has sent its put
//     -DANSWER_FIRST  the server answers before it does the job
//     -DFENCE_PUTS    a fence waits for micro-cores only, and not for answers
// check: holds
// check: fails -DNO_CREDIT
// check: fails -DCLEAR_LATE
// check: fails -DNOT_LOCAL
// check: fails -DANSWER_FIRST
// check: fails -DFENCE_PUTS
#define CORES 2
#define CREDIT 2
#define SLOTS (CORES * CREDIT)
#define JOBS 3 // of each core; the last one follows the put, and the core waits for its answer
#define NONE 255

mtype = { put, job, flag };
chan route0 = [JOBS + 2] of { mtype };
chan route1 = [JOBS + 2] of { mtype };
bool in_memory[CORES];      // the put has been written
byte slots[SLOTS] = NONE;   // the core whose job is in the slot
byte position;              // of the tag of jobs
byte transfers;             // ends of transfers of this tag
bool notified;              // the server's interrupt is pending
byte performed[CORES], answers[CORES];
bool started[CORES], sent_locally[CORES]; // of the micro-core
byte at_rest;

inline send_packet(core, kind) {
    if
    :: core == 0 -> route0!kind
    :: else -> route1!kind
    fi
}

inline arrive(core, kind) {
    if
    :: kind == put -> in_memory[core] = true
    :: kind == flag -> assert(in_memory[core] && performed[core] == JOBS)
    :: else ->
        assert(slots[position] == NONE);
        slots[position] = core;
        position = (position + 1) % SLOTS;
        transfers++;
        notified = true
    fi
}

active proctype network() {
    mtype kind;
end:
    do
    :: atomic { route0?kind -> arrive(0, kind) }
    :: atomic { route1?kind -> arrive(1, kind) }
    od
}

proctype micro_core(byte core) {
    started[core];
    send_packet(core, put);
    sent_locally[core] = true
}

proctype requester(byte core) {
    byte sent = 0;
    do
    :: sent < JOBS - 1 ->
#ifndef NO_CREDIT
        sent - answers[core] < CREDIT;
#endif
        send_packet(core, job);
        sent++
    :: else -> break
    od;
    started[core] = true;
#ifndef NOT_LOCAL
    sent_locally[core];
#endif
#ifndef NO_CREDIT
    sent - answers[core] < CREDIT;
#endif
    send_packet(core, job);
    sent++;
#ifndef FENCE_PUTS
    answers[core] == sent;
    assert(in_memory[core]);
    assert(performed[core] == sent);
#endif
    send_packet(core, flag);
    at_rest++
}

active proctype server() {
    byte done = 0, from;
end:
    do
    ::
#ifndef CLEAR_LATE
        notified = false;
#endif
        do
        :: transfers != done ->
            from = slots[done % SLOTS];
            slots[done % SLOTS] = NONE;
            done++;
#ifdef ANSWER_FIRST
            answers[from]++;
            performed[from]++
#else
            performed[from]++;
            answers[from]++
#endif
        :: else -> break
        od;
#ifdef CLEAR_LATE
        notified = false;
#endif
sleep:
end_asleep:
        notified // the instruction WFI: an interrupt that is pending already ends it
    od
}

init {
    atomic {
        byte n = 0;
        do
        :: n < CORES -> run micro_core(n); run requester(n); n++
        :: else -> break
        od
    }
    at_rest == CORES
}
