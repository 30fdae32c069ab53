// SPDX-License-Identifier: BSD-3-Clause
// Wrong use: an error that the routine returns, or, when checking, a line and the end of the job.
#include "internal.h"

static const char *const meanings[] = {
    "success",
    "called before aos_init, or after aos_finalize",
    "an argument that no call may have",
    "outside the segment",
    "an atomic's word is not aligned to 8 bytes",
    "the segment was created without this protocol",
    "the number is taken",
    "no segment is published under the number",
    "the segment is not for this PE",
    "no memory or no place in a table is left",
    "a message is larger than the queue's, or than the buffer",
    "the queue is full",
    "the queue is empty",
    "the segment was destroyed, or its owner has ended",
    "the owner has no memory there, or may not write it",
};

const char *aos_error_text(int error) {
    if (error > 0 || error <= -(int)(sizeof meanings / sizeof *meanings)) return "no error of AOS";
    return meanings[-error];
}

// What a program may well ask for in order to see whether it can be had.
static bool is_answer(int error) {
    return error == AOS_SUCCESS || error == AOS_ERROR_EXISTS || error == AOS_ERROR_NOT_FOUND ||
           error == AOS_ERROR_MEMORY || error == AOS_ERROR_FULL || error == AOS_ERROR_EMPTY;
}

// The meaning goes in front of the numbers: skerry_fail_values takes one text.
static const char *line_about(int error) {
    switch (error) {
    case AOS_ERROR_BOUNDS: return "segment # of PE #, offset #, # bytes: not inside its # bytes";
    case AOS_ERROR_ALIGNMENT: return "segment # of PE #, offset #: the word of an atomic is not aligned to 8 bytes";
    case AOS_ERROR_PROTOCOL: return "segment # of PE #, offset #: it was created without this protocol";
    case AOS_ERROR_BINDING: return "segment # of PE #: it is not for this PE";
    case AOS_ERROR_SIZE: return "queue # of PE #, offset #, # bytes: larger than its messages, or than the buffer";
    case AOS_ERROR_GONE: return "segment # of PE #, offset #: it was destroyed, or its owner has ended";
    case AOS_ERROR_FAULT:
        return "segment # of PE #, offset #, # bytes: the owner has no memory there, or may not write it";
    default: return "segment # of PE #, offset #: an argument that no call may have";
    }
}

int skerry_aos_refuse(const char *routine, int error, const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    if (!skerry_checking || is_answer(error)) return error;
    if (error == AOS_ERROR_STATE) skerry_fail(routine, "called before aos_init, or after aos_finalize");
    if (!segment) skerry_fail(routine, aos_error_text(error));
    long values[] = {(long)segment->id, segment->creator, (long)offset, (long)bytes, (long)segment->bytes};
    skerry_fail_values(routine, line_about(error), values, 5);
}

int skerry_aos_usable(const aos_segment_t *segment, uint32_t protocol) {
    if (skerry_aos.initializations == 0) return AOS_ERROR_STATE;
    if (!segment) return AOS_ERROR_ARGUMENT;
    if (segment->kind == SKERRY_AOS_NONE) return AOS_ERROR_GONE;
    if (segment->entry && SKERRY_LOAD_ACQUIRE(&segment->entry->generation) != segment->generation)
        return AOS_ERROR_GONE;
    return (segment->protocols & protocol) == protocol ? AOS_SUCCESS : AOS_ERROR_PROTOCOL;
}

void skerry_aos_check_segment(const char *routine, const aos_segment_t *segment) {
    int error = skerry_aos_usable(segment, 0);
    if (error) skerry_aos_refuse(routine, error, segment, 0, 0);
}
