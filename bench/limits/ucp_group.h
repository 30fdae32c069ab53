// SPDX-License-Identifier: BSD-3-Clause
// Defines a dissemination barrier of several processes by bare UCP, the interface of UCX: in round r each process sends an
// active message of 8 bytes to the process 2^r ranks after it, and waits for the message of the process 2^r ranks before
// it. No collective of processes on different nodes that depends on all of them can take less time with UCX.
// ../network/nodes.c measures it.
#ifndef SKERRY_BENCH_LIMITS_UCP_GROUP_H
#define SKERRY_BENCH_LIMITS_UCP_GROUP_H

#include "limits.h"

#include <poll.h>
#include <ucp/api/ucp.h>

#define GROUP_ROUNDS_MAX 6
#define GROUP_PROCESSES_MAX (1 << GROUP_ROUNDS_MAX)
#define GROUP_ADDRESS_MAX 1024
#define GROUP_POLLS_MOST 100 // polls without a message before a process of the design GROUP_SLEEP sleeps

// How a process waits for a message: it only polls, or it yields the processor after each poll without a message, or it
// sleeps until UCX's descriptor is readable.
enum group_wait { GROUP_SPIN, GROUP_YIELD, GROUP_SLEEP };

struct group_address {
    size_t bytes;
    char address[GROUP_ADDRESS_MAX];
};

static struct {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h endpoints[GROUP_ROUNDS_MAX]; // to the process 2^r ranks after this one
    int descriptor, rounds;
    uint64_t barriers;                           // number of the barriers that this process has begun
    volatile uint64_t arrived[GROUP_ROUNDS_MAX]; // number of messages of each round that have arrived
} group;

static inline void group_check(const char *what, ucs_status_t status) {
    if (status == UCS_OK) return;
    fprintf(stderr, "%s: %s\n", what, ucs_status_string(status));
    exit(1);
}

static inline ucs_status_t group_on_message(void *unused, const void *header, size_t header_bytes, void *data,
                                            size_t bytes, const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)bytes, (void)options;
    uint64_t round;
    memcpy(&round, data, sizeof round);
    group.arrived[round % GROUP_ROUNDS_MAX] = group.arrived[round % GROUP_ROUNDS_MAX] + 1;
    return UCS_OK;
}

static inline void group_wait_once(enum group_wait wait) {
    static unsigned idle;
    if (ucp_worker_progress(group.worker)) {
        idle = 0;
        return;
    }
    if (wait == GROUP_YIELD) {
        sched_yield();
    } else if (wait == GROUP_SLEEP && ++idle > GROUP_POLLS_MOST && ucp_worker_arm(group.worker) == UCS_OK) {
        poll(&(struct pollfd){.fd = group.descriptor, .events = POLLIN}, 1, 10);
    }
}

static inline void group_send(int round, enum group_wait wait) {
    static const uint64_t numbers[GROUP_ROUNDS_MAX] = {0, 1, 2, 3, 4, 5};
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
    ucs_status_ptr_t request =
        ucp_am_send_nbx(group.endpoints[round], 0, NULL, 0, &numbers[round], sizeof numbers[round], &options);
    if (!request) return;
    if (UCS_PTR_IS_ERR(request)) group_check("ucp_am_send_nbx", UCS_PTR_STATUS(request));
    while (ucp_request_check_status(request) == UCS_INPROGRESS) group_wait_once(wait);
    ucp_request_free(request);
}

static inline void group_barrier(enum group_wait wait) {
    const uint64_t number = ++group.barriers;
    for (int round = 0; round < group.rounds; round++) {
        group_send(round, wait);
        while (group.arrived[round] < number) group_wait_once(wait);
    }
}

// Makes the worker of this process, and stores its address in *own.
static inline void group_open(struct group_address *own) {
    ucp_config_t *config;
    group_check("ucp_config_read", ucp_config_read(NULL, NULL, &config));
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP};
    group_check("ucp_init", ucp_init(&params, config, &group.context));
    ucp_config_release(config);
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SINGLE};
    group_check("ucp_worker_create", ucp_worker_create(group.context, &worker_params, &group.worker));
    group_check("ucp_worker_get_efd", ucp_worker_get_efd(group.worker, &group.descriptor));
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = 0, .cb = group_on_message};
    group_check("ucp_worker_set_am_recv_handler", ucp_worker_set_am_recv_handler(group.worker, &handler));
    ucp_address_t *address;
    group_check("ucp_worker_get_address", ucp_worker_get_address(group.worker, &address, &own->bytes));
    if (own->bytes > sizeof own->address) limit_fail("the size of an address");
    memcpy(own->address, address, own->bytes);
    ucp_worker_release_address(group.worker, address);
}

// Connects this process, number `rank` of `processes`, to those to which it sends. The addresses are in the order of the
// ranks.
static inline void group_connect(const struct group_address *addresses, int rank, int processes) {
    for (int distance = 1; distance < processes; distance *= 2) {
        const struct group_address *to = &addresses[(rank + distance) % processes];
        const ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                                        .address = (const ucp_address_t *)to->address};
        group_check("ucp_ep_create", ucp_ep_create(group.worker, &params, &group.endpoints[group.rounds++]));
    }
}

#endif
