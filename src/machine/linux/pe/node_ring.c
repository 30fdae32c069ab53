// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if a node ends or cannot be reached, in a job that a process manager, such as srun, has started. (In other
// jobs oshrun and skerry-node do this.) The first PE of each node watches (../node_watch.h):
// * some nodes from the start on: the previous one, and those to which the barrier in shmem_init sends. So the nodes form a
//   ring, and each node is watched by others.
// * each node to which a PE of this node sends messages. So each cut of a path that the program needs is noticed.
//
// The watch begins before main. At that time a node does not know where the others listen, and a program can call
// shmem_init much later, or never. So the processes begin a fence before main, and do not wait for it: it is done when the first
// PEs of all nodes have started. A path that is cut later ends the job, also if no PE has called shmem_init. But as long as no PE of
// this node, and no first PE of a node that is connected to this one, has called it, the end of another node's first PE is no
// failure: possibly no PE calls shmem_init. This end is remembered, and becomes a failure when one of these PEs calls shmem_init.
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
// * If the launcher does not end a node some seconds after it was told, the teller possibly does not reach the launcher, and
//   its line is lost. Then this node writes a line too, and ends itself.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "clock.h"
#include "managed_internal.h"
#include "node_ring.h"

#define WATCH_KEY "skerry.watch" // of the data that the first PE of a node puts
#define GET_SECONDS 1            // limit of the time to get this data, which is here already
#define JOIN_SECONDS 2           // limit of the time in which shmem_init waits for the ring
#define LEAVE_SECONDS 5          // the same, for a PE that ends without shmem_init
#define USE_MILLISECONDS 250     // time between two checks if PEs of this node use another node
#define EARLY_MILLISECONDS 100   // time between two checks if a PE of this node has called shmem_init
#define ENDED_MILLISECONDS 1000  // if a node has ended, the launcher possibly ends the job for the same reason
#define TURN_MILLISECONDS 250 // time by which a node waits longer for the line of another node than the node before it
#define ANNOUNCE_MILLISECONDS 250 // limit of the time for a connection to another node, to tell it that the job ends
#define WARNING_SECONDS 2         // until a warning is written
#define TURNS 3                   // nodes that wait for a different time
#define TURNS_MOST 8              // the same, after the end of a node
#define SECOND_MILLISECONDS 1000  // time for which the second node of a cut path waits for the line of the first
#define OTHERS_MILLISECONDS 4000  // time in which the launcher ends this process, after another node has ended the job

// What the first PE of a node puts for those of the other nodes.
struct watch_data {
    char version[32]; // of the library, as in struct skerry_identity
    struct skerry_node_endpoint endpoint;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;          // of has_joined
static struct skerry_node_watch *watch; // the accesses to the watch, and to `state`, are made under the lock
static enum skerry_node_state state = SKERRY_NODE_IS_EARLY;
static bool has_joined; // the next and the previous node notice the end of this process; under the lock

// Constant after skerry_begin_ring.
static int node, next, count;
static struct skerry_wire_up *table; // of the nodes; all PEs of this node share it

static uint32_t all_have_started; // 1: the data of all nodes can be got; stored by any thread
static uint32_t all_have_called;  // 1: all PEs of the job have called shmem_init

// Of the thread that watches.
static bool knows_endpoints;             // they are in the table
static bool *is_watched;                 // is_watched[i]: the path to node i is watched
static bool has_table;                   // the table is complete
static uint32_t uses_seen;               // number of elements of the list of used nodes that were read
static struct skerry_node_event delayed; // happened before a PE of this node has called shmem_init
static bool has_delayed;
static bool *has_left; // has_left[i]: the first PE of node i has ended without shmem_init, and that is no failure yet
static bool has_any_left;
static int warned_pe = -1;   // PE that the only warning names
static double warning_at;    // time at which the warning is written; 0: none
static double others_end_at; // time at which this node learned that another one ends the job; 0: none does
static int ending_node;      // the node that told it
static bool is_complete;     // each node of the start was reached

static int first_pe_of(int which) {
    int first = 0;
    for (int i = 0; i < which; i++) first += skerry_managed.job.nodes[i].count;
    return first;
}

// -- The start ---------------------------------------------------------------------------------------------------------

int skerry_start_neighbours(int *list) {
    const int own = skerry_managed.job.node, nodes = skerry_managed.job.node_count;
    int listed = 0;
    list[listed++] = (own + nodes - 1) % nodes;
    for (int distance = 1; distance < nodes && listed < SKERRY_START_NEIGHBOURS; distance *= 2) {
        const int other = (own + distance) % nodes;
        if (other != list[0]) list[listed++] = other;
    }
    return listed;
}

static void note_all_started(void) {
    __atomic_store_n(&all_have_started, 1, __ATOMIC_RELEASE);
    skerry_wake_watcher();
}

// Begins the fence. If that fails, the nodes find each other in shmem_init.
static void begin_fence(void) {
    int32_t *ranks = malloc((size_t)count * sizeof *ranks);
    if (!ranks) return;
    for (int i = 0; i < count; i++) ranks[i] = skerry_managed.job.nodes[i].rank[0];
    skerry_managed.manager->begin_fence(ranks, count, note_all_started);
    free(ranks);
}

// Puts where this node listens.
static void publish_endpoint(void) {
    struct watch_data data = {.endpoint = *skerry_own_endpoint(watch)};
    snprintf(data.version, sizeof data.version, "%s", skerry_build());
    skerry_managed.manager->put(WATCH_KEY, &data, sizeof data);
}

static void open_watch(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
    is_watched = calloc((size_t)count, sizeof *is_watched);
    has_left = calloc((size_t)count, sizeof *has_left);
    if (is_watched && has_left) watch = skerry_open_node_watch(node, getenv("UCX_NET_DEVICES"));
    if (!watch) return;
    skerry_expect_node(watch, (node + count - 1) % count);
    skerry_tell_watched_nodes(watch, state);
    publish_endpoint();
    skerry_begin_early_watch();
}

static void map_table(void) {
    void *memory =
        mmap(NULL, skerry_wire_up_bytes((uint32_t)count), PROT_READ | PROT_WRITE, MAP_SHARED, skerry_job.nodes_fd, 0);
    if (memory == MAP_FAILED) skerry_refuse("cannot map the file that describes the job's nodes: %s", strerror(errno));
    table = memory;
}

void skerry_begin_ring(void) {
    count = skerry_managed.job.node_count;
    if (count == 1) return;
    node = skerry_managed.job.node;
    next = (node + 1) % count;
    map_table();
    if (skerry_facts.my_pe == skerry_facts.near_first) open_watch();
    begin_fence();
}

// Gets where a node listens. A node with another version of the library is not watched; shmem_init ends the job.
static struct skerry_node_endpoint get_endpoint(int which) {
    struct watch_data data;
    const char *wrong =
        skerry_managed_get(skerry_managed.job.nodes[which].rank[0], WATCH_KEY, &data, sizeof data, GET_SECONDS);
    const bool is_usable = !wrong && strncmp(data.version, skerry_build(), sizeof data.version - 1) == 0;
    return is_usable ? data.endpoint : (struct skerry_node_endpoint){.port = 0};
}

// The port is stored by a release after the rest: another PE of this node that reads a port other than 0 (acquire) can read the
// rest (announce_to). Nothing is stored twice, because other PEs possibly read it.
void skerry_learn_endpoints(void) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    static bool is_done;
    pthread_mutex_lock(&once);
    for (int i = 0; i < count && !is_done; i++) {
        if (i == node) continue;
        struct skerry_node_endpoint *place = &skerry_nodes(table)[i].endpoint, found = get_endpoint(i);
        const uint16_t port = found.port;
        found.port = 0;
        *place = found;
        __atomic_store_n(&place->port, port, __ATOMIC_RELEASE);
    }
    is_done = true;
    pthread_mutex_unlock(&once);
}

static void watch_path(int which, double now) {
    if (which != node && !is_watched[which])
        is_watched[which] = skerry_watch_node(watch, which, &skerry_nodes(table)[which].endpoint, now);
}

static void watch_start_neighbours(double now) {
    int list[SKERRY_START_NEIGHBOURS];
    const int listed = skerry_start_neighbours(list);
    for (int i = 0; i < listed; i++) watch_path(list[i], now);
}

// Waits until the next and the previous node notice the end of this process, at most `seconds`.
static void await_ring(int seconds) {
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += seconds;
    pthread_mutex_lock(&lock);
    while (!has_joined && pthread_cond_timedwait(&changed, &lock, &limit) == 0) {
    }
    pthread_mutex_unlock(&lock);
}

// The limit is shorter than the silence after which a path counts as cut. The time that is spent here counts, too.
void skerry_complete_ring(void) {
    if (!watch) {
        skerry_say(
            "warning: this node cannot watch the other nodes; if one of them fails, this job possibly does not end");
        return;
    }
    __atomic_store_n(&all_have_called, 1, __ATOMIC_RELEASE);
    note_all_started();
    await_ring(JOIN_SECONDS);
}

// If the other nodes are not connected, they cannot notice that this process ends.
void skerry_leave_ring_early(void) {
    if (watch) await_ring(LEAVE_SECONDS);
}

bool skerry_ring_is_complete(void) {
    return is_complete;
}

bool skerry_any_node_has_left(void) {
    return has_any_left;
}

bool skerry_node_has_left(int which) {
    return has_any_left && has_left[which];
}

bool skerry_all_nodes_have_started(void) {
    return __atomic_load_n(&all_have_started, __ATOMIC_ACQUIRE);
}

bool skerry_ring_has_reached(int which) {
    if (!watch) return false;
    pthread_mutex_lock(&lock);
    const bool is_reached = skerry_node_was_reached(watch, which);
    pthread_mutex_unlock(&lock);
    return is_reached;
}

// Called under the lock.
static void note_joins(void) {
    if (!knows_endpoints || (has_joined && is_complete)) return;
    int list[SKERRY_START_NEIGHBOURS];
    const int listed = skerry_start_neighbours(list);
    bool all = true;
    for (int i = 0; i < listed; i++) all = all && skerry_node_was_reached(watch, list[i]);
    is_complete = all;
    if (has_joined || !skerry_node_watch_joins(watch, next)) return;
    has_joined = true;
    pthread_cond_broadcast(&changed);
}

// -- The end of the job ------------------------------------------------------------------------------------------------

// Another node has written a line and ends the job. This node passes that on, because a path between two other nodes is
// possibly cut, and writes no line itself.
static void leave_it_to_others(int teller) {
    if (others_end_at > 0) return;
    others_end_at = seconds_now();
    ending_node = teller;
    skerry_may_tell();
    skerry_tell_nodes_of_end();
}

static bool step(struct skerry_node_event *event) {
    pthread_mutex_lock(&lock);
    const bool has_event = skerry_step_node_watch(watch, seconds_now(), event);
    note_joins();
    pthread_mutex_unlock(&lock);
    return has_event;
}

// The first PE of another node has called shmem_init. All PEs of this node read that (skerry_find_waiting_pe).
static void note_waiting_pe(int which) {
    __atomic_store_n(&skerry_first_control()->waiting_pe, (uint32_t)first_pe_of(which) + 1, __ATOMIC_RELAXED);
}

bool skerry_wait_for_others(int milliseconds) {
    const double end = seconds_now() + milliseconds * 1e-3;
    for (;;) {
        struct skerry_node_event event;
        const bool has_event = watch && step(&event);
        if (has_event && event.kind == SKERRY_NODE_ENDS_JOB) leave_it_to_others(event.node);
        if (has_event && event.kind == SKERRY_NODE_CALLED) note_waiting_pe(event.node);
        if (has_event) continue;
        const double left = end - seconds_now();
        if (left <= 0) return others_end_at > 0;
        const int wait = left * 1e3 < USE_MILLISECONDS ? (int)(left * 1e3) + 1 : USE_MILLISECONDS;
        poll(&(struct pollfd){.fd = watch ? skerry_node_watch_descriptor(watch) : -1, .events = POLLIN}, 1, wait);
    }
}

// Ends the job with this line, unless another node writes a line within the given time. If the process manager then does not
// end this process, the other node does not reach it, and its line is possibly lost: this node writes its own.
_Noreturn static void end_after(const char *line, int milliseconds) {
    const bool others_end = skerry_wait_for_others(milliseconds);
    if (others_end) skerry_wait_for_others(OTHERS_MILLISECONDS + milliseconds);
    skerry_end_for_node(line, others_end);
}

// Returns for how many milliseconds this node lets the others write the line about node `cause`. Several of the nodes at the
// distances 1, 2, 4 and so on notice the same. They wait in this order, and that after the cause first.
static int turn_after(int cause) {
    const int after = (node - cause + count) % count, before = count - after;
    int turn = 0;
    for (int distance = after < before ? after : before; distance > 1; distance /= 2) turn += 2;
    turn += before < after;
    return (turn < TURNS_MOST ? turn : TURNS_MOST) * TURN_MILLISECONDS;
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
    end_after(line, (node < TURNS ? node : TURNS) * TURN_MILLISECONDS + (node > silent ? SECOND_MILLISECONDS : 0));
}

_Noreturn static void end_for_end(int ended) {
    char line[200];
    snprintf(line, sizeof line, "PE %d, the first of node %s, has ended; job stopped", first_pe_of(ended),
             skerry_managed.job.nodes[ended].name);
    end_after(line, ENDED_MILLISECONDS + turn_after(ended));
}

int skerry_find_waiting_pe(void) {
    const int first = skerry_facts.near_first, end = first + (int)skerry_facts.near_count;
    for (int pe = first; pe < end; pe++)
        if (__atomic_load_n(&skerry_control_of(pe)->state, __ATOMIC_ACQUIRE) >= SKERRY_PE_RUNNING) return pe;
    return (int)__atomic_load_n(&skerry_first_control()->waiting_pe, __ATOMIC_RELAXED) - 1;
}

_Noreturn static void end_for_missing_call(int left) {
    char line[200];
    snprintf(line, sizeof line, "PE %d on node %s has ended without shmem_init, and PE %d waits for it; job stopped",
             first_pe_of(left), skerry_managed.job.nodes[left].name, skerry_find_waiting_pe());
    end_after(line, ENDED_MILLISECONDS + turn_after(left));
}

// -- Judging -----------------------------------------------------------------------------------------------------------

// The node has never accepted a connection. It counts as cut off only if PEs of this node use it and have received nothing
// from it: a firewall can forbid these connections, and let the messages of the network module pass.
static void judge_unreached(int unreached, bool is_silent) {
    const struct skerry_node *there = has_table ? &skerry_nodes(table)[unreached] : NULL;
    const bool is_used = there && __atomic_load_n(&there->is_used, __ATOMIC_RELAXED);
    if (is_silent && is_used && !__atomic_load_n(&there->is_heard, __ATOMIC_RELAXED)) end_for_silence(unreached, false);
    if (is_silent) is_watched[unreached] = is_used; // if not, a later use begins to watch the path again
    if (!there || warned_pe >= 0) return;
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
    if (!has_table) {
        has_table = __atomic_load_n(&all_have_called, __ATOMIC_ACQUIRE);
        if (!has_table) return;
        watch_start_neighbours(now); // those that were not reached before
    }
    for (uint32_t used; uses_seen < table->node_count; uses_seen++) {
        used = __atomic_load_n(&skerry_nodes(table)[uses_seen].next_used, __ATOMIC_ACQUIRE);
        if (!used) return;
        watch_path((int)used - 1, now);
    }
}

static void judge(const struct skerry_node_event *event) {
    if (event->kind == SKERRY_NODE_LEFT && skerry_find_waiting_pe() < 0) {
        if (!has_delayed) delayed = *event;
        has_delayed = has_any_left = has_left[event->node] = true;
        return;
    }
    switch (event->kind) {
    case SKERRY_NODE_ENDS_JOB: leave_it_to_others(event->node); break;
    case SKERRY_NODE_CALLED: note_waiting_pe(event->node); break;
    case SKERRY_NODE_ENDED: end_for_end(event->node);
    case SKERRY_NODE_LEFT: end_for_missing_call(event->node);
    case SKERRY_NODE_SILENT: end_for_silence(event->node, true);
    case SKERRY_NODE_UNREACHED: judge_unreached(event->node, true); break;
    case SKERRY_NODE_REFUSED: judge_unreached(event->node, false); break;
    }
}

// The process manager has not ended this process although another node has asked for it.
static void judge_others(double now) {
    const int limit = OTHERS_MILLISECONDS + turn_after(ending_node);
    if (others_end_at == 0 || now < others_end_at + limit * 1e-3) return;
    char line[200];
    snprintf(line, sizeof line, "node %s ends the job, but the launcher does not end this node's PEs; job stopped",
             skerry_managed.job.nodes[ending_node].name);
    skerry_end_for_node(line, true);
}

void skerry_judge_nodes(void) {
    if (watch && !knows_endpoints && __atomic_load_n(&all_have_started, __ATOMIC_ACQUIRE)) {
        skerry_learn_endpoints();
        knows_endpoints = true;
        pthread_mutex_lock(&lock);
        watch_start_neighbours(seconds_now());
        pthread_mutex_unlock(&lock);
    }
    skerry_judge_start();
    if (!watch) return;
    const double now = seconds_now();
    warn(now);
    judge_others(now);
    if (knows_endpoints) {
        pthread_mutex_lock(&lock);
        watch_used_nodes(now);
        pthread_mutex_unlock(&lock);
    }
    struct skerry_node_event event;
    while (step(&event)) judge(&event);
    if (has_delayed && skerry_find_waiting_pe() >= 0) judge(&delayed);
}

int skerry_ring_descriptor(int *milliseconds) {
    *milliseconds = skerry_start_watch_wait();
    if (!watch) return -1;
    pthread_mutex_lock(&lock);
    const int wait = skerry_node_watch_wait(watch);
    pthread_mutex_unlock(&lock);
    const bool looks = (has_table && uses_seen + 1 < table->node_count) || warning_at > 0 || others_end_at > 0;
    const int waits[] = {wait, looks ? USE_MILLISECONDS : -1, has_delayed ? EARLY_MILLISECONDS : -1};
    for (int i = 0; i < 3; i++)
        if (waits[i] >= 0 && (*milliseconds < 0 || waits[i] < *milliseconds)) *milliseconds = waits[i];
    return skerry_node_watch_descriptor(watch);
}

// -- What this node tells the others -----------------------------------------------------------------------------------

// Does nothing in a child process that this process has forked: another thread of the parent possibly held the lock. A PE
// that has not called shmem_init does not tell that it is not needed.
void skerry_tell_nodes(bool is_needed) {
    if (!skerry_job.managed) return;
    pthread_mutex_lock(&lock);
    if (is_needed || state != SKERRY_NODE_IS_EARLY)
        state = is_needed ? SKERRY_NODE_IS_NEEDED : SKERRY_NODE_IS_NOT_NEEDED;
    if (watch) skerry_tell_watched_nodes(watch, state);
    pthread_mutex_unlock(&lock);
}

static void announce_to(int which) {
    const struct skerry_node_endpoint *endpoint = &skerry_nodes(table)[which].endpoint;
    if (__atomic_load_n(&endpoint->port, __ATOMIC_ACQUIRE)) skerry_announce_end(endpoint, node, ANNOUNCE_MILLISECONDS);
}

static void announce_to_neighbours(void) {
    if (!table) return; // a job of one node
    const int previous = (node + count - 1) % count;
    announce_to(next);
    if (previous != next) announce_to(previous);
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
