// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if a node ends or cannot be reached, in a job that a process manager, such as srun, has started. (In other
// jobs oshrun and skerry-node do this.) The first PE of each node watches (../node_watch.h):
// * the next node, always. So the nodes form a ring, and each node is watched by another one.
// * each node to which a PE of this node sends messages. So each cut of a path that the program needs is noticed.
//
// The program's threads and the thread of neighbours.c use the watch in turns, under a lock that is held for some
// microseconds only.
//
// One failure gives one line, although several nodes notice it:
// * A PE that has written a line tells the other nodes before it asks the launcher to end the job: the first PE of a node by
//   the connections of the watch, another PE by connections to the next and the previous node. So it does not matter if
//   the first PE is the one that has failed. Each node passes this on, and the ring without one node is still connected.
//   So it reaches all nodes in some milliseconds.
// * A node that notices the end of another node waits for that. It writes a line if nothing comes, because all processes of
//   the other node can be dead. Then all nodes that have noticed this wait for different times: the next node after the
//   dead one is the first to write. Another one writes only if the nodes before it are dead too. So no line is lost.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "managed_internal.h"
#include "node_ring.h"

#define JOIN_SECONDS 2          // limit of the time in which shmem_init waits for the ring
#define USE_MILLISECONDS 250    // time between two checks if PEs of this node use another node
#define ENDED_MILLISECONDS 1000 // if a node has ended, the launcher possibly ends the job for the same reason
#define TURN_MILLISECONDS 250 // time by which a node waits longer for the line of another node than the node before it
#define ANNOUNCE_MILLISECONDS 250 // limit of the time for a connection to another node, to tell it that the job ends
#define WARNING_SECONDS 2         // until a warning is written
#define TURNS 3                   // nodes that wait for a different time
#define SECOND_MILLISECONDS 1000  // time for which the second node of a cut path waits for the line of the first

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct skerry_node_watch *watch; // the accesses to the watch, and to `state`, are made under the lock

static struct skerry_wire_up *wire_up; // stored (release) after `node`; then both are constant
static int node;
static bool is_joined; // stored (release) when the watch of the other nodes has begun

// Of the thread that watches.
static uint32_t uses_seen; // number of elements of the list of used nodes that were read
static bool *is_watched;   // is_watched[i]: the path to node i is watched
static int warned_pe = -1; // PE that the only warning names
static double warning_at;  // time at which the warning is written; 0: none

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct skerry_node_endpoint skerry_open_endpoint(int own) {
    struct skerry_node_watch *opened = skerry_open_node_watch(own, getenv("UCX_NET_DEVICES"));
    pthread_mutex_lock(&lock);
    watch = opened;
    pthread_mutex_unlock(&lock);
    return opened ? *skerry_own_endpoint(opened) : (struct skerry_node_endpoint){.port = 0};
}

int skerry_ring_descriptor(int *milliseconds) {
    *milliseconds = skerry_start_watch_wait();
    if (!__atomic_load_n(&is_joined, __ATOMIC_ACQUIRE)) return -1;
    pthread_mutex_lock(&lock);
    const int wait = skerry_node_watch_wait(watch);
    pthread_mutex_unlock(&lock);
    *milliseconds = uses_seen + 1 < wire_up->node_count || warning_at > 0 ? USE_MILLISECONDS : wait;
    return skerry_node_watch_descriptor(watch);
}

// Another node has written a line and ends the job. This node passes that on, because a path between two other nodes is
// possibly cut, and writes no line itself.
static void leave_it_to_others(void) {
    if (skerry_may_tell()) skerry_tell_nodes_of_end();
}

// Waits before this node writes a line, because the launcher can end the job, and another node can write its line.
static void wait_for_others(int milliseconds) {
    const double end = seconds_now() + milliseconds * 1e-3;
    for (double left; (left = end - seconds_now()) > 0;) {
        struct skerry_node_event event;
        pthread_mutex_lock(&lock);
        const bool has_event = skerry_step_node_watch(watch, seconds_now(), &event);
        pthread_mutex_unlock(&lock);
        if (has_event && event.kind == SKERRY_NODE_ENDS_JOB) leave_it_to_others();
        const int wait = left * 1e3 < USE_MILLISECONDS ? (int)(left * 1e3) + 1 : USE_MILLISECONDS;
        if (!has_event) poll(&(struct pollfd){.fd = skerry_node_watch_descriptor(watch), .events = POLLIN}, 1, wait);
    }
}

// Returns the time in milliseconds for which this node waits longer than others that can write a line.
static int wait_of_turn(int turn) {
    return (turn < TURNS ? turn : TURNS) * TURN_MILLISECONDS;
}

// Ends the job because a node does not answer. Usually several nodes notice that at the same time, so they wait for
// different times: the second node of a cut path writes a line only if the first one is dead.
_Noreturn static void end_for_silence(int silent, bool was_reached) {
    char here[100], there[100], line[400];
    skerry_describe_managed_node(node, here, sizeof here);
    skerry_describe_managed_node(silent, there, sizeof there);
    if (was_reached)
        snprintf(line, sizeof line, "%s and %s cannot reach each other: no answer for %d s; job stopped", here, there,
                 SKERRY_NODE_SILENCE);
    else
        snprintf(
            line, sizeof line,
            "%s gets no answer from %s within %d s: can the nodes reach each other's ports? A firewall, or a network "
            "that they do not share (UCX_NET_DEVICES), can be the reason; job stopped",
            here, there, SKERRY_NODE_SILENCE);
    wait_for_others(wait_of_turn(node) + (node > silent ? SECOND_MILLISECONDS : 0));
    skerry_end_for_node(line);
}

_Noreturn static void end_for_end(int ended) {
    char line[200];
    snprintf(line, sizeof line, "PE %d, the first of node %s, has ended; job stopped",
             skerry_nodes(wire_up)[ended].first, skerry_managed.job.nodes[ended].name);
    const int count = (int)wire_up->node_count;
    wait_for_others(ENDED_MILLISECONDS + wait_of_turn((node - ended - 1 + count) % count));
    skerry_end_for_node(line);
}

void skerry_note_nodes(struct skerry_wire_up *table, int own) {
    node = own;
    __atomic_store_n(&wire_up, table, __ATOMIC_RELEASE);
}

static bool begin_to_watch(int other, double now) {
    return skerry_watch_node(watch, other, &skerry_nodes(wire_up)[other].endpoint, now);
}

// The limit is shorter than the silence after which a path counts as cut. The time that is spent here counts, too.
void skerry_join_ring(void) {
    const int count = (int)wire_up->node_count, next = (node + 1) % count;
    is_watched = calloc((size_t)count, sizeof *is_watched);
    if (!is_watched || !watch) {
        skerry_say(
            "warning: this node cannot watch the other nodes; if one of them fails, this job possibly does not end");
        return;
    }
    const double begin = seconds_now();
    struct skerry_node_event event;
    is_watched[next] = begin_to_watch(next, begin);
    for (double now = begin; now < begin + JOIN_SECONDS; now = seconds_now()) {
        if (skerry_step_node_watch(watch, now, &event) && event.kind == SKERRY_NODE_ENDED) end_for_end(event.node);
        if (skerry_node_watch_joins(watch, (node + count - 1) % count, next)) break;
        poll(&(struct pollfd){.fd = skerry_node_watch_descriptor(watch), .events = POLLIN}, 1, USE_MILLISECONDS);
    }
    __atomic_store_n(&is_joined, true, __ATOMIC_RELEASE);
}

// The node has never accepted a connection. It counts as cut off only if PEs of this node use it and have received nothing
// from it: a firewall can forbid these connections, and let the messages of the network module pass.
static void judge_unreached(int unreached, bool is_silent) {
    const struct skerry_node *there = &skerry_nodes(wire_up)[unreached];
    const bool is_used = __atomic_load_n(&there->is_used, __ATOMIC_RELAXED);
    if (is_silent && is_used && !__atomic_load_n(&there->is_heard, __ATOMIC_RELAXED)) end_for_silence(unreached, false);
    if (is_silent) is_watched[unreached] = is_used; // if not, a later use begins to watch the path again
    if (warned_pe >= 0) return;
    warned_pe = there->first;
    warning_at = seconds_now() + WARNING_SECONDS;
}

// Possibly another node finds out in the meantime that the path is cut, and ends the job.
static void warn(double now) {
    if (warning_at == 0 || now < warning_at) return;
    warning_at = 0;
    skerry_say("warning: no TCP connection to PE %d; if its node fails, this job possibly does not end", warned_pe);
}

static void watch_used_nodes(double now) {
    for (uint32_t used; uses_seen < wire_up->node_count; uses_seen++) {
        used = __atomic_load_n(&skerry_nodes(wire_up)[uses_seen].next_used, __ATOMIC_ACQUIRE);
        if (!used) return;
        const int which = (int)used - 1;
        if (which != node && !is_watched[which]) is_watched[which] = begin_to_watch(which, now);
    }
}

void skerry_judge_nodes(void) {
    skerry_judge_start();
    if (!__atomic_load_n(&is_joined, __ATOMIC_ACQUIRE)) return;
    warn(seconds_now());
    for (;;) {
        struct skerry_node_event event;
        const double now = seconds_now();
        pthread_mutex_lock(&lock);
        watch_used_nodes(now);
        const bool has_event = skerry_step_node_watch(watch, now, &event);
        pthread_mutex_unlock(&lock);
        if (!has_event) return;
        if (event.kind == SKERRY_NODE_ENDS_JOB) leave_it_to_others();
        if (event.kind == SKERRY_NODE_ENDED) end_for_end(event.node);
        if (event.kind == SKERRY_NODE_SILENT) end_for_silence(event.node, true);
        if (event.kind == SKERRY_NODE_UNREACHED || event.kind == SKERRY_NODE_REFUSED)
            judge_unreached(event.node, event.kind == SKERRY_NODE_UNREACHED);
    }
}

// Does nothing in a child process that this process has forked: another thread of the parent possibly held the lock.
void skerry_tell_nodes(bool is_needed) {
    if (!skerry_job.managed) return;
    pthread_mutex_lock(&lock);
    if (watch) skerry_tell_watched_nodes(watch, is_needed ? SKERRY_NODE_IS_NEEDED : SKERRY_NODE_IS_NOT_NEEDED);
    pthread_mutex_unlock(&lock);
}

static void announce_to_neighbours(void) {
    struct skerry_wire_up *table = __atomic_load_n(&wire_up, __ATOMIC_ACQUIRE);
    if (!table || !skerry_is_wired_up(table)) return; // shmem_init is not complete
    const int count = (int)table->node_count, next = (node + 1) % count, previous = (node + count - 1) % count;
    skerry_announce_end(&skerry_nodes(table)[next].endpoint, node, ANNOUNCE_MILLISECONDS);
    if (previous != next) skerry_announce_end(&skerry_nodes(table)[previous].endpoint, node, ANNOUNCE_MILLISECONDS);
}

void skerry_tell_nodes_of_end(void) {
    pthread_mutex_lock(&lock);
    const bool is_first = watch != NULL;
    if (is_first) skerry_tell_watched_nodes(watch, SKERRY_NODE_IS_ENDING_JOB);
    pthread_mutex_unlock(&lock);
    if (!is_first) announce_to_neighbours();
}

void skerry_forget_nodes(void) {
    if (watch) skerry_forget_node_watch(watch);
    watch = NULL;
}
