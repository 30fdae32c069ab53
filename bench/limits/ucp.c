// SPDX-License-Identifier: BSD-3-Clause
// Measures bare UCP between two processes: the limits of what a PE can do with a PE of another node through UCX. One
// process listens, the other connects and measures:
//     ucp                     both processes on this machine, over the loopback interface (UCX_TLS=tcp)
//     ucp --listen            on the first node; prints the number of the port
//     ucp HOST:PORT [BATCHES] on the second node
// The listening process always polls its worker. It answers active messages and puts, so that the other process can
// measure round trips.
#include "limits.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <ucp/api/ucp.h>

#define MEMORY_BYTES ((size_t)16 << 20)
#define LARGE_BYTES ((size_t)4 << 20)
#define MESSAGE_BYTES_MAX 4096
#define PUTS_AT_ONCE 1000
#define TIMEOUT_SECONDS 20.0

enum { MESSAGE_ECHO, MESSAGE_ANSWER, MESSAGE_END };

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
static volatile uint64_t echoes, answers, has_ended;
static size_t echo_bytes;
static char payload[MESSAGE_BYTES_MAX];

static _Noreturn void fail(const char *what, ucs_status_t status) {
    fprintf(stderr, "ucp: %s: %s\n", what, ucs_status_string(status));
    exit(1);
}

static void check(const char *what, ucs_status_t status) {
    if (status != UCS_OK) fail(what, status);
}

// -- Operations ----------------------------------------------------------------------------------------------------

static const ucp_request_param_t no_options;

static void wait_for(const char *what, ucs_status_ptr_t request) {
    if (!request) return;
    if (UCS_PTR_IS_ERR(request)) fail(what, UCS_PTR_STATUS(request));
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker);
    check(what, ucp_request_check_status(request));
    ucp_request_free(request);
}

static void wait_for_word(const char *what, volatile uint64_t *word, uint64_t value) {
    double limit = limit_now() + TIMEOUT_SECONDS * 1e9;
    for (unsigned polls = 1; *word != value; polls++) {
        ucp_worker_progress(worker);
        if (polls % 100000 == 0 && limit_now() > limit) fail(what, UCS_ERR_TIMED_OUT);
    }
}

static void send_message(unsigned message, size_t bytes) {
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
    wait_for("ucp_am_send_nbx", ucp_am_send_nbx(endpoint, message, NULL, 0, payload, bytes, &options));
}

static void flush(void) {
    wait_for("ucp_ep_flush_nbx", ucp_ep_flush_nbx(endpoint, &no_options));
}

// Starts a put. `source` must stay as it is until the request, if there is one, is complete.
static ucs_status_ptr_t start_put(volatile void *dest, const void *source, size_t bytes) {
    return ucp_put_nbx(endpoint, source, bytes, (uintptr_t)dest, key, &no_options);
}

// -- The listening process -----------------------------------------------------------------------------------------

static ucs_status_t on_echo(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                            const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)options;
    echo_bytes = bytes;
    echoes = echoes + 1;
    return UCS_OK;
}

static ucs_status_t on_answer(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                              const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    answers = answers + 1;
    return UCS_OK;
}

static ucs_status_t on_end(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                           const ucp_am_recv_param_t *options) {
    (void)unused, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)options;
    has_ended = 1;
    return UCS_OK;
}

static void serve(void) {
    uint64_t echoed = 0, answered = 0;
    while (!has_ended) {
        ucp_worker_progress(worker);
        if (echoes != echoed) send_message(MESSAGE_ANSWER, echo_bytes), echoed++;
        if (memory->put != answered) {
            answered = memory->put;
            static uint64_t source;
            source = answered;
            wait_for("ucp_put_nbx", start_put(&there->put, &source, sizeof source));
        }
    }
}

// -- The measuring process -----------------------------------------------------------------------------------------

static void echo_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++) {
        uint64_t expected = answers + 1;
        send_message(MESSAGE_ECHO, (size_t)limit->parameter);
        wait_for_word("no answer to a message", &answers, expected);
    }
}

static void put_echo_loop(const struct limit *limit, long count) {
    (void)limit;
    static uint64_t number;
    for (long i = 0; i < count; i++) {
        number++;
        wait_for("ucp_put_nbx", start_put(&there->put, &number, sizeof number));
        wait_for_word("no answer to a put", &memory->put, number);
    }
}

static void put_flush_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++) {
        wait_for("ucp_put_nbx", start_put(there->large, memory->large, (size_t)limit->parameter));
        flush();
    }
}

// One turn is PUTS_AT_ONCE puts to different words, and one flush.
static void put_many_loop(const struct limit *limit, long count) {
    static ucs_status_ptr_t requests[PUTS_AT_ONCE];
    for (long i = 0; i < count; i++) {
        for (int word = 0; word < PUTS_AT_ONCE; word++)
            requests[word] = start_put(&there->words[word], memory->large, (size_t)limit->parameter);
        flush();
        for (int word = 0; word < PUTS_AT_ONCE; word++) wait_for("ucp_put_nbx", requests[word]);
    }
}

static void get_loop(const struct limit *limit, long count) {
    for (long i = 0; i < count; i++)
        wait_for("ucp_get_nbx", ucp_get_nbx(endpoint, memory->large, (size_t)limit->parameter, (uintptr_t)there->large,
                                            key, &no_options));
}

static void atomic_loop(const struct limit *limit, long count) {
    uint64_t operand = 1, reply = 0; // compare-swap: the operand is compared, the reply is the new value and the result
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
                                         .datatype = ucp_dt_make_contig(8),
                                         .reply_buffer = &reply};
    for (long i = 0; i < count; i++)
        wait_for("ucp_atomic_op_nbx", ucp_atomic_op_nbx(endpoint, (ucp_atomic_op_t)limit->design, &operand, 1,
                                                        (uintptr_t)&there->count, key, &options));
}

static void measure(int batches) {
    static struct limit limits[] = {
        {.name = "ucp_message", .parameter = 8, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 64, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 512, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message", .parameter = 4096, .loop = echo_loop, .operations = 2},
        {.name = "ucp_message_answer", .parameter = 8, .loop = echo_loop},
        {.name = "ucp_put", .parameter = 8, .loop = put_echo_loop, .operations = 2},
        {.name = "ucp_put_flush", .parameter = 8, .loop = put_flush_loop},
        {.name = "ucp_put_many", .parameter = 8, .loop = put_many_loop, .operations = PUTS_AT_ONCE},
        {.name = "ucp_get", .parameter = 8, .loop = get_loop},
        {.name = "ucp_fetch_add", .parameter = 8, .loop = atomic_loop, .design = UCP_ATOMIC_OP_ADD},
        {.name = "ucp_compare_swap", .parameter = 8, .loop = atomic_loop, .design = UCP_ATOMIC_OP_CSWAP},
        {.name = "ucp_put_flush", .parameter = (long)LARGE_BYTES, .loop = put_flush_loop, .rate = true},
        {.name = "ucp_get", .parameter = (long)LARGE_BYTES, .loop = get_loop, .rate = true},
    };
    const int count = sizeof limits / sizeof *limits;
    for (int i = 0; i < count; i++) limits[i].batch = 2e6;
    limit_report(limits, count, batches, NULL);
    send_message(MESSAGE_END, 0);
    // The other process ends when the message arrives, so this flush possibly fails.
    ucs_status_ptr_t request = ucp_ep_flush_nbx(endpoint, &no_options);
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker);
}

// -- Set-up --------------------------------------------------------------------------------------------------------

static void move(int socket, void *data, size_t bytes, bool sends) {
    char *at = data;
    while (bytes > 0) {
        ssize_t moved = sends ? send(socket, at, bytes, MSG_NOSIGNAL) : recv(socket, at, bytes, 0);
        if (moved <= 0) limit_fail("the other process's socket");
        at += moved;
        bytes -= (size_t)moved;
    }
}

// Sends a block to the other process, and returns the block that the other process sends.
static void *exchange(int socket, const void *block, size_t bytes, size_t *received) {
    move(socket, &bytes, sizeof bytes, true);
    move(socket, (void *)(uintptr_t)block, bytes, true);
    move(socket, received, sizeof *received, false);
    void *other = malloc(*received);
    if (!other) limit_fail("malloc");
    move(socket, other, *received, false);
    return other;
}

static void handle(unsigned message, ucp_am_recv_callback_t function) {
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = message, .cb = function};
    check("ucp_worker_set_am_recv_handler", ucp_worker_set_am_recv_handler(worker, &handler));
}

static void start(int socket) {
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

    memory = limit_shared(MEMORY_BYTES);
    memset(memory, 0, sizeof *memory);
    ucp_mem_h region;
    const ucp_mem_map_params_t map = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                      .address = memory,
                                      .length = MEMORY_BYTES};
    check("ucp_mem_map", ucp_mem_map(context, &map, &region));
    void *packed_key;
    size_t key_bytes, address_bytes, bytes;
    check("ucp_rkey_pack", ucp_rkey_pack(context, region, &packed_key, &key_bytes));
    ucp_address_t *address;
    check("ucp_worker_get_address", ucp_worker_get_address(worker, &address, &address_bytes));

    void *other = exchange(socket, address, address_bytes, &bytes);
    const ucp_ep_params_t endpoint_params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = other};
    check("ucp_ep_create", ucp_ep_create(worker, &endpoint_params, &endpoint));
    check("ucp_ep_rkey_unpack", ucp_ep_rkey_unpack(endpoint, exchange(socket, packed_key, key_bytes, &bytes), &key));
    there = *(struct memory **)exchange(socket, &memory, sizeof(void *), &bytes);
    ucp_rkey_buffer_release(packed_key);
}

static int listen_at(struct sockaddr_in *own, in_addr_t address) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t bytes = sizeof *own;
    *own = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    if (listener < 0 || bind(listener, (struct sockaddr *)own, bytes) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)own, &bytes) != 0)
        limit_fail("listening socket");
    return listener;
}

static int accept_one(int listener) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) limit_fail("accept");
    close(listener);
    return connection;
}

static int connect_to(const char *host, const char *port) {
    struct addrinfo *found;
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    int error = getaddrinfo(host, port, &hints, &found);
    if (error != 0) {
        fprintf(stderr, "ucp: %s:%s: %s\n", host, port, gai_strerror(error));
        exit(1);
    }
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, found->ai_addr, found->ai_addrlen) != 0) limit_fail("connect");
    freeaddrinfo(found);
    return connection;
}

static void listen_and_serve(int listener) {
    limit_pin(1);
    start(accept_one(listener));
    serve();
}

int main(int argument_count, char **arguments) {
    struct sockaddr_in own;
    if (argument_count == 2 && strcmp(arguments[1], "--listen") == 0) {
        int listener = listen_at(&own, INADDR_ANY);
        printf("%d\n", ntohs(own.sin_port));
        fflush(stdout);
        listen_and_serve(listener);
        return 0;
    }
    char *port = argument_count > 1 ? strchr(arguments[1], ':') : NULL;
    int connection;
    if (port) {
        *port++ = 0;
        connection = connect_to(arguments[1], port);
        argument_count--, arguments++;
    } else {
        setenv("UCX_TLS", "tcp", false);
        int listener = listen_at(&own, INADDR_LOOPBACK);
        pid_t child = fork();
        if (child < 0) limit_fail("fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            listen_and_serve(listener);
            _exit(0);
        }
        close(listener);
        char text[8];
        snprintf(text, sizeof text, "%d", ntohs(own.sin_port));
        connection = connect_to("127.0.0.1", text);
    }
    int batches = limit_batches(argument_count, arguments, 20);
    limit_pin(0);
    start(connection);
    measure(batches);
    return 0;
}
