// SPDX-License-Identifier: BSD-3-Clause
// The library that the tests run on is the one in the folder of LD_LIBRARY_PATH, and no other came with it.
// smp-16 has no shared libraries.
// threads: 1
// skip: smp
#define _GNU_SOURCE
#include "test.h"
#include "gomp.h"

#include <dlfcn.h>
#include <link.h>

static int libraries;

static int look(struct dl_phdr_info *info, size_t size, void *nothing) {
    (void)size;
    (void)nothing;
    libraries += strstr(info->dlpi_name, "libgomp") != NULL;
    return 0;
}

int main(void) {
    Dl_info info;
    REQUIRE(dladdr((void *)(uintptr_t)GOMP_parallel, &info), "nobody has GOMP_parallel");
    const char *folder = getenv("LD_LIBRARY_PATH");
    REQUIRE(getenv("SKERRY_OMP_TEST_PEER") || (folder && !strncmp(info.dli_fname, folder, strlen(folder))),
            "GOMP_parallel is in %s, not below %s", info.dli_fname, folder);
    dl_iterate_phdr(look, NULL);
    REQUIRE(libraries == 1, "%d libraries with libgomp in their name", libraries);
    return 0;
}
