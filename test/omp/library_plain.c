// SPDX-License-Identifier: BSD-3-Clause
// A program without OpenMP that opens a library with it, from several threads, and closes it at the end.
// smp-16 has no shared libraries.
// threads: 1 2 4
// flags: -pthread -fno-openmp
// skip: smp
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*library_sum)(int);
static int wrong;

static void *work(void *nothing) {
    for (int i = 0; i < 20; i++) __atomic_fetch_add(&wrong, library_sum(100) != 4950, __ATOMIC_SEQ_CST);
    return nothing;
}

int main(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 40);
    if (length <= 0) return 1;
    path[length] = 0;
    strcpy(strrchr(path, '/') + 1, "libomp_test_library.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) *(void **)&library_sum = dlsym(library, "library_sum");
    if (!library || !library_sum) {
        fprintf(stderr, "library_plain: %s\n", dlerror());
        return 1;
    }
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    if (wrong) {
        fprintf(stderr, "library_plain: %d wrong sums\n", wrong);
        return 1;
    }
    dlclose(library);
    return 0;
}
