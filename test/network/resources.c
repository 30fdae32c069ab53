// SPDX-License-Identifier: BSD-3-Clause
// Prints what a PE takes of its node (resources.sh). In jobs of 3 PEs a node or more PE 2 is not a port.
//     resources            memory KB             of PE 2, which has not used the network
//     resources connect    descriptors N SOCKETS PEERS   of PE 2 after it has put to a PE of each of PEERS other nodes
//     resources modules    modules N             mappings of UCX's modules for InfiniBand in PE 2
#include <shmem.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long word;

// Returns the memory of this process that is not code, in KB. Memory that n processes share counts for one n-th.
static long kilobytes(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[200];
    long sum = 0, value;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Pss_Anon: %ld", &value) == 1 || sscanf(line, "Pss_Shmem: %ld", &value) == 1) sum += value;
    if (file) fclose(file);
    return sum;
}

// Counts the descriptors of this process, and how many of them are sockets, when UCX has made all its connections.
static int descriptors(int *sockets) {
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    DIR *folder = opendir("/proc/self/fd");
    int count = -1; // opendir's own
    char target[100] = "";
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        count++;
        *sockets +=
            readlinkat(dirfd(folder), entry->d_name, target, sizeof target) > 6 && memcmp(target, "socket", 6) == 0;
    }
    if (folder) closedir(folder);
    return count;
}

static int infiniband_mappings(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    char line[1000];
    int mappings = 0;
    while (file && fgets(line, sizeof line, file)) mappings += strstr(line, "uct_ib") || strstr(line, "uct_rdmacm");
    if (file) fclose(file);
    return mappings;
}

int main(int count, char **words) {
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 2 && count == 1) printf("memory %ld\n", kilobytes());
    const int modules = count > 1 && strcmp(words[1], "modules") == 0;
    if (shmem_my_pe() == 2 && modules) printf("modules %d\n", infiniband_mappings());
    if (shmem_my_pe() == 2 && count > 1 && !modules) {
        int peers = 0, sockets = 0;
        for (int pe = 0; pe < shmem_n_pes(); pe += 3) {
            shmem_long_p(&word, 1, pe);
            shmem_quiet();
            peers += shmem_ptr(&word, pe) == NULL;
        }
        const int all = descriptors(&sockets);
        printf("descriptors %d %d %d\n", all, sockets, peers);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
