// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's places on a machine that is not there, of eight processors in two sockets and four cores: what OMP_PLACES and
// GOMP_CPU_AFFINITY mean, and which places the threads of a team get, against the words of the specification.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/omp/environment/display.h"
#include "../../src/omp/environment/place.h"

#define PROCESSORS 8

#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// -- The machine, and the parts of the runtime that are not under test -------------------------------------------------

static const char *places_variable, *affinity_variable;
static int warnings;

struct skerry_worker_facts skerry_worker_facts = {.processors = PROCESSORS};
SKERRY_PER_THREAD struct omp_thread *skerry_omp_self;
struct omp_icv skerry_omp_initial_icv;
struct omp_device_icv skerry_omp_device;

const char *skerry_environment(const char *name) {
    return strcmp(name, "OMP_PLACES") == 0 ? places_variable : affinity_variable;
}

const int *skerry_processor_numbers(void) {
    static const int numbers[PROCESSORS] = {0, 1, 2, 3, 4, 5, 6, 7};
    return numbers;
}

// The second thread of a core has the core's number and 4 more; nothing is known of memory.
bool skerry_processor_groups(enum skerry_group kind, int *groups) {
    for (int i = 0; i < PROCESSORS; i++) groups[i] = kind == SKERRY_GROUP_CORE ? i % 4 : i % 4 / 2;
    return kind != SKERRY_GROUP_MEMORY;
}

void *skerry_memory_take(size_t bytes, size_t alignment) {
    (void)alignment;
    return malloc(bytes);
}

void skerry_memory_give(void *memory) {
    free(memory);
}

void skerry_warn(const char *text) {
    (void)text;
    warnings++;
}

void skerry_stop(const char *text) {
    fprintf(stderr, "%s\n", text);
    exit(1);
}

void skerry_place_make(const int *processors, int count) {
    (void)processors;
    (void)count;
}

void skerry_place_enter(int place) {
    (void)place;
}

struct omp_thread *skerry_omp_adopt(void) {
    return NULL;
}

void skerry_omp_display_affinity(struct omp_thread *self, const char *format, size_t bytes) {
    (void)self;
    (void)format;
    (void)bytes;
}

// -- What the variables mean -------------------------------------------------------------------------------------------

// Places as "0,1 2,3"; "": none, and a line that says so.
static void expect(const char *places, const char *affinity, const char *expected) {
    struct omp_places read = {0};
    char text[1024] = "";
    size_t length = 0;
    places_variable = places;
    affinity_variable = affinity;
    warnings = 0;
    skerry_omp_parse_places(&read);
    for (uint32_t place = 0, at = 0; place < read.count; place++) {
        if (place) length += (size_t)sprintf(text + length, " ");
        for (uint32_t first = at; at < read.ends[place]; at++)
            length += (size_t)sprintf(text + length, at == first ? "%d" : ",%d", read.processors[at]);
    }
    const char *value = places ? places : affinity;
    REQUIRE(strcmp(text, expected) == 0, "'%s' is '%s', not '%s'", value, text, expected);
    REQUIRE(warnings == (expected[0] == 0), "'%s': %d warnings", value, warnings);
    free(read.ends);
    free(read.processors);
}

static void test_variables(void) {
    static const char *const cases[][2] = {
        {"threads", "0 1 2 3 4 5 6 7"},
        {"threads(3)", "0 1 2"},
        {"cores", "0,4 1,5 2,6 3,7"},
        {" CORES ( 2 ) ", "0,4 1,5"},
        {"sockets", "0,1,4,5 2,3,6,7"},
        {"ll_caches(1)", "0,1,4,5"},
        {"numa_domains", "0,1,2,3,4,5,6,7"},
        {"{0},{3,1},{2:2}", "0 1,3 2,3"},
        {"{0:4:2}", "0,2,4,6"},
        {"{6:3:-2}", "2,4,6"},
        {"{0:8,!3,!5}", "0,1,2,4,6,7"},
        {"{!1,0:3}", "0,2"},
        {"{0:2}:4:2", "0,1 2,3 4,5 6,7"},
        {"{6,7}:4:-2", "6,7 4,5 2,3 0,1"},
        {"{6,7}:4:-2,!{2,3}", "6,7 4,5 0,1"},
        {"{0},{0},!{0},{1}", "1"},
        {"{5}:6", "5 6 7"},
        {"{7:4},{30}", "7"},
        {"3,1:2,{4}", "3 1 2 4"},
        {"0:4:2,!2", "0 4 6"},
        {"{0", ""},
        {"{0},", ""},
        {"{}", ""},
        {"{0:0}", ""},
        {"{0}:2:-1", ""},
        {"{0}:2:x", ""},
        {"{-1}", ""},
        {"{9}", ""},
        {"{0},!{0}", ""},
        {"{99999}", ""},
        {"threads(0)", ""},
        {"cores(2", ""},
        {"coresx", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect(cases[i][0], NULL, cases[i][1]);
    expect(NULL, "0-6:2 1", "0 2 4 6 1");
    expect(NULL, "3,1,1", "3 1 1");
    expect(NULL, "5-9", "5 6 7");
    expect(NULL, "2-1", "");
    expect(NULL, "1-", "");
    expect("{2}", "0 1", "2");
}

// -- Which places threads get ------------------------------------------------------------------------------------------

#define THREADS_MAX 20
static struct omp_team *outer, *team;
static struct omp_thread self;

static void form(uint32_t threads, uint32_t first, uint32_t count, uint32_t own, uint32_t bind) {
    memset(team, 0, sizeof *team + THREADS_MAX * sizeof team->members[0]);
    team->threads = threads;
    team->level = 1;
    static struct omp_icv icv;
    icv.bind = (uint8_t)bind;
    team->icv = outer->members[0].implicit.icv = &icv;
    outer->members[0].first_place = first;
    outer->members[0].places = count;
    self.place = (int32_t)(first + own);
    self.state = (struct omp_state){.team = outer, .member = &outer->members[0], .task = &outer->members[0].implicit};
    skerry_omp_place_team(&self, team, 0);
    REQUIRE(team->members[0].place == self.place, "the master moves from %d to %d", self.place, team->members[0].place);
}

static void expect_partition(uint32_t i, uint32_t first, uint32_t count) {
    const struct omp_member *member = &team->members[i];
    REQUIRE(member->first_place == first && member->places == count, "thread %u of %u: %u places from %u", i,
            team->threads, member->places, member->first_place);
}

// Threads in order, from the master's place on, as evenly as can be. Where they are fewer than places, one at each.
static void check_close(uint32_t threads, uint32_t first, uint32_t count, uint32_t own) {
    uint32_t counts[64] = {0}, steps = 0;
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t at = (uint32_t)team->members[i].place - first;
        REQUIRE(at < count, "thread %u is outside of the partition", i);
        while ((own + steps) % count != at) steps++;
        REQUIRE(steps < count, "%u threads, %u places: thread %u goes back", threads, count, i);
        counts[at]++;
    }
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(counts[i] >= threads / count && counts[i] <= (threads + count - 1) / count,
                "%u threads, %u places: %u at place %u", threads, count, counts[i], i);
}

// Partitions divide the places evenly, in order from the master's on.
static void check_spread(uint32_t threads, uint32_t first, uint32_t count, uint32_t own) {
    uint32_t covered[64] = {0};
    for (uint32_t i = 0; i < threads; i++) {
        const struct omp_member *member = &team->members[i], *next = &team->members[(i + 1) % threads];
        uint32_t begin = member->first_place - first, end = begin + member->places;
        REQUIRE(member->places >= count / threads && member->places <= (count + threads - 1) / threads,
                "%u threads, %u places: a part of %u", threads, count, member->places);
        REQUIRE(end <= count && next->first_place - first == end % count, "parts of threads %u and the next", i);
        REQUIRE(i == 0 || member->place == (int32_t)member->first_place, "thread %u is not at its first place", i);
        for (uint32_t place = begin; place < end; place++) covered[place]++;
    }
    for (uint32_t place = 0; place < count; place++) REQUIRE(covered[place] == 1, "place %u is in no part", place);
    uint32_t begin = team->members[0].first_place - first;
    REQUIRE(own >= begin && own < begin + team->members[0].places, "the master is outside of its part");
}

static void test_team(uint32_t threads, uint32_t first, uint32_t count, uint32_t own) {
    form(threads, first, count, own, OMP_BIND_PRIMARY);
    for (uint32_t i = 0; i < threads; i++) {
        REQUIRE(team->members[i].place == self.place, "thread %u is not with its master", i);
        expect_partition(i, first, count);
    }
    form(threads, first, count, own, OMP_BIND_CLOSE);
    check_close(threads, first, count, own);
    for (uint32_t i = 0; i < threads; i++) expect_partition(i, first, count);
    form(threads, first, count, own, OMP_BIND_SPREAD);
    if (threads <= count) check_spread(threads, first, count, own);
    else {
        check_close(threads, first, count, own);
        for (uint32_t i = 0; i < threads; i++) expect_partition(i, (uint32_t)team->members[i].place, 1);
    }
}

int main(void) {
    test_variables();
    size_t bytes = sizeof *team + THREADS_MAX * sizeof team->members[0];
    outer = aligned_alloc(SKERRY_FALSE_SHARING_RANGE, (bytes + SKERRY_FALSE_SHARING_RANGE - 1) /
                                                          SKERRY_FALSE_SHARING_RANGE * SKERRY_FALSE_SHARING_RANGE);
    team = aligned_alloc(SKERRY_FALSE_SHARING_RANGE, (bytes + SKERRY_FALSE_SHARING_RANGE - 1) /
                                                         SKERRY_FALSE_SHARING_RANGE * SKERRY_FALSE_SHARING_RANGE);
    REQUIRE(outer && team, "no memory");
    memset(outer, 0, bytes);
    for (uint32_t threads = 1; threads <= THREADS_MAX; threads++)
        for (uint32_t count = 1; count <= 9; count++)
            for (uint32_t own = 0; own < count; own++)
                for (uint32_t first = 0; first < 3; first++) test_team(threads, first, count, own);
    free(outer);
    free(team);
    return 0;
}
