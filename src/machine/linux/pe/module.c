// SPDX-License-Identifier: BSD-3-Clause
// Opens the modules (shared libraries) that only some jobs need: the network module, and the module for a process
// manager such as srun. The modules are in folders next to this library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

// Ends the job if the module has not been built with the library. The structures that both share can then differ.
static void check_build(void *module, const char *path, const char *purpose) {
    const char *build = dlsym(module, "skerry_module_build"); // ../module_build.h
    if (build && strncmp(build, skerry_build(), strlen(build)) == 0) return;
    char host[65] = "this node";
    gethostname(host, sizeof host - 1);
    skerry_let_first_nodes_report();
    skerry_refuse("%s cannot be used on node %s: %s has version %s of Skerry, and the library has version %s", purpose,
                  host, path, build ? build : "unknown", skerry_build());
}

void *skerry_open_module(const char *name, const char *symbol, const char *purpose) {
    static const char here_is_data = 0;
    Dl_info here;
    char path[4096];
    if (!dladdr(&here_is_data, &here) || !here.dli_fname)
        skerry_refuse("%s cannot be loaded: this program is linked statically", purpose);
    const char *slash = strrchr(here.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0, here.dli_fname, name);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        char host[65] = "this node";
        gethostname(host, sizeof host - 1);
        skerry_let_first_nodes_report();
        skerry_refuse("%s cannot be loaded on node %s: %s", purpose, host, dlerror());
    }
    check_build(module, path, purpose);
    void *found = dlsym(module, symbol);
    if (!found) skerry_refuse("%s has no function %s", purpose, symbol);
    return found;
}

struct library {
    const char *name;
    size_t length;
};

static int has_name(struct dl_phdr_info *info, size_t size, void *given) {
    (void)size;
    const struct library *library = given;
    const char *slash = strrchr(info->dlpi_name, '/');
    return strncmp(slash ? slash + 1 : info->dlpi_name, library->name, library->length) == 0;
}

// Does not use dlopen with RTLD_NOLOAD, which opens and reads files even if the library is not loaded.
bool skerry_is_loaded(const char *library) {
    struct library wanted = {library, strlen(library)};
    return dl_iterate_phdr(has_name, &wanted) != 0;
}
