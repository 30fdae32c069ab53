// SPDX-License-Identifier: BSD-3-Clause
// Places by every form of OMP_PLACES, where each policy puts threads, and the routines that tell. What a machine with one
// processor cannot show is left out.
// threads: 1
// smp-16 has no processes.
// skip: aarch64 smp
#define _GNU_SOURCE
#include "child.h"

// The routines agree with each other and with the system.
static void consistent(void) {
    int places = omp_get_num_places();
    REQUIRE(places >= 1, "%d places", places);
    for (int i = 0; i < places; i++) {
        int count = omp_get_place_num_procs(i), ids[1024];
        REQUIRE(count >= 1 && count <= 1024, "place %d has %d processors", i, count);
        omp_get_place_proc_ids(i, ids);
        for (int k = 0; k < count; k++)
            REQUIRE(ids[k] >= 0 && ids[k] < CPU_SETSIZE, "place %d has processor %d", i, ids[k]);
    }
    REQUIRE(omp_get_place_num_procs(-1) == 0 && omp_get_place_num_procs(places) == 0, "places that are not there");
#pragma omp parallel num_threads(4)
    {
        int place = omp_get_place_num(), here[1024], partition[1024];
        REQUIRE(place >= 0 && place < places, "at place %d of %d", place, places);
        cpu_set_t set;
        sched_getaffinity(0, sizeof set, &set);
        REQUIRE(CPU_COUNT(&set) == omp_get_place_num_procs(place), "may run on %d, the place has %d", CPU_COUNT(&set),
                omp_get_place_num_procs(place));
        omp_get_place_proc_ids(place, here);
        for (int k = 0; k < omp_get_place_num_procs(place); k++)
            REQUIRE(CPU_ISSET((unsigned)here[k], &set), "may not run on processor %d of its place", here[k]);
        int size = omp_get_partition_num_places(), found = 0;
        REQUIRE(size >= 1 && size <= places, "a partition of %d", size);
        omp_get_partition_place_nums(partition);
        for (int i = 0; i < size; i++) found += partition[i] == place;
        REQUIRE(found == 1, "its place is in its partition %d times", found);
    }
}

static void places_are(int count, int each) {
    REQUIRE(omp_get_num_places() == count, "%d places, not %d", omp_get_num_places(), count);
    for (int i = 0; i < count; i++)
        REQUIRE(omp_get_place_num_procs(i) == each, "place %d has %d, not %d", i, omp_get_place_num_procs(i), each);
}

static int child(const char *what) {
    int count = omp_get_num_procs(), where[8];
    if (!strcmp(what, "none")) {
        REQUIRE(omp_get_num_places() == 0 && omp_get_place_num() == -1 && omp_get_partition_num_places() == 0,
                "%d places without any", omp_get_num_places());
        return 0;
    }
    consistent();
    if (!strcmp(what, "each")) places_are(count, 1);
    else if (!strcmp(what, "two")) places_are(2, 1);
    else if (!strcmp(what, "one of two")) places_are(1, 2);
    else if (!strcmp(what, "second")) {
        int id;
        places_are(1, 1);
        omp_get_place_proc_ids(0, &id);
        REQUIRE(id == 1, "processor %d", id);
    } else if (!strcmp(what, "master")) {
#pragma omp parallel num_threads(8)
        where[omp_get_thread_num()] = omp_get_place_num();
        for (int i = 0; i < 8; i++) REQUIRE(where[i] == where[0], "thread %d at %d, not %d", i, where[i], where[0]);
    } else if (!strcmp(what, "close") || !strcmp(what, "spread")) {
#pragma omp parallel num_threads(2)
        where[omp_get_thread_num()] = omp_get_place_num();
        REQUIRE(where[0] != where[1], "both at %d", where[0]);
#pragma omp parallel num_threads(2) proc_bind(master)
        where[omp_get_thread_num()] = omp_get_place_num();
        REQUIRE(where[0] == where[1], "proc_bind(master): at %d and %d", where[0], where[1]);
#pragma omp parallel num_threads(2) proc_bind(spread)
        where[omp_get_thread_num()] = omp_get_place_num() * 100 + omp_get_partition_num_places();
        REQUIRE(where[0] / 100 != where[1] / 100 && where[0] % 100 == 1, "proc_bind(spread): %d and %d", where[0],
                where[1]);
#pragma omp parallel num_threads(2) proc_bind(close)
        where[omp_get_thread_num()] = omp_get_place_num();
        REQUIRE(where[0] != where[1], "proc_bind(close): both at %d", where[0]);
        omp_proc_bind_t right = !strcmp(what, "close") ? omp_proc_bind_close : omp_proc_bind_spread;
        REQUIRE(omp_get_proc_bind() == right, "policy %d", (int)omp_get_proc_bind());
    } else if (!strcmp(what, "true"))
        REQUIRE(omp_get_proc_bind() == omp_proc_bind_true, "policy %d", (int)omp_get_proc_bind());
    return 0;
}

int main(int count, char **arguments) {
    if (count > 1) return child(arguments[1]);
    child_passes("none", "OMP_PROC_BIND=false", 0);
    child_passes("true", "OMP_PROC_BIND=true", 0);
    child_passes("each", "OMP_PLACES=threads", 0);
    child_passes("consistent", "OMP_PLACES=cores", 0);
    child_passes("consistent", "OMP_PLACES=sockets", 0);
    child_passes("consistent", "OMP_PLACES=ll_caches", 0);
    child_passes("consistent", "OMP_PLACES=numa_domains", 0);
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    if (CPU_COUNT(&set) < 2 || !CPU_ISSET(0, &set) || !CPU_ISSET(1, &set)) return 0;
    child_passes("two", "OMP_PLACES=threads(2)", 0);
    child_passes("two", "OMP_PLACES={0},{1}", 0);
    child_passes("two", "OMP_PLACES={0}:2", 0);
    child_passes("two", "OMP_PLACES={0}:2:1", 0);
    child_passes("two", "OMP_PLACES={1}:2:-1", 0);
    child_passes("two", "OMP_PLACES= { 0 } , { 1 } ", 0);
    child_passes("one of two", "OMP_PLACES={0,1}", 0);
    child_passes("one of two", "OMP_PLACES={0:2}", 0);
    child_passes("one of two", "OMP_PLACES={0:2:1}", 0);
    child_passes("second", "OMP_PLACES={1}", 0);
    child_passes("second", "OMP_PLACES={0:2,!0}", 0);
    child_passes("master", "OMP_PLACES={0},{1}|OMP_PROC_BIND=master", 0);
    child_passes("close", "OMP_PLACES={0},{1}|OMP_PROC_BIND=close", 0);
    child_passes("spread", "OMP_PLACES={0},{1}|OMP_PROC_BIND=spread", 0);
    child_passes("close", "OMP_PLACES={0},{1}|OMP_PROC_BIND=close,spread", 0);
    child_passes("none", "OMP_PLACES={0},{1}|OMP_PROC_BIND=false", 0);
    return 0;
}
