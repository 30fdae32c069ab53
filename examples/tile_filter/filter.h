// SPDX-License-Identifier: BSD-3-Clause
// Makes a picture look painted: each pixel becomes the mean of that quarter of its neighbourhood in which the light
// varies least (after Kuwahara 1976). Edges stay, and fur becomes brush strokes.
#pragma once

#define FILTER_RADIUS 4 // number of pixels on each side of a pixel that its result needs

// Computes the result for columns [x, x + width) and rows [y, y + height) of a picture of `columns` columns and `rows`
// rows. Pixels have three bytes. `source` begins with the pixel of column `left` and row `top` of the picture and has
// source_pitch pixels in a row. It must have all pixels around the result that are needed and lie in the picture.
void filter(unsigned char *result, int result_pitch, const unsigned char *source, int source_pitch, int left, int top,
            int x, int y, int width, int height, int columns, int rows);
