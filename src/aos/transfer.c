// SPDX-License-Identifier: BSD-3-Clause
// Implements puts and gets of one range and of spaced blocks, for every kind of memory. blocks.c calls these functions
// for rectangles and boxes. There are three ways to copy:
// * Memory that this PE accesses by loads and stores: the machine's put and get copy.
// * Private memory of another PE: the kernel copies between the processes (cross-memory access).
// * If the kernel refuses: the data is copied in pieces through a stage, a buffer in this PE's area (its tables). The
//   owner of the private memory reads or fills the stage.
#include "transfer_private.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#if !SKERRY_BEGUN_COPIES // transfer_begun.c defines aos_put and aos_get
#include "transfer.h"
#endif
#include "product.h"

// -- Bounds ------------------------------------------------------------------------------------------------------------

// Converts a pitch that the program gave: the number of bytes from one block to the next. A pitch that is larger than
// any memory becomes UINTPTR_MAX. This value is negative as an intptr_t, and extent() refuses negative pitches.
static uintptr_t pitch_of(uint64_t pitch) {
    return pitch > PITCH_MAX ? UINTPTR_MAX : (uintptr_t)pitch;
}

// Does extent() for a shape of any number of blocks. This function is not inlined, because the code of its products
// would also slow the transfer of a single block.
__attribute__((noinline)) bool skerry_aos_extent_of_blocks(const struct skerry_aos_shape *shape, intptr_t line_pitch,
                                                           intptr_t plane_pitch, uintptr_t *reached) {
    uintptr_t to_line = 0, to_plane = 0;
    *reached = 0;
    if (shape->bytes == 0 || shape->lines == 0 || shape->planes == 0) return true;
    if (line_pitch < 0 || plane_pitch < 0) return false;
    if (shape->lines > 1 && !multiply((uintptr_t)line_pitch, shape->lines - 1, &to_line)) return false;
    if (shape->planes > 1 && !multiply((uintptr_t)plane_pitch, shape->planes - 1, &to_plane)) return false;
    return !__builtin_add_overflow(to_line, to_plane, &to_line) &&
           !__builtin_add_overflow(to_line, shape->bytes, reached);
}

// Computes the distance in bytes from the first byte of a shape (blocks at regular distances) to its last byte. The
// pitches are those of the shape in one of the two memories. Returns false if a pitch is negative or the number
// overflows.
static inline bool extent(const struct skerry_aos_shape *shape, intptr_t line_pitch, intptr_t plane_pitch,
                          uintptr_t *reached) {
    *reached = shape->bytes;
    if (shape->lines == 1 && shape->planes == 1 && line_pitch >= 0 && plane_pitch >= 0) return true;
    return skerry_aos_extent_of_blocks(shape, line_pitch, plane_pitch, reached);
}

// Returns true if each size of the shape in this PE's memory is below 2^15. If so, the number of bytes that the shape
// spans cannot overflow.
static bool is_small(const struct skerry_aos_shape *shape) {
    return (shape->bytes | shape->lines | (uintptr_t)shape->local_line | shape->planes |
            (uintptr_t)shape->local_plane) >>
               SMALL ==
           0;
}

static int check(const char *routine, const aos_segment_t *segment, uint64_t offset,
                 const struct skerry_aos_shape *shape, uintptr_t *bytes) {
    uintptr_t local_bytes;
    if (!is_small(shape) && !extent(shape, shape->local_line, shape->local_plane, &local_bytes))
        return skerry_aos_refuse_argument(
            routine, "local: # blocks of # bytes, # bytes apart, must fit into a PE's address space",
            (long[]){(long)shape->lines, (long)shape->bytes, (long)shape->local_line}, 3);
    bool fits = extent(shape, shape->remote_line, shape->remote_plane, bytes) && *bytes <= segment->bytes &&
                offset <= segment->bytes - *bytes;
    return fits ? AOS_SUCCESS : AOS_ERROR_BOUNDS;
}

int skerry_aos_check_local(const char *routine, const void *local, uint64_t bytes, bool put) {
#if SKERRY_CAN_CHECK
    char *first = (char *)(uintptr_t)local, *last = first + bytes - 1;
    if (!skerry_checking || bytes == 0) return AOS_SUCCESS;
    if (put ? skerry_is_readable(first, 1) && skerry_is_readable(last, 1)
            : skerry_is_writable(first, 1) && skerry_is_writable(last, 1))
        return AOS_SUCCESS;
    return skerry_aos_refuse_argument(
        routine, "local @: # bytes from there on are not memory of this PE, or this PE may not write them",
        (long[]){(long)(uintptr_t)local, (long)bytes}, 2);
#else
    (void)routine, (void)local, (void)bytes, (void)put;
    return AOS_SUCCESS;
#endif
}

// -- Near --------------------------------------------------------------------------------------------------------------

static void move_near(uintptr_t local, uintptr_t remote, const struct skerry_aos_shape *shape, int pe, bool put) {
    for (uintptr_t left = shape->planes; left > 0; left--) {
        void *here = (void *)local, *there = (void *)remote;
        if (SKERRY_AOS_IS_FAR(pe) && !put && shape->lines == 1) skerry_get(here, there, shape->bytes, pe);
        else if (put)
            skerry_put_strided(there, here, shape->remote_line, shape->local_line, shape->bytes, shape->lines, pe);
        else skerry_get_strided(here, there, shape->local_line, shape->remote_line, shape->bytes, shape->lines, pe);
        local += (uintptr_t)shape->local_plane;
        remote += (uintptr_t)shape->remote_plane;
    }
}

// Copies one plane (a rectangle of blocks) of a transfer. The segment's memory must be private memory of this PE, or
// memory that no PE owns. So this function uses only operations of the machine that take no PE number.
static void move_plane_own(const struct skerry_aos_move *move, uintptr_t local, uintptr_t remote) {
    const struct skerry_aos_shape *shape = move->shape;
    for (uintptr_t left = shape->lines; left > 0; left--) {
        if (move->put) skerry_copy((void *)remote, (void *)local, shape->bytes);
        else skerry_outside_get((void *)local, (void *)remote, shape->bytes);
        local += (uintptr_t)shape->local_line;
        remote += (uintptr_t)shape->remote_line;
    }
}

#if SKERRY_PRIVATE_MEMORY

// -- By the owner ------------------------------------------------------------------------------------------------------

static bool take_stage(uint32_t *stage) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock(&area->own_lock, skerry_my_pe());
    for (*stage = 0; *stage < SKERRY_AOS_STAGES && area->stages_in_use >> *stage & 1; ++*stage) {
    }
    bool found = *stage < SKERRY_AOS_STAGES;
    if (found) area->stages_in_use |= 1u << *stage;
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
    return found;
}

static void return_stage(uint32_t stage) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock(&area->own_lock, skerry_my_pe());
    area->stages_in_use &= ~(1u << stage);
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
}

static void move_stage(const struct skerry_aos_move *move, char *stage, uint64_t local, uint64_t block_bytes,
                       uint64_t blocks, bool to_stage) {
    for (uint64_t i = 0; i < blocks; i++) {
        void *here = (void *)(uintptr_t)(local + i * (uint64_t)move->shape->local_line);
        if (to_stage) skerry_copy(stage + i * block_bytes, here, (size_t)block_bytes);
        else skerry_copy(here, stage + i * block_bytes, (size_t)block_bytes);
    }
}

// Moves one piece of the data by a request to the owner of the private memory. The piece fits into `stage`, a buffer in
// this PE's area. The owner copies between the buffer and its memory. Waits for the answer and returns the outcome.
static int serve_piece(const struct skerry_aos_move *move, char *stage, uint64_t local, uint64_t remote,
                       uint64_t block_bytes, uint64_t blocks) {
    struct skerry_aos_request request = {.kind = move->put ? SKERRY_AOS_MOVE_TO : SKERRY_AOS_MOVE_FROM,
                                         .initiator = skerry_my_pe(),
                                         .address = remote,
                                         .stage = stage,
                                         .block_bytes = block_bytes,
                                         .blocks = blocks,
                                         .pitch = move->shape->remote_line};
#if SKERRY_FAR_MESSAGES
    request.dest = (uint64_t)(uintptr_t)stage;
    request.reference = move->reference;
#endif
    request.reply = skerry_aos_take_reply(move->pe, true, &request.sequence);
    if (!request.reply) return AOS_ERROR_MEMORY;
    if (move->put) move_stage(move, stage, local, block_bytes, blocks, true);
    aos_event_t event;
    skerry_aos_expect(&event, request.reply, request.sequence, 0);
    int error = AOS_ERROR_GONE;
    if (skerry_aos_send_awaited_request(&request, move->pe, move->waiting)) error = skerry_aos_await(&event, move->pe);
    else skerry_aos_collect(&event);
    if (!error && !move->put) move_stage(move, stage, local, block_bytes, blocks, false);
    return error;
}

// Returns the largest number of bytes that one request to PE `pe` can move.
static uint64_t piece_bytes(int pe) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(pe)) return SKERRY_AOS_FAR_PIECE;
    _Static_assert(SKERRY_AOS_FAR_PIECE <= SKERRY_AOS_STAGE_BYTES, "a far PE's piece fits into a stage");
#endif
    (void)pe;
    return SKERRY_AOS_STAGE_BYTES;
}

static int move_plane_served(const struct skerry_aos_move *move, char *stage, uint64_t local, uint64_t remote) {
    const struct skerry_aos_shape *shape = move->shape;
    const uint64_t most = piece_bytes(move->pe);
    uint64_t at_once = shape->bytes < most ? most / shape->bytes : 1;
    for (uint64_t line = 0; line < shape->lines; line += at_once) {
        uint64_t blocks = shape->lines - line < at_once ? shape->lines - line : at_once;
        uint64_t here = local + line * (uint64_t)shape->local_line,
                 there = remote + line * (uint64_t)shape->remote_line;
        for (uint64_t done = 0; done < shape->bytes; done += most) {
            uint64_t piece = shape->bytes - done;
            if (piece > most) piece = most;
            int error = serve_piece(move, stage, here + done, there + done, piece, blocks);
            if (error) return error;
        }
    }
    return AOS_SUCCESS;
}

static int move_far(const struct skerry_aos_move *move, char *stage, uint64_t local, uint64_t remote, bool *served) {
    const struct skerry_aos_shape *shape = move->shape;
    enum skerry_cross_memory outcome = SKERRY_CROSS_MEMORY_REFUSED;
    if (SKERRY_AOS_IS_FAR(move->pe)) *served = true;
    if (!*served && move->put)
        outcome =
            skerry_cross_memory_put((uintptr_t)remote, (void *)(uintptr_t)local, (ptrdiff_t)shape->remote_line,
                                    (ptrdiff_t)shape->local_line, (size_t)shape->bytes, (size_t)shape->lines, move->pe);
    else if (!*served)
        outcome = skerry_cross_memory_get((void *)(uintptr_t)local, (uintptr_t)remote, (ptrdiff_t)shape->local_line,
                                          (ptrdiff_t)shape->remote_line, (size_t)shape->bytes, (size_t)shape->lines,
                                          move->pe);
    if (outcome == SKERRY_CROSS_MEMORY_DONE) return AOS_SUCCESS;
    if (outcome == SKERRY_CROSS_MEMORY_FAULT) return skerry_aos_is_up(move->pe) ? AOS_ERROR_FAULT : AOS_ERROR_GONE;
    *served = true;
    return move_plane_served(move, stage, local, remote);
}

int skerry_aos_move_private(const struct skerry_aos_move *move, bool *served) {
    const struct skerry_aos_shape *shape = move->shape;
    uint32_t stage = 0;
    int error = AOS_SUCCESS;
    *served = false;
    if (!SKERRY_AOS_IS_FAR(move->pe) && !skerry_aos_is_up(move->pe)) return AOS_ERROR_GONE;
    SKERRY_AOS_WAIT_UNTIL(take_stage(&stage), skerry_my_pe(), move->waiting);
    for (uint64_t plane = 0; plane < shape->planes && !error; plane++) {
        uint64_t local = move->local + plane * (uint64_t)shape->local_plane;
        uint64_t remote = move->remote + plane * (uint64_t)shape->remote_plane;
        error = move_far(move, (char *)skerry_aos.area->stages[stage], local, remote, served);
    }
    return_stage(stage);
    return error;
}

#endif

// -- All shapes --------------------------------------------------------------------------------------------------------

static void move_own(const struct skerry_aos_move *move) {
    uintptr_t local = move->local, remote = move->remote;
    for (uintptr_t left = move->shape->planes; left > 0; left--) {
        move_plane_own(move, local, remote);
        local += (uintptr_t)move->shape->local_plane;
        remote += (uintptr_t)move->shape->remote_plane;
    }
}

// Returns true if this PE can read (get) or write (put) the first and the last byte of the segment's data. If checks
// are off (skerry_checking), returns true without a test.
static bool has_own(uintptr_t remote, uintptr_t bytes, bool put) {
#if SKERRY_CAN_CHECK
    char *first = (char *)remote, *last = first + bytes - 1;
    if (!skerry_checking) return true;
    return put ? skerry_is_writable(first, 1) && skerry_is_writable(last, 1)
               : skerry_is_readable(first, 1) && skerry_is_readable(last, 1);
#else
    (void)remote, (void)bytes, (void)put;
    return true;
#endif
}

#if SKERRY_PRIVATE_MEMORY

// Moves data to or from private memory of another PE, or begins to (transfer_private.c).
static int move_private(const char *routine, const aos_segment_t *segment, uint64_t offset, uintptr_t bytes,
                        struct skerry_aos_move *move, aos_event_t *event, bool *begun) {
    int error;
    bool served;
    if (SKERRY_AOS_IS_FAR(move->pe)) move->reference = skerry_aos_reference_of(segment);
    if (event && skerry_aos_begin_private(routine, segment, offset, bytes, move, event, &error)) {
        *begun = error == AOS_SUCCESS;
        return error;
    }
    return skerry_aos_move_private(move, &served);
}

#else

static int move_private(const char *routine, const aos_segment_t *segment, uint64_t offset, uintptr_t bytes,
                        struct skerry_aos_move *move, aos_event_t *event, bool *begun) {
    (void)routine, (void)segment, (void)offset, (void)bytes, (void)move, (void)event, (void)begun;
    return AOS_ERROR_FAULT;
}

#endif

// Moves the data by the kind of access that the segment needs. Sets `*pe` to the PE in whose memory the segment's part
// lies. If the data is possibly still under way when the function returns, it has made the event, and sets `*begun` to
// true.
static int move_otherwise(const char *routine, uintptr_t local, const aos_segment_t *segment, uint64_t offset,
                          uintptr_t bytes, const struct skerry_aos_shape *shape, bool put, int *pe, aos_event_t *event,
                          bool *begun) {
#if SKERRY_FAR_WATCHES
    if (event && bytes > 0 && segment->is_far && skerry_aos_is_simple(segment, offset, bytes, AOS_PUT_GET)) {
        *pe = segment->owner;
        *begun = skerry_aos_begin_far(local, segment, (uintptr_t)segment->base + (uint32_t)offset, shape, put, event);
        if (*begun) return AOS_SUCCESS;
    }
#endif
    int error = skerry_aos_usable(segment, AOS_PUT_GET);
    if (error || bytes == 0) return error;
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, bytes);
    struct skerry_aos_move move = {local, (uintptr_t)way.address, way.owner, put, shape, segment->waiting, 0};
    *pe = way.owner;
    if (way.how == SKERRY_AOS_FAR) return move_private(routine, segment, offset, bytes, &move, event, begun);
#if SKERRY_FAR_MESSAGES
    if (way.how == SKERRY_AOS_REMOTE && skerry_aos_begin_far(local, segment, move.remote, shape, put, event)) {
        *begun = true;
        return AOS_SUCCESS;
    }
#else
    (void)routine, (void)event, (void)begun;
#endif
    if (way.how == SKERRY_AOS_NEAR || (SKERRY_FAR_MESSAGES && way.how == SKERRY_AOS_REMOTE))
        move_near(local, move.remote, shape, way.owner, put);
    else if (has_own(move.remote, bytes, put)) move_own(&move);
    else return AOS_ERROR_FAULT;
    if (way.how == SKERRY_AOS_OUTSIDE && put) skerry_note_stores((const void *)move.remote, way.owner);
    return AOS_SUCCESS;
}

static void notify(const aos_segment_t *segment, int pe) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(pe)) {
        const uint8_t change = skerry_aos_change_of(segment);
        if (change) skerry_aos_far_changed(pe, change == SKERRY_AOS_PRIVATE_CHANGE);
        return;
    }
#endif
    skerry_wake(pe);
    if (!skerry_aos_has_any_deferred(pe)) return;
    skerry_aos_run_deferred(pe);
    if (!segment->is_near) skerry_aos_interrupt(pe);
}

#if SKERRY_PRIVATE_MEMORY
void skerry_aos_notify_put(const aos_segment_t *segment, int pe) {
    notify(segment, pe);
}
#endif

// Does a put or a get of any shape. If checks are off (skerry_checking) and this PE accesses the memory by loads and
// stores, copies directly, as the inlined bodies do.
static int transfer(const char *routine, uintptr_t local, const aos_segment_t *segment, uint64_t offset,
                    const struct skerry_aos_shape *shape, bool put, aos_event_t *event) {
    uintptr_t bytes = 0;
    if (!segment) return skerry_aos_refuse(routine, AOS_ERROR_ARGUMENT, 0, offset, 0);
    int error = check(routine, segment, offset, shape, &bytes), pe = segment->owner;
    bool begun = false;
    if (!skerry_checking && !error && bytes > 0 && skerry_aos_is_near(segment, offset, bytes)) {
        move_near(local, (uintptr_t)segment->base + (uintptr_t)offset, shape, pe, put);
    } else {
        if (!error && bytes > 0) error = skerry_aos_check_local(routine, (const void *)local, shape->bytes, put);
        int other = move_otherwise(routine, local, segment, offset, error ? 0 : bytes, shape, put, &pe, event, &begun);
        if (other) error = other;
    }
    if (error) return skerry_aos_refuse(routine, error, segment, offset, bytes);
    if (begun) return AOS_SUCCESS;
    skerry_fence();
    if (put && bytes > 0) notify(segment, pe);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

SKERRY_AOS_REPLACEABLE int skerry_aos_put(const char *routine, const void *local, const aos_segment_t *segment,
                                          uint64_t offset, const struct skerry_aos_shape *shape, aos_event_t *event) {
    return transfer(routine, (uintptr_t)local, segment, offset, shape, true, event);
}

SKERRY_AOS_REPLACEABLE int skerry_aos_get(const char *routine, void *local, const aos_segment_t *segment,
                                          uint64_t offset, const struct skerry_aos_shape *shape, aos_event_t *event) {
    return transfer(routine, (uintptr_t)local, segment, offset, shape, false, event);
}

SKERRY_AOS_ORIGINAL(skerry_aos_put)
SKERRY_AOS_ORIGINAL(skerry_aos_get)

// -- Spaced ------------------------------------------------------------------------------------------------------------

static struct skerry_aos_shape spaced(size_t bytes, size_t blocks, uint64_t local_pitch, uint64_t remote_pitch) {
    return (struct skerry_aos_shape){
        bytes, blocks, 1, (intptr_t)pitch_of(local_pitch), 0, (intptr_t)pitch_of(remote_pitch), 0};
}

int aos_put_spaced(const void *local, const aos_segment_t *segment, uint64_t offset, size_t block_bytes, size_t blocks,
                   uint64_t pitch, aos_event_t *event) {
    struct skerry_aos_shape shape = spaced(block_bytes, blocks, block_bytes, pitch);
    return skerry_aos_put("aos_put_spaced", local, segment, offset, &shape, event);
}

int aos_get_spaced(void *local, const aos_segment_t *segment, uint64_t offset, size_t block_bytes, size_t blocks,
                   uint64_t pitch, aos_event_t *event) {
    struct skerry_aos_shape shape = spaced(block_bytes, blocks, block_bytes, pitch);
    return skerry_aos_get("aos_get_spaced", local, segment, offset, &shape, event);
}

int aos_put_sparse(const void *local, uint64_t local_pitch, const aos_segment_t *segment, uint64_t offset,
                   uint64_t remote_pitch, size_t block_bytes, size_t blocks, aos_event_t *event) {
    struct skerry_aos_shape shape = spaced(block_bytes, blocks, local_pitch, remote_pitch);
    return skerry_aos_put("aos_put_sparse", local, segment, offset, &shape, event);
}

int aos_get_sparse(void *local, uint64_t local_pitch, const aos_segment_t *segment, uint64_t offset,
                   uint64_t remote_pitch, size_t block_bytes, size_t blocks, aos_event_t *event) {
    struct skerry_aos_shape shape = spaced(block_bytes, blocks, local_pitch, remote_pitch);
    return skerry_aos_get("aos_get_sparse", local, segment, offset, &shape, event);
}
