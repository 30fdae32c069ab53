// SPDX-License-Identifier: BSD-3-Clause
// Defines operations of UCP, the interface of UCX, between two processes, and loops of these operations. Their times
// are the limits of OpenSHMEM's operations between two nodes. One process serves: it polls its worker (UCP's object for
// communication) and answers active messages and puts. The other process measures. ucp.c and ../network/network.c use
// these functions.
#ifndef SKERRY_BENCH_LIMITS_UCP_H
#define SKERRY_BENCH_LIMITS_UCP_H

#include "limits.h"

#include <ucp/api/ucp.h>

#define MEMORY_BYTES ((size_t)16 << 20)
#define LARGE_BYTES ((size_t)4 << 20)
#define MESSAGE_BYTES_MAX 4096
#define PUTS_AT_ONCE 1000
#define TIMEOUT_SECONDS 20.0
#define POLLS_MOST 10000 // polls without a message before a process sleeps: some 4 ms
#define SLEEP_NANOSECONDS 100000

enum { MESSAGE_ECHO, MESSAGE_ANSWER, MESSAGE_END, MESSAGE_LARGE, MESSAGE_FETCH, MESSAGE_EXCHANGE };

// The memory that the other process can put to and get from. Each word has a cache line of its own.
struct memory {
    _Alignas(LIMIT_LINE) volatile uint64_t put;   // number of the other process's last put that waits for an answer
    _Alignas(LIMIT_LINE) volatile uint64_t count; // for fetch-add and compare-swap
    _Alignas(LIMIT_LINE) volatile uint64_t words[PUTS_AT_ONCE];
    _Alignas(4096) char large[2 * LARGE_BYTES];
};

static ucp_context_h context;
static ucp_worker_h worker;
static ucp_ep_h endpoint;
static ucp_rkey_h key;
static struct memory *memory, *there; // own memory; address of the other process's memory
static volatile uint64_t echoes, answers, larges, fetches, exchanges,
    has_ended; // numbers of messages that have arrived
static size_t echo_bytes;
static char payload[MESSAGE_BYTES_MAX];

static inline _Noreturn void fail(const char *what, ucs_status_t status) {
    fprintf(stderr, "ucp: %s: %s\n", what, ucs_status_string(status));
    exit(1);
}

static inline void check(const char *what, ucs_status_t status) {
    if (status != UCS_OK) fail(what, status);
}

// -- Operations ----------------------------------------------------------------------------------------------------

static const ucp_request_param_t no_options;

// Progresses the worker once. A process that has polled for some milliseconds in vain sleeps for a moment. Otherwise two
// processes that poll can keep other processes of the job from running, also the one that has to answer.
static inline void poll_worker(void) {
    static unsigned idle;
    idle = ucp_worker_progress(worker) ? 0 : idle + 1;
    if (idle < POLLS_MOST) return;
    idle = 0;
    nanosleep(&(struct timespec){.tv_nsec = SLEEP_NANOSECONDS}, NULL);
}

static inline void wait_for(const char *what, ucs_status_ptr_t request) {
    if (!request) return;
    if (UCS_PTR_IS_ERR(request)) fail(what, UCS_PTR_STATUS(request));
    while (ucp_request_check_status(request) == UCS_INPROGRESS) poll_worker();
    check(what, ucp_request_check_status(request));
    ucp_request_free(request);
}

static inline void wait_for_word(const char *what, volatile uint64_t *word, uint64_t value) {
    double limit = limit_now() + TIMEOUT_SECONDS * 1e9;
    for (unsigned polls = 1; *word != value; polls++) {
        poll_worker();
        if (polls % 100000 == 0 && limit_now() > limit) fail(what, UCS_ERR_TIMED_OUT);
    }
}

static inline void send_message(unsigned message, size_t bytes) {
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
    wait_for("ucp_am_send_nbx", ucp_am_send_nbx(endpoint, message, NULL, 0, payload, bytes, &options));
}

static inline void flush(void) {
    wait_for("ucp_ep_flush_nbx", ucp_ep_flush_nbx(endpoint, &no_options));
}

// Sends LARGE_BYTES. UCX chooses the protocol, for example a rendezvous (the receiver fetches the data itself).
static inline void send_large(void) {
    wait_for("ucp_am_send_nbx",
             ucp_am_send_nbx(endpoint, MESSAGE_LARGE, NULL, 0, memory->large, LARGE_BYTES, &no_options));
}

// Starts a put. Returns a request if the put is not complete yet. The caller must not change `source` until the request
// is complete.
static inline ucs_status_ptr_t start_put(volatile void *dest, const void *source, size_t bytes) {
    return ucp_put_nbx(endpoint, source, bytes, (uintptr_t)dest, key, &no_options);
}

// -- The listening process -----------------------------------------------------------------------------------------

static inline ucs_status_t on_echo(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                   const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)options;
    echo_bytes = bytes;
    echoes = echoes + 1;
    return UCS_OK;
}

static inline ucs_status_t on_answer(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                     const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    answers = answers + 1;
    return UCS_OK;
}

static inline void large_has_arrived(void *request, ucs_status_t status, size_t bytes, void *unused) {
    (void)bytes, (void)unused;
    check("a large message did not arrive", status);
    larges = larges + 1;
    ucp_request_free(request);
}

static inline ucs_status_t on_large(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                    const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes;
    char *dest = memory->large + LARGE_BYTES;
    if (options->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
        const ucp_request_param_t receive = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK,
                                             .cb.recv_am = large_has_arrived};
        ucs_status_ptr_t request = ucp_am_recv_data_nbx(worker, data, dest, bytes, &receive);
        if (UCS_PTR_IS_ERR(request)) fail("ucp_am_recv_data_nbx", UCS_PTR_STATUS(request));
        if (!request) larges = larges + 1;
        return UCS_INPROGRESS;
    }
    memcpy(dest, data, bytes);
    larges = larges + 1;
    return UCS_OK;
}

static inline ucs_status_t on_fetch(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                    const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    fetches = fetches + 1;
    return UCS_OK;
}

static inline ucs_status_t on_exchange(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                       const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    exchanges = exchanges + 1;
    return UCS_OK;
}

static inline ucs_status_t on_end(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                                  const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    has_ended = 1;
    return UCS_OK;
}

// Returns when the other process has sent MESSAGE_END. Can be called again.
static inline void serve(void) {
    static uint64_t echoed, answered, received, fetched;
    while (!has_ended) {
        poll_worker();
        if (echoes != echoed) send_message(MESSAGE_ANSWER, echo_bytes), echoed++;
        if (larges != received) send_message(MESSAGE_ANSWER, 8), received++;
        if (fetches != fetched) send_large(), fetched++;
        if (memory->put != answered) {
            answered = memory->put;
            static uint64_t source;
            source = answered;
            wait_for("ucp_put_nbx", start_put(&there->put, &source, sizeof source));
        }
    }
    has_ended = 0;
}

// -- The measuring process -----------------------------------------------------------------------------------------

static inline void echo_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++) {
        uint64_t expected = answers + 1;
        send_message(MESSAGE_ECHO, (size_t)limit->parameter);
        wait_for_word("no answer to a message", &answers, expected);
    }
}

static inline void large_echo_loop(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        const uint64_t expected = answers + 1;
        send_large();
        wait_for_word("no answer to a large message", &answers, expected);
    }
}

static inline void large_fetch_loop(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        const uint64_t expected = larges + 1;
        send_message(MESSAGE_FETCH, 8);
        wait_for_word("no large message", &larges, expected);
    }
}

static inline void put_echo_loop(const struct limit *limit, long count) {
    (void)limit;
    static uint64_t number;
    for (long i = 0; i < count; i++) {
        number++;
        wait_for("ucp_put_nbx", start_put(&there->put, &number, sizeof number));
        wait_for_word("no answer to a put", &memory->put, number);
    }
}

static inline void put_flush_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++) {
        wait_for("ucp_put_nbx", start_put(there->large, memory->large, (size_t)limit->parameter));
        flush();
    }
}

// One turn is PUTS_AT_ONCE puts to different words, and one flush.
static inline void put_many_loop(const struct limit *limit, long count) {
    static ucs_status_ptr_t requests[PUTS_AT_ONCE];
    for (long i = 0; i < count; i++) {
        for (int word = 0; word < PUTS_AT_ONCE; word++)
            requests[word] = start_put(&there->words[word], memory->large, (size_t)limit->parameter);
        flush();
        for (int word = 0; word < PUTS_AT_ONCE; word++) wait_for("ucp_put_nbx", requests[word]);
    }
}

static inline void get_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++)
        wait_for("ucp_get_nbx", ucp_get_nbx(endpoint, memory->large, (size_t)limit->parameter, (uintptr_t)there->large,
                                            key, &no_options));
}

static inline void atomic_loop(const struct limit *limit, long count) {
    uint64_t operand = 1, reply = 0; // compare-swap: the operand is compared, the reply is the new value and the result
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
                                         .datatype = ucp_dt_make_contig(8),
                                         .reply_buffer = &reply};
    for (long i = 0; i < count; i++)
        wait_for("ucp_atomic_op_nbx", ucp_atomic_op_nbx(endpoint, (ucp_atomic_op_t)limit->design, &operand, 1,
                                                        (uintptr_t)&there->count, key, &options));
}

// -- Set-up --------------------------------------------------------------------------------------------------------

static inline void handle(unsigned message, ucp_am_recv_callback_t function) {
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = message, .cb = function};
    check("ucp_worker_set_am_recv_handler", ucp_worker_set_am_recv_handler(worker, &handler));
}

// Sends a block to the other process. Returns the block that the other process sends, in memory that the function has
// allocated by malloc.
typedef void *exchange_function(const void *block, size_t bytes);

static inline void start(exchange_function *exchange) {
    ucp_config_t *config;
    check("ucp_config_read", ucp_config_read(NULL, NULL, &config));
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64};
    check("ucp_init", ucp_init(&params, config, &context));
    ucp_config_release(config);
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SINGLE};
    check("ucp_worker_create", ucp_worker_create(context, &worker_params, &worker));
    handle(MESSAGE_ECHO, on_echo);
    handle(MESSAGE_ANSWER, on_answer);
    handle(MESSAGE_END, on_end);
    handle(MESSAGE_LARGE, on_large);
    handle(MESSAGE_FETCH, on_fetch);
    handle(MESSAGE_EXCHANGE, on_exchange);

    memory = limit_shared(MEMORY_BYTES);
    memset(memory, 0, sizeof *memory);
    ucp_mem_h region;
    const ucp_mem_map_params_t map = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                      .address = memory,
                                      .length = MEMORY_BYTES};
    check("ucp_mem_map", ucp_mem_map(context, &map, &region));
    void *packed_key;
    size_t key_bytes, address_bytes;
    check("ucp_rkey_pack", ucp_rkey_pack(context, region, &packed_key, &key_bytes));
    ucp_address_t *address;
    check("ucp_worker_get_address", ucp_worker_get_address(worker, &address, &address_bytes));

    void *other = exchange(address, address_bytes);
    const ucp_ep_params_t endpoint_params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = other};
    check("ucp_ep_create", ucp_ep_create(worker, &endpoint_params, &endpoint));
    check("ucp_ep_rkey_unpack", ucp_ep_rkey_unpack(endpoint, exchange(packed_key, key_bytes), &key));
    there = *(struct memory **)exchange(&memory, sizeof(void *));
    ucp_rkey_buffer_release(packed_key);
}

#endif
