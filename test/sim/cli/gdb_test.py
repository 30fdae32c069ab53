#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gdb_test.py SKERRY-SIM: --gdb over a socket and over stdio, with a client that speaks as gdb does."""
import errno
import os
import random
import re
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from tiny_elf import ADDS, EXITS, OPENS, SPIN, WRITES, write_elf

SIMULATOR = os.path.abspath(sys.argv[1])
PATIENCE = 60  # seconds until a test that hangs fails
NOBODY = 65534
REFUSED = ("", "ConnectionResetError", "BrokenPipeError")  # the wire is closed without an answer
LARGE_ANSWER = b"$m0,1ff0#%02x" % (sum(b"m0,1ff0") % 256)  # asks for 16 KB
NEEDS_ROOT = unittest.skipUnless(os.geteuid() == 0, "needs root, to act as another user")


def as_nobody(where):
    """What another user gets who connects there and asks as gdb would."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            wire = socket.socket(socket.AF_UNIX if "/" in where else socket.AF_INET)
            wire.settimeout(PATIENCE)
            wire.connect(where if "/" in where else ("127.0.0.1", int(where)))
            wire.sendall(b"$m100,2#8e")
            got = wire.recv(100)
        except OSError as error:
            got = type(error).__name__.encode()
        os.write(writing, got)
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading, "rb") as answer:
        return answer.read().decode()


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

    def wait(self, words, where, *options, cores=2):
        """The simulator waiting for gdb, and where."""
        process = subprocess.Popen([SIMULATOR, "--cores", str(cores), "--gdb", where, *options, self.elf(words)],
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, re.search(r"target remote (?:localhost:)?(\S+)", process.stderr.readline()).group(1)

    def connect(self, where):
        wire = socket.socket(socket.AF_UNIX if "/" in where else socket.AF_INET)
        self.addCleanup(wire.close)
        wire.settimeout(PATIENCE)
        wire.connect(where if "/" in where else ("127.0.0.1", int(where)))
        return Client(wire.recv, wire.sendall), wire

    def start(self, words, *options, cores=2):
        """The simulator waiting on a port of its choice, and a client that is connected to it."""
        process, port = self.wait(words, "0", *options, cores=cores)
        return process, *self.connect(port)

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
        gdb.ask("?")  # one that has gone before it is accepted is not known, and another one is waited for
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

    @NEEDS_ROOT
    def test_another_user_is_refused_on_the_port(self):
        process, port = self.wait(ADDS + EXITS, "0")
        self.assertIn(as_nobody(port), REFUSED)
        self.assertIn("it is of user 65534, not of user 0", process.stderr.readline())
        gdb, _ = self.connect(port)  # it still waits for its own user
        self.assertEqual(gdb.ask("c"), "W07")
        self.assertEqual(process.wait(PATIENCE), 7)

    def test_a_socket_belongs_to_its_user(self):
        path = str(Path(self.folder.name) / "gdb.socket")
        process, where = self.wait(ADDS + EXITS, path)
        self.assertEqual(where, path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        gdb, _ = self.connect(path)
        self.assertEqual(gdb.ask("c"), "W07")
        self.assertEqual(process.wait(PATIENCE), 7)
        self.assertFalse(os.path.exists(path))

    @NEEDS_ROOT
    def test_another_user_is_refused_on_the_socket(self):
        os.chmod(self.folder.name, 0o755)
        path = str(Path(self.folder.name) / "gdb.socket")
        process, _ = self.wait(ADDS + EXITS, path)
        self.assertEqual(as_nobody(path), "PermissionError")
        os.chmod(path, 0o666)
        self.assertIn(as_nobody(path), REFUSED)
        gdb, _ = self.connect(path)
        self.assertEqual(gdb.ask("c"), "W07")
        self.assertEqual(process.wait(PATIENCE), 7)

    def test_a_socket_needs_a_private_folder(self):
        os.chmod(self.folder.name, 0o777)
        done = subprocess.run([SIMULATOR, "--gdb", self.folder.name + "/gdb.socket", self.elf(SPIN)],
                              stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 125)
        self.assertIn("other users may write there", done.stderr)

    def trap_by_debugger(self, trap, name, *options, r1=0, r3=0):
        """errno of a trap that the debugger's own code makes with the address of a file's name; 0: it succeeded."""
        process, gdb, _ = self.start(SPIN, *options, cores=1)
        name = str(name).encode() + b"\0"
        self.assertEqual(gdb.ask(f"M2000,{len(name):x}:{name.hex()}"), "OK")
        for register, value in ((0, 0x2000), (1, r1), (3, r3)):
            self.assertEqual(gdb.ask(f"P{register:x}={value.to_bytes(4, 'little').hex()}"), "OK")
        code = struct.pack("<3H", 0x03E2 | trap << 10, 0x0CE2, 0x0FE2)  # the trap; mov r0,r3; trap 3: exits with errno
        self.assertEqual(gdb.ask(f"M100,6:{code.hex()}"), "OK")
        gdb.put(b"vCont;c")
        self.assertEqual(gdb.get()[:1], "W")
        self.assertEqual("opens and removes no files any more" in process.stderr.read(), process.wait(PATIENCE) == errno.EACCES)
        return process.wait(PATIENCE)

    def open_by_debugger(self, *options):
        """errno, and whether the file is there."""
        created = Path(self.folder.name) / "created"
        return self.trap_by_debugger(2, created, *options, r1=0x601), created.exists()  # to write, create, truncate

    def unlink_by_debugger(self, *options):
        kept = Path(self.folder.name) / "kept"
        kept.write_text("")
        return self.trap_by_debugger(7, kept, *options, r3=7), kept.exists()

    def stat_by_debugger(self, *options):
        return self.trap_by_debugger(7, self.folder.name, *options, r1=0x3000, r3=15)

    def test_a_debugger_opens_no_files(self):
        self.assertEqual(self.open_by_debugger(), (errno.EACCES, False))

    def test_a_debugger_removes_no_files(self):
        self.assertEqual(self.unlink_by_debugger(), (errno.EACCES, True))

    def test_a_debugger_looks_no_files_up(self):
        self.assertEqual(self.stat_by_debugger(), errno.EACCES)

    def test_a_debugger_uses_files_by_name_if_it_may(self):
        self.assertEqual(self.open_by_debugger("--gdb-files"), (0, True))
        self.assertEqual(self.unlink_by_debugger("--gdb-files"), (0, False))
        self.assertEqual(self.stat_by_debugger("--gdb-files"), 0)

    def test_a_debugger_may_ask_about_what_is_open(self):
        process, gdb, _ = self.start(SPIN, cores=1)
        for register, value in ((0, 2), (1, 0x3000), (3, 10)):  # fstat(2, 0x3000)
            self.assertEqual(gdb.ask(f"P{register:x}={value.to_bytes(4, 'little').hex()}"), "OK")
        self.assertEqual(gdb.ask("M100,4:e21fe20f"), "OK")  # trap 7; trap 3
        self.assertEqual(gdb.ask("c"), "W00")
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_registers_alone_make_a_debugger_of_it(self):
        """A program's own trap, with registers that the debugger has set."""
        created = Path(self.folder.name) / "f"
        folder = os.getcwd()
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, folder)
        process, gdb, _ = self.start(OPENS, cores=1)
        self.assertEqual(gdb.ask("Z0,10e,2"), "OK")  # its trap
        self.assertEqual(gdb.ask("vCont;c"), "T05swbreak:;thread:1;core:0;")
        self.assertEqual(gdb.ask("P1=01060000"), "OK")  # to write, create, truncate
        self.assertEqual(gdb.ask("c"), "Wff")
        self.assertEqual(process.wait(PATIENCE), 255)
        self.assertFalse(created.exists())

    def test_a_program_under_gdb_opens_its_files(self):
        folder = os.getcwd()
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, folder)
        Path("f").write_text("")
        process, gdb, _ = self.start(OPENS)
        self.assertEqual(gdb.ask("M100,2:" + gdb.ask("m100,2")), "OK")  # what is there already
        self.assertEqual(gdb.ask("c"), "W03")
        self.assertEqual(process.wait(PATIENCE), 3)

    def test_a_client_that_never_reads_holds_up_no_timeout(self):
        process, _, wire = self.start(SPIN, "--timeout", "2")
        wire.settimeout(1)
        try:
            while True:
                wire.sendall(LARGE_ANSWER)
        except OSError:
            pass  # its answers fill the wire: it takes nothing more
        self.assertEqual(process.wait(PATIENCE), 124)

    def test_stdio_that_nobody_reads_holds_up_no_timeout(self):
        process = subprocess.Popen([SIMULATOR, "--cores", "1", "--gdb", "stdio", "--timeout", "2", self.elf(SPIN)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        process.stdin.write(LARGE_ANSWER * 20)
        self.assertEqual(process.wait(PATIENCE), 124)

    def test_output_that_nobody_reads_holds_up_no_timeout(self):
        process = subprocess.Popen([SIMULATOR, "--cores", "1", "--timeout", "1", self.elf(WRITES)],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual(process.wait(PATIENCE), 124)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
