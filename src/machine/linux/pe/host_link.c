// SPDX-License-Identifier: BSD-3-Clause
// The link to a host program (../../contract/host_program.h). The host program has passed the link's descriptor in the
// environment. From the start of this process on, a thread waits for the host program's end, because this program can
// compute for a long time without using the link.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

static int host_link = -1;
static int host_process;
static bool exit_sent; // the host program may end from now on
static bool end_told;  // a thread reports the end of the host program

// Ends the job. The thread that waits for the host program's end and a thread that uses the link can both call this
// function. The second one only waits for the end of the process.
static _Noreturn void end_without_host(void) {
    if (__atomic_exchange_n(&end_told, true, __ATOMIC_ACQ_REL))
        for (;;) pause();
    skerry_refuse("the host program (process %d) has ended; job stopped", host_process);
}

// Waits for the end of the host program, which closes its end of the link. POLLHUP needs no bit in `events`.
static void watch_host(void) {
    struct pollfd end = {.fd = host_link, .events = 0};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) {
    }
    if (!__atomic_load_n(&exit_sent, __ATOMIC_ACQUIRE)) end_without_host();
}

// Returns true if the descriptor is a link. Another program can have passed the variable on without its descriptor.
static bool is_link(int descriptor) {
    int type = 0;
    socklen_t bytes = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_SEQPACKET;
}

// Runs after the constructor that makes this process a PE (start.c): that one possibly executes the program again. The
// programs that this one starts must not get the variable, nor the descriptor.
__attribute__((constructor(102))) static void take_link(void) {
    const char *text = getenv(SKERRY_HOST_LINK_VARIABLE);
    int descriptor = -1;
    const bool is_text = text && sscanf(text, "%d,%d", &descriptor, &host_process) == 2;
    unsetenv(SKERRY_HOST_LINK_VARIABLE);
    if (!is_text || !is_link(descriptor)) return;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    host_link = descriptor;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); // its lines and those of the host program are then in the right order
    skerry_run_beside(watch_host);
}

bool skerry_has_host_program(void) {
    return host_link >= 0 && skerry_facts.my_pe == 0;
}

// Sends a message. Returns false if the host program has ended. MSG_NOSIGNAL: this must not raise SIGPIPE.
static bool send_message(struct skerry_link_message message) {
    ssize_t sent;
    do sent = sendto(host_link, &message, sizeof message, MSG_NOSIGNAL, NULL, 0);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof message;
}

void skerry_link_send(struct skerry_link_message message) {
    fflush(stdout);
    // Set before the message is sent, because the host program possibly ends as soon as it has received the message.
    if (message.kind == SKERRY_LINK_EXIT) __atomic_store_n(&exit_sent, true, __ATOMIC_RELEASE);
    if (!send_message(message) && !__atomic_load_n(&exit_sent, __ATOMIC_ACQUIRE)) end_without_host();
}

bool skerry_link_receive(struct skerry_link_message *message) {
    ssize_t got;
    // ECONNRESET comes once, if the host program has ended without reading this program's last message. Messages follow.
    do got = recv(host_link, message, sizeof *message, 0);
    while (got < 0 && (errno == EINTR || errno == ECONNRESET));
    if (got == (ssize_t)sizeof *message) return true;
    if (!__atomic_load_n(&exit_sent, __ATOMIC_ACQUIRE)) end_without_host();
    return false;
}

void skerry_tell_host(void) {
    const struct skerry_link_message message = {.kind = SKERRY_LINK_TOLD};
    if (host_link >= 0) send_message(message);
}
