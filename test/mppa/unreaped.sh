# SPDX-License-Identifier: BSD-3-Clause
# A put to a program that has ended, before the master has noticed its end: it returns -1 as soon as the master has noticed.
. "$(dirname "$0")/common.sh"
io unreaped_io
cluster unreaped_cluster
run ./unreaped_io
expect_code 0
expect_out 'put -1, at once'
expect_gone unreaped_cluster
finish
