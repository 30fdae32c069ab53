// SPDX-License-Identifier: BSD-3-Clause
// Functions of several files and images: f_rpc of another file by its prototype, a function of a shared library, and one of the
// same name in the library and in the program.
#include "rpc.h"

#include "parts/parts.h"

static long data[1];

static long same_name(long *at) {
    (void)at;
    return 1000 + shmem_my_pe();
}
RPC(same_name)

int main(void) {
    test_begin();
    data[0] = me;
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        long *at = address_at(data, pe);
        REQUIRE(of_other_file_rpc(at, 5) == 5 + pe, "a function of another file");
        REQUIRE(of_library_rpc(at, 7) == 70 + pe, "a function of a shared library");
        REQUIRE(same_name_rpc(at) == 1000 + pe, "the program's own function: %ld", same_name_rpc(at));
        REQUIRE(call_same_name_of_library(at) == 2000 + pe, "the library's: %ld", call_same_name_of_library(at));
        REQUIRE(of_other_file_rpc(at, 5) == 5 + pe, "again");
    }
    return test_end();
}
