// SPDX-License-Identifier: BSD-3-Clause
// Implements segments under the names of Kalray's MPPA processors. A default segment is all memory of a program; its
// offsets are addresses. This PE gets the handle of a default segment at its first access to the segment. The reason:
// before that access, the segment's program possibly does not run yet.
#include "internal.h"

// The default segments. The index is the number of the PE that runs the segment's program. `reached` and `is_own` are
// set at the first access (reach_default). The other fields are constant, so any number of threads can read them at any
// time.
#define DEFAULT_SEGMENT(SERVER)                                                                                        \
    { .server = (SERVER), .size = SIZE_MAX }
#define FOUR_CLUSTERS(FIRST)                                                                                           \
    DEFAULT_SEGMENT(FIRST), DEFAULT_SEGMENT(FIRST + 1), DEFAULT_SEGMENT(FIRST + 2), DEFAULT_SEGMENT(FIRST + 3)
static mppa_async_segment_t default_segments[SKERRY_MPPA_PES] = {
    DEFAULT_SEGMENT(MPPA_ASYNC_SERVER_IO0), FOUR_CLUSTERS(0), FOUR_CLUSTERS(4), FOUR_CLUSTERS(8), FOUR_CLUSTERS(12),
    DEFAULT_SEGMENT(MPPA_ASYNC_SERVER_IO1)};
_Static_assert(MPPA_CLUSTERS == 16, "a default segment for each cluster and each I/O program");
#if SKERRY_PRIVATE_MEMORY
static mppa_async_segment_t ddr[SKERRY_MPPA_DDRS]; // the DDRs as segments
#else
static mppa_async_segment_t second_ddr; // the segment of DDR 1
#endif
static uint32_t reaching; // lock of the variables above, taken by a thread that writes to them

#define QUEUE_FLAGS                                                                                                    \
    (MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 | MPPA_ASYNC_SEGMENT_FLAG_QUEUE1 | MPPA_ASYNC_SEGMENT_FLAG_QUEUE2 |                \
     MPPA_ASYNC_SEGMENT_FLAG_QUEUE3)
// Sizes of the library's queues. A program gives the size of a queue's largest message, but not the number of messages
// that the queue can hold. The library chooses as many messages as fit in QUEUE_BYTES bytes, but at least
// QUEUE_MESSAGES_MIN and at most QUEUE_MESSAGES_MAX.
#define QUEUE_BYTES (SKERRY_PRIVATE_MEMORY ? 262144u : 16384u) // a cluster of the chip has 2 MB in all
#define QUEUE_MESSAGES_MIN 16u
#define QUEUE_MESSAGES_MAX 1024u

#if SKERRY_PRIVATE_MEMORY

static void *take_queue_memory(size_t bytes) {
    (void)bytes;
    return 0; // the library's tables have enough
}

static void free_queue_memory(void *memory) {
    (void)memory;
}

#else

// The memory of queues is the symmetric heap, which has no other use in jobs of several programs. `queue_lock` protects it.
static struct heap queue_heap;
static uint32_t queue_lock, has_queue_heap;

static struct heap *lock_queue_heap(void) {
    SKERRY_WAIT_UNTIL(!__atomic_exchange_n(&queue_lock, 1, __ATOMIC_ACQUIRE), skerry_my_pe());
    if (!has_queue_heap) {
        size_t bytes;
        void *memory = skerry_heap_memory(&bytes);
        skerry_heap_init(&queue_heap, memory, bytes, 0);
        has_queue_heap = 1;
    }
    return &queue_heap;
}

static void unlock_queue_heap(void) {
    __atomic_store_n(&queue_lock, 0, __ATOMIC_RELEASE);
}

static void *take_queue_memory(size_t bytes) {
    void *memory = skerry_heap_allocate(lock_queue_heap(), bytes, AOS_QUEUE_ALIGNMENT);
    unlock_queue_heap();
    return memory;
}

static void free_queue_memory(void *memory) {
    skerry_heap_free(lock_queue_heap(), memory);
    unlock_queue_heap();
}

#endif

static int create_queue(mppa_async_segment_t *segment) {
    size_t messages = QUEUE_BYTES / segment->size;
    if (messages < QUEUE_MESSAGES_MIN) messages = QUEUE_MESSAGES_MIN;
    if (messages > QUEUE_MESSAGES_MAX) messages = QUEUE_MESSAGES_MAX;
    const size_t bytes = aos_queue_bytes(segment->size, (uint32_t)messages);
    void *memory = take_queue_memory(bytes);
    if (!memory && !SKERRY_PRIVATE_MEMORY) {
        size_t all;
        skerry_heap_memory(&all);
        if (all == 0)
            skerry_fail("mppa_async_segment_create",
                        "flags: this program has no memory for a queue, because it never calls mppa_async_dequeue");
        skerry_fail_values("mppa_async_segment_create",
                           "size #: # such messages need # bytes, and queues have # in all",
                           (long[]){(long)segment->size, (long)messages, (long)bytes, (long)all}, 4);
    }
    int result =
        aos_queue_create(&segment->reached.queue, segment->ident, segment->size, (uint32_t)messages, memory, 0);
    if (result != AOS_SUCCESS) free_queue_memory(memory);
    return result;
}

static int destroy_queue(mppa_async_segment_t *segment) {
    void *memory = skerry_localize(segment->reached.queue.queue);
    int result = aos_queue_destroy(&segment->reached.queue);
    if (result == AOS_SUCCESS && segment->is_own) free_queue_memory(memory);
    return result;
}

// On chips all memory of a PE can be a segment, so other memory is a mistake. A queue's memory is only used by its owner.
static void check_memory(const void *local, size_t size) {
#if SKERRY_PRIVATE_MEMORY
    (void)local, (void)size;
#else
    int owner = skerry_my_pe();
    if (!skerry_everywhere(local, size, &owner) || owner != skerry_my_pe())
        skerry_fail_values("mppa_async_segment_create",
                           "local @, size @: must be memory of this program's cluster, or DDR of its I/O node",
                           (long[]){(long)(uintptr_t)local, (long)size}, 2);
#endif
}

int mppa_async_segment_create(mppa_async_segment_t *segment, unsigned long long ident, void *local, size_t size,
                              unsigned flags, int multi, mppa_async_event_t *event) {
    (void)multi;
    skerry_mppa_check_begun(__func__);
    if (!segment || !local || size == 0) return -1;
    *segment = (mppa_async_segment_t){.ident = ident, .phys_base = local, .size = size, .flags = flags, .is_own = 1};
    segment->server = __k1_get_cluster_id();
    segment->is_queue = (flags & QUEUE_FLAGS) != 0;
    if (!segment->is_queue) check_memory(local, size);
    int result =
        segment->is_queue ? create_queue(segment) : aos_segment_create(&segment->reached.window, ident, local, size, 0);
    if (result == AOS_ERROR_EXISTS)
        skerry_fail_values(__func__, "ident # is already used by another segment", (long[]){(long)ident}, 1);
    if (result != AOS_SUCCESS) return -1;
    skerry_mppa_notify_change();
    return skerry_mppa_done(event);
}

static int await_segment(aos_segment_t *segment, uint64_t ident) {
#if SKERRY_PRIVATE_MEMORY
    return aos_segment_clone(segment, ident, 0);
#else
    int result;
    SKERRY_MPPA_AWAIT_CHANGE((result = aos_segment_clone(segment, ident, AOS_TRY)) != AOS_ERROR_NOT_FOUND,
                             SKERRY_MPPA_SEGMENT, ident);
    return result;
#endif
}

int mppa_async_segment_clone(mppa_async_segment_t *segment, unsigned long long ident, void *global, size_t size,
                             mppa_async_event_t *event) {
    (void)global;
    (void)size;
    skerry_mppa_check_begun(__func__);
    if (!segment) return -1;
    *segment = (mppa_async_segment_t){.ident = ident};
    int result = aos_segment_clone(&segment->reached.window, ident, AOS_TRY);
    if (result == AOS_ERROR_NOT_FOUND) {
        skerry_mppa_check_spawns(__func__);
        result = await_segment(&segment->reached.window, ident);
    }
    segment->is_queue = result == AOS_ERROR_PROTOCOL;
    if (segment->is_queue) result = aos_queue_clone(&segment->reached.queue, ident, 0);
    if (result != AOS_SUCCESS) return -1;
    const aos_segment_t *reached = segment->is_queue ? &segment->reached.queue.segment : &segment->reached.window;
    segment->size = (size_t)aos_segment_bytes(reached);
    segment->phys_base = reached->base;
    segment->server = skerry_mppa_server_of(aos_segment_owner(reached));
    return skerry_mppa_done(event);
}

int mppa_async_segment_destroy(mppa_async_segment_t *segment) {
    skerry_mppa_check_begun(__func__);
    if (!segment) return -1;
    return skerry_mppa_result(segment->is_queue ? destroy_queue(segment)
                                                : aos_segment_destroy(&segment->reached.window));
}

// -- Default segments --------------------------------------------------------------------------------------------------

mppa_async_segment_t *mppa_async_default_segment(int server) {
    int pe = skerry_mppa_pe_of(server);
    if (pe < 0)
        skerry_fail_values(__func__, "server #: must be 0 to 15 (a cluster), or 128 or 192 (an I/O program)",
                           (long[]){server}, 1);
    return &default_segments[pe];
}

static bool is_default(const mppa_async_segment_t *segment) {
    return segment >= default_segments && segment < default_segments + SKERRY_MPPA_PES;
}

static void lock_reaching(void) {
    SKERRY_WAIT_UNTIL(!__atomic_exchange_n(&reaching, 1, __ATOMIC_ACQUIRE), skerry_my_pe());
}

static void unlock_reaching(void) {
    __atomic_store_n(&reaching, 0, __ATOMIC_RELEASE);
}

// Stores a handle in a default segment or in one of a DDR. Does nothing if another thread has stored it before. For these
// segments `is_own` means that the handle is valid. Why a reader never sees a handle that is half written:
// * A writer stores `is_own` with a release after the handle. A reader loads `is_own` with an acquire before the
//   handle.
// * The lock orders the writers. A writer that finds `is_own` set writes nothing.
static const aos_segment_t *keep(mppa_async_segment_t *segment, const aos_segment_t *found) {
    lock_reaching();
    if (!segment->is_own) {
        segment->reached.window = *found;
        __atomic_store_n(&segment->is_own, 1, __ATOMIC_RELEASE);
    }
    unlock_reaching();
    return &segment->reached.window;
}

// Returns true if the program of a PE handles requests.
static bool is_up(int pe) {
#if SKERRY_PRIVATE_MEMORY
    aos_segment_t found;
    return aos_segment_of_pe(&found, pe, AOS_TRY) == AOS_SUCCESS;
#else
    return pe == skerry_my_pe() || skerry_far_is_running(pe);
#endif
}

static bool has_second_io_program(void) {
    return skerry_atomic_load_32(&skerry_mppa_board()->started, SKERRY_MPPA_MASTER) >> SKERRY_MPPA_IO1 & 1;
}

// Returns the handle of a default segment. Waits for a program on its cluster if none runs there: it has not begun yet, or
// one has ended and the master starts the next one. Returns null if this is the second I/O program, and none was ever
// started: most jobs have none.
static const aos_segment_t *reach_default(const char *routine, mppa_async_segment_t *segment) {
    const int pe = skerry_mppa_pe_of(segment->server);
    if (__atomic_load_n(&segment->is_own, __ATOMIC_ACQUIRE) && is_up(pe)) return &segment->reached.window;
    aos_segment_t found;
    struct skerry_mppa_wait wait = {.pes = 1u << pe};
    int result;
    if (pe != skerry_my_pe()) skerry_mppa_check_spawns(routine);
    if (pe == SKERRY_MPPA_IO1 && !has_second_io_program()) return 0;
    wait.is_bounded = !SKERRY_PRIVATE_MEMORY;
    SKERRY_MPPA_WAIT_UNTIL((result = aos_segment_of_pe(&found, pe, AOS_TRY)) != AOS_ERROR_NOT_FOUND || wait.is_quiet,
                           pe, routine, &wait);
    SKERRY_MPPA_AWAIT_CHANGE(result != AOS_ERROR_NOT_FOUND ||
                                 (result = aos_segment_of_pe(&found, pe, AOS_TRY)) != AOS_ERROR_NOT_FOUND,
                             SKERRY_MPPA_PROGRAM, (uint64_t)pe);
    return result == AOS_SUCCESS ? keep(segment, &found) : 0;
}

#if SKERRY_PRIVATE_MEMORY

// The heaps of PE 0 and of the last PE have their own addresses in each program, and those of the common memories besides.
bool skerry_mppa_publish_ddr(void) {
    for (int number = 0; number < SKERRY_MPPA_DDRS; number++) {
        size_t bytes;
        void *heap = skerry_global(skerry_heap_memory(&bytes), number == 0 ? SKERRY_MPPA_MASTER : SKERRY_MPPA_IO1);
        ddr[number].is_own = aos_segment_create(&ddr[number].reached.window, SKERRY_MPPA_DDR_IDENT((uint64_t)number),
                                                heap, bytes, 0) == AOS_SUCCESS;
        if (!ddr[number].is_own) return false;
    }
    return true;
}

// Returns the handle of a DDR, and makes *at, an offset in the DDR's default segment, an offset in the returned segment.
static const aos_segment_t *reach_ddr(const char *routine, int number, uint64_t *at) {
    size_t all;
    (void)routine;
    *at -= (uintptr_t)skerry_common_memory(number, &all);
    if (__atomic_load_n(&ddr[number].is_own, __ATOMIC_ACQUIRE)) return &ddr[number].reached.window;
    aos_segment_t found;
    if (aos_segment_clone(&found, SKERRY_MPPA_DDR_IDENT((uint64_t)number), 0) != AOS_SUCCESS) return 0;
    return keep(&ddr[number], &found);
}

#else

// Returns the handle of DDR 1. Its PE need not run a program, so the handle is made of another PE's.
static const aos_segment_t *reach_second_ddr(void) {
    if (__atomic_load_n(&second_ddr.is_own, __ATOMIC_ACQUIRE)) return &second_ddr.reached.window;
    aos_segment_t found;
    if (!skerry_mppa_open_second_ddr()) return 0;
    if (aos_segment_of_pe(&found, SKERRY_MPPA_MASTER, 0) != AOS_SUCCESS) return 0;
    found.id = SKERRY_MPPA_IO1;
    found.owner = found.creator = SKERRY_MPPA_IO1;
    return keep(&second_ddr, &found);
}

// The segment of all memory of PE 0 reaches DDR 0 too.
static const aos_segment_t *reach_ddr(const char *routine, int number, uint64_t *at) {
    (void)at;
    return number == 1 ? reach_second_ddr() : reach_default(routine, &default_segments[SKERRY_MPPA_MASTER]);
}

#endif

const aos_segment_t *skerry_mppa_window(const char *routine, const mppa_async_segment_t *segment, off64_t offset,
                                        size_t bytes, uint64_t *at) {
    skerry_mppa_check_begun(routine);
    *at = (uint64_t)offset;
    if (!segment || offset < 0 || segment->is_queue) return 0;
    if (!is_default(segment)) return &segment->reached.window;
    size_t left;
    const int number = *at < SKERRY_COMMON_BASE ? -1 : skerry_mppa_ddr_of(*at, &left);
    if (number >= 0) {
        const bool is_inside = number == skerry_mppa_ddr_of_server(segment->server) && bytes <= left;
        return is_inside ? reach_ddr(routine, number, at) : 0;
    }
    return reach_default(routine, (mppa_async_segment_t *)(uintptr_t)segment);
}

// -- Addresses ---------------------------------------------------------------------------------------------------------

// Returns true if a default segment has this address. The memory that mppa_async_malloc allocates in a DDR belongs to the
// segment of this DDR only. DDR 1 has nothing else if there is no second I/O program.
static bool is_in_default(const mppa_async_segment_t *segment, uint64_t address) {
    size_t left;
    const int of_segment = skerry_mppa_ddr_of_server(segment->server), number = skerry_mppa_ddr_of(address, &left);
    if (number >= 0) return number == of_segment;
    return of_segment != 1 || skerry_my_pe() == SKERRY_MPPA_IO1 ||
           (skerry_pe_count() == SKERRY_MPPA_PES && has_second_io_program());
}

int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset) {
    if (!segment || !offset) return -1;
    uintptr_t at = (uintptr_t)address - (uintptr_t)segment->phys_base;
    if (is_default(segment) ? !is_in_default(segment, at) : at > segment->size) return -1;
    *offset = (off64_t)at;
    return 0;
}

int(mppa_async_address)(const mppa_async_segment_t *segment, off64_t offset, void *address) {
    if (!segment || !address || offset < 0 || (uint64_t)offset > segment->size) return -1;
    if (is_default(segment) && !is_in_default(segment, (uint64_t)offset)) return -1;
    *(void **)address = (char *)segment->phys_base + offset;
    return 0;
}
