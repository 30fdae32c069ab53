// SPDX-License-Identifier: BSD-3-Clause
// Programs' threads that made regions end: their workers do not stay for ever, or a program with many of them would run out.
// smp-16 has no threads of POSIX.
// threads: 4
// flags: -pthread
// skip: smp
#include "test.h"

#include <dirent.h>
#include <pthread.h>

static int tasks_of_process(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    REQUIRE(folder, "no /proc");
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void *work(void *nothing) {
    int ran = 0;
#pragma omp parallel reduction(+ : ran)
    ran++;
    REQUIRE(ran == 4, "%d threads", ran);
    return nothing;
}

int main(void) {
    for (int round = 0; round < 200; round++) {
        pthread_t thread;
        REQUIRE(pthread_create(&thread, NULL, work, NULL) == 0, "round %d: no thread", round);
        pthread_join(thread, NULL);
    }
    // Those of the last ones may still be on their way out.
    for (int i = 0; i < 1000 && tasks_of_process() > 20; i++) usleep(10000);
    REQUIRE(tasks_of_process() <= 20, "%d threads are left", tasks_of_process());
    return 0;
}
