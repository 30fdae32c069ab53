// SPDX-License-Identifier: BSD-3-Clause
// The barriers inside the memory routines: whoever has its new block may put into anybody's, and a put made before
// shmem_free or shmem_realloc has arrived before the block changes hands.
#include "test.h"

int main(void) {
    test_begin();
    int rounds = test_rounds(1500);
    for (long round = 0; round < rounds; round++) {
        long *block = shmem_malloc(3 * sizeof *block);
        REQUIRE(block, "no memory");
        shmem_long_p(&block[0], round * 10 + me, right_of(me)); // the neighbour's block exists
        block = shmem_realloc(block, round % 2 ? 5000 : 20);
        REQUIRE(block && block[0] == round * 10 + left_of(me), "a put made before shmem_realloc is missing");
        shmem_long_p(&block[1], 7, right_of(me));
        shmem_free(block);
        unsigned char *zeros = shmem_calloc(1, 24); // likely the same place
        for (int i = 0; i < 24; i++) REQUIRE(!zeros[i], "a put from before shmem_free arrived in the next block");
        shmem_free(zeros);
    }
    return test_end();
}
