// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the use of the network in a job of several nodes. Loads the network module (../network.h), and gives it
// the functions and data of this PE that it needs.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "far_internal.h"

const struct skerry_network *skerry_network;
struct skerry_network_host skerry_network_host;
static bool has_begun; // skerry_far_begin has returned
SKERRY_PER_THREAD uint32_t skerry_far_context;

_Static_assert(SKERRY_FAR_CONTEXTS == SKERRY_NETWORK_CONTEXTS, "the module has so many contexts");
_Static_assert(SKERRY_FAR_COPIED_MAX == SKERRY_NETWORK_COPIED_MAX, "the module copies puts of this size");
_Static_assert(SKERRY_FAR_ANSWER_MAX == SKERRY_NETWORK_ANSWER_MAX, "the module has room for answers of this size");

// -- Names -------------------------------------------------------------------------------------------------------------

// A name is a number that identifies an object in the memory of any PE: usually the object's offset in the partition
// (the memory of one PE). Static data can have a different offset in the partition of each process. So the name of an
// object in static data is its offset in the static data, with this bit set.
#define IN_STATIC_DATA (UINT64_C(1) << 63)

uint64_t skerry_far_name(const volatile void *symmetric) {
    uint64_t offset = (uintptr_t)symmetric & SKERRY_PARTITION_MASK;
    uint64_t in_data = offset - skerry_facts.data_offset;
    return in_data < skerry_facts.data_end - skerry_facts.data_begin ? in_data | IN_STATIC_DATA : offset;
}

// Returns the address at which this process maps the object of a near PE. The static data of every near PE is mapped at
// the same offset in its partition (its memory) as the static data of this PE.
static void *place(int pe, uint64_t name) {
    uint64_t offset = name & IN_STATIC_DATA ? (name & ~IN_STATIC_DATA) + skerry_facts.data_offset : name;
    return (void *)(skerry_partition(pe) + offset);
}

static bool bounds(uint64_t name, uint64_t *first, uint64_t *end) {
    if (name & IN_STATIC_DATA) {
        *first = IN_STATIC_DATA;
        *end = *first + (skerry_facts.data_end - skerry_facts.data_begin);
    } else {
        *first = SKERRY_HEAP_OFFSET;
        *end = *first + skerry_facts.heap_bytes;
    }
    return name >= *first && name < *end;
}

static void wake(int pe) {
    skerry_wake(pe);
}

static uint32_t context(void) {
    return skerry_far_context;
}

void skerry_let_first_nodes_report(void) {
    if (skerry_network_host.wire_up && !__atomic_load_n(&has_begun, __ATOMIC_RELAXED))
        skerry_await_turn(skerry_network_host.node, true);
}

static void fail(const char *text) {
    skerry_let_first_nodes_report();
    skerry_refuse("%s", text);
}

// -- The network -------------------------------------------------------------------------------------------------------

static struct skerry_wire_up *map_wire_up(void) {
    struct stat file;
    if (fstat(skerry_job.nodes_fd, &file) != 0)
        skerry_refuse("shmem_init: the program has closed descriptor %d, the file that describes the job's nodes, "
                      "before shmem_init: %s",
                      skerry_job.nodes_fd, strerror(errno));
    void *memory = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, skerry_job.nodes_fd, 0);
    if (memory == MAP_FAILED)
        skerry_refuse("shmem_init: cannot map the file that describes the job's nodes: %s", strerror(errno));
    close(skerry_job.nodes_fd);
    return memory;
}

// Sets environment variables for UCX, the communication library that the module uses. Called in shmem_init, when the
// program usually has only one thread.
// * UCX does not catch the signals of crashes, and does not intercept the functions that allocate memory.
// * On a machine without InfiniBand, UCX does not load its two modules for it, and the five libraries that they need. They
//   have a fifth of the pages that a port touches at the start.
// * UCX does not catch SIGHUP, by which it would switch its log to all messages. Then this signal ends the process.
// * UCX writes its warnings and errors to standard error. Otherwise they would stand among the program's output.
// * UCX waits until a TCP connection is made. The module finds out by the time of this wait that a node cannot be
//   reached, and a connection that is made in the background would stay unnoticed for two minutes. So this value
//   replaces the user's. It is also UCX's usual one. If the variable were always set, UCX would warn of a variable
//   without effect in jobs that do not use TCP.
static void set_variables(void) {
    if (getenv("UCX_TCP_CONN_NB")) setenv("UCX_TCP_CONN_NB", "n", 1);
    // If the program has loaded UCX itself, for example by an MPI library, UCX has read the variables already, and would
    // warn of variables that are set later.
    if (skerry_is_loaded("libucs.so.0")) return;
    setenv("UCX_ERROR_SIGNALS", "", 0);
    setenv("UCX_MEM_EVENTS", "n", 0);
    setenv("UCX_DEBUG_SIGNO", "0", 0);
    if (access("/sys/class/infiniband", F_OK) != 0) setenv("UCX_MODULES", "^ib,rdmacm", 0);
    setenv("UCX_LOG_FILE", "stderr", 0);
}

static void exchange(void) {
    skerry_managed_exchange(skerry_network_host.wire_up, skerry_network_host.node);
    skerry_network_host.oversubscribed = skerry_facts.oversubscribed; // the nodes possibly share processors
}

// Ends the threads of the module at the end of the process. This function is registered with on_exit after the module
// was loaded. So it runs before the destructors of the module's libraries.
static void stop_network(int status, void *nothing) {
    (void)status, (void)nothing;
    if (getpid() == skerry_control_of(skerry_facts.my_pe)->process_id) skerry_network->stop();
}

// Returns the functions of the module, and loads it at the first call. Only ports need it from shmem_init on (the PEs that
// receive the messages for their node). In a job with many PEs on a node, the other PEs start sooner without UCX and
// need less memory. Must be called between begin_use and end_use. The release store publishes the module's data.
const struct skerry_network *skerry_load_network(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct skerry_network *loaded = __atomic_load_n(&skerry_network, __ATOMIC_ACQUIRE);
    if (loaded) return loaded;
    pthread_mutex_lock(&lock);
    if (!skerry_network) {
        skerry_network_open_function *open;
        void *symbol = skerry_open_module("skerry/network/ucx.so", SKERRY_NETWORK_OPEN,
                                          "shmem_init: this job has several nodes, and the network module");
        memcpy(&open, &symbol, sizeof open);
        __atomic_store_n(&skerry_network, open(&skerry_network_host), __ATOMIC_RELEASE);
        on_exit(stop_network, NULL);
    }
    pthread_mutex_unlock(&lock);
    return skerry_network;
}

bool skerry_far_is_open(void) {
    return module_if_loaded();
}

static struct skerry_node *own_node(void) {
    return &skerry_nodes(skerry_network_host.wire_up)[skerry_network_host.node];
}

static bool is_port(void) {
    return skerry_facts.my_pe - own_node()->first < (int)own_node()->ports;
}

static void set_host(void) {
    skerry_network_host = (struct skerry_network_host){.my_pe = skerry_facts.my_pe,
                                                       .pe_count = skerry_facts.pe_count,
                                                       .bound = skerry_job.bound,
                                                       .oversubscribed = skerry_facts.oversubscribed,
                                                       .wire_up = map_wire_up(),
                                                       .exchange = skerry_job.managed ? exchange : NULL,
                                                       .sent = &skerry_control_of(skerry_facts.my_pe)->far_sent,
                                                       .landed = &skerry_control_of(skerry_facts.my_pe)->far_landed,
                                                       .place = place,
                                                       .bounds = bounds,
                                                       .wake = wake,
                                                       .handle = skerry_far_handle,
                                                       .end = skerry_far_end_transfer,
                                                       .context = context,
                                                       .fail = fail};
    while (skerry_nodes(skerry_network_host.wire_up)[skerry_network_host.node].first != skerry_facts.near_first)
        skerry_network_host.node++;
    if (is_port()) skerry_network_host.program = *skerry_program();
}

void skerry_far_begin(void) {
    if (skerry_job.nodes_fd < 0) return;
    if (!skerry_network_host.wire_up) {
        skerry_use_poll_pauses(0);
        skerry_facts.quick_polls = 0; // each step of a wait progresses the network (wait.c)
        set_variables();
        set_host();
        if (!is_port() && skerry_network_host.exchange) {
            skerry_network_host.exchange();
            skerry_network_host.exchange = NULL; // the module must not call it again
        }
    }
    begin_use();
    if (is_port()) module();
    if (module_if_loaded()) skerry_network->enter();
    end_use();
    __atomic_store_n(&has_begun, true, __ATOMIC_RELAXED);
}

void skerry_far_end(void) {
    if (!skerry_network_host.wire_up) return;
    uint32_t *leaving = &skerry_control_of(skerry_facts.my_pe)->leaving;
    __atomic_store_n(leaving, 1, __ATOMIC_RELEASE);
    begin_use();
    if (module_if_loaded()) skerry_network->leave();
    else __atomic_fetch_add(&own_node()->left, 1, __ATOMIC_ACQ_REL); // this PE has no operations to complete
    end_use();
    __atomic_store_n(leaving, 0, __ATOMIC_RELEASE);
}

bool skerry_far_progress(void) {
    if (!module_if_loaded()) return false;
    begin_use();
    const bool moved = skerry_network->progress();
    end_use();
    return moved;
}

// Another thread can load the module while this thread sleeps. The module must not be told of the end of a sleep whose
// beginning it does not know.
uint64_t skerry_far_sleep(bool begins) {
    static SKERRY_PER_THREAD bool is_known;
    if (begins) is_known = module_if_loaded() != NULL;
    if (is_known) return skerry_network->sleep(begins);
    return skerry_network_host.wire_up && begins ? skerry_node_sleep_most(own_node()) : UINT64_MAX;
}

// -- Nodes -------------------------------------------------------------------------------------------------------------

int skerry_node_count(void) {
    return skerry_network_host.wire_up ? (int)skerry_network_host.wire_up->node_count : 1;
}

int skerry_node_first(int node) {
    if (node == skerry_node_count()) return skerry_facts.pe_count;
    return skerry_network_host.wire_up ? skerry_nodes(skerry_network_host.wire_up)[node].first : 0;
}

int skerry_node_of(int pe) {
    int low = 0, high = skerry_node_count();
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (skerry_node_first(middle) <= pe) low = middle;
        else high = middle;
    }
    return low;
}
