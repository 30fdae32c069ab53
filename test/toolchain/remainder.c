// SPDX-License-Identifier: BSD-3-Clause
// A remainder whose second operand GCC 12 for Epiphany loses with -Os unless it is mended (toolchain/epiphany.sh): `from` becomes
// x % x. It takes many values at once in just this order; a program that had it was cut down, and does nothing of use.
typedef long int word_type;
typedef word_type int32_t;
struct skerry_facts {
    int32_t pe_count;
};
extern const struct skerry_facts skerry_facts;
extern inline __attribute__((gnu_inline, always_inline)) int skerry_pe_count(void) {
    return skerry_facts.pe_count;
}
extern inline __attribute__((gnu_inline, always_inline)) int shmem_n_pes(void) {
    return skerry_pe_count();
}
static int failures;
static int32_t ours[64], theirs[64];
int main(void) {
    int me = shmem_my_pe(), n = shmem_n_pes();
    int to = (me + 1) % n, from = (me + n - 1) % n;
    int32_t local[64], got[64];
    int32_t *heap = shmem_malloc(256), *aligned = shmem_align(64, 256);
    for (int at = 0; at < 4; at++)
        for (int count = 0; count < 60; count += (count < 9 ? 1 : 17)) {
            for (int i = 0; i < 64; i++) {
                ours[i] = -1;
                aligned[i] = -1;
            }
            shmem_int32_put(ours + at, local + 1, count, to);
            shmem_int32_put_nbi(heap + at, theirs + 2, count, to);
            shmem_barrier_all();
            for (int i = 0; i < count; i++) {
                do {
                    if (!(ours[at + i] == from * 100 + i + 1)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 8, "wrong");
                    }
                    if (!(heap[at + i] == from * 200 + i + 2)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 8, "wrong");
                    }
                    if (!(aligned[i] == from * 100 + i)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 8, "wrong");
                    }
                } while (0);
            }
            do {
                if (!(ours[at + count] == -1)) {
                    if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 8, "wrong");
                }
            } while (0);
            do {
                if (!(heap[at + count] == -1)) {
                    if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 8, "wrong");
                }
            } while (0);
            for (int i = 0; i < count; i++) do {
                    if (!(got[i] == from * 200 + i)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 9, "wrong");
                    }
                    if (!(got[count] == -1)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 9, "wrong");
                    }
                } while (0);
            memset(got, 0xff, sizeof got);
            shmem_int32_get_nbi(got + at, theirs, count, from);
            for (int i = 0; i < count; i++) do {
                    if (!(got[at + i] == from * 200 + i)) {
                        if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 10, "wrong");
                    }
                } while (0);
            do {
                if (!(got[at + count] == -1)) {
                    if (failures++ < 3) printf("%d %d %s", shmem_my_pe(), 10, "wrong");
                }
            } while (0);
            shmem_barrier_all();
        }
    for (int o = 0; o < 8; o++)
        for (int q = 0; q < 8; q++)
            for (int count = 1; count < 100; count += 11) {
                char *d = (char *)heap, *s = (char *)theirs;
                for (int i = 0; i < 256; i++) s[i] = me * 7 + i * 3 + o;
                do {
                } while (0);
                shmem_barrier_all();
            }
    do {
        printf("PE %d of %d %s failures %d\n", shmem_my_pe(), shmem_n_pes(), "end", failures);
    } while (0);
}
