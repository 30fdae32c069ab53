// SPDX-License-Identifier: BSD-3-Clause
// Processors and places. hwloc says which processors share a core, a socket, a cache or memory; it is opened only when somebody asks, without
// its plug-ins and with everything else filtered out, as the launcher does (launch/placement.cpp). Where it is missing, nothing is known.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hwloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define PROCESSORS_MAX 65536 // the kernel's sets may be as large

static int *numbers;
static cpu_set_t *places; // one after the other, each of so many bytes
static size_t set_bytes;
static int places_count, places_room;

// -- Processors --------------------------------------------------------------------------------------------------------

// The kernel refuses a set that is shorter than its own.
static cpu_set_t *allowed_set(void) {
    for (size_t processors = 1024; processors <= PROCESSORS_MAX; processors *= 2) {
        cpu_set_t *set = CPU_ALLOC(processors);
        set_bytes = CPU_ALLOC_SIZE(processors);
        if (set && sched_getaffinity(0, set_bytes, set) == 0) return set;
        CPU_FREE(set);
    }
    return NULL;
}

void skerry_find_processors(void) {
    static int only;
    cpu_set_t *set = allowed_set();
    int count = set ? CPU_COUNT_S(set_bytes, set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) count = 1;
    numbers = malloc((size_t)count * sizeof *numbers);
    if (!numbers) count = 1;
    if (!numbers) numbers = &only;
    for (int i = 0, bit = 0; i < count; bit++)
        if (!set || CPU_ISSET_S((size_t)bit, set_bytes, set)) numbers[i++] = bit;
    CPU_FREE(set);
    skerry_worker_facts.processors = count;
}

const int *skerry_processor_numbers(void) {
    return numbers;
}

// -- Groups ------------------------------------------------------------------------------------------------------------

// The few functions of hwloc that are needed, looked up at run time.
#define HWLOC_FUNCTIONS(X)                                                                                             \
    X(topology_init)                                                                                                   \
    X(topology_set_all_types_filter)                                                                                   \
    X(topology_set_type_filter)                                                                                        \
    X(topology_set_components)                                                                                         \
    X(topology_load)                                                                                                   \
    X(topology_destroy)                                                                                                \
    X(get_type_depth)                                                                                                  \
    X(get_nbobjs_by_depth)                                                                                             \
    X(get_obj_by_depth)                                                                                                \
    X(bitmap_isset)
struct hwloc {
#define MEMBER(name) __typeof__(&hwloc_##name) name;
    HWLOC_FUNCTIONS(MEMBER)
};

static bool open_hwloc(struct hwloc *hwloc) {
    if (access("/sys/devices/system/cpu", F_OK) != 0) return false; // it would find nothing, and say so
    void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    bool has_all = true;
#define LOOK_UP(name)                                                                                                  \
    *(void **)&hwloc->name = dlsym(library, "hwloc_" #name);                                                           \
    has_all = has_all && hwloc->name;
    HWLOC_FUNCTIONS(LOOK_UP)
    return has_all;
}

static const hwloc_obj_type_t types[][4] = {
    [SKERRY_GROUP_CORE] = {HWLOC_OBJ_CORE, HWLOC_OBJ_CORE, HWLOC_OBJ_CORE, HWLOC_OBJ_CORE},
    [SKERRY_GROUP_SOCKET] = {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_PACKAGE},
    [SKERRY_GROUP_CACHE] = {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE},
    [SKERRY_GROUP_MEMORY] = {HWLOC_OBJ_NUMANODE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_NUMANODE},
};

// The first of the kind's types that this machine has.
static int depth_of(const struct hwloc *hwloc, hwloc_topology_t topology, enum skerry_group kind) {
    for (int i = 0; i < 4; i++) {
        int depth = hwloc->get_type_depth(topology, types[kind][i]);
        if (depth >= 0 || depth == HWLOC_TYPE_DEPTH_NUMANODE) return depth;
    }
    return HWLOC_TYPE_DEPTH_UNKNOWN;
}

static bool read_groups(const struct hwloc *hwloc, hwloc_topology_t topology, enum skerry_group kind, int *groups) {
    int depth = depth_of(hwloc, topology, kind);
    if (depth == HWLOC_TYPE_DEPTH_UNKNOWN) return false;
    unsigned objects = hwloc->get_nbobjs_by_depth(topology, depth);
    for (int i = 0; i < skerry_processors(); i++) groups[i] = -1;
    for (unsigned object = 0; object < objects; object++) {
        hwloc_const_cpuset_t set = hwloc->get_obj_by_depth(topology, depth, object)->cpuset;
        for (int i = 0; i < skerry_processors(); i++)
            if (groups[i] < 0 && hwloc->bitmap_isset(set, (unsigned)numbers[i])) groups[i] = (int)object;
    }
    return objects > 0;
}

// hwloc reads these from the environment, which the program's children should have as it was.
static void put_back(const char *name, const char *before) {
    if (before) setenv(name, before, 1);
    else unsetenv(name);
}

bool skerry_processor_groups(enum skerry_group kind, int *groups) {
    struct hwloc hwloc;
    hwloc_topology_t topology;
    if (!open_hwloc(&hwloc)) return false;
    const char *plugins = getenv("HWLOC_PLUGINS_PATH"), *errors = getenv("HWLOC_HIDE_ERRORS");
    char *plugins_before = plugins ? strdup(plugins) : NULL;
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1);
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    bool is_known = false;
    if (hwloc.topology_init(&topology) == 0) {
        hwloc.topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
        for (int i = 0; i < 4; i++)
            hwloc.topology_set_type_filter(topology, types[kind][i], HWLOC_TYPE_FILTER_KEEP_ALL);
        // The x86 back end would visit every processor in turn.
        hwloc.topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
        is_known = hwloc.topology_load(topology) == 0 && read_groups(&hwloc, topology, kind, groups);
        hwloc.topology_destroy(topology);
    }
    put_back("HWLOC_PLUGINS_PATH", plugins_before);
    if (!errors) unsetenv("HWLOC_HIDE_ERRORS");
    free(plugins_before);
    return is_known;
}

// -- Places ------------------------------------------------------------------------------------------------------------

static cpu_set_t *set_of(int place) {
    return (cpu_set_t *)(void *)((char *)places + (size_t)place * set_bytes);
}

void skerry_place_make(const int *processors, int count) {
    if (places_count == places_room) {
        int room = places_room ? 2 * places_room : 16;
        cpu_set_t *more = realloc(places, (size_t)room * set_bytes);
        if (!more) return; // who enters it stays where they are
        places = more;
        places_room = room;
    }
    cpu_set_t *set = set_of(places_count++);
    CPU_ZERO_S(set_bytes, set);
    for (int i = 0; i < count; i++) CPU_SET_S((size_t)processors[i], set_bytes, set);
}

void skerry_place_enter(int place) {
    if (place >= 0 && place < places_count) sched_setaffinity(0, set_bytes, set_of(place));
}
