// SPDX-License-Identifier: BSD-3-Clause
// Reads the list of places from OMP_PLACES (OpenMP 5.0, section 6.5) or GOMP_CPU_AFFINITY. First reads all processors
// of each place as the variable lists them. Then removes the processors that this process is not allowed to use, and
// the places that have no processor left.
#include "parse.h"
#include "place.h"

#if SKERRY_PLACES
#define PROCESSORS SKERRY_WORKERS_MAX // limit: processor numbers are 0 to PROCESSORS - 1
#define WORDS (PROCESSORS / 64)

struct set {
    uint64_t words[WORDS];
};

struct interval {
    uint64_t first, count;
    int64_t stride;
};

// -- Lists that grow ---------------------------------------------------------------------------------------------------

static void *grow(void *old, size_t each, uint32_t used, uint32_t *room) {
    if (used < *room) return old;
    *room = *room ? 2 * *room : 64;
    void *larger = skerry_memory_take(*room * each, _Alignof(max_align_t));
    if (!larger) skerry_stop("libgomp: no memory for places");
    if (used) __builtin_memcpy(larger, old, used * each);
    skerry_memory_give(old);
    return larger;
}

static uint32_t begin_of(const struct omp_places *places, uint32_t place) {
    return place ? places->ends[place - 1] : 0;
}

// add_processor stores a processor at index `at` of the array of processors. The processor belongs to a new place,
// which follows the last complete place. end_place makes the new place complete.
static void add_processor(struct omp_places *places, uint32_t at, int processor) {
    places->processors = grow(places->processors, sizeof *places->processors, at, &places->processors_room);
    places->processors[at] = processor;
}

static void end_place(struct omp_places *places, uint32_t end) {
    places->ends = grow(places->ends, sizeof *places->ends, places->count, &places->room);
    places->ends[places->count++] = end;
}

static void give_up(struct omp_places *places) {
    skerry_memory_give(places->ends);
    skerry_memory_give(places->processors);
    *places = (struct omp_places){0};
}

// -- Explicit places ---------------------------------------------------------------------------------------------------

// Reads the optional text [:count[:stride]] after a processor number or a place. Without this text, count and stride
// are 1.
static bool parse_repeats(const char **text, struct interval *interval) {
    interval->count = 1;
    interval->stride = 1;
    if (!skerry_omp_parse_char(text, ':')) return true;
    if (!skerry_omp_parse_number(text, PROCESSORS - 1, &interval->count) || interval->count == 0) return false;
    return !skerry_omp_parse_char(text, ':') || skerry_omp_parse_signed(text, PROCESSORS - 1, &interval->stride);
}

static bool add_interval(struct set *set, const struct interval *interval) {
    int64_t number = (int64_t)interval->first;
    for (uint64_t i = 0; i < interval->count; i++, number += interval->stride) {
        if (number < 0 || number >= PROCESSORS) return false;
        set->words[number / 64] |= UINT64_C(1) << number % 64;
    }
    return true;
}

// Reads a set of processors such as {0:4,!2}, or a single number. The set contains all processors that the braces name,
// except those that are named after a `!`.
static bool parse_set(const char **text, struct set *set) {
    struct set without;
    struct interval interval = {0, 1, 1};
    __builtin_memset(set, 0, sizeof *set);
    __builtin_memset(&without, 0, sizeof without);
    if (skerry_omp_parse_number(text, PROCESSORS - 1, &interval.first)) return add_interval(set, &interval);
    if (!skerry_omp_parse_char(text, '{')) return false;
    do {
        interval = (struct interval){0, 1, 1};
        bool is_left_out = skerry_omp_parse_char(text, '!');
        if (!skerry_omp_parse_number(text, PROCESSORS - 1, &interval.first)) return false;
        if (!is_left_out && !parse_repeats(text, &interval)) return false;
        if (!add_interval(is_left_out ? &without : set, &interval)) return false;
    } while (skerry_omp_parse_char(text, ','));
    for (int i = 0; i < WORDS; i++) set->words[i] &= ~without.words[i];
    return skerry_omp_parse_char(text, '}');
}

// Adds repeats->count places. Place n, counted from 0, contains the processor numbers of `set`, each increased by n
// times repeats->stride.
static bool add_places(struct omp_places *places, const struct set *set, const struct interval *repeats) {
    int64_t offset = 0;
    for (uint64_t i = 0; i < repeats->count; i++, offset += repeats->stride) {
        uint32_t end = begin_of(places, places->count);
        for (int word = 0; word < WORDS; word++)
            for (uint64_t left = set->words[word]; left; left &= left - 1) {
                int64_t number = word * 64 + __builtin_ctzll(left) + offset;
                if (number < 0 || number >= PROCESSORS) return false;
                add_processor(places, end++, (int)number);
            }
        end_place(places, end);
    }
    return true;
}

static bool is_place(const struct omp_places *places, uint32_t place, const struct set *set) {
    uint32_t at = begin_of(places, place);
    for (int number = 0; number < PROCESSORS; number++) {
        if (!(set->words[number / 64] >> number % 64 & 1)) continue;
        if (at == places->ends[place] || places->processors[at] != number) return false;
        at++;
    }
    return at == places->ends[place];
}

// Marks all places that are equal to `set` as removed: replaces their processor numbers by -1. Later leave_out removes
// all processors that this process is not allowed to use. Processor -1 does not exist, so leave_out removes the marked
// places too.
static void remove_place(struct omp_places *places, const struct set *set) {
    for (uint32_t place = 0; place < places->count; place++) {
        if (!is_place(places, place, set)) continue;
        uint32_t begin = begin_of(places, place);
        for (uint32_t at = begin; at < places->ends[place]; at++) places->processors[at] = -1;
    }
}

static bool parse_list(const char **text, struct omp_places *places) {
    static struct set set;
    do {
        struct interval repeats;
        bool is_removed = skerry_omp_parse_char(text, '!');
        if (!parse_set(text, &set)) return false;
        if (is_removed) remove_place(places, &set);
        else if (!parse_repeats(text, &repeats) || !add_places(places, &set, &repeats)) return false;
    } while (skerry_omp_parse_char(text, ','));
    return true;
}

// -- Places by name ----------------------------------------------------------------------------------------------------

// Adds a place for each group of processors, but at most `limit` places. groups[i] is the group number of processor i,
// or -1 if the processor is in no group. The places have the order of the groups' first processors.
static void add_groups(struct omp_places *places, int *groups, uint64_t limit) {
    int count = skerry_processors();
    for (int first = 0; first < count && places->count < limit; first++) {
        int group = groups[first];
        uint32_t end = begin_of(places, places->count);
        if (group < 0) continue;
        for (int i = first; i < count; i++) {
            if (groups[i] != group) continue;
            add_processor(places, end++, skerry_processor_numbers()[i]);
            groups[i] = -1;
        }
        end_place(places, end);
    }
}

// Reads a name such as cores(4), and makes the places that the name stands for: here 4 places of one core each. Some
// systems do not report which processors share a core, a socket, a cache or a memory. On such a system each processor
// is one core. All processors together are one socket, one cache and one memory.
static bool parse_name(const char **text, struct omp_places *places) {
    static const char *const names[] = {"cores", "sockets", "ll_caches", "numa_domains", "threads"};
    enum { CORES, THREADS = 4 };
    int name = skerry_omp_parse_choice(text, names, 5), count = skerry_processors();
    uint64_t limit = UINT64_MAX;
    if (name < 0) return false;
    if (skerry_omp_parse_char(text, '(') &&
        (!skerry_omp_parse_number(text, INT32_MAX, &limit) || limit == 0 || !skerry_omp_parse_char(text, ')')))
        return false;
    int *groups = skerry_memory_take((size_t)count * sizeof *groups, _Alignof(int));
    if (!groups) return false;
    bool is_known = name != THREADS && skerry_processor_groups((enum skerry_group)name, groups);
    for (int i = 0; i < count && !is_known; i++) groups[i] = name == THREADS || name == CORES ? i : 0;
    add_groups(places, groups, limit);
    skerry_memory_give(groups);
    return true;
}

// -- GOMP_CPU_AFFINITY: a list of processors ---------------------------------------------------------------------------

// Reads the value of GOMP_CPU_AFFINITY: a list of processors such as 0-6:2 4, which means processors 0, 2, 4, 6 and 4.
// Each processor of the list becomes a place of its own.
static bool parse_affinity(const char **text, struct omp_places *places) {
    do {
        uint64_t first, last, stride = 1;
        if (!skerry_omp_parse_number(text, PROCESSORS - 1, &first)) return false;
        last = first;
        if (skerry_omp_parse_char(text, '-') && !skerry_omp_parse_number(text, PROCESSORS - 1, &last)) return false;
        if (last != first && skerry_omp_parse_char(text, ':') &&
            !skerry_omp_parse_number(text, PROCESSORS - 1, &stride))
            return false;
        if (last < first || stride == 0) return false;
        for (; first <= last; first += stride) {
            uint32_t end = begin_of(places, places->count);
            add_processor(places, end, (int)first);
            end_place(places, end + 1);
        }
        skerry_omp_parse_char(text, ',');
    } while (!skerry_omp_parse_end(text));
    return true;
}

// -- Both variables ----------------------------------------------------------------------------------------------------

static bool may_use(int processor) {
    const int *numbers = skerry_processor_numbers();
    int low = 0, high = skerry_processors();
    while (low < high) {
        int middle = (low + high) / 2;
        if (numbers[middle] == processor) return true;
        if (numbers[middle] < processor) low = middle + 1;
        else high = middle;
    }
    return false;
}

static void leave_out(struct omp_places *places) {
    uint32_t places_left = 0, end = 0, at = 0;
    for (uint32_t place = 0; place < places->count; place++) {
        uint32_t begin = end;
        for (; at < places->ends[place]; at++)
            if (may_use(places->processors[at])) places->processors[end++] = places->processors[at];
        if (end > begin) places->ends[places_left++] = end;
    }
    places->count = places_left;
}

static bool parse_variable(const char *name, struct omp_places *places, const char *rule,
                           bool (*parse)(const char **text, struct omp_places *places)) {
    const char *value = skerry_environment(name);
    if (!value) return false;
    const char *text = value;
    if (!parse(&text, places) || !skerry_omp_parse_end(&text)) skerry_omp_warn_of_variable(name, value, rule);
    else {
        leave_out(places);
        if (places->count) return true;
        skerry_omp_warn_of_variable(name, value, "of processors that this process may use");
    }
    give_up(places);
    return false;
}

static bool parse_places(const char **text, struct omp_places *places) {
    const char *begin = *text;
    if (parse_name(text, places)) return true;
    *text = begin;
    return parse_list(text, places);
}

bool skerry_omp_parse_places(struct omp_places *places) {
    return parse_variable("OMP_PLACES", places,
                          "a list of places as {0,1}:2:2, or threads, cores, sockets, ll_caches or numa_domains",
                          parse_places) ||
           parse_variable("GOMP_CPU_AFFINITY", places, "a list of processors as 0-6:2 1", parse_affinity);
}
#endif
