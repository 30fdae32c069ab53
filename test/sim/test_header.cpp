// SPDX-License-Identifier: BSD-3-Clause
// Is empty: the target sim_test_header only makes the precompiled header of all tests here.
