// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines of OpenMP for Fortran. Their names end with `_`, and all arguments are pointers. The routines
// whose names end with `_8_` are for programs whose default integers have 8 bytes. They replace an argument that does
// not fit into an int by the nearest int.
#include "routines.h"

#include "../environment/display.h"
#include "../environment/place.h"

static int to_int(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int)value;
}

#define FORTRAN_INT(name)                                                                                              \
    OMP_EXPORT int32_t name##_(void) {                                                                                 \
        return name();                                                                                                 \
    }
OMP_ROUTINES_INT(FORTRAN_INT)

#define FORTRAN_SET(name)                                                                                              \
    OMP_EXPORT void name##_(const int32_t *value) {                                                                    \
        name(*value);                                                                                                  \
    }                                                                                                                  \
    OMP_EXPORT void name##_8_(const int64_t *value) {                                                                  \
        name(to_int(*value));                                                                                          \
    }
OMP_ROUTINES_SET(FORTRAN_SET)

#define FORTRAN_ASK(name)                                                                                              \
    OMP_EXPORT int32_t name##_(const int32_t *number) {                                                                \
        return name(*number);                                                                                          \
    }                                                                                                                  \
    OMP_EXPORT int32_t name##_8_(const int64_t *number) {                                                              \
        return name(to_int(*number));                                                                                  \
    }
OMP_ROUTINES_ASK(FORTRAN_ASK)

OMP_EXPORT double omp_get_wtime_(void) {
    return omp_get_wtime();
}

OMP_EXPORT double omp_get_wtick_(void) {
    return omp_get_wtick();
}

// -- Schedules: in Fortran a kind has no bit for monotonic -------------------------------------------------------------

OMP_EXPORT void omp_set_schedule_(const int32_t *kind, const int32_t *chunk) {
    omp_set_schedule((unsigned)*kind, *chunk);
}

OMP_EXPORT void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) {
    omp_set_schedule((unsigned)*kind, to_int(*chunk));
}

OMP_EXPORT void omp_get_schedule_(int *kind, int *chunk) {
    unsigned schedule;
    omp_get_schedule(&schedule, chunk);
    *kind = (int)(schedule & ~OMP_SCHEDULE_MONOTONIC);
}

OMP_EXPORT void omp_get_schedule_8_(int *kind, int64_t *chunk) {
    int own;
    omp_get_schedule_(kind, &own);
    *chunk = own;
}

// -- Places ------------------------------------------------------------------------------------------------------------

OMP_EXPORT void omp_get_place_proc_ids_(const int *place, int *ids) {
    omp_get_place_proc_ids(*place, ids);
}

OMP_EXPORT void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids) {
    uint32_t count;
    const int *processors = skerry_omp_place_processors(to_int(*place), &count);
    for (uint32_t i = 0; i < count; i++) ids[i] = processors[i];
}

OMP_EXPORT void omp_get_partition_place_nums_(int *numbers) {
    omp_get_partition_place_nums(numbers);
}

OMP_EXPORT void omp_get_partition_place_nums_8_(int64_t *numbers) {
    const struct omp_member *member = omp_self()->state.member;
    for (uint32_t i = 0; i < member->places; i++) numbers[i] = member->first_place + i;
}

// -- Affinity formats: texts with their lengths, filled up with blanks -------------------------------------------------

OMP_EXPORT void omp_set_affinity_format_(const char *format, size_t bytes) {
    skerry_omp_set_affinity_format(format, bytes);
}

static int32_t give_text(char *buffer, size_t room, const struct omp_text *text) {
    for (size_t i = 0; i < room; i++) buffer[i] = i < text->length ? text->to[i] : ' ';
    return to_int((int64_t)text->length);
}

OMP_EXPORT int32_t omp_get_affinity_format_(char *buffer, size_t room) {
    struct omp_text text = {skerry_omp_affinity_format, 0, 0};
    while (text.to[text.length]) text.length++;
    return give_text(buffer, room, &text);
}

OMP_EXPORT void omp_display_affinity_(const char *format, size_t bytes) {
    skerry_omp_display_affinity(omp_self(), format, bytes);
}

OMP_EXPORT int32_t omp_capture_affinity_(char *buffer, const char *format, size_t room, size_t bytes) {
    OMP_TEXT(text, OMP_AFFINITY_BYTES);
    skerry_omp_write_affinity(omp_self(), &text, format, bytes);
    if (text.length < text.room || room < text.room) return give_text(buffer, room, &text);
    struct omp_text whole = {buffer, room, 0}; // the result and the buffer are both longer than `text`
    skerry_omp_write_affinity(omp_self(), &whole, format, bytes);
    return give_text(buffer, room, &whole);
}

// -- The rest ----------------------------------------------------------------------------------------------------------

OMP_EXPORT void omp_fulfill_event_(uintptr_t event) {
    omp_fulfill_event(event);
}

OMP_EXPORT int32_t omp_pause_resource_(const int32_t *kind, const int32_t *device) {
    return omp_pause_resource(*kind, *device);
}

OMP_EXPORT int32_t omp_pause_resource_all_(const int32_t *kind) {
    return omp_pause_resource_all(*kind);
}

OMP_EXPORT uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *count, const struct omp_trait *traits) {
    return omp_init_allocator(*space, *count, traits);
}

OMP_EXPORT uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *count,
                                           const struct omp_trait *traits) {
    return omp_init_allocator(*space, to_int(*count), traits);
}

OMP_EXPORT void omp_destroy_allocator_(const uintptr_t *allocator) {
    omp_destroy_allocator(*allocator);
}

OMP_EXPORT void omp_set_default_allocator_(const uintptr_t *allocator) {
    omp_set_default_allocator(*allocator);
}

OMP_EXPORT uintptr_t omp_get_default_allocator_(void) {
    return omp_get_default_allocator();
}

OMP_EXPORT void omp_display_env_(const int32_t *verbose) {
    omp_display_env(*verbose);
}

OMP_EXPORT void omp_display_env_8_(const int64_t *verbose) {
    omp_display_env(*verbose != 0);
}
