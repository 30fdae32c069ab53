// SPDX-License-Identifier: BSD-3-Clause
// How a PE that ends without shmem_init does not report the same of its neighbour (src/machine/linux/pe/neighbours.c), on a machine with
// store buffers. A PE has ended without shmem_init, and PE_COUNT other PEs of its node watch it. Each of them has a program's thread,
// which can itself end without shmem_init, and a watcher, which reports: it takes the right to write, writes a line, tells the other
// nodes, and ends the process. The line is only right if the nodes are told: otherwise they write lines too. The PE `waiting` of another
// node calls shmem_init at any time. A watcher can sleep before it reports, and the program's thread waits for it for a shorter time, so
// it can end the process during this sleep. W1, W2, E1 and E2 are the steps of the comment in neighbours.c.
// Checked: no process ends between its line and its message to the other nodes; the node writes one line at most; all processes end;
// if a program's thread does not end its process, the node tells the other nodes.
// Mistakes that must be found:
//     -DWITHOUT_FENCE   W1 and E1 are plain stores, which leave the store buffer later
//     -DJUDGE_LATE      the watcher loads is_leaving before it stores is_judging
//     -DLEAVE_LATE      the program's thread loads is_judging before it stores is_leaving
//     -DWITHOUT_RECHECK the watcher does not load is_leaving again after its sleep
//     -DREPORT_TWICE    a watcher writes without the right
// check: holds
// check: fails -DWITHOUT_FENCE
// check: fails -DJUDGE_LATE
// check: fails -DLEAVE_LATE
// check: fails -DWITHOUT_RECHECK
// check: fails -DREPORT_TWICE
#define PE_COUNT 2

bool is_judging[PE_COUNT], is_leaving[PE_COUNT]; // in memory: visible to all threads
byte judging_buffer[PE_COUNT]; // value in the store buffer of the watcher's processor: 0 none, 1 false, 2 true
bool leaving_buffer[PE_COUNT]; // true: the store of is_leaving is in the store buffer of the program's thread
bool is_waiting;               // a PE of another node waits in shmem_init
bool failure_told;             // a PE of this node has taken the right to write
bool is_asleep[PE_COUNT], stays[PE_COUNT], has_written[PE_COUNT], has_told[PE_COUNT], has_ended[PE_COUNT];
byte lines;

inline commit_judging(p) {
    if
    :: judging_buffer[p] != 0 -> is_judging[p] = judging_buffer[p] == 2; judging_buffer[p] = 0
    :: else
    fi
}

inline store_judging(p, value) {
    atomic {
        commit_judging(p);
        judging_buffer[p] = 1 + value;
#ifndef WITHOUT_FENCE
        commit_judging(p)
#endif
    }
}

// A processor may empty its store buffer at any time.
active [PE_COUNT] proctype processors() {
end:
    do
    :: atomic { judging_buffer[_pid] != 0 -> commit_judging(_pid) }
    :: atomic { leaving_buffer[_pid] -> is_leaving[_pid] = true; leaving_buffer[_pid] = false }
    od
}

active proctype other_node() {
    is_waiting = true
}

inline report(p) {
    atomic { is_last = failure_told; failure_told = true };
    if
#ifdef REPORT_TWICE
    :: true ->
#else
    :: !is_last ->
#endif
        atomic { has_written[p] = true; lines++; assert(lines <= 1) }
    :: else
    fi;
    has_told[p] = true;
    has_ended[p] = true
}

active [PE_COUNT] proctype watcher() {
    byte p = _pid - PE_COUNT - 1;
    bool leaves, is_last;
    {
        is_waiting;
        do
        :: true ->
#ifdef JUDGE_LATE
            leaves = is_leaving[p];
            store_judging(p, 1);
#else
            store_judging(p, 1);    // W1
            leaves = is_leaving[p]; // W2
#endif
            if
            :: !leaves -> // it is the first PE of the node that has ended
                is_asleep[p] = true;
                is_asleep[p] = false;
#ifndef WITHOUT_RECHECK
                leaves = is_leaving[p]
#endif
            :: true // no sleep
            fi;
            if
            :: !leaves -> report(p)
            :: else
            fi;
            store_judging(p, 0)
        od
    } unless { has_ended[p] }
}

active [PE_COUNT] proctype program() {
    byte p = _pid - 2 * PE_COUNT - 1;
    {
        if
        :: stays[p] = true; has_ended[p] // waits for ever
        :: skip
        fi;
#ifdef LEAVE_LATE
        !is_judging[p] || is_asleep[p];
        leaving_buffer[p] = true;
#else
        leaving_buffer[p] = true;            // E1
#ifndef WITHOUT_FENCE
        atomic { is_leaving[p] = true; leaving_buffer[p] = false }
#endif
        !is_judging[p] || is_asleep[p];      // E2; the wait has a limit, which is over while the watcher sleeps
#endif
        atomic { assert(!has_written[p] || has_told[p]); has_ended[p] = true }
    } unless { has_ended[p] }
}

active proctype outcome() {
    has_ended[0] && has_ended[1];
    assert(!(stays[0] || stays[1]) || has_told[0] || has_told[1])
}
