// SPDX-License-Identifier: BSD-3-Clause
// Defines the element-wise operators of the reductions as one small loop for each type and operation.
#ifndef SKERRY_SHMEM_COMBINE_H
#define SKERRY_SHMEM_COMBINE_H

#define SKERRY_OPERATE_and(a, b) ((a) & (b))
#define SKERRY_OPERATE_or(a, b) ((a) | (b))
#define SKERRY_OPERATE_xor(a, b) ((a) ^ (b))
#define SKERRY_OPERATE_max(a, b) ((a) > (b) ? (a) : (b))
#define SKERRY_OPERATE_min(a, b) ((a) < (b) ? (a) : (b))
#define SKERRY_OPERATE_sum(a, b) ((a) + (b))
#define SKERRY_OPERATE_prod(a, b) ((a) * (b))

// Defines the static function combine_NAME_OPERATION. Sums and products of signed integers wrap around as those of
// unsigned integers do. So the result does not depend on the order of the operands.
#define SKERRY_COMBINE(NAME, TYPE, OPERATION)                                                                          \
    static void combine_##NAME##_##OPERATION(void *accumulate, const void *operand, size_t count) {                    \
        TYPE *restrict left = accumulate;                                                                              \
        const TYPE *restrict right = operand;                                                                          \
        for (size_t i = 0; i < count; i++) left[i] = (TYPE)SKERRY_OPERATE_##OPERATION(left[i], right[i]);              \
    }

#endif
