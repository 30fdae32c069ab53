// SPDX-License-Identifier: BSD-3-Clause
// Requests for TCP connections that do not block. An address has the form of IPv6, or IPv4 in the form of IPv6. The library
// and the launcher are built with this file.
#ifndef SKERRY_MACHINE_LINUX_TCP_REQUEST_H
#define SKERRY_MACHINE_LINUX_TCP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

// Stores the address in `to`. Returns false for addresses that have no meaning on other nodes.
bool skerry_convert_address(const struct sockaddr *from, uint8_t to[16]);

// Begins a connection to a port in network byte order. Returns the socket, which becomes writable when the connection is
// made or has failed, or -1 with errno.
int skerry_begin_request(const uint8_t to[16], uint16_t port);

// Returns the errno of a connection that has failed, or 0 if it was made.
int skerry_request_error(int socket);

#ifdef __cplusplus
}
#endif

#endif
