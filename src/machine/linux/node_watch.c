// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "node_watch.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "node_watch_internal.h"
#include "tcp_request.h"

#define PROBE_IDLE 1     // seconds of silence until the kernel's first probe
#define PROBE_INTERVAL 1 // seconds between two probes
#define PROBE_LIMIT 5    // seconds of silence until the kernel gives up a connection
#define TRY_STEP 0.25    // seconds until the next request for a connection is sent while others have no answer
#define TRY_INTERVAL 1.0 // seconds until the next request after one that failed at once
#define STEP_SECONDS 0.25
#define EVENTS_AT_A_TIME 64

// -- Descriptors -------------------------------------------------------------------------------------------------------

static void set(int descriptor, int level, int option, int value) {
    setsockopt(descriptor, level, option, &value, sizeof value);
}

static void probe_by_kernel(int descriptor) {
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, PROBE_IDLE);
    set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, PROBE_INTERVAL);
    set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, PROBE_LIMIT);
    // Also limits the silence after data. A little shorter: the kernel compares it with the silence at each probe.
    set(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000 * PROBE_LIMIT - 100);
}

static int listen_at(int family, uint16_t *port) {
    const struct sockaddr_in four = {.sin_family = AF_INET};
    const struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_storage bound;
    socklen_t bytes = sizeof bound;
    const int opened = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (opened < 0) return -1;
    if (family == AF_INET6) set(opened, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    const struct sockaddr *address = family == AF_INET ? (const struct sockaddr *)&four : (const struct sockaddr *)&six;
    if (bind(opened, address, family == AF_INET ? sizeof four : sizeof six) == 0 && listen(opened, SOMAXCONN) == 0 &&
        getsockname(opened, (struct sockaddr *)&bound, &bytes) == 0) {
        *port = family == AF_INET ? ((const struct sockaddr_in *)(const void *)&bound)->sin_port
                                  : ((const struct sockaddr_in6 *)(const void *)&bound)->sin6_port;
        return opened;
    }
    const int error = errno;
    close(opened);
    errno = error;
    return -1;
}

bool skerry_add_watch_event(const struct skerry_node_watch *watch, int descriptor, uint32_t what, uintptr_t data) {
    struct epoll_event event = {.events = what, .data = {.u64 = data}};
    return epoll_ctl(watch->events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

struct skerry_node_watch *skerry_open_node_watch(int own, const char *devices) {
    struct skerry_node_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    *watch = (struct skerry_node_watch){.own = own,
                                        .events = -1,
                                        .ended.node = -1,
                                        .ends_job = -1,
                                        .called = -1,
                                        .expected = -1,
                                        .state = SKERRY_NODE_IS_NEEDED};
    watch->listener = listen_at(AF_INET6, &watch->endpoint.port);
    if (watch->listener < 0) watch->listener = listen_at(AF_INET, &watch->endpoint.port); // no IPv6 on this machine
    if (watch->listener >= 0) watch->events = epoll_create1(EPOLL_CLOEXEC);
    if (watch->events >= 0 && skerry_add_watch_event(watch, watch->listener, EPOLLIN, 0) &&
        getrandom(watch->endpoint.token, SKERRY_ENDPOINT_TOKEN, 0) == SKERRY_ENDPOINT_TOKEN) {
        skerry_find_addresses(&watch->endpoint, &watch->own_addresses, devices);
        return watch;
    }
    const int error = errno;
    skerry_forget_node_watch(watch);
    free(watch);
    errno = error;
    return NULL;
}

const struct skerry_node_endpoint *skerry_own_endpoint(const struct skerry_node_watch *watch) {
    return &watch->endpoint;
}

int skerry_node_watch_descriptor(const struct skerry_node_watch *watch) {
    return watch->events;
}

int skerry_node_watch_wait(const struct skerry_node_watch *watch) {
    return watch->open_paths > 0 || watch->unproven_guests > 0 ? (int)(STEP_SECONDS * 1e3) : -1;
}

// -- Paths -------------------------------------------------------------------------------------------------------------

void skerry_note_node_state(struct skerry_node_watch *watch, int node, int state, uint8_t *told) {
    if (state == SKERRY_NODE_IS_ENDING_JOB && watch->ends_job < 0) watch->ends_job = node;
    if (state == SKERRY_NODE_IS_NEEDED) watch->called = node;
    *told = (uint8_t)state;
}

void skerry_note_end_of_node(struct skerry_node_watch *watch, int node, int told) {
    if (told == SKERRY_NODE_IS_NOT_NEEDED || watch->ended.node >= 0) return;
    watch->ended =
        (struct skerry_node_event){node, told == SKERRY_NODE_IS_EARLY ? SKERRY_NODE_LEFT : SKERRY_NODE_ENDED};
}

static void close_descriptor(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor); // also removes it from the events
    *descriptor = -1;
}

static void close_path(struct path *path) {
    close_descriptor(&path->descriptor);
    for (int i = 0; i < TRIES; i++) close_descriptor(&path->tries[i]);
}

static void set_state(struct skerry_node_watch *watch, struct path *path, enum path_state state) {
    watch->open_paths += (state == CONNECTING) - (path->state == CONNECTING);
    path->state = state;
}

static void give_up(struct skerry_node_watch *watch, struct path *path) {
    close_path(path);
    set_state(watch, path, GIVEN_UP);
}

// Called when the connection was closed and not reset, or when its port refuses a new one. No process listens there any
// more.
static void note_end(struct skerry_node_watch *watch, struct path *path) {
    skerry_note_end_of_node(watch, path->node, path->told);
    give_up(watch, path);
}

// A refused connection is an answer of the other node's kernel: the watcher has ended there, or a firewall rejects the
// connection.
static void note_refusal(struct skerry_node_watch *watch, struct path *path) {
    path->silence = path->silent_before = 0;
    path->was_refused = true;
    if (path->is_greeted) note_end(watch, path);
}

// Sends a request for a connection, in place of the oldest one without an answer. The kernel itself would send a lost request again
// only after a second. So a path that comes back is noticed sooner.
static void begin(struct skerry_node_watch *watch, struct path *path, double now) {
    path->newest = (path->newest + 1) % TRIES;
    int *try = &path->tries[path->newest];
    close_descriptor(try);
    *try = skerry_begin_request(path->endpoint.address[0], path->endpoint.port);
    path->try_at = now + (*try < 0 ? TRY_INTERVAL : TRY_STEP);
    if (*try < 0 && errno == ECONNREFUSED) note_refusal(watch, path);
    if (*try >= 0 && !skerry_add_watch_event(watch, *try, EPOLLOUT, (uintptr_t)path)) close_descriptor(try);
}

// Tries to connect again after the end of a connection.
static void retry(struct skerry_node_watch *watch, struct path *path, double now, double silent_before) {
    close_path(path);
    path->try_at = silent_before > 0 ? now : now + TRY_INTERVAL;
    set_state(watch, path, CONNECTING);
    path->polled_at = now;
    path->silence = 0;
    path->silent_before = silent_before;
}

// Called when a connection is made. The kernel of the other node accepts it, even if the watcher there does not run.
static void hold(struct skerry_node_watch *watch, struct path *path) {
    set_state(watch, path, HELD);
    path->was_reached = true;
    path->was_refused = false;
    path->silent_before = 0;
    probe_by_kernel(path->descriptor);
    struct hello hello = {.node = watch->own, .state = watch->state};
    memcpy(hello.token, path->endpoint.token, sizeof hello.token);
    ssize_t sent = sendto(path->descriptor, &hello, sizeof hello, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    (void)sent; // a failure ends the connection
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = (uintptr_t)path}};
    epoll_ctl(watch->events, EPOLL_CTL_MOD, path->descriptor, &event);
}

static bool is_silence(int error) {
    // ETIMEDOUT: no probe was answered. Some kernels report the error of a router in place of it.
    return error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH || error == EHOSTDOWN;
}

static void receive(struct skerry_node_watch *watch, struct path *path, double now) {
    char bytes[64];
    const ssize_t length = recv(path->descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length > 0) {
        path->is_greeted = true;
        skerry_note_node_state(watch, path->node, bytes[length - 1], &path->told);
    } else if (length == 0 && path->is_greeted) {
        note_end(watch, path);
    } else if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
        // A reset is no proof of an end: the other side's kernel sends it too if it gets no answers. The next try shows
        // which of the two it was.
        retry(watch, path, now, length < 0 && is_silence(errno) ? PROBE_LIMIT : 0);
    }
}

// Returns the errno of a request for a connection, 0 if the connection is made, or -1 if there is no answer yet.
static int answer_to(int request) {
    const bool is_answered = request >= 0 && poll(&(struct pollfd){.fd = request, .events = POLLOUT}, 1, 0) == 1;
    return is_answered ? skerry_request_error(request) : -1;
}

static void handle_path(struct skerry_node_watch *watch, struct path *path, double now) {
    if (path->state == HELD) receive(watch, path, now);
    for (int i = 0; i < TRIES && path->state == CONNECTING; i++) {
        const int error = answer_to(path->tries[i]);
        if (error < 0) continue;
        if (error == 0) {
            path->descriptor = path->tries[i];
            path->tries[i] = -1;
            for (int other = 0; other < TRIES; other++) close_descriptor(&path->tries[other]);
            hold(watch, path);
            return;
        }
        close_descriptor(&path->tries[i]);
        if (path->try_at < now + TRY_INTERVAL) path->try_at = now + TRY_INTERVAL;
        if (error == ECONNREFUSED) note_refusal(watch, path);
    }
}

// Leaves out addresses that this node has too, for example of a bridge for containers that has the same address on each
// machine: a connection to such an address does not leave this machine. If both nodes have the same addresses only, they
// are on one machine.
bool skerry_watch_node(struct skerry_node_watch *watch, int node, const struct skerry_node_endpoint *endpoint,
                       double now) {
    const int count = endpoint->addresses < SKERRY_ENDPOINT_ADDRESSES ? endpoint->addresses : SKERRY_ENDPOINT_ADDRESSES;
    int others = 0;
    for (int i = 0; i < count; i++) others += !skerry_is_own_address(&watch->own_addresses, endpoint->address[i]);
    for (int i = 0; i < count && endpoint->port; i++) {
        if (others > 0 && skerry_is_own_address(&watch->own_addresses, endpoint->address[i])) continue;
        struct path *path = calloc(1, sizeof *path);
        if (!path) return false;
        *path = (struct path){
            .next = watch->paths, .node = node, .endpoint = *endpoint, .state = GIVEN_UP, .descriptor = -1};
        for (int try = 0; try < TRIES; try++) path->tries[try] = -1;
        memcpy(path->endpoint.address[0], endpoint->address[i], sizeof path->endpoint.address[0]);
        __atomic_store_n(&watch->paths, path, __ATOMIC_RELEASE);
        set_state(watch, path, CONNECTING);
        path->polled_at = path->begun_at = now;
        begin(watch, path, now);
    }
    return true;
}

// -- Steps -------------------------------------------------------------------------------------------------------------

bool skerry_node_was_reached(const struct skerry_node_watch *watch, int node) {
    for (const struct path *path = watch->paths; path; path = path->next)
        if (path->node == node && path->was_reached) return true;
    return false;
}

// Returns true if the path has been silent, or was refused, for too long, and this is an event.
static bool judge(struct skerry_node_watch *watch, struct path *path, double now, struct skerry_node_event *event) {
    if (path->was_refused && !path->is_refusal_told && now - path->begun_at >= SKERRY_NODE_SILENCE) {
        path->is_refusal_told = true;
        *event = (struct skerry_node_event){path->node, SKERRY_NODE_REFUSED};
        return !skerry_node_was_reached(watch, path->node);
    }
    if (path->silence + path->silent_before < SKERRY_NODE_SILENCE) return false;
    *event = (struct skerry_node_event){path->node, path->was_reached ? SKERRY_NODE_SILENT : SKERRY_NODE_UNREACHED};
    give_up(watch, path);
    if (!path->was_reached) return !skerry_node_was_reached(watch, path->node);
    return path->told != SKERRY_NODE_IS_NOT_NEEDED;
}

// Takes what was not yet reported of a node, if there is something.
static bool take(int *node, enum skerry_node_event_kind kind, struct skerry_node_event *event) {
    if (*node < 0) return false;
    *event = (struct skerry_node_event){*node, kind};
    *node = -1;
    return true;
}

bool skerry_step_node_watch(struct skerry_node_watch *watch, double now, struct skerry_node_event *event) {
    // Before the events are read: an answer that has arrived ends the silence.
    for (struct path *path = watch->paths; path; path = path->next) {
        const double elapsed = now - path->polled_at;
        path->silence += elapsed < 0 ? 0 : elapsed > 2 * STEP_SECONDS ? 2 * STEP_SECONDS : elapsed;
        path->polled_at = now;
    }
    struct epoll_event events[EVENTS_AT_A_TIME];
    const int count = epoll_wait(watch->events, events, EVENTS_AT_A_TIME, 0);
    for (int i = 0; i < count; i++) {
        const uintptr_t data = (uintptr_t)events[i].data.u64;
        if (!data) continue; // the listener: skerry_step_guests() runs in any case
        if (data & SKERRY_IS_GUEST)
            skerry_hear_guest(watch, (struct guest *)(data & ~(uintptr_t)SKERRY_IS_GUEST)); // NOLINT
        else handle_path(watch, (struct path *)data, now);                                  // NOLINT
    }
    skerry_step_guests(watch, now);
    for (struct path *path = watch->paths; path; path = path->next) {
        if (path->state != CONNECTING) continue;
        if (judge(watch, path, now, event)) return true;
        if (path->state == CONNECTING && now >= path->try_at) begin(watch, path, now);
    }
    // A node that ends the job tells this before it ends.
    if (take(&watch->ends_job, SKERRY_NODE_ENDS_JOB, event) || take(&watch->called, SKERRY_NODE_CALLED, event))
        return true;
    if (watch->ended.node < 0) return false;
    *event = watch->ended;
    watch->ended.node = -1;
    return true;
}

void skerry_expect_node(struct skerry_node_watch *watch, int previous) {
    watch->expected = previous;
}

bool skerry_node_watch_joins(const struct skerry_node_watch *watch, int next) {
    bool is_greeted = false;
    for (const struct path *path = watch->paths; path && !is_greeted; path = path->next)
        is_greeted = path->node == next && path->is_greeted;
    return is_greeted && watch->has_expected;
}

void skerry_tell_watched_nodes(struct skerry_node_watch *watch, enum skerry_node_state state) {
    watch->state = (uint8_t)state;
    for (const struct path *path = watch->paths; path; path = path->next)
        if (path->state == HELD) {
            ssize_t sent = sendto(path->descriptor, &watch->state, 1, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
            (void)sent; // a failure ends the connection
        }
    for (const struct guest *guest = watch->guests; guest; guest = guest->next)
        if (guest->descriptor >= 0 && guest->node >= 0) {
            ssize_t sent = sendto(guest->descriptor, &watch->state, 1, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
            (void)sent;
        }
}

// The addresses of the node are tried at the same time, because a path to one of them can be cut.
void skerry_announce_end(const struct skerry_node_endpoint *endpoint, int own, int milliseconds) {
    struct hello hello = {.node = own, .state = SKERRY_NODE_IS_ENDING_JOB};
    memcpy(hello.token, endpoint->token, sizeof hello.token);
    const int count = endpoint->addresses < SKERRY_ENDPOINT_ADDRESSES ? endpoint->addresses : SKERRY_ENDPOINT_ADDRESSES;
    struct pollfd requests[SKERRY_ENDPOINT_ADDRESSES];
    for (int i = 0; i < count; i++)
        requests[i] = (struct pollfd){skerry_begin_request(endpoint->address[i], endpoint->port), POLLOUT, 0};
    for (int open = count; open > 0 && poll(requests, (nfds_t)count, milliseconds) > 0; open--)
        for (int i = 0; i < count; i++) {
            if (requests[i].fd < 0 || !requests[i].revents) continue;
            const bool is_made = skerry_request_error(requests[i].fd) == 0;
            if (is_made && sendto(requests[i].fd, &hello, sizeof hello, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0) > 0)
                return;
            requests[i].fd = -1;
        }
}

void skerry_forget_node_watch(struct skerry_node_watch *watch) {
    if (watch->events >= 0) close(watch->events);
    if (watch->listener >= 0) close(watch->listener);
    for (const struct path *path = __atomic_load_n(&watch->paths, __ATOMIC_ACQUIRE); path; path = path->next) {
        if (path->descriptor >= 0) close(path->descriptor);
        for (int i = 0; i < TRIES; i++)
            if (path->tries[i] >= 0) close(path->tries[i]);
    }
    for (const struct guest *guest = __atomic_load_n(&watch->guests, __ATOMIC_ACQUIRE); guest; guest = guest->next)
        if (guest->descriptor >= 0) close(guest->descriptor);
}
