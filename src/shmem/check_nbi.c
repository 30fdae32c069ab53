// SPDX-License-Identifier: BSD-3-Clause
// Checks non-blocking operations between their call and the quiet that completes them:
// - A get does not copy its data at the call. The call fills the destination with a pattern, and the quiet copies the
//   data. The pattern is a NaN in every real type and a negative number in every signed integer type. So a program that
//   reads too early gets wrong values.
// - A fetching atomic is performed at its call, but the fetched value is stored only at the quiet.
// - A put is performed at its call. The quiet compares the checksum of the put's source with the checksum at the call.
//
// Two kinds of errors are reported:
// - Before the quiet: a call that uses the memory of a pending operation. A call is allowed to read the source of a
//   put.
// - At the quiet: memory of a pending operation that the program has changed.
#include "check_internal.h"

// Largest number of pending operations: non-blocking operations that no quiet has completed. One more operation
// completes the oldest one early.
#define PENDING_MAX 256

enum kind { GET, FETCH, PUT };

struct pending {
    const char *routine;
    const struct skerry_context *context;
    enum kind kind;
    int pe;
    unsigned char *local;
    const void *remote;
    size_t bytes;
    uintptr_t place;  // place of `local`: its global or private address (skerry_check_place)
    uint64_t content; // GET: unused; FETCH: the value; PUT: the checksum
};

static struct pending pending[PENDING_MAX]; // in the order of the calls
static size_t pending_count;

static unsigned char pattern_at(const unsigned char *address) {
    return (uintptr_t)address & 1 ? 0xff : 0xf5;
}

static void fill_with_pattern(unsigned char *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) at[i] = pattern_at(&at[i]);
}

// Returns the 64-bit FNV-1a hash of `bytes` bytes.
static uint64_t checksum(const unsigned char *at, size_t bytes) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static SKERRY_NORETURN void fail_changed(const struct pending *operation, const unsigned char *at) {
    struct skerry_check_text text = {.length = 0};
    if (operation->kind == PUT)
        skerry_check_append(&text, "source @, # bytes: was changed before a quiet completed the put");
    else skerry_check_append(&text, "dest @, # bytes: was changed (at @) before a quiet completed the get");
    skerry_check_fail(operation->routine, text.at,
                      (long[]){(long)(uintptr_t)operation->local, (long)operation->bytes, (long)(uintptr_t)at}, 3);
}

static void complete(const struct pending *operation) {
    unsigned char *local = operation->local;
    if (operation->kind == PUT) {
        if (checksum(local, operation->bytes) != operation->content) fail_changed(operation, local);
        return;
    }
    for (size_t i = 0; i < operation->bytes; i++)
        if (local[i] != pattern_at(&local[i])) fail_changed(operation, &local[i]);
    if (operation->kind == FETCH) __builtin_memcpy(local, &operation->content, operation->bytes);
    else skerry_get(local, operation->remote, operation->bytes, operation->pe);
}

static void add(struct pending operation) {
    skerry_check_enter();
    if (pending_count == PENDING_MAX) {
        complete(&pending[0]);
        for (size_t i = 1; i < PENDING_MAX; i++) pending[i - 1] = pending[i];
        pending_count--;
    }
    operation.context = skerry_check_context_of(operation.routine);
    operation.place = skerry_check_place(operation.local);
    if (operation.kind != PUT) fill_with_pattern(operation.local, operation.bytes);
    pending[pending_count] = operation;
    __atomic_store_n(&pending_count, pending_count + 1, __ATOMIC_RELEASE);
    skerry_check_leave();
}

void skerry_check_put_nbi(const char *routine, const void *dest, const void *source, size_t count, size_t size,
                          int pe) {
    skerry_check_put(routine, dest, source, count, size, pe);
    if (skerry_checking < SKERRY_CHECKING_ALL || count == 0) return;
    unsigned char *local = (unsigned char *)(uintptr_t)source; // the cast is safe: a source is only read
    add((struct pending){.routine = routine,
                         .kind = PUT,
                         .local = local,
                         .bytes = count * size,
                         .content = checksum(local, count * size)});
}

bool skerry_check_get_nbi(const char *routine, void *dest, const void *source, size_t count, size_t size, int pe) {
    skerry_check_get(routine, dest, source, count, size, pe);
    if (skerry_checking < SKERRY_CHECKING_ALL || count == 0) return false;
    if (skerry_check_place(dest) == (uintptr_t)skerry_global(source, pe))
        return false; // source and dest are the same memory, so the pattern would overwrite the data
    add((struct pending){
        .routine = routine, .kind = GET, .local = dest, .remote = source, .bytes = count * size, .pe = pe});
    return true;
}

// If a fetching atomic into the word `fetch` is already pending, gives that operation the new value and returns true.
// If not, returns false. A program that does not need the values is allowed to let several atomics store into one word.
// The word then keeps the value of the last atomic.
static bool replace_fetch(void *fetch, size_t size, uint64_t value) {
    bool found = false;
    skerry_check_enter();
    for (size_t i = 0; i < pending_count && !found; i++) {
        if (pending[i].kind != FETCH || pending[i].local != fetch || pending[i].bytes != size) continue;
        pending[i].content = value;
        fill_with_pattern(fetch, size);
        found = true;
    }
    skerry_check_leave();
    return found;
}

void skerry_check_fetch_nbi(const char *routine, void *fetch, size_t size) {
    if (skerry_checking < SKERRY_CHECKING_ALL) return;
    uint64_t value = 0;
    __builtin_memcpy(&value, fetch, size);
    if (replace_fetch(fetch, size, value)) return;
    skerry_check_not_pending(routine, "fetch", skerry_check_place(fetch), size, true);
    add((struct pending){.routine = routine, .kind = FETCH, .local = fetch, .bytes = size, .content = value});
}

static SKERRY_NORETURN void fail_pending(const char *routine, const char *name, uintptr_t place, size_t bytes,
                                         const struct pending *operation) {
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, name);
    skerry_check_append(&text, operation->kind == PUT ? " @, # bytes: is the source of a "
                                                      : " @, # bytes: is the destination of a ");
    skerry_check_append(&text, operation->routine);
    skerry_check_append(&text, " that no quiet has completed");
    const void *own =
        skerry_is_symmetric((const void *)place, 1) ? skerry_localize((const void *)place) : (const void *)place;
    skerry_check_fail(routine, text.at, (long[]){(long)(uintptr_t)own, (long)bytes}, 2);
}

void skerry_check_not_pending(const char *routine, const char *name, uintptr_t place, size_t bytes, bool writes) {
    if (!__atomic_load_n(&pending_count, __ATOMIC_ACQUIRE)) return;
    skerry_check_enter();
    for (size_t i = 0; i < pending_count; i++) {
        if (pending[i].kind == PUT && !writes) continue;
        if (skerry_check_overlap(place, bytes, pending[i].place, pending[i].bytes))
            fail_pending(routine, name, place, bytes, &pending[i]);
    }
    skerry_check_leave();
}

// Returns true if the routine ends all contexts, or all contexts of a team. The caller then completes all pending
// operations, because no later quiet can complete them.
static bool ends_contexts(const char *routine) {
    return skerry_check_contains(routine, "shmem_finalize") || skerry_check_contains(routine, "shmem_team_destroy");
}

void skerry_check_quiet(const char *routine) {
    skerry_check_running(routine);
    if (!__atomic_load_n(&pending_count, __ATOMIC_ACQUIRE)) return;
    const struct skerry_context *context = skerry_check_context_of(routine);
    bool all = ends_contexts(routine);
    skerry_check_enter();
    size_t kept = 0;
    for (size_t i = 0; i < pending_count; i++) {
        if (all || pending[i].context == context) complete(&pending[i]);
        else pending[kept++] = pending[i];
    }
    __atomic_store_n(&pending_count, kept, __ATOMIC_RELEASE);
    skerry_check_leave();
}
