#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""programs_gdb.py BIN SOURCES: --gdb of a master that starts programs on clusters, with a client that speaks as gdb does."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BIN, SOURCES = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
FEATURES = "qSupported:multiprocess+;swbreak+;exec-events+"
ROUNDS, CLUSTERS = 2, 2


def compile_program(kind, name, folder):
    program = folder / name
    subprocess.run([BIN / "oshcc", "--machine", "mppa", f"--mppa={kind}", "-O2", "-g", "-w",
                    SOURCES / "test" / "mppa" / (name + ".c"), "-o", program], check=True)
    return program


def address_of(symbol, program):
    """The value of a symbol in the table of a 32-bit ELF file."""
    data = program.read_bytes()
    table, = struct.unpack_from("<I", data, 32)
    size, count = struct.unpack_from("<HH", data, 46)
    sections = [struct.unpack_from("<10I", data, table + k * size) for k in range(count)]
    symbols = next(section for section in sections if section[1] == 2)
    names = sections[symbols[6]][4]
    for at in range(symbols[4], symbols[4] + symbols[5], 16):
        name, value = struct.unpack_from("<II", data, at)
        if data[names + name:data.index(0, names + name)].decode() == symbol:
            return value
    raise LookupError(symbol)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = Path(cls.folder.name).resolve()
        cls.master = compile_program("io", "start_io", cls.path)
        cls.cluster = compile_program("cluster", "start_cluster", cls.path)

    def begin(self):
        """The job, stopped before its first instruction."""
        self.job = subprocess.Popen(
            [BIN / "oshrun", "--machine", "mppa", "--quiet", "-x", "STARTED_FROM=here", "--gdb", "stdio", "./start_io",
             str(CLUSTERS), "start_cluster", str(ROUNDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.path, env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"})
        self.addCleanup(self.end)

    def end(self):
        self.job.kill()
        self.job.wait()
        for stream in (self.job.stdin, self.job.stdout, self.job.stderr):
            stream.close()

    def ask(self, packet):
        """The answer to a packet."""
        self.job.stdin.write(b"$" + packet.encode() + b"#%02x" % (sum(packet.encode()) % 256))
        self.job.stdin.flush()
        answer, byte = b"", b""
        while byte != b"$":
            byte = self.job.stdout.read(1)
            self.assertTrue(byte, f"{packet}: the simulator has ended")
        while (byte := self.job.stdout.read(1)) != b"#":
            self.assertTrue(byte, f"{packet}: the simulator has ended")
            answer += byte
        self.job.stdout.read(2)
        self.job.stdin.write(b"+")
        self.job.stdin.flush()
        return answer.decode()

    def asks(self, packet, answer):
        self.assertRegex(self.ask(packet), f"^{answer}$", packet)

    def started(self, process):
        """A program starts as a process."""
        self.asks("vCont;c:p1.-1", f"T05exec:{str(self.cluster).encode().hex()};thread:p{process}\\.[0-9a-f]+;core:[0-9]+;")

    def finish(self, code, text):
        """The job ends."""
        output, errors = self.job.communicate(timeout=200)
        self.assertEqual((self.job.returncode, output.replace(b"+", b"")), (code, b""), errors)
        self.assertIn(text, errors.decode())

    def test_each_pe_is_a_process(self):
        self.begin()
        self.assertIn("multiprocess+", self.ask(FEATURES))
        self.asks("qfThreadInfo", r"m(p1\.[0-9a-f]+,?)+")
        self.asks("Hgp2.-1", "E01")
        self.asks("vCont;c:p2.1", "E01")
        main = address_of("main", self.cluster)
        self.started(2)
        self.asks("qXfer:exec-file:read:2:0,400", f"l{self.cluster}")
        self.asks("qXfer:exec-file:read:1:0,400", f"l{self.master}")
        self.asks("Hgp2.0", "OK")
        self.asks(f"Z0,{main:x},2", "OK")
        self.started(3)
        self.asks("vCont;c", r"T05swbreak:;thread:p2\..*")  # and not the other process, which passes this address too
        words = self.ask(f"m{main:x},4")
        self.asks("Hgp1.0", "OK")
        self.assertNotEqual(self.ask(f"m{main:x},4"), words)  # the master has other code there
        self.started(2)  # the next program of this cluster has no breakpoint yet
        self.started(3)
        self.asks("Hgp3.0", "OK")
        self.asks(f"Z0,{main:x},2", "OK")
        self.asks("vCont;c", r"T05swbreak:;thread:p3\..*")
        self.asks("vCont;c", "W00;process:1")
        self.asks("Hgp1.0", "E01")
        self.asks("vCont;c", "W00;process:2")
        self.asks("vCont;c", "W00;process:3")
        self.finish(0, "sum of codes 2")

    def test_detached_processes_go_on(self):
        self.begin()
        self.ask(FEATURES)
        self.started(2)
        self.asks("D;2", "OK")
        self.asks("Hgp2.0", "E01")
        self.started(3)
        self.asks("D;3", "OK")
        self.asks("D;1", "OK")
        self.finish(0, "sum of codes 2")

    def test_a_kill_of_one_ends_all(self):
        self.begin()
        self.ask(FEATURES)
        self.started(2)
        self.asks("vKill;1", "OK")
        self.asks("Hgp1.0", "E01")
        self.asks("Hgp2.0", "OK")
        self.asks("vKill;2", "OK")
        self.finish(124, "interrupted in cycle")

    def test_one_process_if_gdb_has_no_more(self):
        self.begin()
        self.assertNotIn("multiprocess+", self.ask("qSupported:swbreak+"))
        self.asks("qfThreadInfo", r"m([0-9a-f]+,?)+")
        self.asks("Hgp1.0", "E01")
        self.asks("c", "W00")
        self.finish(0, "sum of codes 2")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
