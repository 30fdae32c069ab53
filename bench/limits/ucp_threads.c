// SPDX-License-Identifier: BSD-3-Clause
// Measures if the threads of a process send faster when each has a UCP worker (an object for communication) of its own.
// Each thread sends a message of 8 bytes to another process and waits for the answer, again and again. Two threads
// share one worker and a lock, or each thread has a worker. The other process has the same number of workers, and polls
// them in one thread. A figure is the elapsed time divided by the number of messages of all threads.
#include "limits.h"

#include <pthread.h>
#include <sys/socket.h>
#include <ucp/api/ucp.h>

#define THREADS_MOST 2

enum { MESSAGE_ECHO, MESSAGE_ANSWER };
enum { ONE_THREAD, ONE_WORKER, TWO_WORKERS };

struct channel {
    ucp_worker_h worker;
    ucp_ep_h endpoint;
    pthread_mutex_t lock;
};
static struct channel channels[THREADS_MOST];
static ucp_context_h context;

struct thread {
    _Alignas(LIMIT_LINE) volatile uint64_t answers; // written by the thread that calls ucp_worker_progress
    struct channel *channel;
    bool locks;
    long count;
};

static void check(const char *what, ucs_status_t status) {
    if (status == UCS_OK) return;
    fprintf(stderr, "ucp_threads: %s: %s\n", what, ucs_status_string(status));
    exit(1);
}

static void sent(void *request, ucs_status_t status, void *unused) {
    (void)unused;
    check("a message", status);
    ucp_request_free(request);
}

// Sends 8 bytes: the address of the sender's counter, which comes back in the answer.
static void send_counter(ucp_ep_h endpoint, unsigned message, const uint64_t *address, uint32_t flags) {
    const ucp_request_param_t options = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_CALLBACK,
                                         .flags = UCP_AM_SEND_FLAG_EAGER | flags,
                                         .cb.send = sent};
    ucs_status_ptr_t request = ucp_am_send_nbx(endpoint, message, address, sizeof *address, NULL, 0, &options);
    if (UCS_PTR_IS_ERR(request)) check("ucp_am_send_nbx", UCS_PTR_STATUS(request));
}

static ucs_status_t on_echo(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                            const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes, (void)data, (void)bytes;
    static uint64_t answers[1024]; // UCX possibly reads a header later
    static unsigned next;
    uint64_t *address = &answers[next++ % 1024];
    memcpy(address, header, sizeof *address);
    send_counter(options->reply_ep, MESSAGE_ANSWER, address, 0);
    return UCS_OK;
}

static ucs_status_t on_answer(void *unused, const void *header, size_t header_bytes, void *data, size_t bytes,
                              const ucp_am_recv_param_t *options) {
    (void)unused, (void)header_bytes, (void)data, (void)bytes, (void)options;
    uint64_t address;
    memcpy(&address, header, sizeof address);
    struct thread *thread = (struct thread *)(uintptr_t)address;
    __atomic_fetch_add(&thread->answers, 1, __ATOMIC_RELEASE);
    return UCS_OK;
}

static void handle(ucp_worker_h worker, unsigned message, ucp_am_recv_callback_t function) {
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB, .id = message, .cb = function};
    check("handler", ucp_worker_set_am_recv_handler(worker, &handler));
}

static void move(int socket, void *data, size_t bytes, bool sends) {
    if ((sends ? send(socket, data, bytes, 0) : recv(socket, data, bytes, MSG_WAITALL)) != (ssize_t)bytes)
        limit_fail("socket");
}

static void make_workers(void) {
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_AM};
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    check("ucp_init", ucp_init(&params, NULL, &context));
    for (struct channel *each = channels; each < channels + THREADS_MOST; each++) {
        pthread_mutexattr_t adaptive;
        pthread_mutexattr_init(&adaptive);
        pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
        pthread_mutex_init(&each->lock, &adaptive);
        check("ucp_worker_create", ucp_worker_create(context, &worker_params, &each->worker));
        handle(each->worker, MESSAGE_ECHO, on_echo);
        handle(each->worker, MESSAGE_ANSWER, on_answer);
    }
}

_Noreturn static void serve(int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    make_workers();
    for (struct channel *each = channels; each < channels + THREADS_MOST; each++) {
        ucp_address_t *address;
        size_t bytes;
        check("address", ucp_worker_get_address(each->worker, &address, &bytes));
        move(socket, &bytes, sizeof bytes, true);
        move(socket, address, bytes, true);
    }
    for (;;) {
        unsigned moved = 0;
        for (struct channel *each = channels; each < channels + THREADS_MOST; each++)
            moved += ucp_worker_progress(each->worker);
        if (!moved) sched_yield();
    }
}

static void connect_workers(int socket) {
    static char address[4096];
    for (struct channel *each = channels; each < channels + THREADS_MOST; each++) {
        size_t bytes;
        move(socket, &bytes, sizeof bytes, false);
        if (bytes > sizeof address) limit_fail("a long address");
        move(socket, address, bytes, false);
        const ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                                        .address = (const ucp_address_t *)(const void *)address};
        check("ucp_ep_create", ucp_ep_create(each->worker, &params, &each->endpoint));
    }
}

static void *exchange(void *given) {
    struct thread *thread = given;
    struct channel *channel = thread->channel;
    const uint64_t own = (uintptr_t)thread;
    for (long i = 1; i <= thread->count; i++) {
        if (thread->locks) pthread_mutex_lock(&channel->lock);
        send_counter(channel->endpoint, MESSAGE_ECHO, &own, UCP_AM_SEND_FLAG_REPLY);
        for (unsigned moved = 1; __atomic_load_n(&thread->answers, __ATOMIC_ACQUIRE) < (uint64_t)i;) {
            moved = ucp_worker_progress(channel->worker);
            if (thread->locks) pthread_mutex_unlock(&channel->lock);
            if (!moved) sched_yield();
            if (thread->locks) pthread_mutex_lock(&channel->lock);
        }
        if (thread->locks) pthread_mutex_unlock(&channel->lock);
    }
    return NULL;
}

static void loop(const struct limit *limit, long count) {
    const int threads = limit->design == ONE_THREAD ? 1 : 2;
    static struct thread list[THREADS_MOST];
    pthread_t other;
    for (int i = 0; i < threads; i++)
        list[i] = (struct thread){.channel = &channels[limit->design == TWO_WORKERS ? i : 0],
                                  .locks = limit->design == ONE_WORKER,
                                  .count = count};
    if (threads > 1 && pthread_create(&other, NULL, exchange, &list[1]) != 0) limit_fail("pthread_create");
    exchange(&list[0]);
    if (threads > 1) pthread_join(other, NULL);
}

int main(int argument_count, char **arguments) {
    setenv("UCX_TLS", "tcp,self", 0);
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) limit_fail("socketpair");
    const pid_t server = fork();
    if (server < 0) limit_fail("fork");
    if (server == 0) serve(sockets[1]);
    make_workers();
    connect_workers(sockets[0]);
    static struct limit limits[] = {
        {.name = "ucp_one_thread", .parameter = 8, .loop = loop, .design = ONE_THREAD, .operations = 1},
        {.name = "ucp_one_worker", .parameter = 8, .loop = loop, .design = ONE_WORKER, .operations = 2},
        {.name = "ucp_two_workers", .parameter = 8, .loop = loop, .design = TWO_WORKERS, .operations = 2},
    };
    for (int i = 0; i < 3; i++) limits[i].batch = 2e7;
    limit_report(limits, 3, limit_batches(argument_count, arguments, 31), NULL);
    kill(server, SIGKILL);
    return 0;
}
