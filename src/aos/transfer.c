// SPDX-License-Identifier: BSD-3-Clause
// Put and get of every shape, wherever the segment is: by the machine's copy where it is near, by the system's where it is
// not, else in pieces through a stage in this PE's area that the owner reads or fills.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "transfer.h"

struct move {
    uint64_t local;
    uint64_t remote;
    int pe;
    bool put;
    const struct skerry_aos_shape *shape;
    uint32_t waiting;
};

// -- Bounds ------------------------------------------------------------------------------------------------------------

#define PITCH_MAX INT64_MAX

// What a shape reaches from its first byte on; false: more than there is.
static bool extent(uint64_t bytes, uint64_t lines, uint64_t line_pitch, uint64_t planes, uint64_t plane_pitch,
                   uint64_t *reached) {
    uint64_t to_line, to_plane;
    *reached = 0;
    if (bytes == 0 || lines == 0 || planes == 0) return true;
    if (line_pitch > PITCH_MAX || plane_pitch > PITCH_MAX) return false;
    if (__builtin_mul_overflow(lines - 1, line_pitch, &to_line)) return false;
    if (__builtin_mul_overflow(planes - 1, plane_pitch, &to_plane)) return false;
    return !__builtin_add_overflow(to_line, to_plane, &to_line) && !__builtin_add_overflow(to_line, bytes, reached);
}

static int check(const aos_segment_t *segment, uint64_t offset, const struct skerry_aos_shape *shape, uint64_t *bytes) {
    uint64_t local_bytes;
    int error = skerry_aos_usable(segment, AOS_PUT_GET);
    if (error) return error;
    if (!extent(shape->bytes, shape->lines, (uint64_t)shape->local_line, shape->planes, (uint64_t)shape->local_plane,
                &local_bytes))
        return AOS_ERROR_ARGUMENT;
    bool fits = extent(shape->bytes, shape->lines, (uint64_t)shape->remote_line, shape->planes,
                       (uint64_t)shape->remote_plane, bytes) &&
                *bytes <= segment->bytes && offset <= segment->bytes - *bytes;
    return fits ? AOS_SUCCESS : AOS_ERROR_BOUNDS;
}

// -- Near --------------------------------------------------------------------------------------------------------------

static void move_plane_near(const struct move *move, uint64_t local, uint64_t remote) {
    const struct skerry_aos_shape *shape = move->shape;
    void *here = (void *)(uintptr_t)local, *there = (void *)(uintptr_t)remote;
    if (move->put)
        skerry_put_strided(there, here, (ptrdiff_t)shape->remote_line, (ptrdiff_t)shape->local_line,
                           (size_t)shape->bytes, (size_t)shape->lines, move->pe);
    else
        skerry_get_strided(here, there, (ptrdiff_t)shape->local_line, (ptrdiff_t)shape->remote_line,
                           (size_t)shape->bytes, (size_t)shape->lines, move->pe);
}

// By load and store alone: this PE's own memory, which is no symmetric one, and what is of no PE.
static void move_plane_own(const struct move *move, uint64_t local, uint64_t remote) {
    const struct skerry_aos_shape *shape = move->shape;
    for (uint64_t i = 0; i < shape->lines; i++) {
        void *here = (void *)(uintptr_t)(local + i * (uint64_t)shape->local_line);
        void *there = (void *)(uintptr_t)(remote + i * (uint64_t)shape->remote_line);
        if (move->put) skerry_copy(there, here, (size_t)shape->bytes);
        else skerry_copy(here, there, (size_t)shape->bytes);
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

static void move_stage(const struct move *move, char *stage, uint64_t local, uint64_t block_bytes, uint64_t blocks,
                       bool to_stage) {
    for (uint64_t i = 0; i < blocks; i++) {
        void *here = (void *)(uintptr_t)(local + i * (uint64_t)move->shape->local_line);
        if (to_stage) skerry_copy(stage + i * block_bytes, here, (size_t)block_bytes);
        else skerry_copy(here, stage + i * block_bytes, (size_t)block_bytes);
    }
}

// At most a stage full.
static int serve_piece(const struct move *move, char *stage, uint64_t local, uint64_t remote, uint64_t block_bytes,
                       uint64_t blocks) {
    struct skerry_aos_request request = {.kind = move->put ? SKERRY_AOS_MOVE_TO : SKERRY_AOS_MOVE_FROM,
                                         .initiator = skerry_my_pe(),
                                         .address = remote,
                                         .stage = stage,
                                         .block_bytes = block_bytes,
                                         .blocks = blocks,
                                         .pitch = move->shape->remote_line};
    request.reply = skerry_aos_take_reply(move->pe, true, &request.sequence);
    if (!request.reply) return AOS_ERROR_MEMORY;
    if (move->put) move_stage(move, stage, local, block_bytes, blocks, true);
    aos_event_t event;
    skerry_aos_expect(&event, request.reply, request.sequence, 0);
    int error = AOS_ERROR_GONE;
    if (skerry_aos_ask_awaited(&request, move->pe, move->waiting)) error = skerry_aos_await(&event, move->pe);
    else skerry_aos_collect(&event);
    if (!error && !move->put) move_stage(move, stage, local, block_bytes, blocks, false);
    return error;
}

static int move_plane_served(const struct move *move, char *stage, uint64_t local, uint64_t remote) {
    const struct skerry_aos_shape *shape = move->shape;
    uint64_t at_once = shape->bytes < SKERRY_AOS_STAGE_BYTES ? SKERRY_AOS_STAGE_BYTES / shape->bytes : 1;
    for (uint64_t line = 0; line < shape->lines; line += at_once) {
        uint64_t blocks = shape->lines - line < at_once ? shape->lines - line : at_once;
        uint64_t here = local + line * (uint64_t)shape->local_line,
                 there = remote + line * (uint64_t)shape->remote_line;
        for (uint64_t done = 0; done < shape->bytes; done += SKERRY_AOS_STAGE_BYTES) {
            uint64_t piece = shape->bytes - done;
            if (piece > SKERRY_AOS_STAGE_BYTES) piece = SKERRY_AOS_STAGE_BYTES;
            int error = serve_piece(move, stage, here + done, there + done, piece, blocks);
            if (error) return error;
        }
    }
    return AOS_SUCCESS;
}

static int move_far(const struct move *move, char *stage, uint64_t local, uint64_t remote, bool *served) {
    const struct skerry_aos_shape *shape = move->shape;
    enum skerry_reach outcome = SKERRY_REACH_REFUSED;
    if (!*served && move->put)
        outcome = skerry_reach_put((uintptr_t)remote, (void *)(uintptr_t)local, (ptrdiff_t)shape->remote_line,
                                   (ptrdiff_t)shape->local_line, (size_t)shape->bytes, (size_t)shape->lines, move->pe);
    else if (!*served)
        outcome = skerry_reach_get((void *)(uintptr_t)local, (uintptr_t)remote, (ptrdiff_t)shape->local_line,
                                   (ptrdiff_t)shape->remote_line, (size_t)shape->bytes, (size_t)shape->lines, move->pe);
    if (outcome == SKERRY_REACHED) return AOS_SUCCESS;
    if (outcome == SKERRY_REACH_FAULT) return skerry_aos_is_up(move->pe) ? AOS_ERROR_FAULT : AOS_ERROR_GONE;
    *served = true;
    return move_plane_served(move, stage, local, remote);
}

static int move_all_far(const struct move *move) {
    const struct skerry_aos_shape *shape = move->shape;
    uint32_t stage = 0;
    bool served = false;
    int error = AOS_SUCCESS;
    if (!skerry_aos_is_up(move->pe)) return AOS_ERROR_GONE;
    SKERRY_AOS_WAIT_UNTIL(take_stage(&stage), skerry_my_pe(), move->waiting);
    for (uint64_t plane = 0; plane < shape->planes && !error; plane++) {
        uint64_t local = move->local + plane * (uint64_t)shape->local_plane;
        uint64_t remote = move->remote + plane * (uint64_t)shape->remote_plane;
        error = move_far(move, (char *)skerry_aos.area->stages[stage], local, remote, &served);
    }
    return_stage(stage);
    return error;
}

#else

static int move_all_far(const struct move *move) {
    (void)move;
    return AOS_ERROR_FAULT;
}

#endif

// -- All shapes --------------------------------------------------------------------------------------------------------

static void move_plane(const struct move *move, enum skerry_aos_how how, uint64_t plane) {
    uint64_t local = move->local + plane * (uint64_t)move->shape->local_plane;
    uint64_t remote = move->remote + plane * (uint64_t)move->shape->remote_plane;
    if (how == SKERRY_AOS_NEAR) move_plane_near(move, local, remote);
    else move_plane_own(move, local, remote);
}

static int move_all(const struct move *move, enum skerry_aos_how how) {
    if (how == SKERRY_AOS_FAR) return move_all_far(move);
    for (uint64_t plane = 0; plane < move->shape->planes; plane++) move_plane(move, how, plane);
    if (how == SKERRY_AOS_OUTSIDE && move->put) skerry_note_stores((const void *)(uintptr_t)move->remote, move->pe);
    return AOS_SUCCESS;
}

static int transfer(const char *routine, uint64_t local, const aos_segment_t *segment, uint64_t offset,
                    const struct skerry_aos_shape *shape, bool put, aos_event_t *event) {
    uint64_t bytes = 0;
    int error = check(segment, offset, shape, &bytes);
    if (!error && bytes > 0) {
        struct skerry_aos_way way = skerry_aos_locate(segment, offset, bytes);
        struct move move = {local, way.address, way.owner, put, shape, segment->waiting};
        error = move_all(&move, way.how);
        skerry_fence();
        if (put && !error) {
            skerry_wake(way.owner);
            bool parked = SKERRY_LOAD_ACQUIRE(&skerry_aos_area(way.owner)->parked_count) != 0;
            if (parked) skerry_aos_run_parked(way.owner);
            if (parked && way.how == SKERRY_AOS_FAR) skerry_aos_call(way.owner);
        }
    }
    if (error) return skerry_aos_refuse(routine, error, segment, offset, bytes);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

int skerry_aos_put(const char *routine, const void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event) {
    return transfer(routine, (uint64_t)(uintptr_t)local, segment, offset, shape, true, event);
}

int skerry_aos_get(const char *routine, void *local, const aos_segment_t *segment, uint64_t offset,
                   const struct skerry_aos_shape *shape, aos_event_t *event) {
    return transfer(routine, (uint64_t)(uintptr_t)local, segment, offset, shape, false, event);
}

// -- Spaced ------------------------------------------------------------------------------------------------------------

static struct skerry_aos_shape spaced(uint64_t bytes, uint64_t blocks, uint64_t local_pitch, uint64_t remote_pitch) {
    return (struct skerry_aos_shape){bytes, blocks, 1, (int64_t)local_pitch, 0, (int64_t)remote_pitch, 0};
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

// -- Blocks ------------------------------------------------------------------------------------------------------------

// A box in an array of elements, on one side.
struct side {
    uint64_t first; // bytes from the array's start to the box's
    uint64_t line;
    uint64_t plane;
};

static bool inside(int position, int size, int whole) {
    return position >= 0 && size >= 0 && whole >= 0 && size <= whole && position <= whole - size;
}

// NULL: the box is the array. false: it leaves the array.
static bool place_box(struct side *side, const aos_point3d_t *point, size_t elem_bytes, int width, int height,
                      int depth) {
    aos_point3d_t dense = {0, 0, 0, width, height, depth};
    if (!point) point = &dense;
    if (elem_bytes > INT32_MAX || !inside(point->xpos, width, point->xdim) ||
        !inside(point->ypos, height, point->ydim) || !inside(point->zpos, depth, point->zdim))
        return false;
    uint64_t last;
    side->line = (uint64_t)point->xdim * elem_bytes; // two factors below 2^31
    if (__builtin_mul_overflow(side->line, (uint64_t)point->ydim, &side->plane)) return false;
    if (__builtin_mul_overflow(side->plane, (uint64_t)point->zpos, &last)) return false;
    side->first = last + (uint64_t)point->ypos * side->line + (uint64_t)point->xpos * elem_bytes;
    return side->first >= last;
}

static int move_box(const char *routine, uint64_t local, const aos_point3d_t *local_point, const aos_segment_t *segment,
                    uint64_t offset, const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height,
                    int depth, bool put, aos_event_t *event) {
    struct side here, there;
    if (!place_box(&here, local_point, elem_bytes, width, height, depth) ||
        !place_box(&there, remote_point, elem_bytes, width, height, depth))
        return skerry_aos_refuse(routine, AOS_ERROR_ARGUMENT, segment, offset, 0);
    if (offset + there.first < offset)
        return skerry_aos_refuse(routine, AOS_ERROR_BOUNDS, segment, offset, there.first);
    struct skerry_aos_shape shape = {(uint64_t)width * elem_bytes, (uint64_t)height,    (uint64_t)depth,
                                     (int64_t)here.line,           (int64_t)here.plane, (int64_t)there.line,
                                     (int64_t)there.plane};
    return transfer(routine, local + here.first, segment, offset + there.first, &shape, put, event);
}

static int move_rectangle(const char *routine, uint64_t local, const aos_point2d_t *local_point,
                          const aos_segment_t *segment, uint64_t offset, const aos_point2d_t *remote_point,
                          size_t elem_bytes, int width, int height, bool put, aos_event_t *event) {
    aos_point3d_t here = {0, 0, 0, width, height, 1}, there = here;
    if (local_point)
        here = (aos_point3d_t){local_point->xpos, local_point->ypos, 0, local_point->xdim, local_point->ydim, 1};
    if (remote_point)
        there = (aos_point3d_t){remote_point->xpos, remote_point->ypos, 0, remote_point->xdim, remote_point->ydim, 1};
    return move_box(routine, local, &here, segment, offset, &there, elem_bytes, width, height, 1, put, event);
}

int aos_put_block2d(const void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event) {
    return move_rectangle("aos_put_block2d", (uint64_t)(uintptr_t)local, local_point, segment, offset, remote_point,
                          elem_bytes, width, height, true, event);
}

int aos_get_block2d(void *local, const aos_point2d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point2d_t *remote_point, size_t elem_bytes, int width, int height, aos_event_t *event) {
    return move_rectangle("aos_get_block2d", (uint64_t)(uintptr_t)local, local_point, segment, offset, remote_point,
                          elem_bytes, width, height, false, event);
}

int aos_put_block3d(const void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event) {
    return move_box("aos_put_block3d", (uint64_t)(uintptr_t)local, local_point, segment, offset, remote_point,
                    elem_bytes, width, height, depth, true, event);
}

int aos_get_block3d(void *local, const aos_point3d_t *local_point, const aos_segment_t *segment, uint64_t offset,
                    const aos_point3d_t *remote_point, size_t elem_bytes, int width, int height, int depth,
                    aos_event_t *event) {
    return move_box("aos_get_block3d", (uint64_t)(uintptr_t)local, local_point, segment, offset, remote_point,
                    elem_bytes, width, height, depth, false, event);
}
