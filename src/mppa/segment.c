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
static mppa_async_segment_t ddr; // the heap of PE 0 as a segment
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
        skerry_fail_values(
            "mppa_async_segment_create",
            "size #: # such messages need # bytes, and queues have # in all (0 if mppa_async_dequeue is never called)",
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
    if (!skerry_everywhere(local, size, &owner))
        skerry_fail_values("mppa_async_segment_create",
                           "local @, size #: must be memory of this program's cluster, or DDR of its I/O node",
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
    return result == AOS_SUCCESS ? skerry_mppa_done(event) : -1;
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
        result = aos_segment_clone(&segment->reached.window, ident, 0);
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
    if (pe == SKERRY_MPPA_IO1 && !(skerry_atomic_load_32(&skerry_mppa_board()->started, SKERRY_MPPA_MASTER) >> pe & 1))
        pe = SKERRY_MPPA_MASTER;
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

// Stores a handle in a default segment or in `ddr`. Does nothing if another thread has stored it before. For these
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

// Returns the handle of a default segment. Waits for a program on its cluster if none runs there: it has not begun yet, or
// one has ended and the master starts the next one.
static const aos_segment_t *reach_default(const char *routine, mppa_async_segment_t *segment) {
    const int pe = skerry_mppa_pe_of(segment->server);
    if (__atomic_load_n(&segment->is_own, __ATOMIC_ACQUIRE) && is_up(pe)) return &segment->reached.window;
    aos_segment_t found;
    struct skerry_mppa_wait wait = {.pes = 1u << pe};
    int result;
    if (pe != skerry_my_pe()) skerry_mppa_check_spawns(routine);
    SKERRY_MPPA_WAIT_UNTIL((result = aos_segment_of_pe(&found, pe, AOS_TRY)) != AOS_ERROR_NOT_FOUND, pe, routine,
                           &wait);
    return result == AOS_SUCCESS ? keep(segment, &found) : 0;
}

#if SKERRY_PRIVATE_MEMORY

bool skerry_mppa_publish_ddr(void) {
    size_t bytes;
    void *heap = skerry_heap_memory(&bytes);
    ddr.is_own = aos_segment_create(&ddr.reached.window, SKERRY_MPPA_DDR_IDENT, heap, bytes, 0) == AOS_SUCCESS;
    return ddr.is_own;
}

static const aos_segment_t *reach_ddr(void) {
    if (__atomic_load_n(&ddr.is_own, __ATOMIC_ACQUIRE)) return &ddr.reached.window;
    aos_segment_t found;
    if (aos_segment_clone(&found, SKERRY_MPPA_DDR_IDENT, 0) != AOS_SUCCESS) return 0;
    return keep(&ddr, &found);
}

#endif // else the segment of all memory of PE 0 reaches the DDR too

const aos_segment_t *skerry_mppa_window(const char *routine, const mppa_async_segment_t *segment, off64_t offset,
                                        size_t bytes, uint64_t *at) {
    skerry_mppa_check_begun(routine);
    *at = (uint64_t)offset;
    if (!segment || offset < 0 || segment->is_queue) return 0;
    if (!is_default(segment)) return &segment->reached.window;
#if SKERRY_PRIVATE_MEMORY
    if (segment->server == MPPA_ASYNC_SERVER_IO0 && skerry_mppa_is_ddr_block(*at, bytes)) {
        size_t all;
        *at -= (uintptr_t)skerry_common_memory(&all);
        return reach_ddr();
    }
#else
    (void)bytes;
#endif
    return reach_default(routine, (mppa_async_segment_t *)(uintptr_t)segment);
}

// -- Addresses ---------------------------------------------------------------------------------------------------------

int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset) {
    if (!segment || !offset) return -1;
    uintptr_t at = (uintptr_t)address - (uintptr_t)segment->phys_base;
    if (!is_default(segment) && at > segment->size) return -1;
    *offset = (off64_t)at;
    return 0;
}

int(mppa_async_address)(const mppa_async_segment_t *segment, off64_t offset, void *address) {
    if (!segment || !address || offset < 0 || (uint64_t)offset > segment->size) return -1;
    *(void **)address = (char *)segment->phys_base + offset;
    return 0;
}
