// SPDX-License-Identifier: BSD-3-Clause
// Servers of two clusters of the MPPA that are senders too (src/machine/mppa/jobs.h). Each server executes jobs, which come
// in its ring JOBS, and replies, which come in its ring REPLIES. It also runs one function, which sends OPERATIONS jobs to
// the other server and waits for their answers. The other jobs are messages, whose handlers send a reply to the other server.
// Each PE has a core that sends MESSAGES of them. The sender of a job or a reply waits while it has no credit.
// * A function that waits executes jobs and replies.
// * A handler that waits executes replies. The handler of a reply sends nothing.
// Counts of answers are modulo 2^n: here 4, in the registers 2^16. At its end a core tells the other server, and waits for the
// answer. Servers end when all cores have ended.
// Checked: nobody waits for ever; rings are never full; a function that has waited finds its jobs done; when all PEs have ended
// each server knows it, and no message is unanswered.
// Mistakes that must be found:
//     -DFUNCTION_IS_DEAF  a function that waits for credit executes nothing
//     -DHANDLER_IS_DEAF   a handler that waits for credit executes nothing
//     -DREPLIES_ANSWER    the handler of a reply sends a reply
//     -DONE_COUNT         functions and handlers have one count of answers
//     -DSMALL_RING        REPLIES has less room than all credit
//     -DEND_AT_ONCE       a core does not wait for the answer when it has ended
// check: holds
// check: fails -DFUNCTION_IS_DEAF
// check: fails -DHANDLER_IS_DEAF
// check: fails -DREPLIES_ANSWER
// check: fails -DONE_COUNT
// check: fails -DSMALL_RING
// check: fails -DEND_AT_ONCE
// check: large -DMESSAGES=3
#define OPERATIONS 3
#ifndef MESSAGES
#define MESSAGES 2
#endif
#define CREDIT_OF_CORE 1
#define CREDIT_OF_FUNCTION 2
#define CREDIT_OF_REPLIES 1
#define MODULUS 4

#define CORE 0     // who sends: the core of a PE, a function of its server, or a handler of its server
#define FUNCTION 1
#ifdef ONE_COUNT
#define HANDLER FUNCTION
#else
#define HANDLER 2
#endif

mtype = { operation, message, ended };
// The servers are numbers 0 and 1. A job in a ring has its kind and its sender.
chan jobs0 = [CREDIT_OF_CORE + CREDIT_OF_FUNCTION] of { mtype, byte };
chan jobs1 = [CREDIT_OF_CORE + CREDIT_OF_FUNCTION] of { mtype, byte };
#ifdef SMALL_RING
#define REPLY_SLOTS (CREDIT_OF_REPLIES - 1)
#else
#define REPLY_SLOTS CREDIT_OF_REPLIES
#endif
byte replies[2]; // in the ring of a server
// Index: 3 * PE + sender. Jobs and answers are counts modulo MODULUS.
byte jobs_sent[6], answers[6];
byte done[2];      // operations of the function of a PE that have been executed
bool other_ended[2];
byte words;        // of the mailbox that collects the ends
byte at_rest;

#define COUNT(pe, sender) (3 * (pe) + (sender))
#define OPEN(pe, sender) ((jobs_sent[COUNT(pe, sender)] + MODULUS - answers[COUNT(pe, sender)]) % MODULUS)

inline answer(to, sender) {
    answers[COUNT(to, sender)] = (answers[COUNT(to, sender)] + 1) % MODULUS
}

// Sends a job from `pe` to the other PE.
inline send(pe, kind, sender) {
    atomic {
        jobs_sent[COUNT(pe, sender)] = (jobs_sent[COUNT(pe, sender)] + 1) % MODULUS;
        if
        :: pe == 0 -> assert(nfull(jobs1)); jobs1!kind, sender
        :: else -> assert(nfull(jobs0)); jobs0!kind, sender
        fi
    }
}

inline send_reply(pe) {
    atomic {
        jobs_sent[COUNT(pe, HANDLER)] = (jobs_sent[COUNT(pe, HANDLER)] + 1) % MODULUS;
        assert(replies[1 - pe] < REPLY_SLOTS);
        replies[1 - pe]++
    }
}

// Executes one reply, if there is one.
inline run_reply(pe) {
    if
    :: atomic { replies[pe] > 0 -> replies[pe]-- };
#ifdef REPLIES_ANSWER
        OPEN(pe, HANDLER) < CREDIT_OF_REPLIES; // executes nothing: it would need a stack for each reply
        send_reply(pe);
#endif
        answer(1 - pe, HANDLER)
    :: else
    fi
}

inline run_handler(pe) {
    do
    :: OPEN(pe, HANDLER) < CREDIT_OF_REPLIES -> break
#ifndef HANDLER_IS_DEAF
    :: replies[pe] > 0 -> run_reply(pe)
#endif
    od;
    send_reply(pe)
}

// Executes the job that has been received.
inline run_job(pe) {
    if
    :: kind == operation -> atomic { done[1 - pe]++; answer(1 - pe, sender) }
    :: kind == message -> run_handler(pe); answer(1 - pe, sender)
    :: kind == ended -> atomic { other_ended[pe] = true; answer(1 - pe, sender) }
    fi
}

// Receives a job. Executable only if there is one.
#define RECEIVE_JOB (pe == 0 && nempty(jobs0) || pe == 1 && nempty(jobs1))
inline receive_job() {
    if
    :: pe == 0 -> jobs0?kind, sender
    :: else -> jobs1?kind, sender
    fi
}

active [2] proctype server() {
    byte pe = _pid, sender, sent;
    mtype kind;
    bool has_run = false;
end:
    do
    :: RECEIVE_JOB -> receive_job(); run_job(pe)
    :: replies[pe] > 0 -> run_reply(pe)
    :: !has_run -> // the function
        has_run = true;
        sent = 0;
        do
        :: sent < OPERATIONS ->
            do
            :: OPEN(pe, FUNCTION) < CREDIT_OF_FUNCTION -> break
#ifndef FUNCTION_IS_DEAF
            :: OPEN(pe, FUNCTION) >= CREDIT_OF_FUNCTION && RECEIVE_JOB -> receive_job(); run_job(pe)
            :: OPEN(pe, FUNCTION) >= CREDIT_OF_FUNCTION && replies[pe] > 0 -> run_reply(pe)
#endif
            od;
            send(pe, operation, FUNCTION);
            sent++
        :: else -> break
        od;
        // jobs_sent as it is now: what the function itself has sent
        sent = jobs_sent[COUNT(pe, FUNCTION)];
        do
        :: answers[COUNT(pe, FUNCTION)] == sent -> break
        :: answers[COUNT(pe, FUNCTION)] != sent && RECEIVE_JOB -> receive_job(); run_job(pe)
        :: answers[COUNT(pe, FUNCTION)] != sent && replies[pe] > 0 -> run_reply(pe)
        od;
        assert(done[pe] == OPERATIONS);
        at_rest++
    od
}

active [2] proctype core() {
    byte pe = _pid - 2, sent = 0;
    do
    :: sent < MESSAGES ->
        OPEN(pe, CORE) < CREDIT_OF_CORE;
        send(pe, message, CORE);
        sent++
    :: else -> break
    od;
    OPEN(pe, CORE) < CREDIT_OF_CORE;
    send(pe, ended, CORE);
#ifndef END_AT_ONCE
    OPEN(pe, CORE) == 0;
#endif
    atomic {
        words++;
        if
        :: words == 2 -> assert(other_ended[0] && other_ended[1])
        :: else
        fi;
        at_rest++
    }
}

init {
    at_rest == 4
}
