// SPDX-License-Identifier: BSD-3-Clause
// A library for LD_PRELOAD. A process that opens the socket of managed_refusal.c does not run for half a second before it listens,
// as on busy processors.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int listen(int socket, int waiting_most) {
    struct sockaddr_un name = {0};
    socklen_t bytes = sizeof name;
    getsockname(socket, (struct sockaddr *)&name, &bytes);
    if (strncmp(name.sun_path + 1, "skerry.failure.", strlen("skerry.failure.")) == 0) usleep(500 * 1000);
    int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "listen");
    return real(socket, waiting_most);
}
