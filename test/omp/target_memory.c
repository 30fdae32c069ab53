// SPDX-License-Identifier: BSD-3-Clause
// The routines on device memory, where the only device is the host.
// threads: 1
#include "test.h"
#include "gomp.h"

static void added(void *data) {
    ++**(int **)data;
}

int main(void) {
    int host = omp_get_initial_device();
    REQUIRE(omp_get_num_devices() == 0 && host == 0 && omp_get_device_num() == host && omp_is_initial_device(),
            "%d devices, the initial one is %d, this is %d", omp_get_num_devices(), host, omp_get_device_num());
    omp_set_default_device(3);
    REQUIRE(omp_get_default_device() == 3, "default device %d", omp_get_default_device());
    omp_set_default_device(host);
    int *memory = omp_target_alloc(100 * sizeof(int), host), back[100];
    REQUIRE(memory && omp_target_is_present(memory, host), "no memory");
    for (int i = 0; i < 100; i++) back[i] = i;
    REQUIRE(omp_target_memcpy(memory, back, 50 * sizeof(int), 10 * sizeof(int), 20 * sizeof(int), host, host) == 0,
            "memcpy");
    for (int i = 0; i < 50; i++) REQUIRE(memory[10 + i] == 20 + i, "memcpy: element %d is %d", i, memory[10 + i]);
    size_t volume[2] = {3, 4}, to_at[2] = {1, 2}, from_at[2] = {0, 3}, to_size[2] = {10, 10}, from_size[2] = {5, 20};
    memset(memory, 0, 100 * sizeof(int));
    REQUIRE(omp_target_memcpy_rect(memory, back, sizeof(int), 2, volume, to_at, from_at, to_size, from_size, host,
                                   host) == 0,
            "memcpy_rect");
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            bool inside = i >= 1 && i < 4 && j >= 2 && j < 6;
            int right = inside ? (i - 1) * 20 + j - 2 + 3 : 0;
            REQUIRE(memory[i * 10 + j] == right, "memcpy_rect: %d %d is %d, not %d", i, j, memory[i * 10 + j], right);
        }
    REQUIRE(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3,
            "too few dimensions");
    REQUIRE(omp_target_associate_ptr(back, memory, sizeof back, 0, host) != 0,
            "the host's memory associated with itself");
    REQUIRE(omp_target_disassociate_ptr(back, host) != 0, "and disassociated");
    omp_target_free(memory, host);
    omp_target_free(NULL, host);
    REQUIRE(omp_pause_resource(omp_pause_soft, host) == 0 && omp_pause_resource_all(omp_pause_soft) == 0, "pause");
    // What compilers emitted before OpenMP 4.5.
    int number = 1;
    void *addresses[1] = {&number};
    size_t sizes[1] = {sizeof number};
    unsigned char kinds[1] = {3};
    GOMP_target_data(-1, NULL, 1, addresses, sizes, kinds);
    GOMP_target(-1, added, NULL, 1, addresses, sizes, kinds);
    GOMP_target_update(-1, NULL, 1, addresses, sizes, kinds);
    GOMP_target_end_data();
    REQUIRE(number == 2, "the old entry points: %d", number);
    GOMP_teams(2, 2);
    // Images for devices that are not there are kept for nobody.
    static void *table[4];
    GOMP_offload_register_ver(0, table, 5, table);
    GOMP_offload_unregister_ver(0, table, 5, table);
    GOMP_offload_register(table, 5, table);
    GOMP_offload_unregister(table, 5, table);
    return 0;
}
