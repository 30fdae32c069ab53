// SPDX-License-Identifier: BSD-3-Clause
// Compares the calls of two members of a group, and reports the first argument that must be equal but is not.
#include "check_record.h"

// Names of the arguments that must be equal in all members, for the error messages. The entry for a routine is the
// first entry whose `part` occurs in the routine's name.
static const struct {
    const char *part;
    const char *names[SKERRY_CHECK_AGREED];
} arguments[] = {
    {"split_strided", {"start", "stride", "size"}},
    {"split_2d", {"xrange"}},
    {"alltoalls", {"nelems", "dst", "sst"}},
    {"broadcast", {"nelems", "PE_root"}},
    {"_reduce", {"nreduce"}},
    {"_to_all", {"nreduce"}},
    {"with_hints", {"size", "hints"}},
    {"calloc", {"count", "size"}},
    {"realloc", {"ptr (as an offset in the heap)", "size"}},
    {"malloc", {"size"}},
    {"align", {"alignment", "size"}},
    {"free", {"ptr (as an offset in the heap)"}},
    {"", {"nelems"}},
};

static const char *name_of_argument(const char *routine, int which) {
    int i = 0;
    while (!skerry_check_contains(routine, arguments[i].part) && arguments[i].part[0]) i++;
    return arguments[i].names[which] ? arguments[i].names[which] : "an argument";
}

static bool same_text(const char *first, const char *second) {
    while (*first && *first == *second) first++, second++;
    return *first == *second;
}

static void compare_object(const struct skerry_check_record *mine, const char *name, uint64_t here, uint64_t there,
                           int pe) {
    if (here == there || !here || !there) return;
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, name);
    skerry_check_append(
        &text, " @: must be the same symmetric object on all members; PE # passes the object that is at @ in this PE");
    skerry_check_fail(mine->routine, text.at,
                      (long[]){(long)(uintptr_t)skerry_localize((void *)(uintptr_t)here), pe,
                               (long)(uintptr_t)skerry_localize((void *)(uintptr_t)there)},
                      3);
}

void skerry_check_compare(const struct skerry_check_record *mine, const struct skerry_check_record *theirs, int pe) {
    struct skerry_check_text text = {.length = 0};
    if (!same_text(mine->routine, theirs->routine)) {
        skerry_check_append(&text, SKERRY_CHECK_GROUP_TEXT);
        skerry_check_append(&text, ": all must call the same routine; PE # calls ");
        skerry_check_append(&text, theirs->routine);
        skerry_check_fail(mine->routine, text.at, (long[]){mine->size, mine->start, mine->stride, pe}, 4);
    }
    for (int i = 0; i < SKERRY_CHECK_AGREED; i++) {
        if (mine->agreed[i] == theirs->agreed[i]) continue;
        skerry_check_append(&text, name_of_argument(mine->routine, i));
        skerry_check_append(&text, " #: must be the same on all members; PE # has #");
        skerry_check_fail(mine->routine, text.at, (long[]){(long)mine->agreed[i], pe, (long)theirs->agreed[i]}, 3);
    }
    compare_object(mine, "dest", mine->dest, theirs->dest, pe);
    compare_object(mine, "source", mine->source, theirs->source, pe);
    compare_object(mine, "pSync", mine->work_array, theirs->work_array, pe);
}
