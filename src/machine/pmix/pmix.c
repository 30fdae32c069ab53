// SPDX-License-Identifier: BSD-3-Clause
// Implements a process manager (../linux/process_manager.h) by PMIx, the interface by which srun, mpirun and prterun
// tell a process its rank. When PMIx_Init returns, this process has all information about the job, so it need not ask
// other processes. No time limit of PMIx's blocking functions works in all versions of PMIx. So this file uses the
// non-blocking functions, and waits with a time limit of its own.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pmix.h>

#include "../linux/module_build.h"
#include "../linux/process_manager.h"

#define ASK_AGAIN_NANOSECONDS 1000000
#define NAME_BYTES 1024 // largest length of the name of a node, in bytes

static pmix_proc_t self;

static const char *describe(const char *what, pmix_status_t status) {
    static _Thread_local char text[200];
    snprintf(text, sizeof text, "%s: %s", what, PMIx_Error_string(status));
    return text;
}

static pmix_proc_t process_of(pmix_rank_t rank) {
    pmix_proc_t process = self;
    process.rank = rank;
    return process;
}

// -- Waiting -----------------------------------------------------------------------------------------------------------

// A request that PMIx's own thread completes. The request is allocated on the heap, because it can live longer than the
// wait. After the time limit, PMIx can still complete the request. In that case it is never freed.
struct request {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    pmix_status_t status;
    void *data; // of a get: address to which PMIx's thread copies the value
    size_t bytes;
};

static struct request *new_request(void *data, size_t bytes) {
    struct request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&request->lock, NULL);
    pthread_cond_init(&request->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    request->data = data;
    request->bytes = bytes;
    return request;
}

static void complete(struct request *request, pmix_status_t status) {
    pthread_mutex_lock(&request->lock);
    request->status = status;
    request->done = true;
    pthread_cond_signal(&request->changed);
    pthread_mutex_unlock(&request->lock);
}

static time_t seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

// Waits until the request is complete, frees it, and returns its status. If the request is not complete after `seconds`
// seconds, returns PMIX_ERR_TIMEOUT and does not free the request.
static pmix_status_t wait_for(struct request *request, int seconds) {
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += seconds;
    pthread_mutex_lock(&request->lock);
    int error = 0;
    while (!request->done && !error) error = pthread_cond_timedwait(&request->changed, &request->lock, &limit);
    const bool done = request->done;
    const pmix_status_t status = request->status;
    request->data = NULL; // the caller's memory is not valid after the return
    pthread_mutex_unlock(&request->lock);
    if (!done) return PMIX_ERR_TIMEOUT;
    free(request);
    return status;
}

// -- Values ------------------------------------------------------------------------------------------------------------

// Copies a number of 32 bits, a text or bytes to `data`, and fills the rest with zeros.
static pmix_status_t copy_value(const pmix_value_t *value, void *data, size_t bytes) {
    const void *source = NULL;
    size_t length = 0;
    if (value && value->type == PMIX_UINT32) source = &value->data.uint32, length = sizeof value->data.uint32;
    if (value && value->type == PMIX_STRING) source = value->data.string, length = strlen(value->data.string) + 1;
    if (value && value->type == PMIX_BYTE_OBJECT) source = value->data.bo.bytes, length = value->data.bo.size;
    if (!source || length > bytes) return PMIX_ERR_BAD_PARAM;
    memcpy(data, source, length);
    memset((char *)data + length, 0, bytes - length);
    return PMIX_SUCCESS;
}

static void on_value(pmix_status_t status, pmix_value_t *value, void *given) {
    struct request *request = given;
    pthread_mutex_lock(&request->lock);
    if (status == PMIX_SUCCESS && request->data) status = copy_value(value, request->data, request->bytes);
    pthread_mutex_unlock(&request->lock);
    complete(request, status);
}

// Gets a value of another process. If this process does not have the value, PMIx asks the launcher for it.
static pmix_status_t ask(pmix_rank_t rank, const char *name, void *data, size_t bytes, int seconds) {
    const pmix_proc_t process = process_of(rank);
    struct request *request = new_request(data, bytes);
    if (!request) return PMIX_ERR_NOMEM;
    pmix_status_t status = PMIx_Get_nb(&process, name, NULL, 0, on_value, request);
    return status == PMIX_SUCCESS ? wait_for(request, seconds) : status;
}

// Gets information about the job that the launcher has given to PMIx at the start. Returns false if the launcher has
// not given this information. The option PMIX_OPTIONAL keeps PMIx from asking the launcher. Reason: if the launcher
// does not have the information, version 4.2 of PMIx can wait for ever.
static bool get_fact(pmix_rank_t rank, const char *key, void *data, size_t bytes) {
    const pmix_proc_t process = process_of(rank);
    pmix_value_t *value = NULL;
    bool is_optional = true;
    pmix_info_t info;
    PMIX_INFO_CONSTRUCT(&info);
    PMIX_INFO_LOAD(&info, PMIX_OPTIONAL, &is_optional, PMIX_BOOL);
    pmix_status_t status = PMIx_Get(&process, key, &info, 1, &value);
    PMIX_INFO_DESTRUCT(&info);
    if (status != PMIX_SUCCESS || !value) return false;
    status = copy_value(value, data, bytes);
    PMIX_VALUE_RELEASE(value);
    return status == PMIX_SUCCESS;
}

// Returns the number that the launcher has stored under `key` for the whole job, or -1 if there is no such number.
static int64_t job_number(const char *key) {
    uint32_t number;
    return get_fact(PMIX_RANK_WILDCARD, key, &number, sizeof number) ? (int64_t)number : -1;
}

// -- The job -----------------------------------------------------------------------------------------------------------

// Fills in *job, if all processes of the job are on this node.
static const char *note_one_node(struct skerry_manager_job *job) {
    job->nodes = calloc(1, sizeof *job->nodes);
    job->near_ranks = malloc((size_t)job->size * sizeof *job->near_ranks);
    if (!job->nodes || !job->near_ranks) return "no memory";
    job->node_count = 1;
    job->nodes[0].count = job->size;
    if (gethostname(job->nodes[0].name, sizeof job->nodes[0].name - 1) != 0) job->nodes[0].name[0] = 0;
    for (int32_t rank = 0; rank < job->size; rank++) {
        job->near_ranks[rank] = rank;
        if (rank < SKERRY_NETWORK_PORTS_MAX) job->nodes[0].rank[rank] = rank;
    }
    return NULL;
}

struct place {
    char *node; // name
    int32_t rank;
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    const int order = strcmp(a->node, b->node);
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_nodes(const void *left, const void *right) {
    const int32_t a = ((const struct skerry_manager_node *)left)->rank[0];
    const int32_t b = ((const struct skerry_manager_node *)right)->rank[0];
    return (a > b) - (a < b);
}

// Finds the name of each process's node. Returns false if the launcher has not given these names.
static bool find_places(struct place *places, int32_t count) {
    char name[NAME_BYTES];
    for (int32_t rank = 0; rank < count; rank++) {
        if (!get_fact((pmix_rank_t)rank, PMIX_HOSTNAME, name, sizeof name)) return false;
        places[rank].rank = rank;
        places[rank].node = strdup(name);
        if (!places[rank].node) return false;
    }
    return true;
}

// Makes the list of nodes from `places`, which must be sorted by node and rank. Copies the ranks of the processes on
// this process's own node.
static const char *group_places(struct skerry_manager_job *job, const struct place *places) {
    for (int32_t i = 0; i < job->size; i++) {
        const bool is_new = i == 0 || strcmp(places[i].node, places[i - 1].node) != 0;
        struct skerry_manager_node *node = &job->nodes[is_new ? job->node_count++ : job->node_count - 1];
        if (is_new) snprintf(node->name, sizeof node->name, "%s", places[i].node);
        if (node->count < SKERRY_NETWORK_PORTS_MAX) node->rank[node->count] = places[i].rank;
        node->count++;
        if (places[i].rank != job->rank) continue;
        int32_t begin = i, end = i + 1;
        while (begin > 0 && strcmp(places[begin - 1].node, places[i].node) == 0) begin--;
        while (end < job->size && strcmp(places[end].node, places[i].node) == 0) end++;
        job->near_ranks = malloc((size_t)(end - begin) * sizeof *job->near_ranks);
        if (!job->near_ranks) return "no memory";
        for (int32_t near = begin; near < end; near++) job->near_ranks[near - begin] = places[near].rank;
    }
    qsort(job->nodes, (size_t)job->node_count, sizeof *job->nodes, compare_nodes);
    while (job->nodes[job->node].rank[0] != job->near_ranks[0]) job->node++;
    return NULL;
}

static const char *note_nodes(struct skerry_manager_job *job) {
    job->nodes = calloc((size_t)job->size, sizeof *job->nodes);
    struct place *places = calloc((size_t)job->size, sizeof *places);
    if (!job->nodes || !places) return "no memory";
    const char *wrong = NULL;
    if (find_places(places, job->size)) {
        qsort(places, (size_t)job->size, sizeof *places, compare_places);
        wrong = group_places(job, places);
    } else {
        wrong = "the launcher does not say on which node each process is (PMIX_HOSTNAME)";
    }
    for (int32_t rank = 0; rank < job->size; rank++) free(places[rank].node);
    free(places);
    return wrong;
}

// -- The connection to the launcher ------------------------------------------------------------------------------------

static void (*on_loss)(void);

static void on_event(size_t handler, pmix_status_t status, const pmix_proc_t *source, pmix_info_t *info,
                     size_t info_count, pmix_info_t *results, size_t result_count,
                     pmix_event_notification_cbfunc_fn_t done, void *given) {
    (void)handler, (void)status, (void)source, (void)info, (void)info_count, (void)results, (void)result_count;
    on_loss();
    if (done) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, given);
}

static void watch_launcher(void) {
    pmix_status_t loss = PMIX_ERR_LOST_CONNECTION;
    PMIx_Register_event_handler(&loss, 1, NULL, 0, on_event, NULL, NULL);
}

// Calls PMIx_Init with all signals masked. PMIx's thread inherits this mask. So only the program's own threads handle
// the program's signals.
static pmix_status_t initialize(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pmix_status_t status = PMIx_Init(&self, NULL, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static const char *begin(struct skerry_manager_job *job, void (*lost)(void)) {
    on_loss = lost;
    pmix_status_t status = initialize();
    if (status != PMIX_SUCCESS) return describe("PMIx_Init", status);
    watch_launcher();
    if (!job) return NULL;
    const int64_t size = job_number(PMIX_JOB_SIZE);
    if (size < 1 || size > INT32_MAX || self.rank >= size)
        return "the launcher does not say how many processes the job has (PMIX_JOB_SIZE); a process of the launcher "
               "can run "
               "only one program that uses PMIx";
    *job = (struct skerry_manager_job){.rank = (int32_t)self.rank, .size = (int32_t)size};
    return job_number(PMIX_LOCAL_SIZE) == size ? note_one_node(job) : note_nodes(job);
}

// -- Exchanging data ---------------------------------------------------------------------------------------------------

static const char *put(const char *name, const void *data, size_t bytes) {
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT};
    char *copy = malloc(bytes);
    if (!copy) return "no memory";
    memcpy(copy, data, bytes);
    value.data.bo.bytes = copy;
    value.data.bo.size = bytes;
    pmix_status_t status = PMIx_Put(PMIX_GLOBAL, name, &value);
    if (status == PMIX_SUCCESS) status = PMIx_Commit();
    free(copy);
    return status == PMIX_SUCCESS ? NULL : describe("PMIx_Put", status);
}

// Gets the value `name` of process `rank`. Repeats the request until `seconds` seconds have passed, because the server
// of PMIx can refuse a request for two reasons:
// * The other process has not connected to the server yet, so the server does not have the data.
// * The server has a time limit of its own, which on some servers is shorter than `seconds`.
static const char *get(int32_t rank, const char *name, void *data, size_t bytes, int seconds) {
    const time_t limit = seconds_now() + seconds;
    for (;;) {
        pmix_status_t status = ask((pmix_rank_t)rank, name, data, bytes, seconds);
        if (status == PMIX_SUCCESS) return NULL;
        const bool can_come = status == PMIX_ERR_NOT_FOUND || status == PMIX_ERR_TIMEOUT;
        if (!can_come || seconds_now() >= limit) return describe("PMIx_Get", status);
        nanosleep(&(struct timespec){.tv_nsec = ASK_AGAIN_NANOSECONDS}, NULL);
    }
}

static void on_fence(pmix_status_t status, void *given) {
    complete(given, status);
}

// Begins a fence of `count` processes, or of all processes of the job if `processes` is NULL. If `collects` is true, the
// processes can then get each other's data.
static pmix_status_t start_fence(const pmix_proc_t *processes, int count, bool collects, pmix_op_cbfunc_t on_done,
                                 void *given) {
    pmix_info_t info;
    PMIX_INFO_CONSTRUCT(&info);
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collects, PMIX_BOOL);
    // The message is made before the call returns, so the arguments need not live longer.
    const pmix_status_t status = PMIx_Fence_nb(processes, (size_t)count, &info, 1, on_done, given);
    PMIX_INFO_DESTRUCT(&info);
    return status;
}

static void (*on_first_fence)(void); // NULL: nothing is to be called
static struct request *first_fence;  // of all processes; NULL: none is under way

static void note_first_fence(pmix_status_t status, void *given) {
    if (status == PMIX_SUCCESS && on_first_fence) on_first_fence();
    if (given) complete(given, status);
}

static bool is_slurm(void) {
    return strncmp(self.nspace, "slurm.", strlen("slurm.")) == 0;
}

static const char *begin_fence_of_all(void) {
    struct request *request = new_request(NULL, 0);
    if (!request) return "no memory";
    const pmix_status_t status = start_fence(NULL, 0, true, note_first_fence, request);
    if (status == PMIX_OPERATION_SUCCEEDED) note_first_fence(PMIX_SUCCESS, request);
    else if (status != PMIX_SUCCESS) return describe("PMIx_Fence_nb", status);
    first_fence = request;
    return NULL;
}

// The fence of all first processes does not say which of them is missing. So the first one of them also begins a fence with each
// other one, of these two processes. With two nodes that would be the same fence.
static uint32_t *pairs; // [index]: enum skerry_begun_fence; NULL: nothing is known

static void note_pair(pmix_status_t status, void *given) {
    if (status == PMIX_SUCCESS) __atomic_store_n((uint32_t *)given, SKERRY_FENCE_BEGUN, __ATOMIC_RELAXED);
}

static void begin_pair(const pmix_proc_t *processes, int first, int second, uint32_t *result) {
    const pmix_proc_t pair[2] = {processes[first], processes[second]};
    *result = SKERRY_FENCE_NOT_BEGUN;
    const pmix_status_t status = start_fence(pair, 2, false, note_pair, result);
    if (status == PMIX_OPERATION_SUCCEEDED) note_pair(PMIX_SUCCESS, result);
    else if (status != PMIX_SUCCESS) *result = SKERRY_FENCE_UNKNOWN;
}

static void begin_pairs(const pmix_proc_t *processes, int count) {
    if (count < 3) return;
    pairs = calloc((size_t)count, sizeof *pairs);
    for (int i = 1; i < count && pairs; i++) {
        if (processes[0].rank == self.rank) begin_pair(processes, 0, i, &pairs[i]);
        else if (processes[i].rank == self.rank) begin_pair(processes, 0, i, &pairs[0]);
    }
}

static enum skerry_begun_fence has_begun_fence(int index) {
    return pairs ? (enum skerry_begun_fence)__atomic_load_n(&pairs[index], __ATOMIC_RELAXED) : SKERRY_FENCE_UNKNOWN;
}

// A fence of some processes works under Open MPI and PRRTE. Slurm 22.05 passes the list of processes on wrongly, so that only
// a fence of all processes works.
static const char *begin_fence(const int32_t *ranks, int count, void (*done)(void)) {
    bool is_member = false;
    for (int i = 0; i < count; i++) is_member = is_member || (pmix_rank_t)ranks[i] == self.rank;
    on_first_fence = is_member ? done : NULL;
    if (is_slurm()) return begin_fence_of_all();
    if (!is_member) return NULL;
    pmix_proc_t *processes = calloc((size_t)count, sizeof *processes);
    if (!processes) return "no memory";
    for (int i = 0; i < count; i++) processes[i] = process_of((pmix_rank_t)ranks[i]);
    const pmix_status_t status = start_fence(processes, count, true, note_first_fence, NULL);
    begin_pairs(processes, count);
    free(processes);
    if (status == PMIX_OPERATION_SUCCEEDED) note_first_fence(PMIX_SUCCESS, NULL);
    return status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED ? NULL : describe("PMIx_Fence_nb", status);
}

// PMIx does not distinguish two fences of the same processes that are under way at the same time. So the first one must be
// complete.
static pmix_status_t await_first_fence(int seconds) {
    if (!first_fence) return PMIX_SUCCESS;
    const pmix_status_t status = wait_for(first_fence, seconds);
    first_fence = NULL;
    return status;
}

static const char *fence(int seconds) {
    const time_t limit = seconds_now() + seconds;
    pmix_status_t status = await_first_fence(seconds);
    if (status != PMIX_SUCCESS) return describe("PMIx_Fence", status);
    struct request *request = new_request(NULL, 0);
    if (!request) return "no memory";
    status = start_fence(NULL, 0, true, on_fence, request);
    if (status == PMIX_SUCCESS) status = wait_for(request, (int)(limit - seconds_now()));
    else if (status == PMIX_OPERATION_SUCCEEDED) status = PMIX_SUCCESS; // done at once, without a call of on_fence
    return status == PMIX_SUCCESS ? NULL : describe("PMIx_Fence", status);
}

// -- The end -----------------------------------------------------------------------------------------------------------

static void abort_job(int code) {
    PMIx_Abort(code, "", NULL, 0);
}

static void end(void) {
    PMIx_Finalize(NULL, 0);
}

static const struct skerry_process_manager functions = {begin,           put,       get, fence, begin_fence,
                                                        has_begun_fence, abort_job, end};

__attribute__((visibility("default"))) const struct skerry_process_manager *skerry_process_manager_open(void) {
    return &functions;
}
