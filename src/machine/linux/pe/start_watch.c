// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if a node is dead or cut off before the nodes know each other's addresses, in a job that a process manager,
// such as srun, has started. Without this, shmem_init would wait until its time limit, and could not say why.
//
// The first PE of each node asks the kernels of some hosts (../host_watch.h), whose names the process manager has told: those
// of the nodes that it will watch (node_ring.c), so that each node is asked by several others, and that of the first node,
// because process managers collect the data there. A node with which node_ring.c has a connection is watched there. There are two
// phases:
// * Early: from the start of the process until the nodes that node_ring.c watches are connected. It goes on if the first PE of one of
//   them ends without shmem_init, which alone is no failure. But when a node dies, its kernel can close the connections of its
//   processes, and then stops answering.
// * In shmem_init: while it waits until the addresses of all nodes are known.
// The questions begin only when a phase has lasted half a second, which most jobs do not need.
//
// A node counts as dead if its kernel has answered before and does not answer any more, or if the network says that there
// is no such machine. A kernel that has never answered can be behind a firewall. It counts as dead if another host has
// answered, because the nodes of a cluster usually have the same rules. For this reason the host of srun is asked too. If the
// processes of a node have ended, the node is dead only if another node has answered: its processes possibly have ended well.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "../host_watch.h"
#include "clock.h"
#include "managed_internal.h"
#include "node_ring.h"

#define PAUSE_SECONDS 0.5 // until the first question
#define STEP_MILLISECONDS 250
#define TURN_MILLISECONDS 500 // for which a node waits longer for the line of another node
#define HOSTS (SKERRY_START_NEIGHBOURS + 2)
// Time after which one process asks Slurm if all nodes have processes of the job, and asks again. The first process of the
// first node asks first. It can itself be on the absent node, so those of some further nodes ask later. If all processes have
// started, one answer is enough, and the question can be early: a node without processes is one on which they have ended.
#define FIRST_QUESTION_SECONDS 3
#define QUESTION_INTERVAL 3
#define STARTED_QUESTION_SECONDS 1
#define NEXT_NODE_SECONDS 1.5
#define ASKING_NODES 4

// Set by the program's thread, read by the thread that watches.
enum phase { IDLE, EARLY, IN_INIT };
static uint32_t phase; // stored by a release after the time at which it has begun
static double early_at, init_at;

static int silent_node = -1;     // never answered; written by the thread that watches
static uint32_t slurm_is_silent; // written by the thread that watches

// Of the thread that watches.
static struct skerry_host_watch *hosts;
static int asked[HOSTS], asked_count; // indexes of the nodes; -1: the host of srun
static int questions;                 // that Slurm was asked
static bool is_slurm_asked;           // and has not answered yet
static double question_at;            // time of the last question
static bool had_started;              // all processes had started at that time
static int absent_node = -1;          // a node without processes, in Slurm's first answer

void skerry_begin_early_watch(void) {
    early_at = seconds_now();
    __atomic_store_n(&phase, EARLY, __ATOMIC_RELEASE);
}

void skerry_begin_start_watch(void) {
    init_at = seconds_now();
    __atomic_store_n(&phase, IN_INIT, __ATOMIC_RELEASE);
    skerry_wake_watcher();
}

void skerry_end_start_watch(void) {
    __atomic_store_n(&phase, IDLE, __ATOMIC_RELEASE);
}

static enum phase current_phase(void) {
    const enum phase now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
    return now == EARLY && skerry_ring_is_complete() && !skerry_any_node_has_left() ? IDLE : now;
}

int skerry_start_watch_wait(void) {
    return current_phase() != IDLE ? STEP_MILLISECONDS : -1;
}

const char *skerry_silent_node(void) {
    const int node = __atomic_load_n(&silent_node, __ATOMIC_RELAXED);
    return node < 0 ? NULL : skerry_managed.job.nodes[node].name;
}

bool skerry_slurm_is_silent(void) {
    return __atomic_load_n(&slurm_is_silent, __ATOMIC_RELAXED);
}

static void begin_questions(double now) {
    const int own = skerry_managed.job.node;
    int wanted[HOSTS];
    int count = skerry_start_neighbours(wanted);
    wanted[count++] = 0;
    wanted[count++] = -1;
    const char *names[HOSTS], *launcher = getenv("SLURM_LAUNCH_NODE_IPADDR");
    for (int i = 0; i < count; i++) {
        bool is_new = wanted[i] != own && (wanted[i] >= 0 || launcher);
        for (int k = 0; k < asked_count; k++) is_new = is_new && asked[k] != wanted[i];
        if (!is_new) continue;
        names[asked_count] = wanted[i] < 0 ? launcher : skerry_managed.job.nodes[wanted[i]].name;
        asked[asked_count++] = wanted[i];
    }
    hosts = skerry_watch_hosts(names, asked_count, now);
}

// Returns the index of a node that is dead or cut off, or -1.
static int find_dead_node(void) {
    bool any_answers = false, any_node_answers = false;
    int unheard = -1, left = -1;
    for (int i = 0; i < asked_count; i++) {
        const enum skerry_host_state state = skerry_host_state(hosts, i);
        const bool is_node = asked[i] >= 0, has_left = is_node && skerry_node_has_left(asked[i]);
        const bool is_watched = is_node && !has_left && skerry_ring_has_reached(asked[i]);
        any_answers = any_answers || state == SKERRY_HOST_ANSWERS || is_watched;
        any_node_answers = any_node_answers || (is_node && state == SKERRY_HOST_ANSWERS);
        if (is_watched) continue;
        if (!is_node) continue; // the end of srun is noticed by Slurm
        if (state == SKERRY_HOST_SILENT || state == SKERRY_HOST_UNREACHABLE) return asked[i];
        if (state == SKERRY_HOST_UNHEARD) *(has_left ? &left : &unheard) = asked[i];
    }
    __atomic_store_n(&silent_node, unheard, __ATOMIC_RELAXED);
    if (any_answers && unheard >= 0) return unheard;
    return any_node_answers ? left : -1;
}

// Asks Slurm, and ends the job if it answers that a node has no process of the job: twice, or once if all processes have started.
static void judge_slurm(double now) {
    const int node = skerry_managed.job.node;
    const bool have_started = skerry_all_nodes_have_started();
    if (node >= ASKING_NODES || questions < 0 || (!is_slurm_asked && skerry_ring_is_complete())) return;
    if (!is_slurm_asked) {
        const double first = have_started ? STARTED_QUESTION_SECONDS : FIRST_QUESTION_SECONDS;
        const double due =
            questions == 0 ? init_at + first + NEXT_NODE_SECONDS * node : question_at + QUESTION_INTERVAL;
        if (now < due) return;
        question_at = now;
        had_started = have_started;
        is_slurm_asked = skerry_begin_slurm_question(now);
        questions = is_slurm_asked ? questions + 1 : -1; // -1: no further question
        return;
    }
    int absent;
    const enum skerry_slurm_answer answer = skerry_step_slurm_question(now, &absent);
    if (answer == SKERRY_SLURM_ASKED) return;
    is_slurm_asked = false;
    __atomic_store_n(&slurm_is_silent, answer != SKERRY_SLURM_ANSWERS, __ATOMIC_RELAXED);
    const bool is_sure = absent >= 0 && (had_started || (questions == 2 && absent == absent_node));
    if (questions == 2 || absent < 0) questions = -1;
    absent_node = absent;
    if (!is_sure || current_phase() != IN_INIT) return;
    char line[300];
    snprintf(line, sizeof line,
             "shmem_init: no process of this job runs on node %s: the program, or a library that it needs, is missing "
             "there, or it has ended without shmem_init",
             skerry_managed.job.nodes[absent].name);
    skerry_end_for_node(line, false);
}

// Ends the job if a node is dead or cut off. Several nodes notice the same, so they wait for different times: the node
// before the dead one writes its line first.
static void judge_hosts(double now) {
    if (!hosts && asked_count == 0) begin_questions(now);
    if (!hosts) return;
    skerry_step_host_watch(hosts, now);
    const int dead = find_dead_node(), own = skerry_managed.job.node, count = skerry_managed.job.node_count;
    if (dead < 0) return;
    const bool is_previous = (own + 1) % count == dead, is_next = (dead + 1) % count == own;
    const int turn = is_previous && is_next ? 3 * own : is_previous ? 0 : is_next ? 2 : 4;
    const bool others_end = skerry_wait_for_others(turn * TURN_MILLISECONDS);
    if (others_end || current_phase() == IDLE) return;
    char here[100], there[100], line[400];
    skerry_describe_managed_node(own, here, sizeof here);
    skerry_describe_managed_node(dead, there, sizeof there);
    snprintf(line, sizeof line, "%s%s waits for %s, which does not answer: no sign of life for %d s; job stopped",
             current_phase() == IN_INIT ? "shmem_init: " : "", here, there, SKERRY_HOST_SILENCE);
    skerry_end_for_node(line, false);
}

void skerry_judge_start(void) {
    const double now = seconds_now();
    const enum phase current = current_phase();
    if (current != IDLE) {
        if (now - (current == EARLY ? early_at : init_at) < PAUSE_SECONDS && !hosts) return;
        judge_hosts(now);
        if (current == IN_INIT) judge_slurm(now);
        return;
    }
    if (hosts) skerry_end_host_watch(hosts);
    hosts = NULL;
    asked_count = 0;
    if (is_slurm_asked) skerry_end_slurm_question();
    is_slurm_asked = false;
}
