// SPDX-License-Identifier: BSD-3-Clause
// Executes operations on far PEs (PEs of other nodes) by the network module (../network.h). The inline functions of
// machine.h call the functions of this file for every number that is not the number of a near PE. So the functions of
// this file also end the job if there is no PE with this number.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../far.h"
#include "../network.h"
#include "clock.h"
#include "internal.h"

#define FIRST_TURN_MILLISECONDS 2000 // mpirun can take more than a second to end the processes of other nodes
#define TURN_MILLISECONDS 500        // oshrun, or the message that another node ends the job, takes less
#define TURNS_MOST 12

static const struct skerry_network *network; // NULL: the module is not loaded yet (module)
static struct skerry_network_host host;      // host.wire_up is NULL in a job of one node
static bool has_begun;                       // skerry_far_begin has returned
uint32_t skerry_has_far_operations;
uint32_t skerry_quiet_is_slow;
SKERRY_PER_THREAD uint32_t skerry_far_context;
static const struct skerry_network *module(void);

// The module has a lock, and handlers of interrupts use the module too. Suppose that a handler ran in a thread that
// holds the lock. The handler would wait for the lock for ever. So no handler runs in a thread while it executes a
// function of the module.
static inline void begin_use(void) {
    skerry_defer_handlers();
}

static inline void end_use(void) {
    skerry_run_deferred_handlers();
}

// Records that this PE has operations that a quiet must wait for.
static inline void begin_operation(void) {
    __atomic_store_n(&skerry_has_far_operations, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&skerry_quiet_is_slow, 1, __ATOMIC_RELAXED);
}

// Ends the job because PE `pe` does not exist. Stores to the address that the object would have in that PE's partition
// (the PE's part of the address space). No memory is mapped at this address, so the process gets a signal. Then the
// launcher prints the place in the program's source that called the routine (crash.c). Without debug information, it
// prints the name of this function. Programs built by `oshcc --check` find the error earlier, and their message names
// the routine.
_Noreturn static void access_to_missing_pe(const volatile void *symmetric, int pe) {
    *(volatile char *)skerry_global(symmetric, pe) = 0;
    skerry_refuse("there is no PE %d: the job has PEs 0 to %d", pe, skerry_facts.pe_count - 1);
}

static inline void check(const volatile void *symmetric, int pe) {
    if (!host.wire_up || (uint32_t)pe >= (uint32_t)skerry_facts.pe_count) access_to_missing_pe(symmetric, pe);
}

// The routine that has been inlined into the program is not known here.
_Noreturn static void refuse_size(const char *operation, size_t bytes, int pe) {
    skerry_refuse("%s PE %d: %zu bytes are more than the memory of a PE can have (a negative count?); oshcc --check "
                  "names the routine",
                  operation, pe, bytes);
}

// Checks a put or a get. A negative count becomes a number of bytes that the network would transfer piece by piece, until
// one of the two processes accesses memory that does not exist. On the near path such a copy faults at once.
static inline void check_transfer(const char *operation, const volatile void *symmetric, size_t bytes, int pe) {
    check(symmetric, pe);
    if (bytes > SKERRY_PARTITION_MASK) refuse_size(operation, bytes, pe);
}

static inline void check_blocks(const char *operation, const volatile void *symmetric, size_t block_bytes,
                                size_t blocks, int pe) {
    size_t bytes;
    if (__builtin_mul_overflow(block_bytes, blocks, &bytes)) bytes = SIZE_MAX;
    check_transfer(operation, symmetric, bytes, pe);
}

// -- Names -------------------------------------------------------------------------------------------------------------

// A name is a number that identifies an object in the memory of any PE: usually the object's offset in the partition
// (the memory of one PE). Static data can have a different offset in the partition of each process. So the name of an
// object in static data is its offset in the static data, with this bit set.
#define IN_STATIC_DATA (UINT64_C(1) << 63)

static uint64_t far_name(const volatile void *symmetric) {
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

// A cause that lies in the job or in the installation, such as a missing library, usually makes the start fail on all nodes
// at the same time. Then the first node writes its line, and the launcher ends the processes of the other nodes while they
// wait here. If only other nodes fail, the first of them writes some seconds later, and each further node waits a little longer.
void skerry_let_first_nodes_report(void) {
    if (!host.wire_up || __atomic_load_n(&has_begun, __ATOMIC_RELAXED)) return;
    if (host.node == 0) return;
    const int turn = host.node - 1 < TURNS_MOST ? host.node - 1 : TURNS_MOST;
    sleep_milliseconds(FIRST_TURN_MILLISECONDS + turn * TURN_MILLISECONDS);
}

static void fail(const char *text) {
    skerry_let_first_nodes_report();
    skerry_refuse("%s", text);
}

// -- Messages ----------------------------------------------------------------------------------------------------------

_Static_assert(SKERRY_FAR_CONTEXTS == SKERRY_NETWORK_CONTEXTS, "the module has so many contexts");
_Static_assert(SKERRY_FAR_COPIED_MAX == SKERRY_NETWORK_COPIED_MAX, "the module copies puts of this size");
_Static_assert(SKERRY_FAR_ANSWER_MAX == SKERRY_NETWORK_ANSWER_MAX, "the module has room for answers of this size");
static skerry_far_handler *handlers[SKERRY_FAR_HANDLERS];

void skerry_far_on_message(int number, skerry_far_handler *handler) {
    handlers[number] = handler;
}

static size_t handle(int pe, int from, int number, const void *message, size_t bytes, void *answer) {
    if ((unsigned)number >= SKERRY_FAR_HANDLERS || !handlers[number])
        skerry_refuse("a message of PE %d has number %d, for which this program has no handler", from, number);
    // The calling thread holds the module's lock, so no handler of an interrupt is allowed to run in this thread (see
    // begin_use). The thread is possibly the module's own thread, which has not called begin_use.
    skerry_defer_handlers();
    const size_t answer_bytes = handlers[number](pe, from, message, bytes, answer);
    skerry_leave_deferred_handlers();
    return answer_bytes;
}

// The calling thread holds the module's lock, as in `handle`.
static void end_transfer(skerry_network_ended *ended, void *given) {
    skerry_defer_handlers();
    ended(given);
    skerry_leave_deferred_handlers();
}

static void check_message(int pe, size_t bytes) {
    if (!host.wire_up || skerry_is_near(pe) || (uint32_t)pe >= (uint32_t)skerry_facts.pe_count)
        skerry_refuse("error in the library: it sent a message of the network to PE %d, but only PEs of other nodes "
                      "receive such messages",
                      pe);
    if (bytes > SKERRY_FAR_MESSAGE_MAX)
        skerry_refuse("a message to PE %d has %zu bytes: at most %d are allowed", pe, bytes, SKERRY_FAR_MESSAGE_MAX);
}

size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer) {
    check_message(pe, bytes);
    begin_use();
    const size_t answer_bytes = module()->ask(pe, number, message, bytes, answer);
    end_use();
    return answer_bytes;
}

void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer) {
    check_message(pe, bytes);
    begin_use();
    module()->request(pe, number, message, bytes, far_name(answer));
    end_use();
}

void skerry_far_send(int pe, int number, const void *message, size_t bytes) {
    check_message(pe, bytes);
    begin_operation();
    begin_use();
    module()->send(pe, number, message, bytes);
    end_use();
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
    skerry_managed_exchange(host.wire_up, host.node);
    host.oversubscribed = skerry_facts.oversubscribed; // the nodes possibly share processors
}

// Ends the threads of the module at the end of the process. This function is registered with on_exit after the module
// was loaded. So it runs before the destructors of the module's libraries.
static void stop_network(int status, void *nothing) {
    (void)status, (void)nothing;
    if (getpid() == skerry_control_of(skerry_facts.my_pe)->process_id) network->stop();
}

// Returns the functions of the module, and loads it at the first call. Only ports need it from shmem_init on (the PEs that
// receive the messages for their node). In a job with many PEs on a node, the other PEs start sooner without UCX and
// need less memory. Must be called between begin_use and end_use. The release store publishes the module's data.
static const struct skerry_network *module(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct skerry_network *loaded = __atomic_load_n(&network, __ATOMIC_ACQUIRE);
    if (loaded) return loaded;
    pthread_mutex_lock(&lock);
    if (!network) {
        skerry_network_open_function *open;
        void *symbol = skerry_open_module("skerry/network/ucx.so", SKERRY_NETWORK_OPEN,
                                          "shmem_init: this job has several nodes, and the network module");
        memcpy(&open, &symbol, sizeof open);
        __atomic_store_n(&network, open(&host), __ATOMIC_RELEASE);
        on_exit(stop_network, NULL);
    }
    pthread_mutex_unlock(&lock);
    return network;
}

static const struct skerry_network *module_if_loaded(void) {
    return __atomic_load_n(&network, __ATOMIC_ACQUIRE);
}

bool skerry_far_is_open(void) {
    return module_if_loaded();
}

static struct skerry_node *own_node(void) {
    return &skerry_nodes(host.wire_up)[host.node];
}

static bool is_port(void) {
    return skerry_facts.my_pe - own_node()->first < (int)own_node()->ports;
}

static void set_host(void) {
    host = (struct skerry_network_host){.my_pe = skerry_facts.my_pe,
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
                                        .handle = handle,
                                        .end = end_transfer,
                                        .context = context,
                                        .fail = fail};
    while (skerry_nodes(host.wire_up)[host.node].first != skerry_facts.near_first) host.node++;
    if (is_port()) host.program = *skerry_program();
}

void skerry_far_begin(void) {
    if (skerry_job.nodes_fd < 0) return;
    if (!host.wire_up) {
        skerry_use_poll_pauses(0);
        skerry_facts.quick_polls = 0; // each step of a wait progresses the network (wait.c)
        set_variables();
        set_host();
        if (!is_port() && host.exchange) {
            host.exchange();
            host.exchange = NULL; // the module must not call it again
        }
    }
    begin_use();
    if (is_port()) module();
    if (module_if_loaded()) network->enter();
    end_use();
    __atomic_store_n(&has_begun, true, __ATOMIC_RELAXED);
}

void skerry_far_end(void) {
    if (!host.wire_up) return;
    uint32_t *leaving = &skerry_control_of(skerry_facts.my_pe)->leaving;
    __atomic_store_n(leaving, 1, __ATOMIC_RELEASE);
    begin_use();
    if (module_if_loaded()) network->leave();
    else __atomic_fetch_add(&own_node()->left, 1, __ATOMIC_ACQ_REL); // this PE has no operations to complete
    end_use();
    __atomic_store_n(leaving, 0, __ATOMIC_RELEASE);
}

bool skerry_far_progress(void) {
    if (!module_if_loaded()) return false;
    begin_use();
    const bool moved = network->progress();
    end_use();
    return moved;
}

// Another thread can load the module while this thread sleeps. The module must not be told of the end of a sleep whose
// beginning it does not know.
uint64_t skerry_far_sleep(bool begins) {
    static SKERRY_PER_THREAD bool is_known;
    if (begins) is_known = module_if_loaded() != NULL;
    if (is_known) return network->sleep(begins);
    return host.wire_up && begins ? skerry_node_sleep_most(own_node()) : UINT64_MAX;
}

void skerry_far_quiet_of(uint32_t of) {
    begin_use();
    module()->quiet(of);
    end_use();
}

void skerry_quiet_slowly(uint32_t of) {
    if (SKERRY_HAS_FAR_OPERATIONS) skerry_far_quiet_of(of);
    skerry_may_be_polling(NULL);
}

void skerry_far_fence_of(uint32_t of) {
    begin_use();
    module()->fence(of);
    end_use();
}

void skerry_far_quiet(void) {
    skerry_far_quiet_of(0);
}

void skerry_far_fence(void) {
    skerry_far_fence_of(0);
}

// -- Nodes -------------------------------------------------------------------------------------------------------------

int skerry_node_count(void) {
    return host.wire_up ? (int)host.wire_up->node_count : 1;
}

int skerry_node_first(int node) {
    if (node == skerry_node_count()) return skerry_facts.pe_count;
    return host.wire_up ? skerry_nodes(host.wire_up)[node].first : 0;
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

// -- Operations --------------------------------------------------------------------------------------------------------

uint64_t skerry_far_atomic(enum skerry_far_operation operation, unsigned bytes, const volatile void *word,
                           uint64_t value, uint64_t expected, int pe) {
    check(word, pe);
    if (operation > SKERRY_FAR_FETCH_XOR) begin_operation();
    begin_use();
    const uint64_t old = module()->atomic(operation, bytes, pe, far_name(word), value, expected);
    end_use();
    return old;
}

void skerry_far_put(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put(pe, far_name(dest), source, bytes);
    end_use();
}

void skerry_complete_put(void *dest, const void *stored, size_t bytes, int pe) {
    if (skerry_is_near(pe)) skerry_wake_sleepers(pe);
    else skerry_far_put(dest, stored, bytes, pe);
}

void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put_now(pe, far_name(dest), source, bytes);
    end_use();
}

void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->put_nbi(pe, far_name(dest), source, bytes);
    end_use();
}

void skerry_far_begin_put(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    check_transfer("a put to", dest, bytes, pe);
    begin_operation();
    begin_use();
    module()->begin_put(pe, far_name(dest), source, bytes, ended, given);
    end_use();
}

void skerry_far_begin_get(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    check_transfer("a get from", source, bytes, pe);
    begin_operation();
    begin_use();
    module()->begin_get(dest, pe, far_name(source), bytes, ended, given);
    end_use();
}

void skerry_far_order_begun_puts(void) {
    if (!module_if_loaded()) return;
    begin_use();
    network->order_begun_puts();
    end_use();
}

void skerry_far_get(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a get from", source, bytes, pe);
    begin_use();
    module()->get(dest, pe, far_name(source), bytes);
    end_use();
}

void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check_transfer("a get from", source, bytes, pe);
    begin_operation();
    begin_use();
    module()->get_nbi(dest, pe, far_name(source), bytes);
    end_use();
}

void skerry_far_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check_blocks("a put to", dest, block_bytes, blocks, pe);
    for (size_t i = 0; i < blocks; i++)
        skerry_far_put((char *)dest + (ptrdiff_t)i * dest_stride, (const char *)source + (ptrdiff_t)i * source_stride,
                       block_bytes, pe);
}

void skerry_far_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check_blocks("a get from", source, block_bytes, blocks, pe);
    begin_use();
    for (size_t i = 0; i < blocks; i++)
        module()->get_nbi((char *)dest + (ptrdiff_t)i * dest_stride, pe,
                          far_name((const char *)source + (ptrdiff_t)i * source_stride), block_bytes);
    module()->quiet(0);
    end_use();
}

void skerry_put_and_signal(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, bool adds,
                           int pe) {
    if (!skerry_is_near(pe)) {
        check_transfer("a put to", signal, bytes, pe);
        begin_use();
        module()->put_and_signal(pe, far_name(dest), source, bytes, far_name(signal), value, adds);
        end_use();
        return;
    }
    skerry_put_signal_64(dest, source, bytes, signal, value, adds, pe);
}

const void *skerry_far_load(const volatile void *source, size_t bytes, int pe) {
    // A handler can interrupt this thread before the caller has loaded the copy, and call this function too. So
    // handlers use a separate copy.
    static SKERRY_PER_THREAD union {
        uint64_t word;
        long double real;
    } copies[2];
    void *copy = &copies[skerry_in_interrupt()];
    check(source, pe);
    begin_use();
    module()->get(copy, pe, far_name(source), bytes);
    end_use();
    return copy;
}
