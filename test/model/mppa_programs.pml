// SPDX-License-Identifier: BSD-3-Clause
// Programs that run on a cluster of the MPPA one after the other (src/machine/mppa/programs.c, programs_pe.c, pe.c, server.c).
// The master, on PE 0, starts each of them when the earlier one has ended. The cluster's DMA unit goes on meanwhile: its ring
// gets jobs, and its tags count answers, modulo RANGE. A program joins by a bit at PE 0, and ends by clearing it and by telling
// the other program whose bit was set. Before the master starts the next program, it sends the job `stop`, by which the server
// stores the place of its next job, and what has been sent. The next program waits for the answers to all of that.
// The other program sends messages to the cluster, also after the program there has ended. The handler of a message sends a
// reply, for which the server does not wait.
// Checked: each job is executed once, by a server whose program has set its handlers, and is answered; the unit is set up before
// the first message; no program waits for answers that an earlier one has got, or takes such answers for its own.
// Mistakes that must be found:
//     -DNO_STOP         the master starts the next program without stopping the server of the earlier one
//     -DANSWER_FIRST    the server answers `stop` before it stores its counts
//     -DKEEP_COUNTED    it stores the number of jobs that it has counted, also of those that it has not executed
//     -DKEEP_AT_END     the counts are stored when the program ends, not when its server is stopped
//     -DNO_SETTLE       the next program does not wait for the answers to what was sent before
//     -DOUTCOME_FIRST   a program tells PE 0 its end before the other program has answered
//     -DJOIN_FIRST      a program joins before the unit is set up
//     -DTHREAD_GOES_ON  a thread of a program that has ended sends a job
// check: holds
// check: fails -DNO_STOP
// check: fails -DANSWER_FIRST
// check: fails -DKEEP_COUNTED
// check: fails -DKEEP_AT_END
// check: fails -DNO_SETTLE
// check: fails -DOUTCOME_FIRST
// check: fails -DJOIN_FIRST
// check: fails -DTHREAD_GOES_ON
// check: large -DPROGRAMS=3 -DMESSAGES=5
#ifndef PROGRAMS
#define PROGRAMS 2
#endif
#ifndef MESSAGES
#define MESSAGES 3
#endif
#define CREDIT 2 // of the other program
#define CREDIT_OF_REPLIES 1
#define SLOTS (CREDIT + 1) // one for the master's job
#define RANGE 8            // of the counts

mtype = { none, message, stop, runs, ended };

// The cluster's unit: a ring of jobs, and counts of answers to what its core and its handlers have sent.
mtype slots[SLOTS] = none;
byte position, transfers;
byte core_answers, reply_answers;
bool is_set_up;

// What a program leaves to the next one.
byte kept_slot, kept_done, kept_core_jobs, kept_replies;

// Variables of the cluster's program. `has_handlers` and `has_server` are the number of the program that has set them.
byte next_slot, counted, left;
byte core_jobs, replies;
byte has_handlers, has_server;
byte running; // number of the program whose code the cores execute
byte program_of[16]; // of a process

// At PE 0
bool cluster_joined, other_joined;
mtype outcome = none;
byte master_answers;

// At the other program
bool believes; // that a program runs on the cluster
byte other_answers;
byte replies_there, ends_there; // packets from the cluster that its server has not executed

#define DIFFERENCE(a, b) (((a) + RANGE - (b)) % RANGE)

inline arrive(job) {
    atomic {
        assert(is_set_up);
        assert(slots[position] == none);
        slots[position] = job;
        position = (position + 1) % SLOTS;
        transfers = (transfers + 1) % RANGE
    }
}

// -- The cluster -------------------------------------------------------------------------------------------------------

inline keep() {
    kept_core_jobs = core_jobs;
    kept_replies = replies;
    kept_slot = next_slot;
#ifdef KEEP_COUNTED
    kept_done = counted
#else
    kept_done = DIFFERENCE(counted, left)
#endif
}

// The loader has cleared the variables.
inline begin() {
    if
    :: is_set_up ->
#ifndef NO_SETTLE
        core_answers == kept_core_jobs;
        reply_answers == kept_replies;
#endif
        core_jobs = core_answers;
        replies = reply_answers;
        next_slot = kept_slot;
        counted = kept_done
    :: else -> is_set_up = true
    fi
}

inline join(number) {
    has_handlers = number;
    cluster_joined = true
}

proctype core(byte number) provided (running == program_of[_pid]) {
    bool is_told;
#ifdef JOIN_FIRST
    join(number);
#endif
    begin();
    has_server = number;
#ifndef JOIN_FIRST
    join(number);
#endif
    atomic { is_told = other_joined; cluster_joined = false };
#ifdef OUTCOME_FIRST
    outcome = ended;
#endif
    if
    :: is_told ->
        atomic { ends_there++; core_jobs = (core_jobs + 1) % RANGE };
        core_answers == core_jobs
    :: else
    fi;
#ifdef KEEP_AT_END
    keep();
#endif
#ifndef OUTCOME_FIRST
    outcome = ended;
#endif
#ifdef THREAD_GOES_ON
    ends_there++;
    core_jobs = (core_jobs + 1) % RANGE
#endif
}

inline execute_message() {
    has_handlers == number;
    DIFFERENCE(replies, reply_answers) < CREDIT_OF_REPLIES;
    atomic { replies_there++; replies = (replies + 1) % RANGE };
    other_answers++
}

inline execute_stop() {
#ifdef ANSWER_FIRST
    master_answers++;
    keep()
#else
#ifndef KEEP_AT_END
    keep();
#endif
    master_answers++
#endif
}

proctype server(byte number) provided (running == program_of[_pid]) {
    byte jobs;
    mtype job;
    has_server == number;
end:
    do
    :: left > 0 || transfers != counted ->
        atomic {
            if
            :: left > 0 -> jobs = left
            :: else -> jobs = DIFFERENCE(transfers, counted); counted = transfers
            fi;
            left = jobs - 1;
            job = slots[next_slot];
            assert(job != none);
            slots[next_slot] = none;
            next_slot = (next_slot + 1) % SLOTS
        };
        if
        :: job == message -> execute_message()
        :: job == stop -> execute_stop(); break
        fi
    od
}

// -- The master --------------------------------------------------------------------------------------------------------

inline start_program(number) {
    atomic {
        outcome = runs;
        next_slot = 0;
        counted = 0;
        left = 0;
        core_jobs = 0;
        replies = 0;
        running = number;
        process = run core(number);
        program_of[process] = number;
        process = run server(number);
        program_of[process] = number
    }
}

active proctype master() {
    byte program = 1, process;
    do
    :: program > PROGRAMS -> break
    :: else ->
#ifndef NO_STOP
        if
        :: program > 1 -> arrive(stop); master_answers == program - 1
        :: else
        fi;
#endif
        start_program(program);
        outcome == ended;
        program++
    od
}

// -- The other program -------------------------------------------------------------------------------------------------

active proctype other() {
    byte sent = 0;
    bool seen;
    atomic { other_joined = true; seen = cluster_joined };
    believes = believes || seen;
    do
    :: sent == MESSAGES -> break
    :: sent < MESSAGES && believes ->
        sent - other_answers < CREDIT;
        arrive(message);
        sent++
    :: sent < MESSAGES && !believes ->
        if
        :: seen = cluster_joined; believes = believes || seen // asks PE 0
        :: break
        fi
    od;
    other_answers == sent
}

active proctype other_server() {
end:
    do
    :: replies_there > 0 ->
        replies_there--;
        reply_answers = (reply_answers + 1) % RANGE
    :: ends_there > 0 ->
        believes = false;
        ends_there--;
        core_answers = (core_answers + 1) % RANGE
    od
}
