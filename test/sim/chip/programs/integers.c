// SPDX-License-Identifier: BSD-3-Clause
// The kinds of work that CoreMark does: list, matrix, CRC, and some text. The host runs it too, and both must print the
// same.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { nodes = 40, side = 12 };

struct node {
    struct node *next;
    int value;
};

static struct node list[nodes];
static int a[side][side], b[side][side];

static uint16_t crc(uint8_t byte, uint16_t value) {
    for (int bit = 0; bit < 8; bit++) {
        const uint16_t low = (uint16_t)((byte ^ value) & 1);
        byte >>= 1;
        value >>= 1;
        if (low) value ^= 0xa001;
    }
    return value;
}

static uint16_t reverse_list(int seed, uint16_t value) {
    for (int k = 0; k < nodes; k++) {
        list[k].value = (k * 7 + seed) % 41;
        list[k].next = k + 1 < nodes ? &list[k + 1] : NULL;
    }
    struct node *reversed = NULL;
    for (struct node *n = list; n;) {
        struct node *next = n->next;
        n->next = reversed;
        reversed = n;
        n = next;
    }
    for (struct node *n = reversed; n; n = n->next) value = crc((uint8_t)n->value, value);
    return value;
}

static uint16_t multiply(int seed, uint16_t value) {
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            a[i][j] = i * j + seed;
            b[i][j] = i - j;
        }
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int sum = 0;
            for (int k = 0; k < side; k++) sum += a[i][k] * b[k][j];
            value = crc((uint8_t)sum, crc((uint8_t)(sum >> 8), value));
        }
    return value;
}

int main(void) {
    uint16_t value = 0;
    for (int round = 0; round < 2; round++) value = multiply(round, reverse_list(round, value));
    char text[32];
    sprintf(text, "%d/%u", -12345 % 77, 1234567u / 89u);
    printf("crc %04x text %s %d\n", value, text, (int)strlen(text));
    return 0;
}
