// SPDX-License-Identifier: BSD-3-Clause
// Defines the unsigned integer types by which the bodies over the size of an element load and store elements of any
// type of this size: the compiler assumes that they can access objects of every type.
#ifndef SKERRY_SHMEM_ELEMENT_H
#define SKERRY_SHMEM_ELEMENT_H

#include <stdint.h>

typedef uint8_t __attribute__((may_alias)) skerry_element_8;
typedef uint16_t __attribute__((may_alias)) skerry_element_16;
typedef uint32_t __attribute__((may_alias)) skerry_element_32;
typedef uint64_t __attribute__((may_alias)) skerry_element_64;

#endif
