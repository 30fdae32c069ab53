// SPDX-License-Identifier: BSD-3-Clause
// Finds out by the library hwloc which processors share a core, a socket, a cache or memory. Loads hwloc only when the
// runtime calls skerry_processor_groups. As in the launcher (launch/placement.cpp), hwloc reads only objects of the
// wanted types, and uses no plug-ins. The groups are not known in two cases:
// * hwloc is missing on this machine.
// * hwloc's headers were missing when this file was compiled, which happens in builds for another processor.
#define _GNU_SOURCE
#include "internal.h"

#if __has_include(<hwloc.h>) && __has_include(<hwloc/autogen/config.h>)
#include <dlfcn.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Names of the functions of hwloc that this file calls, without the prefix hwloc_. Their addresses are found at run
// time.
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
    if (access("/sys/devices/system/cpu", F_OK) != 0) return false; // hwloc would find nothing and print a message
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

// Returns the depth, in hwloc's tree of objects, of the first type in types[kind] that this machine has.
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
            if (groups[i] < 0 && hwloc->bitmap_isset(set, (unsigned)skerry_processor_numbers()[i]))
                groups[i] = (int)object;
    }
    return objects > 0;
}

// Restores an environment variable that was changed for hwloc, which reads its settings from the environment. Processes
// that the program starts must get the original environment.
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
        // Switches off hwloc's x86 back end, because it would bind this thread to every processor in turn.
        hwloc.topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
        is_known = hwloc.topology_load(topology) == 0 && read_groups(&hwloc, topology, kind, groups);
        hwloc.topology_destroy(topology);
    }
    put_back("HWLOC_PLUGINS_PATH", plugins_before);
    if (!errors) unsetenv("HWLOC_HIDE_ERRORS");
    free(plugins_before);
    return is_known;
}

#else

bool skerry_processor_groups(enum skerry_group kind, int *groups) {
    (void)kind;
    (void)groups;
    return false;
}

#endif
