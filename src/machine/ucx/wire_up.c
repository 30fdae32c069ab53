// SPDX-License-Identifier: BSD-3-Clause
// Opens the module: makes UCX's worker (the object by which UCX sends and receives). Publishes the addresses of this
// node's ports (PEs that receive the messages for the node).
//
// Only a port loads this module in shmem_init. Any other PE receives no message before it has sent one. So it loads the
// module, makes its worker, and waits for the addresses of other nodes, at its first far operation. For example, in a job
// of 64 PEs on 4 nodes, 56 PEs are no ports. They need no network if they take part only in barriers and other
// collectives of all PEs.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "../linux/module_build.h"

// Limit of the time until the addresses of all nodes have arrived. oshrun ends the job earlier, after 60 seconds, with a line
// that names the node (Cluster::check_late). Jobs of srun and mpirun wait in the exchange of the addresses.
#define WIRE_UP_SECONDS 70
#define PAUSE_LEAST 100000 // nanoseconds between two checks for the addresses of other nodes
#define PAUSE_MOST 2000000

static void publish(unsigned port) {
    ucp_address_t *address;
    size_t bytes;
    check_status("ucp_worker_get_address", ucp_worker_get_address(network.worker, &address, &bytes));
    write_address(&skerry_nodes(network.host->wire_up)[network.host->node].port[port], address, bytes);
    ucp_worker_release_address(network.worker, address);
    __atomic_fetch_add(&network.host->wire_up->published, 1, __ATOMIC_ACQ_REL);
}

// Waits until the addresses of the ports of all nodes have arrived. Many PEs can wait here at the same time, while
// other PEs need the processors to start. So the pauses between two checks become longer.
void await_addresses(void) {
    static bool has_all;
    if (has_all) return;
    uint32_t ports = 0;
    for (uint32_t node = 0; node < network.host->wire_up->node_count; node++)
        ports += skerry_nodes(network.host->wire_up)[node].ports;
    const uint64_t limit = nanoseconds() + WIRE_UP_SECONDS * UINT64_C(1000000000);
    long pause = PAUSE_LEAST;
    while (__atomic_load_n(&network.host->wire_up->published, __ATOMIC_ACQUIRE) < ports) {
        if (nanoseconds() > limit)
            network.host->fail("network (UCX): not all PEs have called shmem_init within 70 seconds");
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        if (pause < PAUSE_MOST) pause *= 2;
    }
    has_all = true;
    if (is_port()) check_programs();
}

// Limits the number of connections. If there are two networks, UCX connects each pair of processes by both of them, to
// transfer large data over both at the same time. Over TCP each connection costs a descriptor in both processes, and
// often both networks use the same link. So this function allows only one connection, with two exceptions:
// * The user has set UCX_MAX_RNDV_RAILS.
// * The machine has InfiniBand adapters.
static void limit_connections(ucp_config_t *config) {
    if (getenv("UCX_MAX_RNDV_RAILS") || access("/sys/class/infiniband", F_OK) == 0) return;
    check_status("ucp_config_modify", ucp_config_modify(config, "MAX_RNDV_RAILS", "1"));
}

// Ends the job because UCX cannot start. The usual reason is a UCX_TLS or UCX_NET_DEVICES that only other machines have.
_Noreturn static void fail_to_open(ucp_config_t *config, ucs_status_t status) {
    char text[1000], name[HOST_NAME_BYTES] = "", wanted[300], available[300];
    gethostname(name, sizeof name - 1);
    list_choices(wanted, sizeof wanted);
    ucp_config_modify(config, "TLS", "all");
    ucp_config_modify(config, "NET_DEVICES", "all");
    list_transports(config, available, sizeof available);
    if (*wanted && status == UCS_ERR_NO_DEVICE)
        snprintf(text, sizeof text, "network (UCX): node %s: %s: no such transport on this node; it has: %s", name,
                 wanted, *available ? available : "none");
    else
        snprintf(text, sizeof text, "network (UCX): node %s: UCX does not start: %s; transports on this node: %s", name,
                 ucs_status_string(status), *available ? available : "none");
    network.host->fail(text);
    abort();
}

static const struct skerry_network operations = {
    .put = network_put,
    .put_nbi = network_put_nbi,
    .put_now = network_put_now,
    .ask = network_ask,
    .send = network_send,
    .request = network_request,
    .begin_put = network_begin_put,
    .begin_get = network_begin_get,
    .order_begun_puts = network_order_begun_puts,
    .get = network_get,
    .get_nbi = network_get_nbi,
    .atomic = network_atomic,
    .put_and_signal = network_put_and_signal,
    .fence = network_fence,
    .quiet = network_quiet,
    .progress = network_progress,
    .sleep = network_sleep,
    .enter = start_helper,
    .leave = network_leave,
    .stop = stop_helper,
};

// Makes UCX's worker. UCX starts a thread of its own here. All signals are masked in this thread, so that only the
// program's own threads handle signals. Suppose that a signal ran the handler of an interrupt in UCX's thread. That
// thread could wait for the module's lock, which a thread of the program holds while it executes an operation.
void open_worker(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ucp_config_t *config;
    check_status("ucp_config_read", ucp_config_read(NULL, NULL, &config));
    limit_connections(config);
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP | choose_access(),
                                 .estimated_num_eps = network.host->wire_up->node_count};
    const ucs_status_t status = ucp_init(&params, config, &network.context);
    if (status != UCS_OK) fail_to_open(config, status);
    ucp_config_release(config);
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    check_status("ucp_worker_create", ucp_worker_create(network.context, &worker_params, &network.worker));
    check_status("ucp_worker_get_efd", ucp_worker_get_efd(network.worker, &network.descriptor));
    handle_messages();
    make_send_datatype();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

__attribute__((visibility("default"))) const struct skerry_network *
skerry_network_open(const struct skerry_network_host *given) {
    network.host = given;
    network.links = calloc(network.host->wire_up->node_count, sizeof *network.links);
    if (!network.links) network.host->fail("network (UCX): no memory");
    if (is_port()) {
        open_worker();
        publish((unsigned)(network.host->my_pe - skerry_nodes(network.host->wire_up)[network.host->node].first));
    }
    if (network.host->exchange) network.host->exchange();
    return &operations;
}
