#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""options_test.py SKERRY-SIM SKERRY: what the options write, print and refuse."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from tiny_elf import ADDS, EXITS, READS, SPIN, write_elf

SIMULATOR, FRONT = sys.argv[1:3]


def run(*words, program=SIMULATOR):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)


class Options(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.elf = write_elf(self.path("adds.elf"), ADDS + EXITS)

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def test_the_front_runs_it(self):
        self.assertEqual(run("sim", "--cores", "1", self.elf, program=FRONT).returncode, 7)

    def test_json_has_the_counters(self):
        done = run("--cores", "3", "--json", self.path("run.json"), self.elf)
        self.assertEqual((done.returncode, done.stderr), (7, ""))
        data = json.loads(Path(self.path("run.json")).read_text())
        self.assertEqual(len(data["cores"]), 3)
        self.assertEqual([f["name"] for f in data["functions"]], ["main"])
        for core in data["cores"]:
            self.assertEqual(sum(core["cycles_by_cause"].values()), core["cycles"])
            self.assertEqual(sum(f["cycles"] for f in core["functions"]), core["cycles"])

    def test_cores_are_chosen(self):
        done = run("--cores", "2x1@1,2/0,0", "--json", "-", self.elf)
        cores = json.loads(done.stdout)["cores"]
        self.assertEqual([(core["row"], core["column"]) for core in cores], [(32, 8), (33, 10), (34, 10)])
        for words in (["--cores", "5x1"], ["--cores", "0,4"], ["--cores", "1,1/1,1"], ["--cores", "/"], ["--cores", "0x1"],
                      ["--cores", "-1,0"], ["--cores", "99999999999,0"], ["--cores", "2x2", "-n", "5"], ["-n", "x"]):
            done = run(*words, self.elf)
            self.assertEqual(done.returncode, 125, words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_the_summary_is_asked_for(self):
        self.assertEqual(run("-n", "2", self.elf).stderr, "")
        self.assertEqual(run("-n", "2", "--summary", "--quiet", self.elf).stderr, "")
        lines = run("-n", "2", "--summary", self.elf).stderr.splitlines()
        self.assertRegex(lines[0], r"^epiphany-iii: \d+ cycles, .* us at 600 MHz; \d+ instructions of 2 PEs$")
        self.assertEqual(lines[1:], ["network: not used"])

    def test_json_goes_to_standard_output(self):
        self.assertEqual(json.loads(run("--cores", "1", "--json", "-", self.elf).stdout)["status"], 7)

    def test_looking_changes_nothing(self):
        plain = run("--stats", self.elf)
        looked = run("--stats", "--json", self.path("a"), "--report", self.path("b"), "--trace", self.path("c"),
                     "--break", "0x104", self.elf)
        self.assertIn("break <main+0x4>", looked.stderr)
        self.assertTrue(looked.stderr.endswith(plain.stderr))

    def test_trace_and_report_are_written(self):
        self.assertEqual(run("--trace", self.path("t.json"), "--report", self.path("r.html"), self.elf).returncode, 7)
        names = {e["name"] for e in json.loads(Path(self.path("t.json")).read_text())["traceEvents"]}
        self.assertTrue({"main", "process_name", "cycles, %"} <= names)
        page = Path(self.path("r.html")).read_text()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertNotIn("src=", page)

    def test_a_file_that_cannot_be_written_is_said_before_the_run(self):
        for option in ["--report", "--json", "--trace"]:
            done = run(option, self.path("no/such/folder"), self.elf)
            self.assertEqual(done.returncode, 125)
            self.assertIn("No such file or directory", done.stderr)

    def test_a_named_pipe_has_one_reader(self):
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE, text=True)
        self.addCleanup(reader.kill)
        self.assertEqual(run("--cores", "1", "--json", self.path("pipe"), self.elf).returncode, 7)
        self.assertEqual(json.loads(reader.communicate(timeout=100)[0])["status"], 7)

    def test_a_full_disk_is_said(self):
        done = run("--json", "/dev/full", self.elf)
        self.assertEqual(done.returncode, 124)
        self.assertIn("No space left on device", done.stderr)

    def start(self, words, *options):
        """A run that has begun, as far as its threads' times tell: it runs or sleeps in a call."""
        process = subprocess.Popen([SIMULATOR, "--cores", "1", *options, write_elf(self.path("long.elf"), words)],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        caught = 0
        while not caught >> (signal.SIGTERM - 1) & 1:  # until it listens to the signals
            time.sleep(0.01)
            status = Path(f"/proc/{process.pid}/status").read_text()
            caught = int(next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1], 16)
        return process

    def test_an_interrupt_ends_a_program_that_waits_for_input(self):
        process = self.start(READS + EXITS)
        while Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "S":  # sleeps: reads
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(100), 124)
        self.assertIn("interrupted in cycle 4\n  core (32,8) 0x808 at 0x0000010a", process.stderr.read())

    def test_sigterm_says_where_the_cores_are(self):
        report = self.path("report.html")
        process = self.start(READS + EXITS, "--report", report)
        process.terminate()
        self.assertEqual(process.wait(100), 124)
        self.assertIn("interrupted in cycle", process.stderr.read())
        self.assertIn("</html>", Path(report).read_text())

    def test_breaks(self):
        done = run("--cores", "2", "--break", "main", self.elf)
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr.count("break <main>"), 2)
        self.assertIn("core (32,9) 0x809\n  cycle 0, pc 0x00000100 <main>: add r1,r1,1", done.stderr)

    def test_a_break_in_a_loop_does_not_fill_the_terminal(self):
        spin = write_elf(self.path("spin.elf"), SPIN)
        done = run("--cores", "1", "--max-cycles", "1000", "--break", "main", spin)
        self.assertEqual(done.returncode, 124)
        self.assertEqual(done.stderr.count("break <main>"), 16)

    def test_places_that_are_none(self):
        for where, why in [("nobody", "no such symbol"), ("0x101", "must be even"), ("main.c:1", "debug information"),
                           (":3", "FILE:LINE"), ("a.c:x", "FILE:LINE")]:
            done = run("--break", where, self.elf)
            self.assertEqual(done.returncode, 125, where)
            self.assertIn(why, done.stderr)

    def test_wrong_use(self):
        for words in [["--no-such-option", self.elf], [], ["--json"], ["--max-cycles", "-5", self.elf],
                      ["--max-cycles", "18446744073709551616", self.elf], ["--gdb", "70000", self.elf], ["--gdb", "x", self.elf]]:
            done = run(*words)
            self.assertEqual(done.returncode, 125, words)
            self.assertEqual(done.stderr.count("\n"), 1, words)

    def test_words_behind_the_program_are_its_own(self):
        self.assertEqual(run("--cores", "1", self.elf, "--no-such-option", "-n").returncode, 7)
        self.assertEqual(run("-np", "1", "--", self.elf, "--stats").returncode, 7)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
