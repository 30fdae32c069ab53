# SPDX-License-Identifier: BSD-3-Clause
# A host program starts an I/O program: messages in both directions, arguments, exit codes, and where the program is searched for.
. "$(dirname "$0")/common.sh"
mkdir bin
host pcie_host
io pcie_io
run ./pcie_io alone
expect_code 0 "without a host program"
mv pcie_io bin
for start in ./pcie_host "$oshrun -n 1 ./pcie_host"; do
    # shellcheck disable=SC2086
    run $start twice bin/all.mpk pcie_io
    expect_code 0 "$start twice"
    expect_line 'skerry: pcie_load_io_exec: cannot start pcie_io: the I/O program that was started on this device before still runs'
done
run ./pcie_host messages bin/all.mpk pcie_io
expect_code 12 messages
expect_out "the I/O program has ended: 12"
expect_silence
run ./pcie_host exit bin/all.mpk pcie_io say "two words" '' 3
expect_code 0 arguments
expect_out 'argument 1: "say"
argument 2: "two words"
argument 3: ""
argument 4: "3"
the I/O program has ended: 0'
run ./pcie_host exit bin/all.mpk pcie_io return
expect_code 7 "an exit code without pcie_queue_exit"
run ./pcie_host exit bin/all.mpk pcie_io quit
expect_code 7 "pcie_queue_exit"
run ./pcie_host exit nothing.mpk bin/pcie_io say
expect_code 0 "by a path"
PATH=$work/bin:$PATH run ./pcie_host exit nothing.mpk pcie_io say
expect_code 0 "in PATH"
run ./pcie_host exit bin/all.mpk pcie_i0
expect_code 8 "no such program"
expect_line 'skerry: pcie_load_io_exec_args_mb: cannot start pcie_i0: there is no such program beside the multibinary, *'
run ./pcie_host wrong bin/all.mpk pcie_io
expect_code 1 "no descriptor"
expect_line 'skerry: pcie_queue_barrier: fd 3: must be a descriptor that pcie_open_device has returned'
run "$SKERRY_BIN/oshcc" --machine mppa --mppa=host "$here/pcie_host.c" -o nothing
expect_code 2 "a host program for a chip"
expect_line 'oshcc: --mppa=host: must not be given with --machine, *'
expect_gone bin/pcie_io
finish
