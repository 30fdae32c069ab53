// SPDX-License-Identifier: BSD-3-Clause
// A region of three threads, each of which makes a task.
int main(void) {
    int threads = 0;
#pragma omp parallel
#pragma omp task shared(threads)
#pragma omp atomic
    threads++;
    return threads == 3 ? 0 : 1;
}
