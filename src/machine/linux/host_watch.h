// SPDX-License-Identifier: BSD-3-Clause
// Watches hosts by their names, as long as no process there can be asked: from the start of a job until the nodes are
// connected. In this time a launcher such as ssh or srun can wait for minutes if the link to a host is cut. The library
// and the launcher are built with this file.
//
// The kernel of each host is asked for a connection, which it accepts or refuses. A kernel answers even if no process of
// its machine gets processor time, so a host that is only slow does not count as silent. The port `discard` (9) is asked
// first, which has no server on most machines. If a firewall drops the request, the ports of ssh (22) and of Slurm's daemon
// (6818) are asked.
#ifndef SKERRY_MACHINE_LINUX_HOST_WATCH_H
#define SKERRY_MACHINE_LINUX_HOST_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Seconds without an answer after which a host counts as silent.
#define SKERRY_HOST_SILENCE 7

enum skerry_host_state {
    SKERRY_HOST_UNKNOWN,     // no address is known, or the time is not over
    SKERRY_HOST_ANSWERS,     // the kernel has answered within SKERRY_HOST_SILENCE
    SKERRY_HOST_SILENT,      // the kernel has answered before, and does not answer any more
    SKERRY_HOST_UNREACHABLE, // the kernel has never answered, and the network says that there is no such machine
    SKERRY_HOST_UNHEARD,     // the kernel has never answered: a firewall can be the reason
};

struct skerry_host_watch;

// Begins to watch hosts. Copies the names, and finds their addresses in a thread of its own, because a name server can take
// seconds to answer. Names may begin with a user and '@'. `now` is the time in seconds of a clock that nobody sets. Returns
// NULL if there is no memory.
struct skerry_host_watch *skerry_watch_hosts(const char *const *names, int count, double now);

// Asks the hosts. Must be called at least once a second. Only time in which it is called counts as silence.
void skerry_step_host_watch(struct skerry_host_watch *watch, double now);

// Returns the state of the host with this index.
enum skerry_host_state skerry_host_state(const struct skerry_host_watch *watch, int index);

// Stops watching a host.
void skerry_drop_host(struct skerry_host_watch *watch, int index);

// Returns the address of the host in the form of tcp_request.h, or NULL if it is not known.
const uint8_t *skerry_host_address(const struct skerry_host_watch *watch, int index);

// Stops watching all hosts, and frees the watch.
void skerry_end_host_watch(struct skerry_host_watch *watch);

#ifdef __cplusplus
}
#endif

#endif
