// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "host_watch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tcp_request.h"

#define THREAD_STACK_BYTES ((size_t)512 << 10) // name services are libraries with large buffers
#define PORT_SECONDS 1.5                       // until another port is asked
#define ASK_SECONDS 1.0                        // between two questions
#define WAIT_SECONDS 2.0                       // for an answer to a question
#define GAP_MOST 1.5                           // longest time between two steps that counts as silence
#define EASY_SECONDS                                                                                                   \
    3.0 // in this time after the start, a host that has answered is not asked again: most jobs have started
#define AT_ONCE_SECONDS 0.5 // a rejection within this time comes from a firewall: the network itself takes seconds

static const uint16_t ports[] = {9, 22, 6818};

// The names and addresses belong to the thread that finds the addresses and to the watch. The last of the two frees them.
// The thread stores to `known` (release) after the address, and the watch loads it (acquire) before.
struct table {
    int count, owners, known;
    char **names;
    struct {
        bool is_known;
        uint8_t bytes[16];
    } * addresses;
};

struct host {
    bool is_dropped, has_answered, was_rejected;
    int descriptor; // a question without an answer; -1: none
    unsigned port;  // index of the port that is asked
    double asked_at, port_since;
    double silence;
    int missing; // answers of the network that no machine has this address
};

struct skerry_host_watch {
    struct table *table;
    double begun_at, stepped_at;
    struct host *hosts;
};

// -- Addresses ---------------------------------------------------------------------------------------------------------

static void release(struct table *table) {
    if (__atomic_sub_fetch(&table->owners, 1, __ATOMIC_ACQ_REL) > 0) return;
    for (int i = 0; i < table->count; i++) free(table->names[i]);
    free(table->names);
    free(table->addresses);
    free(table);
}

static void *find_addresses(void *given) {
    struct table *table = given;
    for (int i = 0; i < table->count; i++) {
        const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
        struct addrinfo *found;
        const char *user_end = strchr(table->names[i], '@');
        if (getaddrinfo(user_end ? user_end + 1 : table->names[i], NULL, &hints, &found) == 0) {
            table->addresses[i].is_known = skerry_convert_address(found->ai_addr, table->addresses[i].bytes);
            freeaddrinfo(found);
        }
        __atomic_store_n(&table->known, i + 1, __ATOMIC_RELEASE);
    }
    release(table);
    return NULL;
}

// The thread gets no signals: they are for the threads of the caller.
static void start_thread(struct table *table) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, &attributes, find_addresses, table) != 0) release(table); // no address becomes known
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

const uint8_t *skerry_host_address(const struct skerry_host_watch *watch, int index) {
    const bool is_known =
        index < __atomic_load_n(&watch->table->known, __ATOMIC_ACQUIRE) && watch->table->addresses[index].is_known;
    return is_known ? watch->table->addresses[index].bytes : NULL;
}

// -- Questions ---------------------------------------------------------------------------------------------------------

static void forget_question(struct host *host) {
    if (host->descriptor >= 0) close(host->descriptor);
    host->descriptor = -1;
}

static void note_answer(struct host *host) {
    host->has_answered = true;
    host->silence = 0;
    host->missing = 0;
}

// Notes what a question has led to. `error`: 0, or the errno of the connection.
static void note_end(struct host *host, int error, double now, double begun_at) {
    if (error == 0 || error == ECONNREFUSED) note_answer(host);
    if (error != EHOSTUNREACH && error != EHOSTDOWN) return;
    // The network needs some seconds to find out that no machine has an address.
    if (now - begun_at < AT_ONCE_SECONDS) host->was_rejected = true;
    else if (!host->was_rejected) host->missing++;
}

static void ask(struct host *host, const uint8_t *address, double now, double begun_at) {
    if (host->descriptor >= 0 && poll(&(struct pollfd){.fd = host->descriptor, .events = POLLOUT}, 1, 0) == 1) {
        note_end(host, skerry_request_error(host->descriptor), now, begun_at);
        forget_question(host);
    }
    if (!host->has_answered && now - host->port_since > PORT_SECONDS) {
        host->port = (host->port + 1) % (sizeof ports / sizeof *ports);
        host->port_since = now;
        forget_question(host);
        host->asked_at = 0;
    }
    if (now - host->asked_at < (host->descriptor >= 0 ? WAIT_SECONDS : ASK_SECONDS)) return;
    if (host->has_answered && host->descriptor < 0 && now - begun_at < EASY_SECONDS) return;
    forget_question(host);
    host->asked_at = now;
    host->descriptor = skerry_begin_request(address, htons(ports[host->port]));
    if (host->descriptor < 0) note_end(host, errno, now, begun_at);
}

void skerry_step_host_watch(struct skerry_host_watch *watch, double now) {
    double elapsed = now - watch->stepped_at;
    if (elapsed < 0) elapsed = 0;
    if (elapsed > GAP_MOST) elapsed = GAP_MOST;
    watch->stepped_at = now;
    for (int i = 0; i < watch->table->count; i++) {
        struct host *host = &watch->hosts[i];
        const uint8_t *address = skerry_host_address(watch, i);
        if (host->is_dropped || !address) continue;
        host->silence += elapsed;
        ask(host, address, now, watch->begun_at);
    }
}

enum skerry_host_state skerry_host_state(const struct skerry_host_watch *watch, int index) {
    const struct host *host = &watch->hosts[index];
    if (host->is_dropped || !skerry_host_address(watch, index)) return SKERRY_HOST_UNKNOWN;
    if (host->silence < SKERRY_HOST_SILENCE) return host->has_answered ? SKERRY_HOST_ANSWERS : SKERRY_HOST_UNKNOWN;
    if (host->has_answered) return SKERRY_HOST_SILENT;
    return host->missing > 1 ? SKERRY_HOST_UNREACHABLE : SKERRY_HOST_UNHEARD;
}

void skerry_drop_host(struct skerry_host_watch *watch, int index) {
    forget_question(&watch->hosts[index]);
    watch->hosts[index].is_dropped = true;
}

struct skerry_host_watch *skerry_watch_hosts(const char *const *names, int count, double now) {
    struct skerry_host_watch *watch = calloc(1, sizeof *watch);
    struct host *hosts = calloc((size_t)count, sizeof *hosts);
    struct table *table = calloc(1, sizeof *table);
    bool is_complete = watch && hosts && table;
    if (table) {
        *table = (struct table){.count = count, .owners = 1};
        table->names = calloc((size_t)count, sizeof *table->names);
        table->addresses = calloc((size_t)count, sizeof *table->addresses);
        is_complete = is_complete && table->names && table->addresses;
        if (!table->names) table->count = 0;
        for (int i = 0; i < table->count; i++) {
            table->names[i] = strdup(names[i]);
            is_complete = is_complete && table->names[i];
        }
    }
    if (!is_complete) {
        if (table) release(table);
        free(hosts);
        free(watch);
        return NULL;
    }
    for (int i = 0; i < count; i++) hosts[i] = (struct host){.descriptor = -1, .port_since = now};
    *watch = (struct skerry_host_watch){.table = table, .begun_at = now, .stepped_at = now, .hosts = hosts};
    table->owners = 2;
    start_thread(table);
    return watch;
}

void skerry_end_host_watch(struct skerry_host_watch *watch) {
    for (int i = 0; i < watch->table->count; i++) forget_question(&watch->hosts[i]);
    free(watch->hosts);
    release(watch->table);
    free(watch);
}
