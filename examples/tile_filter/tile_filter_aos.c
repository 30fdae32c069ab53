// SPDX-License-Identifier: BSD-3-Clause
// Filters a picture tile by tile. PE 0 has the picture in its private memory and publishes it as a segment. Every PE
// takes the next tile, gets it with the pixels around it that the filter needs, and puts the result. While a PE filters
// one tile, its next tile is transferred (double buffering). A core with a small memory needs this, because it would
// otherwise wait for each tile.
//     tile_filter_aos PICTURE.png RESULT.png [TILE]
#include <aos.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../heat/picture.h"
#include "filter.h"

enum { source_id = 1, result_id, size_id, next_id };

static void must(int outcome, const char *what) {
    if (outcome == AOS_SUCCESS) return;
    fprintf(stderr, "tile_filter_aos: PE %d: %s: %s\n", aos_my_pe(), what, aos_error_text(outcome));
    exit(1);
}

static int columns, rows, tile; // size of the picture in pixels; side of a tile in pixels
static aos_segment_t source, result, next;

// A tile that is transferred: its place in the picture, and its pixels. The pixels around the tile that the filter
// needs and that lie in the picture are transferred too.
struct piece {
    int x, y, width, height;
    aos_point2d_t inside;  // place in the buffer
    aos_point2d_t picture; // place in the picture
    unsigned char *pixels;
    aos_event_t arrived;
};

static int pitch(void) {
    return tile + 2 * FILTER_RADIUS;
}

// Takes the next tile and begins to get it. Returns 0 if no tile is left.
static int begin(struct piece *piece) {
    int64_t number;
    int across = (columns + tile - 1) / tile, down = (rows + tile - 1) / tile;
    must(aos_fetchadd(&next, 0, 1, &number, NULL), "the next tile");
    if (number >= (int64_t)across * down) return 0;
    piece->x = (int)number % across * tile, piece->y = (int)number / across * tile;
    piece->width = piece->x + tile < columns ? tile : columns - piece->x;
    piece->height = piece->y + tile < rows ? tile : rows - piece->y;
    int left = piece->x < FILTER_RADIUS ? 0 : piece->x - FILTER_RADIUS;
    int top = piece->y < FILTER_RADIUS ? 0 : piece->y - FILTER_RADIUS;
    int right = piece->x + piece->width + FILTER_RADIUS, bottom = piece->y + piece->height + FILTER_RADIUS;
    if (right > columns) right = columns;
    if (bottom > rows) bottom = rows;
    piece->inside = (aos_point2d_t){.xpos = 0, .ypos = 0, .xdim = pitch(), .ydim = pitch()};
    piece->picture = (aos_point2d_t){.xpos = left, .ypos = top, .xdim = columns, .ydim = rows};
    must(aos_get_block2d(piece->pixels, &piece->inside, &source, 0, &piece->picture, 3, right - left, bottom - top,
                         &piece->arrived),
         "to get a tile");
    return 1;
}

static void finish(struct piece *piece, unsigned char *done, aos_event_t *sent) {
    must(aos_event_wait(&piece->arrived), "to get a tile");
    must(aos_event_wait(sent), "to put a tile"); // the put of the previous tile, from the same buffer
    filter(done, tile, piece->pixels, pitch(), piece->picture.xpos, piece->picture.ypos, piece->x, piece->y,
           piece->width, piece->height, columns, rows);
    aos_point2d_t from = {.xpos = 0, .ypos = 0, .xdim = tile, .ydim = tile};
    aos_point2d_t to = {.xpos = piece->x, .ypos = piece->y, .xdim = columns, .ydim = rows};
    must(aos_put_block2d(done, &from, &result, 0, &to, 3, piece->width, piece->height, sent), "to put a tile");
}

static int work(void) {
    struct piece pieces[2] = {{.pixels = malloc((size_t)pitch() * (size_t)pitch() * 3)},
                              {.pixels = malloc((size_t)pitch() * (size_t)pitch() * 3)}};
    unsigned char *done = malloc((size_t)tile * (size_t)tile * 3);
    aos_event_t sent = {0}; // no put is in progress
    int count = 0, at = 0;
    if (!pieces[0].pixels || !pieces[1].pixels || !done) must(AOS_ERROR_MEMORY, "tiles");
    for (int more = begin(&pieces[0]); more; at = !at, count++) {
        more = begin(&pieces[!at]);
        finish(&pieces[at], done, &sent);
    }
    must(aos_event_wait(&sent), "to put a tile");
    must(aos_fence(&result, NULL), "to complete");
    free(done);
    free(pieces[0].pixels);
    free(pieces[1].pixels);
    return count;
}

static int holds(const Picture *before, const Picture *after) {
    size_t bytes = before->width * before->height * 3;
    unsigned char *expected = malloc(bytes);
    if (!expected) return 0;
    filter(expected, columns, before->pixels, columns, 0, 0, 0, 0, columns, rows, columns, rows);
    int equal = memcmp(expected, after->pixels, bytes) == 0;
    free(expected);
    return equal;
}

int main(int argument_count, char **arguments) {
    must(aos_init(0), "aos_init");
    int me = aos_my_pe(), pes = aos_pe_count();
    tile = argument_count > 3 ? atoi(arguments[3]) : 32;
    if (argument_count < 3 || tile < 1 || tile > 4096) {
        if (me == 0) {
            fprintf(stderr, "usage: tile_filter_aos PICTURE.png RESULT.png [TILE]\n");
            exit(2);
        }
        must(aos_finalize(), "aos_finalize"); // waits until PE 0 has ended the job
        return 2;
    }
    Picture before = {0}, after = {0};
    int64_t size[2] = {0}, tiles_taken = 0, tiles_done[2] = {0};
    aos_segment_t sizes;
    if (me == 0) {
        if (!picture_may_be_written(arguments[2]) || !picture_read(arguments[1], &before)) exit(1);
        size_t bytes = before.width * before.height * 3;
        after = before;
        after.pixels = malloc(bytes);
        if (!after.pixels) must(AOS_ERROR_MEMORY, "the result");
        size[0] = (int64_t)before.width, size[1] = (int64_t)before.height;
        must(aos_segment_create(&source, source_id, before.pixels, bytes, NULL), "the picture");
        must(aos_segment_create(&result, result_id, after.pixels, bytes, NULL), "the result");
        must(aos_segment_create(&next, next_id, &tiles_taken, sizeof tiles_taken, NULL), "the next tile");
        must(aos_segment_create(&sizes, size_id, size, sizeof size, NULL), "the size");
    } else {
        must(aos_segment_clone(&sizes, size_id, 0), "the size");
        must(aos_segment_clone(&source, source_id, 0), "the picture");
        must(aos_segment_clone(&result, result_id, 0), "the result");
        must(aos_segment_clone(&next, next_id, 0), "the next tile");
        must(aos_get(size, &sizes, 0, sizeof size, NULL), "the size");
    }
    columns = (int)size[0], rows = (int)size[1];
    int count = work();

    // Each PE adds the number of tiles that it has done to the first word of `totals`, and 1 to the second word. PE 0
    // then waits until the second word is the number of PEs.
    aos_segment_t totals;
    if (me == 0) must(aos_segment_create(&totals, 5, tiles_done, sizeof tiles_done, NULL), "the totals");
    else must(aos_segment_clone(&totals, 5, 0), "the totals");
    must(aos_postadd(&totals, 0, count), "to tell");
    must(aos_postadd(&totals, 8, 1), "to tell");
    int wrong = 0;
    if (me == 0) {
        aos_event_t all;
        must(aos_event_set(&all, &tiles_done[1], AOS_EQUAL, pes), "to wait");
        must(aos_event_wait(&all), "to wait");
        wrong = !holds(&before, &after);
        printf("tile_filter_aos: %d x %d pixels, %lld tiles of %d, %d PEs, PE 0 did %d: %s\n", columns, rows,
               (long long)tiles_done[0], tile, pes, count, wrong ? "WRONG" : "right");
        if (!picture_write(arguments[2], &after)) wrong = 1;
    }
    must(aos_finalize(), "aos_finalize");
    free(before.pixels);
    if (me == 0) free(after.pixels);
    return wrong;
}
