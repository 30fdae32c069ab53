// SPDX-License-Identifier: BSD-3-Clause
// Reports wrong use of the routines of aos.h. Usually a routine returns an error. If checks are on (skerry_checking),
// the functions of this file instead write an error message of one line and end the job.
#include "internal.h"

static const char *const meanings[] = {
    "success",
    "called before aos_init, or after aos_finalize",
    "an invalid argument",
    "outside the segment",
    "an atomic's word is not aligned to 8 bytes",
    "the segment was created without this protocol",
    "the id is used already",
    "no segment of this id is published",
    "the segment is not for this PE",
    "memory is full, or a table is full",
    "message exceeds the queue's message size, or the buffer",
    "the queue is full",
    "the queue is empty",
    "the segment was destroyed, or its owner has ended",
    "the owner cannot access its memory at this offset",
};

const char *aos_error_text(int error) {
    if (error > 0 || error <= -(int)(sizeof meanings / sizeof *meanings)) return "unknown error";
    return meanings[-error];
}

// Returns true for a result that a correct program can expect. For example, a program gets AOS_ERROR_EXISTS when it
// tests whether a number is free. Such a result never ends the job.
static bool is_answer(int error) {
    return error == AOS_SUCCESS || error == AOS_ERROR_EXISTS || error == AOS_ERROR_NOT_FOUND ||
           error == AOS_ERROR_MEMORY || error == AOS_ERROR_FULL || error == AOS_ERROR_EMPTY;
}

// Returns the text of the message about an error. skerry_fail_values replaces each # in the text by a value.
static const char *line_about(int error) {
    switch (error) {
    case AOS_ERROR_BOUNDS:
        return "segment # of PE #: offset # and the # bytes from there on must lie inside its # bytes";
    case AOS_ERROR_ALIGNMENT: return "segment # of PE #, offset #: the word of an atomic must be aligned to 8 bytes";
    case AOS_ERROR_PROTOCOL:
        return "segment # of PE #: must have been created with the protocol that this routine needs (aos_options_t, "
               "protocols)";
    case AOS_ERROR_BINDING:
        return "segment # of PE #: must have been created for this PE too (aos_options_t, first_pe and pe_count)";
    case AOS_ERROR_SIZE:
        return "queue # of PE #, # bytes: a message must fit into the queue's message_bytes and into the buffer";
    case AOS_ERROR_GONE:
        return "segment # of PE #, offset #: must not be used after it was destroyed, or after its owner has ended";
    case AOS_ERROR_FAULT:
        return "segment # of PE #, offset #, # bytes: the owner must have memory there, which it may write if the "
               "routine writes";
    default: return aos_error_text(error);
    }
}

#if SKERRY_CAN_CHECK

int skerry_aos_refuse_argument(const char *routine, const char *rule, const long *values, int count) {
    if (skerry_checking) skerry_fail_values(routine, rule, values, count);
    return AOS_ERROR_ARGUMENT;
}

#endif

// Reports a handle that is NULL, or that no routine has made. Returns AOS_ERROR_ARGUMENT.
static int refuse_handle(const char *routine, const aos_segment_t *segment) {
    if (!segment)
        return skerry_aos_refuse_argument(routine, "the handle of the segment or queue must not be NULL", 0, 0);
    return skerry_aos_refuse_argument(routine, "the handle at @ must be one that a routine of aos.h has filled in",
                                      (long[]){(long)(uintptr_t)segment}, 1);
}

static SKERRY_NORETURN void report(const char *routine, int error, const aos_segment_t *segment, uint64_t offset,
                                   uint64_t bytes) {
    if (error == AOS_ERROR_SIZE) offset = bytes; // the text has no offset
    long values[] = {(long)segment->id, segment->creator, (long)offset, (long)bytes, (long)segment->bytes};
    skerry_fail_values(routine, line_about(error), values, 5);
}

#if SKERRY_PRIVATE_MEMORY
void skerry_aos_report(const char *routine, int error, const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    report(routine, error, segment, offset, bytes);
}
#endif

int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    if (!skerry_checking || is_answer(error)) return error;
    if (error == AOS_ERROR_STATE) skerry_fail(routine, "must be called after aos_init and before aos_finalize");
    if (error == AOS_ERROR_ARGUMENT) return refuse_handle(routine, segment);
    if (!segment) skerry_fail(routine, aos_error_text(error));
    report(routine, error, segment, offset, bytes);
}

// -- Handles -----------------------------------------------------------------------------------------------------------

// Returns true if `entry` is the address of an entry in the area (the tables) of PE `creator`. In the creator, `entry`
// can be an address of the creator's own address space. In other PEs `entry` is a global address, which means the same
// byte in every PE.
static bool is_entry(const struct skerry_aos_entry *entry, int creator) {
    uint64_t bytes = sizeof skerry_aos.area->entries;
    uint64_t at = (uintptr_t)entry - (uintptr_t)skerry_aos_area(creator)->entries;
    if (at >= bytes && creator == skerry_my_pe()) at = (uintptr_t)entry - (uintptr_t)skerry_aos.area->entries;
    return at < bytes && at % sizeof *entry == 0;
}

static bool is_pe(int pe) {
    return pe >= 0 && pe < skerry_pe_count();
}

// Returns true if the handle's fields are consistent, so that it is safe to use its pointers. The fields of a handle
// that no routine has made are random bytes. Such bytes are consistent only by chance, so the result is almost always
// false.
static bool is_handle(const aos_segment_t *segment) {
    if (segment->kind > SKERRY_AOS_SHARED || !is_pe(segment->creator) || !is_pe(segment->owner)) return false;
    bool has_entry = segment->kind == SKERRY_AOS_WINDOW || segment->kind == SKERRY_AOS_QUEUE;
    return has_entry ? is_entry(segment->entry, segment->creator) : !segment->entry;
}

// Returns true if the segment has ended. If the segment's creator is on another node, this test needs a message, so it
// is made only if checks are on. Without checks, the creator's node makes the test for each operation except puts and
// gets.
static bool has_ended(const aos_segment_t *segment) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(segment->creator))
        return skerry_checking &&
               skerry_atomic_load_64(&segment->entry->generation, segment->creator) != segment->generation;
#endif
    return SKERRY_LOAD_ACQUIRE(&segment->entry->generation) != segment->generation;
}

int skerry_aos_usable(const aos_segment_t *segment, uint32_t protocol) {
    if (skerry_aos.initializations == 0) return AOS_ERROR_STATE;
    if (!segment) return AOS_ERROR_ARGUMENT;
    if (segment->kind == SKERRY_AOS_NONE) return AOS_ERROR_GONE;
    if (__builtin_expect(skerry_checking, 0) && !is_handle(segment)) return AOS_ERROR_ARGUMENT;
    if (segment->entry && has_ended(segment)) return AOS_ERROR_GONE;
    return (segment->protocols & protocol) == protocol ? AOS_SUCCESS : AOS_ERROR_PROTOCOL;
}

void skerry_aos_check_segment(const char *routine, const aos_segment_t *segment) {
    int error = skerry_aos_usable(segment, 0);
    if (error) skerry_aos_refuse(routine, error, segment, 0, 0);
}

void skerry_aos_check_result(const char *routine, const int64_t *result) {
    if (!result) skerry_fail(routine, "result: must not be NULL, because the routine stores a value there");
}
