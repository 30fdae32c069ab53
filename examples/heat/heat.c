// SPDX-License-Identifier: BSD-3-Clause
// Heat in a picture, on any number of PEs: a field that begins as a photograph and ends as a painting. diffusion.c has
// the physics and tile.c the parallel part. In this file PE 0 reads the picture, all PEs compute the steps, and PE 0
// writes and checks the result.
#include "diffusion.h"
#include "options.h"
#include "picture.h"
#include "progress.h"
#include "tile.h"

#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Symmetric variables.
// The width and height of the picture, or 0 if PE 0 could not read it. PE 0 stores them in `found`; a broadcast copies
// them into `size` on all PEs.
static uint64_t found[2], size[2];
static float my_change, change;           // largest change at the last check: of this PE, of all PEs
static double my_work[3], work_of_all[3]; // processor seconds: computing and communicating in sampled steps; all steps

static void *must(void *memory) {
    if (memory != NULL) return memory;
    fprintf(stderr, "heat: not enough memory\n");
    shmem_global_exit(1);
    abort();
}

static void to_field(const Picture *picture, Shape shape, float *field) {
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (size_t c = 0; c < colours; c++)
                field[shape_at(shape, x + 1, y + 1) + c * shape.pitch] =
                    (float)picture->pixels[(y * shape.width + x) * colours + c];
    insulate(shape, field);
}

static void to_picture(Shape shape, const float *field, const Picture *picture) {
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (size_t c = 0; c < colours; c++) {
                const float colour = field[shape_at(shape, x + 1, y + 1) + c * shape.pitch];
                picture->pixels[(y * shape.width + x) * colours + c] =
                    (unsigned char)lrintf(fminf(fmaxf(colour, 0), 255));
            }
}

// Returns true if the job checks the largest change in this step.
static int time_to_look(const Options *options, uint64_t step) {
    return step % options->between_looks == 0 || step == options->steps;
}

// Returns true if the picture has stopped changing. The decision uses a maximum, which does not depend on the order of
// the numbers. So a single PE that computes the whole picture stops at the same step as many PEs.
static int at_rest(const Options *options) {
    return options->tolerance > 0 && change <= options->tolerance;
}

// Computes the steps. Returns their number.
static uint64_t solve_together(Tile *tile, const Options *options, Work *work) {
    Progress progress = progress_start("heat", options->steps);
    if (shmem_my_pe() != 0) progress.columns = 0;
    uint64_t step = 0;
    while (step < options->steps) {
        tile_step(tile, options->medium, ++step, work);
        if (!time_to_look(options, step)) continue;
        my_change = largest_change(tile->shape, tile->field[(step - 1) % 2], tile->field[step % 2]);
        shmem_float_max_reduce(SHMEM_TEAM_WORLD, &change, &my_change, 1);
        progress_show(&progress, step);
        if (at_rest(options)) break;
    }
    progress_end(&progress);
    return step;
}

// Computes the same steps on one PE without communication. The result is in fields[steps % 2].
static uint64_t solve_alone(Shape shape, float *fields[2], const Options *options) {
    Progress progress = progress_start("check, on one PE", options->steps);
    uint64_t step = 0;
    while (step < options->steps) {
        const float *before = fields[step % 2];
        float *after = fields[++step % 2];
        diffuse(options->medium, shape, before, after, 1, shape.width + 1, 1, shape.height + 1);
        insulate(shape, after);
        if (!time_to_look(options, step)) continue;
        change = largest_change(shape, before, after);
        progress_show(&progress, step);
        if (at_rest(options)) break;
    }
    progress_end(&progress);
    return step;
}

// Returns the number of colours that differ in any bit.
static size_t count_differences(Shape shape, const float *one, const float *other) {
    size_t different = 0;
    for (size_t row = colours; row < (shape.height + 1) * colours; row++)
        for (size_t x = 1; x <= shape.width; x++)
            different += memcmp(one + row * shape.pitch + x, other + row * shape.pitch + x, sizeof *one) != 0;
    return different;
}

static int check(Shape shape, const Picture *start, const float *result, const Options *options, uint64_t steps,
                 double elapsed) {
    float *fields[2] = {must(calloc(shape_length(shape), sizeof(float))),
                        must(calloc(shape_length(shape), sizeof(float)))};
    to_field(start, shape, fields[0]);
    const double began = seconds();
    const uint64_t steps_alone = solve_alone(shape, fields, options);
    const double alone = seconds() - began;
    const size_t different = count_differences(shape, result, fields[steps_alone % 2]);
    free(fields[0]);
    free(fields[1]);
    if (steps_alone != steps || different != 0) {
        fprintf(stderr, "heat: WRONG: one PE alone took %llu steps, and %zu of %zu colours differ\n",
                (unsigned long long)steps_alone, different, shape.width * shape.height * colours);
        return 0;
    }
    printf("heat: checked: one PE alone needs %.2f s (%.2f times as long) for the same %zu colours, bit for bit\n",
           alone, alone / elapsed, shape.width * shape.height * colours);
    return 1;
}

static void report(Shape shape, uint64_t steps, double elapsed) {
    const double pixels = (double)(shape.width * shape.height) * (double)steps;
    printf("heat: %llu steps in %.2f s: %.0f steps/s, %.0f million pixels/s; largest change in the last step %.2g\n",
           (unsigned long long)steps, elapsed, (double)steps / elapsed, pixels / elapsed * 1e-6, (double)change);
    const double work = work_of_all[0] + work_of_all[1];
    if (work > 0)
        printf("heat: processor time of all PEs: %.2f s, of which %.1f %% communicating and waiting\n", work_of_all[2],
               100 * work_of_all[1] / work);
}

// Checks and writes the result. Called by PE 0 when the whole result has arrived. Returns true if all is right.
static int finish(Shape shape, Picture *picture, const float *result, const Options *options, uint64_t steps,
                  double elapsed) {
    const double pixels = (double)(shape.width * shape.height * colours);
    float *start = must(calloc(shape_length(shape), sizeof(float)));
    to_field(picture, shape, start);
    const double mean_before = heat_inside(shape, start) / pixels, mean_after = heat_inside(shape, result) / pixels;
    free(start);
    report(shape, steps, elapsed);
    // Rounding changes a colour by less than one part in 2^24 in a step, up in some steps and down in others. So a
    // change of the mean by 0.05 or more (of 255) does not come from rounding, but from an error.
    const int conserved = fabs(mean_after - mean_before) < 0.05;
    printf("heat: mean colour %.3f before, %.3f after\n", mean_before, mean_after);
    fflush(stdout);
    if (!conserved) fprintf(stderr, "heat: WRONG: the mean colour must stay the same\n");
    const int right = conserved && (!options->check || check(shape, picture, result, options, steps, elapsed));
    to_picture(shape, result, picture);
    const int written = picture_write(options->output, picture);
    if (written) printf("heat: wrote %s\n", options->output);
    return right && written;
}

// Runs the whole job. Returns 1 on PE 0 if the result is right and written. Returns 1 on every other PE.
static int run(const Options *options, Picture *picture) {
    const int me = shmem_my_pe();
    const Shape shape = shape_of(size[0], size[1]);
    float *whole = shmem_malloc(shape_length(shape) * sizeof(float)); // used by PE 0 only; untouched pages cost nothing
    Tile tile;
    const char *complaint =
        whole == NULL ? "not enough symmetric memory (oshrun --heap SIZE gives more)" : tile_create(&tile, shape);
    if (complaint != NULL) {
        if (me == 0) fprintf(stderr, "heat: %zu x %zu pixels: %s\n", shape.width, shape.height, complaint);
        return me != 0;
    }
    if (me == 0) {
        to_field(picture, shape, whole);
        printf("heat: %s, %zu x %zu pixels, on %d PEs as %zu x %zu\n", options->input, shape.width, shape.height,
               shmem_n_pes(), tile.columns, tile.rows);
        fflush(stdout);
    }
    shmem_barrier_all(); // now PE 0's field is complete
    tile_load(&tile, shape, whole);
    shmem_barrier_all(); // now every PE has its part

    Work work = {0, 0};
    const double began = seconds(), used = processor_seconds();
    const uint64_t steps = solve_together(&tile, options, &work);
    const double elapsed = seconds() - began; // the last step ended with a reduction
    tile_store(&tile, shape, whole, steps);
    my_work[0] = work.computing;
    my_work[1] = work.communicating;
    my_work[2] = processor_seconds() - used;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, work_of_all, my_work, 3);
    shmem_barrier_all(); // now the result is complete
    const int well = me != 0 || finish(shape, picture, whole, options, steps, elapsed);
    tile_destroy(&tile);
    shmem_free(whole);
    return well;
}

int main(int argc, char **argv) {
    shmem_init();
    const int me = shmem_my_pe();
    Options options;
    int well = options_read(&options, argc, argv, me == 0);
    if (well && options.help) {
        if (me == 0) options_help();
    } else if (well) {
        Picture picture = {0, 0, NULL};
        if (me == 0 && (well = picture_may_be_written(options.output) && picture_read(options.input, &picture)) != 0) {
            found[0] = picture.width;
            found[1] = picture.height;
        }
        shmem_uint64_broadcast(SHMEM_TEAM_WORLD, size, found, 2, 0);
        if (size[0] != 0) well = run(&options, &picture);
        free(picture.pixels);
    }
    shmem_finalize();
    return well ? 0 : 1;
}
