// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a network with remote access in hardware, which no test machine has. This library is preloaded into the
// PEs of a job. It takes the place of UCX's functions for remote access: keys, puts, gets and flushes. Everything else
// stays UCX's. It does what hardware is allowed to do, at its worst:
//   * A put is complete for the sender at a random later move of the worker, and lands at the target at another one. Only a
//     flush makes it land. Puts of one PE land in any order. A large one lands in parts.
//   * Nothing of the target takes part, and nothing wakes a PE that sleeps there. The memory is written by
//     process_vm_writev, which needs no function of the target's process.
//   * Memory that was not registered cannot be reached. To register memory allocates all its pages.
// The functions are called by threads that hold the module's lock.
//
// For tests of the choice between messages and remote access (choice.sh): if the variable REMOTE_ACCESS_REGISTERS names a
// memory domain of UCX, the network module is told that it registers memory, as those of hardware do. With
// REMOTE_ACCESS_COUNTS, each process prints at its end how many puts and gets it has started.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucp/api/ucp.h>
#include <uct/api/uct.h>
#include <unistd.h>

#define PART 5000 // bytes that land at once

_Noreturn static void fail(const char *text) {
    fprintf(stderr, "remote_access: %s\n", text);
    _exit(1);
}

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) fail("no memory");
    return memory;
}

static unsigned below(unsigned limit) {
    static uint64_t state;
    if (!state) state = 88172645463325252u + (uint64_t)getpid();
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)((state >> 20) % limit);
}

static void *real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) fail("UCX is not there");
    return function;
}

// -- Memory and keys ---------------------------------------------------------------------------------------------------

// A registered piece of memory; also the key to it.
struct region {
    uint64_t magic;
    pid_t process;
    uint64_t address, bytes;
};
#define MAGIC UINT64_C(0x736b657272792121)

ucs_status_t ucp_mem_map(ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *result) {
    (void)context;
    struct region *region = allocate(sizeof *region);
    *region = (struct region){MAGIC, getpid(), (uintptr_t)params->address, params->length};
    const uintptr_t begin = region->address & ~(uintptr_t)4095, end = region->address + region->bytes;
    if (madvise((void *)begin, end - begin, MADV_POPULATE_WRITE) != 0) fail("memory cannot be registered");
    *result = (ucp_mem_h)(void *)region;
    return UCS_OK;
}

ucs_status_t ucp_rkey_pack(ucp_context_h context, ucp_mem_h memory, void **packed, size_t *bytes) {
    (void)context;
    *bytes = sizeof(struct region);
    *packed = memcpy(allocate(*bytes), (const void *)memory, *bytes);
    return UCS_OK;
}

void ucp_rkey_buffer_release(void *packed) {
    free(packed);
}

// UCX itself uses keys too, for large messages.
ucs_status_t ucp_ep_rkey_unpack(ucp_ep_h endpoint, const void *packed, ucp_rkey_h *key) {
    static ucs_status_t (*unpack)(ucp_ep_h, const void *, ucp_rkey_h *);
    if (memcmp(packed, &(uint64_t){MAGIC}, sizeof(uint64_t)) == 0) {
        *key = (ucp_rkey_h)(void *)memcpy(allocate(sizeof(struct region)), packed, sizeof(struct region));
        return UCS_OK;
    }
    if (!unpack) *(void **)&unpack = real("ucp_ep_rkey_unpack");
    return unpack(endpoint, packed, key);
}

void ucp_rkey_destroy(ucp_rkey_h key) {
    static void (*destroy)(ucp_rkey_h);
    if (((const struct region *)(const void *)key)->magic == MAGIC) {
        free((void *)key);
        return;
    }
    if (!destroy) *(void **)&destroy = real("ucp_rkey_destroy");
    destroy(key);
}

// -- Operations under way ----------------------------------------------------------------------------------------------

enum kind { PUT, GET, FLUSH };

struct operation {
    uint64_t magic;
    struct operation *next;
    enum kind kind;
    ucp_ep_h endpoint;
    pid_t process;
    uint64_t there;
    char *here; // of a put that is complete for the sender: its own copy
    size_t bytes, moved;
    bool is_copied, is_told; // the sender may change its memory; has been told so
    void (*callback)(void *, ucs_status_t, void *);
    void *given;
};

static struct operation *under_way; // in any order

static void move(struct operation *operation, size_t most) {
    const size_t left = operation->bytes - operation->moved, bytes = left < most ? left : most;
    const struct iovec here = {operation->here + operation->moved, bytes};
    const struct iovec there = {(void *)(uintptr_t)(operation->there + operation->moved), bytes};
    const ssize_t moved = operation->kind == PUT ? process_vm_writev(operation->process, &here, 1, &there, 1, 0)
                                                 : process_vm_readv(operation->process, &here, 1, &there, 1, 0);
    if (moved != (ssize_t)bytes) fail("the target's memory cannot be reached");
    operation->moved += bytes;
}

static bool is_over(const struct operation *operation) {
    return operation->moved == operation->bytes && operation->is_told;
}

static void tell(struct operation *operation) {
    operation->is_told = true;
    if (operation->callback) operation->callback(operation, UCS_OK, operation->given);
}

// Takes the sender's data, so that the sender can change it, and tells the sender.
static void copy_and_tell(struct operation *operation) {
    operation->here = memcpy(allocate(operation->bytes), operation->here, operation->bytes);
    operation->is_copied = true;
    tell(operation);
}

static void drop_ended(void) {
    for (struct operation **at = &under_way; *at;) {
        struct operation *operation = *at;
        if (is_over(operation)) {
            *at = operation->next;
            if (operation->is_copied) free(operation->here);
            operation->magic = 0;
            free(operation);
        } else {
            at = &operation->next;
        }
    }
}

// Lands all earlier puts to an endpoint, in any order, if the flush has lasted long enough.
static void flush(struct operation *flush) {
    if (below(4) != 0) return;
    for (struct operation *at = flush->next; at; at = at->next) {
        if (at->endpoint != flush->endpoint || at->kind == FLUSH) continue;
        if (at->moved < at->bytes) move(at, at->bytes);
        if (!at->is_told) tell(at);
    }
    tell(flush);
}

static void advance_one(struct operation *at) {
    if (at->moved < at->bytes && (at->kind == GET || below(4) == 0)) move(at, PART << below(8));
    if (at->kind == PUT && !at->is_told) copy_and_tell(at);
    if (at->kind == GET && at->moved == at->bytes && !at->is_told) tell(at);
}

// Moves operations at random. Returns how many the sender has been told of.
static unsigned advance(void) {
    unsigned told = 0;
    for (struct operation *at = under_way; at; at = at->next) {
        const bool was_told = at->is_told;
        if (at->kind == FLUSH && !was_told) flush(at);
        else if (at->kind != FLUSH && below(3) == 0) advance_one(at);
        told += at->is_told && !was_told;
    }
    drop_ended();
    return told;
}

// -- UCX's functions ---------------------------------------------------------------------------------------------------

static ucs_status_ptr_t start(struct operation values, const ucp_request_param_t *params) {
    struct operation *operation = allocate(sizeof *operation);
    *operation = values;
    operation->magic = MAGIC;
    if (params->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) operation->callback = params->cb.send;
    if (params->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA) operation->given = params->user_data;
    operation->next = under_way;
    under_way = operation;
    return operation;
}

static unsigned long moves; // puts and gets

__attribute__((destructor)) static void print_count(void) {
    if (getenv("REMOTE_ACCESS_COUNTS")) fprintf(stderr, "remote_access: %lu\n", moves);
}

static ucs_status_ptr_t start_move(enum kind kind, ucp_ep_h endpoint, const void *here, size_t bytes, uint64_t there,
                                   ucp_rkey_h key, const ucp_request_param_t *params) {
    const struct region *region = (const void *)key;
    if (region->magic != MAGIC) fail("a key that is none");
    moves++;
    if (there < region->address || there + bytes > region->address + region->bytes) fail("memory outside its key");
    return start((struct operation){.kind = kind,
                                    .endpoint = endpoint,
                                    .process = region->process,
                                    .there = there,
                                    .here = (char *)(uintptr_t)here,
                                    .bytes = bytes},
                 params);
}

ucs_status_ptr_t ucp_put_nbx(ucp_ep_h endpoint, const void *source, size_t bytes, uint64_t there, ucp_rkey_h key,
                             const ucp_request_param_t *params) {
    return start_move(PUT, endpoint, source, bytes, there, key, params);
}

ucs_status_ptr_t ucp_get_nbx(ucp_ep_h endpoint, void *dest, size_t bytes, uint64_t there, ucp_rkey_h key,
                             const ucp_request_param_t *params) {
    return start_move(GET, endpoint, dest, bytes, there, key, params);
}

ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h endpoint, const ucp_request_param_t *params) {
    return start((struct operation){.kind = FLUSH, .endpoint = endpoint}, params);
}

static bool is_network_module(const void *address) {
    static const char name[] = "/skerry/network/ucx.so";
    Dl_info module;
    if (!dladdr(address, &module) || !module.dli_fname || strlen(module.dli_fname) < sizeof name) return false;
    return strcmp(module.dli_fname + strlen(module.dli_fname) - (sizeof name - 1), name) == 0;
}

unsigned ucp_worker_progress(ucp_worker_h worker) {
    static unsigned (*progress)(ucp_worker_h);
    if (!progress) *(void **)&progress = real("ucp_worker_progress");
    return advance() + progress(worker);
}

// Requests of this library belong to it, and are freed when the operation is over.
void ucp_request_free(void *request) {
    static void (*release)(void *);
    for (const struct operation *at = under_way; at; at = at->next)
        if (at == request) return;
    if (!release) *(void **)&release = real("ucp_request_free");
    release(request);
}

ucs_status_t uct_md_query(uct_md_h domain, uct_md_attr_t *attributes) {
    static ucs_status_t (*query)(uct_md_h, uct_md_attr_t *);
    if (!query) *(void **)&query = real("uct_md_query");
    const char *name = getenv("REMOTE_ACCESS_REGISTERS");
    const ucs_status_t status = query(domain, attributes);
    if (name && status == UCS_OK && is_network_module(__builtin_return_address(0)) &&
        strcmp(attributes->component_name, name) == 0)
        attributes->cap.flags |= UCT_MD_FLAG_REG;
    return status;
}
