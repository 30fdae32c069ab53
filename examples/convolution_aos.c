// SPDX-License-Identifier: BSD-3-Clause
// A layer of a neural network: a convolution whose weights do not fit into the memory of a PE that works. PE 0 has all weights,
// as the node with the large memory, and gets the results. Each other PE has some rows of the input. The weights of the next
// output channels arrive while the PE computes the present ones, and the results of the last ones leave (double buffering).
// With one PE, PE 0 computes itself.
//     convolution_aos [OUTPUTS]: the number of output channels, a multiple of 16, at most 1024
#include <aos.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define PARALLEL_FOR(...) PRAGMA(omp parallel for __VA_ARGS__)
#else
#define PARALLEL_FOR(...)
#endif

enum { width = 8, height = 8, inputs = 32, most_outputs = 1024, taps = 9, group = 16 };
enum { pitch = width + 2, most_rows = height + 2 }; // with a margin of zeros
enum { weights_id = 1, results_id, totals_id };
typedef float filters[group][inputs][taps]; // the weights of a group of output channels
typedef float rows_of_group[group][width];  // a row of its results, so that the rows of a PE lie together

// Numbers are small integers, so that every order of additions has the same result.
static float input[inputs][most_rows][pitch]; // rows of this PE, and one more on each side
static filters arriving[2];                   // the weights of this group and of the next one
static rows_of_group leaving[2][height];      // the results of this group and of the last one
static int64_t done[2];                       // of PE 0: PEs that are ready, and PEs whose results are right

static void must(int outcome, const char *what) {
    if (outcome == AOS_SUCCESS) return;
    fprintf(stderr, "convolution_aos: PE %d: %s: %s\n", aos_my_pe(), what, aos_error_text(outcome));
    exit(1);
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory) return memory;
    fprintf(stderr, "convolution_aos: PE %d: no memory for %zu bytes\n", aos_my_pe(), bytes);
    exit(1);
}

static float input_of(int channel, int y, int x) {
    return y < 0 || y >= height || x < 0 || x >= width ? 0 : (float)(((channel * 7 + y * 5 + x * 3) & 15) - 8);
}

static float weight_of(int output, int channel, int tap) {
    return (float)(((output * 11 + channel * 5 + tap * 3) & 7) - 4);
}

// Computes one row of one output channel.
static void convolve_row(float *result, int row, const float (*filter)[taps]) {
    for (int x = 0; x < width; x++) result[x] = 0;
    for (int channel = 0; channel < inputs; channel++)
        for (int tap = 0; tap < taps; tap++) {
            const float weight = filter[channel][tap], *from = &input[channel][row + tap / 3][tap % 3];
            for (int x = 0; x < width; x++) result[x] += weight * from[x];
        }
}

static void convolve(rows_of_group *result, const filters *filter, int rows) {
    PARALLEL_FOR(collapse(2))
    for (int output = 0; output < group; output++)
        for (int row = 0; row < rows; row++) convolve_row(result[row][output], row, (*filter)[output]);
}

// Returns the offset of a row of a group's results.
static uint64_t place_of(int number, int row) {
    return (uint64_t)(number * height + row) * sizeof(rows_of_group);
}

static void work(int groups, int first_row, int rows, const aos_segment_t *source, const aos_segment_t *target) {
    aos_event_t arrived[2], sent[2] = {0}; // no put is in progress
    must(aos_get(arriving[0], source, 0, sizeof(filters), &arrived[0]), "to get weights");
    for (int k = 0, at = 0; k < groups; k++, at = !at) {
        if (k + 1 < groups) {
            must(aos_get(arriving[!at], source, (uint64_t)(k + 1) * sizeof(filters), sizeof(filters), &arrived[!at]),
                 "to get weights");
        }
        must(aos_event_wait(&arrived[at]), "to get weights");
        must(aos_event_wait(&sent[at]), "to put results");
        convolve(leaving[at], &arriving[at], rows);
        must(aos_put(leaving[at], target, place_of(k, first_row), (size_t)rows * sizeof(rows_of_group), &sent[at]),
             "to put results");
    }
    for (int at = 0; at < 2; at++) must(aos_event_wait(&sent[at]), "to put results");
    must(aos_fence(target, NULL), "to complete");
}

// Compares rows of the results of one group with those of a plain program. Returns 1 if they are right.
static int check_group(const rows_of_group *result, int number, int rows) {
    int right = 1;
    PARALLEL_FOR(reduction(&& : right))
    for (int output = 0; output < group; output++) {
        float filter[inputs][taps];
        for (int channel = 0; channel < inputs; channel++)
            for (int tap = 0; tap < taps; tap++)
                filter[channel][tap] = weight_of(number * group + output, channel, tap);
        for (int row = 0; row < rows; row++)
            for (int x = 0; x < width; x++) {
                float sum = 0;
                for (int channel = 0; channel < inputs; channel++)
                    for (int dy = 0; dy < 3; dy++)
                        for (int dx = 0; dx < 3; dx++)
                            sum += filter[channel][3 * dy + dx] * input[channel][row + dy][x + dx];
                right = right && result[row][output][x] == sum;
            }
    }
    return right;
}

// Gets this PE's rows of the results, group by group, and compares them. Returns 1 if they are right.
static int check(int groups, int first_row, int rows, const aos_segment_t *target) {
    int right = 1;
    for (int k = 0; k < groups; k++) {
        must(aos_get(leaving[0], target, place_of(k, first_row), (size_t)rows * sizeof(rows_of_group), NULL),
             "to get results");
        right &= check_group(leaving[0], k, rows);
    }
    return right;
}

static void fill(filters *weights, int outputs) {
    PARALLEL_FOR()
    for (int output = 0; output < outputs; output++)
        for (int channel = 0; channel < inputs; channel++)
            for (int tap = 0; tap < taps; tap++)
                weights[output / group][output % group][channel][tap] = weight_of(output, channel, tap);
}

int main(int argument_count, char **arguments) {
    must(aos_init(0), "aos_init");
    int me = aos_my_pe(), pes = aos_pe_count(), outputs = argument_count > 1 ? atoi(arguments[1]) : 64;
    if (outputs < group || outputs > most_outputs || outputs % group != 0) {
        if (me == 0) {
            fprintf(stderr, "convolution_aos: output channels must be a multiple of %d, up to %d\n", group,
                    most_outputs);
            exit(2);
        }
        must(aos_finalize(), "aos_finalize"); // waits until PE 0 has ended the job
        return 2;
    }
    int workers = pes > 1 ? pes - 1 : 1, worker = pes > 1 ? me - 1 : 0, groups = outputs / group; // PE 0: -1
    int first_row = worker * height / workers, rows = (worker + 1) * height / workers - first_row;
    for (int channel = 0; channel < inputs; channel++)
        for (int y = 0; y < rows + 2; y++)
            for (int x = 0; x < pitch; x++) input[channel][y][x] = input_of(channel, first_row + y - 1, x - 1);
    aos_segment_t source, target, totals;
    if (me == 0) {
        size_t weight_bytes = (size_t)groups * sizeof(filters),
               bytes = (size_t)(groups * height) * sizeof(rows_of_group);
        filters *weights = allocate(weight_bytes);
        fill(weights, outputs);
        must(aos_segment_create(&source, weights_id, weights, weight_bytes, NULL), "the weights");
        must(aos_segment_create(&target, results_id, allocate(bytes), bytes, NULL), "the results");
        must(aos_segment_create(&totals, totals_id, done, sizeof done, NULL), "the totals");
    } else {
        must(aos_segment_clone(&source, weights_id, 0), "the weights");
        must(aos_segment_clone(&target, results_id, 0), "the results");
        must(aos_segment_clone(&totals, totals_id, 0), "the totals");
    }
    if (worker >= 0) {
        work(groups, first_row, rows, &source, &target);
        must(aos_postadd(&totals, 8, check(groups, first_row, rows, &target)), "to tell");
        must(aos_postadd(&totals, 0, 1), "to tell");
    }
    int wrong = 0;
    if (me == 0) {
        aos_event_t all;
        must(aos_event_set(&all, &done[0], AOS_EQUAL, workers), "to wait");
        must(aos_event_wait(&all), "to wait");
        wrong = done[1] != workers;
        printf("convolution_aos: %d channels to %d of %d x %d, %d PEs: %s\n", inputs, outputs, width, height, pes,
               wrong ? "WRONG" : "right");
    }
    must(aos_finalize(), "aos_finalize");
    return wrong;
}
