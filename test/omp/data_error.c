// SPDX-License-Identifier: BSD-3-Clause
// A wrong argument of <skerry_omp.h> ends the program with one line. The program's argument says which.
// args: buffer
// threads: 1
// expect-exit: 1
// expect-stderr: skerry_omp_chunks_begin: an element of 8 bytes must have at least 1 byte and fit in a part of 7 bytes of the buffer
#include <skerry_omp.h>

#include "test.h"

int main(int count, char **arguments) {
    double array[4] = {0}, buffer[4];
    const char *wrong = count > 1 ? arguments[1] : "";
    skerry_omp_chunks_t chunks = {0};
    skerry_omp_counter_t counter = {0};
    if (strcmp(wrong, "buffer") == 0)
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_READ, array, 4, sizeof *array, buffer, 15);
    if (strcmp(wrong, "update") == 0)
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_UPDATE, array, 4, sizeof *array, buffer, 23);
    if (strcmp(wrong, "zero") == 0)
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_READ, array, 4, 0, buffer, sizeof buffer);
    if (strcmp(wrong, "mode") == 0)
        skerry_omp_chunks_begin(&chunks, (skerry_omp_mode_t)7, array, 4, sizeof *array, buffer, sizeof buffer);
    if (strcmp(wrong, "null") == 0)
        skerry_omp_chunks_begin(&chunks, SKERRY_OMP_READ, NULL, 4, sizeof *array, buffer, sizeof buffer);
    if (strcmp(wrong, "next") == 0) skerry_omp_chunks_next(&chunks);
    if (strcmp(wrong, "overlap") == 0) skerry_omp_put_begin(&counter, array + 1, array, 16);
    if (strcmp(wrong, "address") == 0) skerry_omp_get_begin(&counter, buffer, NULL, 16);
    skerry_omp_complete(&counter);
    return 0;
}
