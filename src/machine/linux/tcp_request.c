// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "tcp_request.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static const uint8_t four_prefix[12] = {[10] = 0xff, 0xff}; // of IPv4 in the form of IPv6

bool skerry_convert_address(const struct sockaddr *from, uint8_t to[16]) {
    if (from->sa_family == AF_INET) {
        memcpy(to, four_prefix, sizeof four_prefix);
        memcpy(to + 12, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
        return true;
    }
    if (from->sa_family != AF_INET6) return false;
    const struct in6_addr *address = &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(address)) return false; // the other node would have to name one of its own interfaces
    memcpy(to, address, 16);
    return true;
}

int skerry_begin_request(const uint8_t to[16], uint16_t port) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = port};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = port};
    memcpy(&four.sin_addr, to + 12, 4);
    memcpy(&six.sin6_addr, to, 16);
    const bool is_four = memcmp(to, four_prefix, sizeof four_prefix) == 0;
    const int opened = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (opened < 0) return -1;
    const struct sockaddr *address = is_four ? (const struct sockaddr *)&four : (const struct sockaddr *)&six;
    if (connect(opened, address, is_four ? sizeof four : sizeof six) == 0 || errno == EINPROGRESS) return opened;
    const int error = errno;
    close(opened);
    errno = error;
    return -1;
}

int skerry_request_error(int socket) {
    int error = ETIMEDOUT;
    socklen_t bytes = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
    return error;
}
