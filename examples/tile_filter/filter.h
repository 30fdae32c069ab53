// SPDX-License-Identifier: BSD-3-Clause
// A picture as if painted: each pixel becomes the mean of that quarter of its neighbourhood in which the light varies least
// (after Kuwahara 1976). Edges stay, fur becomes brush strokes.
#pragma once

#define FILTER_RADIUS 4 // pixels that a result needs around it

// Pixels of three bytes. The result for columns [x, x + width) and rows [y, y + height) of a picture of so many columns and
// rows. `source` has the pixel of column left and row top of the picture first, source_pitch pixels a row, and all that is needed
// around, as far as the picture goes.
void filter(unsigned char *result, int result_pitch, const unsigned char *source, int source_pitch, int left, int top,
            int x, int y, int width, int height, int columns, int rows);
