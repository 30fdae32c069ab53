// SPDX-License-Identifier: BSD-3-Clause
// Tells which instruction sets this process can use. Reads what the C library (glibc 2.33 or newer) has found out at the
// start of the process. The compiler's own functions execute the instruction CPUID some 30 times in each process. In a
// virtual machine each execution takes 2 us or more, because the hypervisor executes it.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_FEATURES_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_FEATURES_H

#include <stdbool.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

static inline bool skerry_has_avx2(void) {
    return CPU_FEATURE_ACTIVE(AVX2);
}

static inline bool skerry_has_avx512(void) {
    return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(AVX512F) &&
           CPU_FEATURE_ACTIVE(AVX512BW);
}

static inline bool skerry_has_vbmi2(void) {
    return CPU_FEATURE_ACTIVE(AVX512_VBMI2);
}
#else
static inline bool skerry_has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

static inline bool skerry_has_avx512(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw");
}

static inline bool skerry_has_vbmi2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vbmi2");
}
#endif

#endif
