// SPDX-License-Identifier: BSD-3-Clause
// Version, name and pcontrol: the queries agree with the constants, before, within and after the library's life.
#include "test.h"

static void look(void) {
    int major = -1, minor = -1;
    shmem_info_get_version(&major, &minor);
    REQUIRE(major == 1 && minor == 6 && SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6, "version %d.%d", major,
            minor);
    char name[SHMEM_MAX_NAME_LEN];
    memset(name, '~', sizeof name);
    shmem_info_get_name(name);
    REQUIRE(strcmp(name, SHMEM_VENDOR_STRING) == 0, "the name is not SHMEM_VENDOR_STRING");
    REQUIRE(strcmp(_SHMEM_VENDOR_STRING, SHMEM_VENDOR_STRING) == 0 && _SHMEM_MAJOR_VERSION == 1,
            "deprecated constants");
}

int main(void) {
    test_begin();
    look();
    for (int level = -1; level < 4; level++) shmem_pcontrol(level);
    shmem_pcontrol(5, "for a tool", 1.5, &main);
    shmem_pcontrol(1);
    return test_end();
}
