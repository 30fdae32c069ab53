// SPDX-License-Identifier: BSD-3-Clause
// The connections that other nodes make to this one, as a part of node_watch.c.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "node_watch_internal.h"

#define HELLO_LIMIT 5.0 // seconds until a connection without a hello is closed
#define GUESTS_UNPROVEN                                                                                                \
    256 // connections without a hello that are open at a time; further ones are closed, and try again

static void close_guest(struct skerry_node_watch *watch, struct guest *guest) {
    if (guest->node < 0) watch->unproven_guests--;
    close(guest->descriptor);
    guest->descriptor = -1;
}

static void welcome(struct skerry_node_watch *watch, struct guest *guest) {
    if (memcmp(guest->hello.token, watch->endpoint.token, SKERRY_ENDPOINT_TOKEN) != 0 || guest->hello.node < 0) {
        close_guest(watch, guest);
        return;
    }
    watch->unproven_guests--;
    guest->node = guest->hello.node;
    skerry_note_node_state(watch, guest->node, (int)guest->hello.state, &guest->told);
    watch->has_expected = watch->has_expected || guest->node == watch->expected;
    ssize_t sent = sendto(guest->descriptor, &watch->state, 1, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    (void)sent; // a failure ends the connection
}

void skerry_hear_guest(struct skerry_node_watch *watch, struct guest *guest) {
    if (guest->descriptor < 0) return;
    char bytes[64];
    const bool is_new = guest->node < 0;
    void *to = is_new ? (char *)&guest->hello + guest->arrived : bytes;
    const size_t most = is_new ? sizeof guest->hello - guest->arrived : sizeof bytes;
    const ssize_t length = recv(guest->descriptor, to, most, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length <= 0) {
        // A connection that is reset and not closed is no proof of an end: see receive() in node_watch.c.
        if (length == 0 && !is_new) skerry_note_end_of_node(watch, guest->node, guest->told);
        close_guest(watch, guest);
    } else if (is_new) {
        guest->arrived += (size_t)length;
        if (guest->arrived == sizeof guest->hello) welcome(watch, guest);
    } else {
        skerry_note_node_state(watch, guest->node, bytes[length - 1], &guest->told);
    }
}

static struct guest *free_guest(struct skerry_node_watch *watch) {
    struct guest *guest = watch->guests;
    while (guest && guest->descriptor >= 0) guest = guest->next;
    if (guest) return guest;
    guest = calloc(1, sizeof *guest);
    if (!guest) return NULL;
    guest->descriptor = -1;
    guest->next = watch->guests;
    __atomic_store_n(&watch->guests, guest, __ATOMIC_RELEASE);
    return guest;
}

static void admit(struct skerry_node_watch *watch, double now) {
    for (;;) {
        const int descriptor = accept4(watch->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (descriptor < 0) return;
        struct guest *guest = watch->unproven_guests < GUESTS_UNPROVEN ? free_guest(watch) : NULL;
        if (!guest || !skerry_add_watch_event(watch, descriptor, EPOLLIN, (uintptr_t)guest | SKERRY_IS_GUEST)) {
            close(descriptor);
            continue;
        }
        guest->node = -1;
        guest->arrived = 0;
        guest->deadline = now + HELLO_LIMIT;
        guest->descriptor = descriptor;
        watch->unproven_guests++;
    }
}

void skerry_step_guests(struct skerry_node_watch *watch, double now) {
    admit(watch, now);
    for (struct guest *guest = watch->unproven_guests > 0 ? watch->guests : NULL; guest; guest = guest->next)
        if (guest->descriptor >= 0 && guest->node < 0 && now > guest->deadline) close_guest(watch, guest);
}
