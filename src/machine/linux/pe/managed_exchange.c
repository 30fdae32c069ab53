// SPDX-License-Identifier: BSD-3-Clause
// Passes the network addresses of the nodes' ports to all nodes, in a job that a process manager (such as srun) has
// started. A port is a PE that receives messages for its node. Also finds out which nodes share processors.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "managed_internal.h"
#include "node_ring.h"

// Limits of the time until all processes of the job have called shmem_init. They are longer than the limit of a node's start,
// because a node on which a process is missing knows more. PE 0 has the shorter limit, so that it reports the failure, and the
// other PEs report it only if PE 0 is absent.
#define FIRST_EXCHANGE_SECONDS (START_SECONDS + 5)
#define EXCHANGE_SECONDS (START_SECONDS + 15)
#define REASON_SECONDS 8 // for which a process whose fence has failed waits for the line of another process
// For which each node waits longer than the one before. mpirun takes a second to end a job.
#define TURN_MILLISECONDS 1500
#define TURNS_MOST 6
#define NEAR_MILLISECONDS 500 // for which the other PEs of a node wait for the line of the first one, which knows most
#define NODES_LISTED 8        // largest number of nodes that a message names

// Data that a port sends to the PEs of other nodes.
struct port_data {
    struct skerry_identity identity;
    uint64_t processors_hash; // skerry_managed.processors_hash; 0 if the port is not the first PE of its node
    struct skerry_port port;
};

// Returns the number of a PE of this node that has not called shmem_init, or -1 if all have called it.
static int find_absent_near_pe(void) {
    const int end = skerry_facts.near_first + (int)skerry_facts.near_count;
    for (int pe = skerry_facts.near_first; pe < end; pe++) {
        const uint32_t state = __atomic_load_n(&skerry_control_of(pe)->state, __ATOMIC_ACQUIRE);
        if (state == SKERRY_PE_ABSENT || state == SKERRY_PE_ATTACHED) return pe;
    }
    return -1;
}

// Returns true if it is known that the first process of a node has not begun to join the job.
static bool is_missing_node(int node) {
    return skerry_managed.manager->has_begun_fence(node) == SKERRY_FENCE_NOT_BEGUN;
}

static bool is_missing_node_known(void) {
    for (int node = 0; node < skerry_managed.job.node_count; node++)
        if (is_missing_node(node)) return true;
    return false;
}

// Ends the job because the fence has failed after `limit` seconds. Does not ask the process manager which processes are
// absent: Slurm 22.05 then tries for 30 seconds to reach a node without processes, and does not end the job meanwhile.
_Noreturn static void refuse_late(int node, int limit) {
    if (node > 0) sleep_milliseconds(TURN_MILLISECONDS * (node < TURNS_MOST ? node : TURNS_MOST));
    if (skerry_facts.my_pe != skerry_facts.near_first) sleep_milliseconds(NEAR_MILLISECONDS);
    const int near = find_absent_near_pe();
    if (near >= 0)
        skerry_refuse("shmem_init: PE %d has waited %d seconds for PE %d on node %s, which has not called shmem_init; "
                      "all processes that the launcher starts must call it",
                      skerry_facts.my_pe, limit, near, skerry_managed_node_name(near));
    char list[256] = "";
    const bool is_known = is_missing_node_known();
    for (int i = 0, listed = 0; i < skerry_managed.job.node_count && listed <= NODES_LISTED; i++) {
        const size_t length = strlen(list);
        if (i == node || (is_known && !is_missing_node(i))) continue;
        snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                 listed++ < NODES_LISTED ? skerry_managed.job.nodes[i].name : "...");
    }
    const char *silent = skerry_silent_node();
    char more[200] = "";
    if (silent)
        snprintf(more, sizeof more, "; node %s does not answer at all: it is cut off, or behind a firewall", silent);
    else if (skerry_slurm_is_silent())
        snprintf(more, sizeof more, "; Slurm does not say for all nodes which processes run");
    skerry_refuse("shmem_init: PE %d has waited %d seconds for the PEs on other nodes (%s); a PE there has not called "
                  "shmem_init, has ended, or cannot be reached; all processes that the launcher starts must call it%s",
                  skerry_facts.my_pe, limit, list, more);
}

// Gets the data of a port (a PE that receives messages for its node) of another node. `rank` is the rank of its
// process.
static struct port_data get_port(int32_t rank) {
    struct port_data data;
    const char *wrong = skerry_managed.manager->get(rank, "skerry.port", &data, sizeof data, START_SECONDS);
    if (wrong)
        skerry_refuse("shmem_init: the launcher gives no network address of the process with rank %d: %s", rank, wrong);
    skerry_check_identity(&data.identity);
    return data;
}

// Called when the fence has failed. Slurm can fail it when a process ends that has not called it. The node of that process, which
// knows that this one has called shmem_init, says which process has ended, and ends the job. So this process reports its own
// failure only if it still runs after some seconds.
static void await_reason(void) {
    struct timespec left = {.tv_sec = REASON_SECONDS};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

// Waits until the first PE of this node has compared the processors of all nodes.
static uint32_t await_sharing_pes(struct skerry_wire_up *wire_up) {
    uint32_t sharing;
    while ((sharing = __atomic_load_n(&wire_up->sharing_pes, __ATOMIC_ACQUIRE)) == 0)
        syscall(SYS_futex, &wire_up->sharing_pes, FUTEX_WAIT, 0, NULL, NULL, 0);
    return sharing;
}

static void publish_sharing_pes(struct skerry_wire_up *wire_up, uint32_t sharing) {
    __atomic_store_n(&wire_up->sharing_pes, sharing, __ATOMIC_RELEASE);
    syscall(SYS_futex, &wire_up->sharing_pes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// Called before the first barrier, because collectives choose their algorithms by the result, and all PEs of a node must
// choose the same one.
static void note_sharing_pes(uint32_t sharing) {
    skerry_note_processors(sharing, skerry_managed.processors);
}

void skerry_managed_exchange(struct skerry_wire_up *wire_up, int node) {
    const int own = skerry_facts.my_pe - skerry_facts.near_first;
    struct skerry_node *nodes = skerry_nodes(wire_up);
    const char *wrong = NULL;
    // Before the data is put: if a node is cut off, Slurm's daemon tries for long to pass the fence of the start on to it
    // (process_manager.h), and meanwhile accepts no data.
    if (own == 0) skerry_begin_start_watch();
    if (own < (int)nodes[node].ports) {
        struct port_data data = {.identity = *skerry_own_identity(),
                                 .processors_hash = skerry_managed.processors_hash,
                                 .port = nodes[node].port[own]};
        wrong = skerry_managed.manager->put("skerry.port", &data,
                                            offsetof(struct port_data, port.address) + data.port.bytes);
    }
    if (wrong) skerry_refuse("shmem_init: the nodes cannot exchange their addresses: %s", wrong);
    const int limit = skerry_facts.my_pe == 0 ? FIRST_EXCHANGE_SECONDS : EXCHANGE_SECONDS;
    const double begin = seconds_now();
    wrong = skerry_managed.manager->fence(limit);
    if (own == 0) skerry_end_start_watch();
    if (wrong && seconds_now() - begin >= limit) refuse_late(node, limit);
    if (wrong) await_reason();
    if (wrong) skerry_refuse("shmem_init: the nodes cannot exchange their addresses: %s", wrong);
    if (own != 0) {
        note_sharing_pes(await_sharing_pes(wire_up));
        return;
    }
    // Only the first PE of the node writes the entries of other nodes. The addition to `published` is a release. The
    // other PEs of the node load `published` by an acquire, and read the entries only when `published` has its final
    // value. So they see the entries.
    const int count = (int)wire_up->node_count;
    uint32_t added = 0, sharing = skerry_facts.near_count;
    for (int i = 0; i < count; i++) {
        if (i == node) continue;
        for (uint32_t port = 0; port < nodes[i].ports; port++, added++) {
            const struct port_data data = get_port(skerry_managed.job.nodes[i].rank[port]);
            nodes[i].port[port] = data.port;
            if (data.processors_hash && data.processors_hash == skerry_managed.processors_hash)
                sharing += (uint32_t)nodes[i].count;
        }
    }
    publish_sharing_pes(wire_up, sharing);
    note_sharing_pes(sharing);
    skerry_learn_endpoints();
    __atomic_fetch_add(&wire_up->published, added, __ATOMIC_ACQ_REL);
    skerry_complete_ring();
}
