#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gdb_test.py SKERRY-SIM: --gdb over a socket and over stdio, with a client that speaks as gdb does."""
import random
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from tiny_elf import ADDS, EXITS, SPIN, write_elf

SIMULATOR = sys.argv[1]
PATIENCE = 60  # seconds until a test that hangs fails


class Client:
    """Frames, checksums and acknowledgements over two functions."""

    def __init__(self, receive, send):
        self.receive, self.send, self.waiting = receive, send, b""

    def byte(self):
        if not self.waiting:
            self.waiting = self.receive(4096)
            if not self.waiting:
                raise EOFError
        first, self.waiting = self.waiting[:1], self.waiting[1:]
        return first

    def put(self, payload):
        self.send(b"$" + payload + b"#%02x" % (sum(payload) % 256))

    def get(self):
        while self.byte() != b"$":
            pass
        payload = b""
        while (byte := self.byte()) != b"#":
            payload += byte
        assert int(self.byte() + self.byte(), 16) == sum(payload) % 256
        self.send(b"+")
        return payload.decode("latin-1")

    def ask(self, payload):
        self.put(payload.encode())
        return self.get()


class Gdb(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def elf(self, words):
        return write_elf(Path(self.folder.name) / "program.elf", words)

    def start(self, words, *options):
        """The simulator waiting on a port of its choice, and a client that is connected to it."""
        process = subprocess.Popen([SIMULATOR, "--cores", "2", "--gdb", "0", *options, self.elf(words)],
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        port = int(re.search(r"localhost:(\d+)", process.stderr.readline()).group(1))
        wire = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.addCleanup(wire.close)
        return process, Client(wire.recv, wire.sendall), wire

    def test_a_session(self):
        process, gdb, _ = self.start(ADDS + EXITS)
        self.assertIn("swbreak+", gdb.ask("qSupported:swbreak+"))
        self.assertEqual(gdb.ask("?"), "T05thread:1;core:0;")
        self.assertEqual(gdb.ask("qfThreadInfo"), "m1,2")
        self.assertEqual(gdb.ask("Z0,104,2"), "OK")
        self.assertEqual(gdb.ask("vCont;c"), "T05swbreak:;thread:1;core:0;")
        self.assertEqual(gdb.ask("vCont;c"), "T05swbreak:;thread:2;core:1;")
        self.assertEqual(gdb.ask("p42"), "04010000")
        self.assertEqual(gdb.ask("z0,104,2"), "OK")
        self.assertEqual(gdb.ask("vCont;s:2"), "T05thread:2;core:1;")
        self.assertEqual(gdb.ask("p42"), "06010000")
        self.assertEqual(gdb.ask("c"), "W07")
        self.assertEqual(process.wait(PATIENCE), 7)

    def test_breaks_of_the_command_line(self):
        process, gdb, _ = self.start(ADDS + EXITS, "--break", "0x106")
        self.assertEqual(gdb.ask("c"), "T05swbreak:;thread:1;core:0;")
        self.assertEqual(gdb.ask("D"), "OK")
        self.assertEqual(process.wait(PATIENCE), 7)

    def test_interrupt_and_kill(self):
        process, gdb, _ = self.start(SPIN)
        gdb.put(b"c")
        gdb.send(b"\3")
        self.assertEqual(gdb.get(), "T05thread:1;core:0;")
        gdb.put(b"k")
        self.assertEqual(process.wait(PATIENCE), 124)

    def test_damaged_packets_are_asked_for_again(self):
        _, gdb, wire = self.start(SPIN)
        wire.sendall(b"$g#00")
        self.assertEqual(wire.recv(1), b"-")
        self.assertEqual(gdb.ask("QStartNoAckMode"), "OK")
        wire.sendall(b"$?#00$?#3f")
        self.assertEqual(gdb.get(), "T05thread:1;core:0;")

    def test_a_client_that_goes_ends_the_run(self):
        process, gdb, wire = self.start(SPIN)
        gdb.put(b"c")
        wire.close()
        self.assertEqual(process.wait(PATIENCE), 124)

    def test_noise(self):
        process, _, wire = self.start(SPIN)
        chance = random.Random(1)
        for _ in range(300):
            wire.sendall(bytes(chance.choice(b"$#}*+-\3gGpPmMXzZ0123456789abcdef,:;svc?HTq") for _ in range(100)))
            wire.settimeout(0.01)
            try:
                wire.recv(65536)
            except socket.timeout:
                pass
        self.assertIn(process.poll(), (None, 124))

    def test_stdio(self):
        process = subprocess.Popen([SIMULATOR, "--cores", "1", "--gdb", "stdio", self.elf(ADDS + EXITS)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        gdb = Client(lambda size: process.stdout.read(1), process.stdin.write)
        self.assertEqual(gdb.ask("m100,2"), "9324")
        self.assertEqual(gdb.ask("c"), "W07")
        self.assertEqual(process.wait(PATIENCE), 7)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
