// SPDX-License-Identifier: BSD-3-Clause
// Measures UCP, the interface of UCX, between two processes. These figures are the limits of OpenSHMEM's operations
// between two nodes. One process listens, polls its worker (UCP's object for communication) all the time, and answers
// active messages and puts. The other process connects and measures round trips:
//     ucp                     both processes on this machine, over the loopback interface (UCX_TLS=tcp)
//     ucp --listen            on the first node; prints the number of the port
//     ucp HOST:PORT [BATCHES] on the second node
#include "ucp.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static void measure(int batches) {
    static struct limit limits[] = {
        {.name = "ucp_message", .parameter = 8, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 64, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 512, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 4096, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message_answer", .parameter = 8, .loop = echo_loop},
        {.name = "ucp_put", .parameter = 8, .loop = put_echo_loop, .operations = 2},
        {.name = "ucp_put_flush", .parameter = 8, .loop = put_flush_loop},
        {.name = "ucp_put_many", .parameter = 8, .loop = put_many_loop, .operations = PUTS_AT_ONCE},
        {.name = "ucp_get", .parameter = 8, .loop = get_loop},
        {.name = "ucp_fetch_add", .parameter = 8, .loop = atomic_loop, .design = UCP_ATOMIC_OP_ADD},
        {.name = "ucp_compare_swap", .parameter = 8, .loop = atomic_loop, .design = UCP_ATOMIC_OP_CSWAP},
        {.name = "ucp_put_flush", .parameter = (long)LARGE_BYTES, .loop = put_flush_loop, .rate = true},
        {.name = "ucp_get", .parameter = (long)LARGE_BYTES, .loop = get_loop, .rate = true},
        {.name = "ucp_message_answer", .parameter = (long)LARGE_BYTES, .loop = large_echo_loop, .rate = true},
        {.name = "ucp_message_fetch", .parameter = (long)LARGE_BYTES, .loop = large_fetch_loop, .rate = true},
    };
    const int count = sizeof limits / sizeof *limits;
    for (int i = 0; i < count; i++) limits[i].batch = 2e6;
    limit_report(limits, count, batches, NULL);
    send_message(MESSAGE_END, 0);
    // Flushes: the message must leave before this process ends. The flush can fail, because the other process ends when
    // it has received the message. The result of the flush is therefore ignored.
    ucs_status_ptr_t request = ucp_ep_flush_nbx(endpoint, &no_options);
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker);
}

// -- Set-up --------------------------------------------------------------------------------------------------------

static void move(int socket, void *data, size_t bytes, bool sends) {
    char *at = data;
    while (bytes > 0) {
        ssize_t moved = sends ? send(socket, at, bytes, MSG_NOSIGNAL) : recv(socket, at, bytes, 0);
        if (moved <= 0) limit_fail("the other process's socket");
        at += moved;
        bytes -= (size_t)moved;
    }
}

static int connection; // the socket

static void *exchange(const void *block, size_t bytes) {
    size_t received;
    move(connection, &bytes, sizeof bytes, true);
    move(connection, (void *)(uintptr_t)block, bytes, true);
    move(connection, &received, sizeof received, false);
    void *other = malloc(received);
    if (!other) limit_fail("malloc");
    move(connection, other, received, false);
    return other;
}

static int listen_at(struct sockaddr_in *own, in_addr_t address) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t bytes = sizeof *own;
    *own = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    if (listener < 0 || bind(listener, (struct sockaddr *)own, bytes) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)own, &bytes) != 0)
        limit_fail("listening socket");
    return listener;
}

static int accept_one(int listener) {
    int accepted = accept(listener, NULL, NULL);
    if (accepted < 0) limit_fail("accept");
    close(listener);
    return accepted;
}

static int connected_to(const char *host, const char *port) {
    struct addrinfo *found;
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    int error = getaddrinfo(host, port, &hints, &found);
    if (error != 0) {
        fprintf(stderr, "ucp: %s:%s: %s\n", host, port, gai_strerror(error));
        exit(1);
    }
    int connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connected < 0 || connect(connected, found->ai_addr, found->ai_addrlen) != 0) limit_fail("connect");
    freeaddrinfo(found);
    return connected;
}

static void listen_and_serve(int listener) {
    limit_pin(1);
    connection = accept_one(listener);
    start(exchange);
    serve();
}

int main(int argument_count, char **arguments) {
    struct sockaddr_in own;
    if (argument_count == 2 && strcmp(arguments[1], "--listen") == 0) {
        int listener = listen_at(&own, INADDR_ANY);
        printf("%d\n", ntohs(own.sin_port));
        fflush(stdout);
        listen_and_serve(listener);
        return 0;
    }
    char *port = argument_count > 1 ? strchr(arguments[1], ':') : NULL;
    if (port) {
        *port++ = 0;
        connection = connected_to(arguments[1], port);
        argument_count--, arguments++;
    } else {
        setenv("UCX_TLS", "tcp", false);
        int listener = listen_at(&own, INADDR_LOOPBACK);
        pid_t child = fork();
        if (child < 0) limit_fail("fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            listen_and_serve(listener);
            _exit(0);
        }
        close(listener);
        char text[8];
        snprintf(text, sizeof text, "%d", ntohs(own.sin_port));
        connection = connected_to("127.0.0.1", text);
    }
    int batches = limit_batches(argument_count, arguments, 20);
    limit_pin(0);
    start(exchange);
    measure(batches);
    return 0;
}
