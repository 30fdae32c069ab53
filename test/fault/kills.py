#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Kills one or two random processes of a random job at a random moment, again and again, and looks at what the launcher makes
# of it: the job ends in time, its exit code and its line tell what happened, and it leaves no process and no file.
#   kills.py --bin BUILD/bin --victim BUILD/test/fault.victim [--seconds S] [--seed N] [--first ROUND] [--rounds N] [--pairs]
# The choices of a round depend on the seed and the round's number alone.
import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

MARKER = "SKERRY_FAULT_MARKER"
KINDS = ["compute", "wait", "barrier", "allocate", "print", "children", "rpc", "aos", "plain"]
FATAL = [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS]
PASSED_ON = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]  # the launcher ends the job on these
LAUNCHER = ["front", "keeper", "supervisor"]  # each is the parent of the next
GROUP = "process group"  # of the front: all of the job but the keeper and what has made a session of its own
PAIR_SHARE = 0.3  # of the rounds
PAIR_SECONDS = 0.005  # at most, between two kills
LONG = 100.0  # seconds; the job does not end by itself while a round lasts
LOOK_SECONDS = 0.0005  # between two looks for a process


class Choices:
    """What one round does. All of it is drawn at once, so that nothing that happens later changes it."""

    def __init__(self, seed, number, only_pairs):
        draw = random.Random(f"{seed}/{number}")
        self.kind = draw.choice(KINDS)
        self.pes = draw.choice([1, 2, 2, 3, 4, 8])
        self.role = draw.choices(["PE", *LAUNCHER], [6, 2, 2, 2])[0]
        self.rank = draw.randrange(self.pes)
        self.signal = draw.choices([signal.SIGKILL, draw.choice(FATAL), draw.choice(PASSED_ON)], [4, 4, 3])[0]
        self.ends_itself = draw.random() < 0.25
        self.job_seconds = draw.uniform(0.01, 0.4) if self.ends_itself else LONG
        self.delay = 10 ** draw.uniform(-4, -1) if draw.random() < 0.5 else draw.uniform(0.05, 0.5)
        self.stop_seconds = draw.uniform(0, 0.3) if draw.random() < 0.2 else None  # SIGSTOP so long before
        self.only_stop = self.stop_seconds is not None and draw.random() < 0.5  # SIGCONT in place of the signal
        if self.only_stop:
            self.ends_itself = True
            self.job_seconds = min(self.job_seconds, 0.4)
        if self.stop_seconds is not None and not self.only_stop:
            self.signal = signal.SIGKILL  # the others wait for SIGCONT
        self.timeout = draw.choice([None, None, 1.5, 60.0])
        self.slow_reader = draw.random() < 0.3
        self.options = draw.choice([[], [], ["--tag-output"], ["--stats"], ["--bind", "none"]])
        self.file_memory = draw.random() < 0.15
        self.second_role = None
        if draw.random() < PAIR_SHARE or only_pairs:
            self.draw_pair(draw)

    def draw_pair(self, draw):
        """SIGKILL to two processes, or to the whole group, in place of what one process gets."""
        pairs = [(one, other) for one in ["PE", *LAUNCHER] for other in ["PE", *LAUNCHER] if one != other]
        self.role, self.second_role = draw.choice([*pairs, *[pair for pair in pairs if "PE" not in pair], (GROUP, None)])
        self.second_delay = draw.choice([0.0, draw.uniform(0, PAIR_SECONDS)])
        self.kind = draw.choice(["children", self.kind])
        self.signal, self.stop_seconds, self.only_stop = signal.SIGKILL, None, False

    def roles(self):
        """The processes of the launcher and the PE that get a signal."""
        if self.role == GROUP:
            return ["front", "supervisor", "PE"]
        return [role for role in [self.role, self.second_role] if role]

    def is_pair(self):
        return len(self.roles()) > 1

    def __str__(self):
        who = f"PE {self.rank}" if self.role == "PE" else self.role
        what = "SIGCONT" if self.only_stop else self.signal.name
        stopped = "" if self.stop_seconds is None else f"SIGSTOP and {self.stop_seconds:.3f} s later "
        second = "" if self.second_role is None else f"and {self.second_delay:.4f} s later {self.second_role} "
        return (f"{self.kind} with {self.pes} PEs for {self.job_seconds:.3f} s, {who} gets {stopped}{what} "
                f"after {self.delay:.4f} s, {second}--timeout {self.timeout}, {' '.join(self.options) or 'no options'}"
                f"{', slow reader' if self.slow_reader else ''}{', memory in a file' if self.file_memory else ''}")


# -- Processes ---------------------------------------------------------------------------------------------------------

def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def variables_of(process):
    return read_bytes(f"/proc/{process}/environ").split(b"\0")


def state_of(process):
    """(state, parent, start time), or None if there is no such process."""
    fields = read_bytes(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return (fields[0].decode(), int(fields[1]), int(fields[19])) if len(fields) > 19 else None


def marked_processes(marker):
    """Living processes that have the marker in their environment; a zombie has none."""
    entry = f"{MARKER}={marker}".encode()
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and entry in variables_of(name)]


def describe(process):
    name = read_bytes(f"/proc/{process}/comm").decode(errors="replace").strip()
    state = state_of(process)
    return f"{process} ({name}, {f'state {state[0]}, child of {state[1]}' if state else 'gone'})"


def children_of(process):
    return [int(child) for child in read_bytes(f"/proc/{process}/task/{process}/children").split()]


def send(process, number):
    try:
        os.kill(process, number)
        return True
    except ProcessLookupError:
        return False


def launcher_processes(front):
    """The launcher's processes as far as they exist, the front first."""
    found = [front]
    while len(found) < len(LAUNCHER) and (children := children_of(found[-1])):
        found.append(children[0])
    return found


def has_begun(front):
    found = launcher_processes(front)
    return len(found) == len(LAUNCHER) and bool(children_of(found[-1]))


def find_process(role, rank, front):
    """The process of that role, or None while it is not there."""
    found = launcher_processes(front)
    if role == GROUP:
        return front
    if role != "PE":
        return found[LAUNCHER.index(role)] if LAUNCHER.index(role) < len(found) else None
    if len(found) < len(LAUNCHER):
        return None
    variable = f"SKERRY_PE={rank}".encode()
    pes = [(state_of(child), child) for child in children_of(found[-1]) if variable in variables_of(child)]
    pes = [(state[2], child) for state, child in pes if state and state[0] != "Z"]
    return min(pes)[1] if pes else None  # what a PE has started is younger


# -- One job -----------------------------------------------------------------------------------------------------------

class Job:
    def __init__(self, choices, marker, arguments, folder):
        self.folder = os.path.join(folder, "job")  # current folder, and for temporary files
        os.mkdir(self.folder)
        environment = dict(os.environ, TMPDIR=self.folder, **{MARKER: marker})
        if choices.file_memory:
            environment["SKERRY_NO_MEMFD"] = "1"
        command = [os.path.join(arguments.bin, "oshrun"), "-n", str(choices.pes), *choices.options]
        if choices.timeout is not None:
            command += ["--timeout", str(choices.timeout)]
        command += [arguments.victim, choices.kind, str(choices.job_seconds)]
        self.errors = os.path.join(folder, "errors")
        self.begun = time.monotonic()
        with open(self.errors, "wb") as errors:
            self.front = subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
        self.reader = threading.Thread(target=self.read, args=[choices.slow_reader], daemon=True)
        self.reader.start()

    def read(self, slowly):
        while os.read(self.front.stdout.fileno(), 16384 if slowly else 1 << 20):
            if slowly:
                time.sleep(0.005)

    def ended(self):
        """Looks without reaping, so that the process id stays the front's."""
        return os.waitid(os.P_PID, self.front.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def find_targets(self, choices, limit):
        """Waits until the processes that get the signals are there. Empty if the job ended before."""
        end = time.monotonic() + limit
        roles = [role for role in [choices.role, choices.second_role] if role]
        while True:
            targets = [find_process(role, choices.rank, self.front.pid) for role in roles]
            if None not in targets:
                return targets
            if self.ended() or time.monotonic() > end:
                return []
            time.sleep(LOOK_SECONDS)

    def act(self, choices, limit):
        """Returns the processes that got the signals, which is none if they did not exist any more, whether there was a PE by
        then, and when it was."""
        time.sleep(choices.delay)
        targets = self.find_targets(choices, limit)
        if not targets:
            return [], False, time.monotonic()
        had_begun = has_begun(self.front.pid)
        if choices.stop_seconds is not None:
            send(targets[0], signal.SIGSTOP)
            time.sleep(choices.stop_seconds)
        number = signal.SIGCONT if choices.only_stop else choices.signal
        there = [send(-targets[0] if choices.role == GROUP else targets[0], number)]
        if len(targets) > 1:
            if choices.second_delay > 0:
                time.sleep(choices.second_delay)
            there.append(send(targets[1], number))
        return [target for target, is_there in zip(targets, there) if is_there], had_begun, time.monotonic()

    def wait(self, limit):
        """Returns the exit code, minus the signal if one ended the front, or None after too long."""
        try:
            return self.front.wait(limit)
        except subprocess.TimeoutExpired:
            return None

    def close(self):
        self.reader.join(10)
        self.front.stdout.close()
        shutil.rmtree(self.folder)


# -- What may come of it -----------------------------------------------------------------------------------------------

def stopped_line(number):
    return f"stopped by signal {number} \\(.*\\)"


def outcomes_of_kill(choices, role, target, had_begun):
    """(exit code of the front, pattern of its line without "oshrun: ", None for no line) where the signal came in time."""
    number = int(choices.signal)
    code = 128 + number
    if role == "PE":
        return [(code, f"PE {choices.rank} \\(process {target}\\) was killed by signal {number} \\(.*; job stopped")]
    if choices.signal in PASSED_ON:
        ends_by_it = role == "front" and choices.signal == signal.SIGINT  # so that a shell's script ends, too
        allowed = [(-number if ends_by_it else code, f"stopped by signal {number} \\(.*\\)")]
    elif role != "front":
        return [(code, f"process {target} of oshrun was killed by signal {number}; job stopped")]
    else:
        allowed = [(-number, "the launcher was killed; job stopped")]
    if role == "front" and (not had_begun or choices.ends_itself):  # it ends as any program, there is no job
        allowed.append((-number, None))
    return allowed


def outcomes(choices, targets, had_begun, seconds):
    allowed = []
    if targets and not choices.only_stop:
        for role, target in zip(choices.roles(), targets if len(targets) == len(choices.roles()) else [r"\d+"] * 3):
            allowed += outcomes_of_kill(choices, role, target, had_begun)
    if choices.ends_itself:
        allowed.append((0, None))
    if choices.timeout is not None and seconds >= choices.timeout:
        allowed.append((124, f"job stopped after {choices.timeout:g} s \\(--timeout\\), .*"))
    return allowed


def is_allowed(choices, code, lines, allowed):
    if not choices.is_pair():
        return any(wanted == code and (not lines if line is None else len(lines) == 1 and re.fullmatch(line, lines[0]))
                   for wanted, line in allowed)
    # Each of two kills may have its line, if a process that tells of it was left; a front that lives tells at least of one.
    patterns = [line for _, line in allowed if line]
    told = [next((line for line in patterns if re.fullmatch(line, text)), None) for text in lines]
    enough = lines or code <= 0
    return code in [wanted for wanted, _ in allowed] and enough and None not in told and len(set(told)) == len(told) <= 2


def own_lines(path):
    """The launcher's lines without its name, and those that nobody should have written."""
    lines, strange = [], []
    for line in read_bytes(path).decode(errors="replace").splitlines():
        line = re.sub(r"^\[\d+\] ", "", line)
        if line.startswith("oshrun: "):
            lines.append(line[len("oshrun: "):])
        elif line and not line.startswith("noise") and not re.match(r"\s*(PE|job|\d+)\s", line):  # the table of --stats
            strange.append(line)
    return lines, strange


def memory_files():
    """Files for a job's memory outside of the job's own folder."""
    return {os.path.join(folder, name) for folder in ("/dev/shm", "/tmp") if os.path.isdir(folder)
            for name in os.listdir(folder) if re.fullmatch(r"skerry-\w{6}", name)}


def new_memory_files(before):
    new = memory_files() - before
    if new:
        time.sleep(1)  # another job's may be there for a moment
        new &= memory_files()
    return sorted(new)


def run_round(choices, marker, arguments, folder):
    """Returns a list of complaints, and how long the job took to end after the signal."""
    complaints = []
    before = memory_files()
    job = Job(choices, marker, arguments, folder)
    targets, had_begun, sent = job.act(choices, arguments.limit)
    code = job.wait(arguments.limit)
    ended = gone = time.monotonic()
    if code is None:
        complaints.append(f"does not end within {arguments.limit} s: "
                          + ", ".join(map(describe, marked_processes(marker))))
    else:
        left = marked_processes(marker)
        while left and code < 0 and time.monotonic() < ended + arguments.limit:  # the supervisor still ends the job
            time.sleep(0.01)
            left = marked_processes(marker)
        gone = time.monotonic()
        if left:
            complaints.append("processes are left: " + ", ".join(map(describe, left)))
        lines, strange = own_lines(job.errors)
        allowed = outcomes(choices, targets, had_begun, ended - job.begun)
        if not is_allowed(choices, code, lines, allowed):
            complaints.append(f"processes {targets} got the signal; exit code {code} and {lines}; allowed: {allowed}")
        if strange:
            complaints.append(f"more on standard error: {strange[:3]}")
    for process in marked_processes(marker):
        send(process, signal.SIGKILL)
    if code is None:
        job.wait(10)
    if os.listdir(job.folder):
        complaints.append(f"files are left: {os.listdir(job.folder)}")
    if new := new_memory_files(before):
        complaints.append(f"files are left: {new}")
    job.close()
    return complaints, gone - sent, len(targets)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, help="folder of oshrun")
    parser.add_argument("--victim", required=True, help="the program that is run")
    parser.add_argument("--seconds", type=float, default=50, help="begins no round after that time")
    parser.add_argument("--seed", type=int, default=None, help="else one of the system's")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--rounds", type=int, default=None, help="at most so many rounds")
    parser.add_argument("--pairs", action="store_true", help="two processes are killed in every round")
    parser.add_argument("--limit", type=float, default=60, help="seconds until a job counts as hung")
    parser.add_argument("--failures", type=int, default=5, help="ends after so many (5)")
    parser.add_argument("--verbose", action="store_true", help="a line for every round")
    arguments = parser.parse_args()
    arguments.bin, arguments.victim = os.path.abspath(arguments.bin), os.path.abspath(arguments.victim)
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10 ** 6)
    print(f"seed {seed}", flush=True)
    begun = time.monotonic()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What the launcher does once a machine, it does here.
    subprocess.run([os.path.join(arguments.bin, "oshrun"), "-n", "1", arguments.victim, "compute", "0.01"], check=True,
                   timeout=arguments.limit)
    failures, longest, kills, number = 0, 0.0, 0, arguments.first
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - begun < arguments.seconds and number - arguments.first != arguments.rounds:
            choices = Choices(seed, number, arguments.pairs)
            complaints, seconds, acted = run_round(choices, f"{os.getpid()}.{number}", arguments, folder)
            if arguments.verbose or complaints:
                print(f"round {number} of seed {seed}: {choices}: {seconds:.3f} s", flush=True)
            for complaint in complaints:
                print(f"  {complaint}", flush=True)
            if complaints:
                failures += 1
                print(f"  once more: {sys.argv[0]} --bin {arguments.bin} --victim {arguments.victim} --seed {seed} "
                      f"--first {number} --rounds 1{' --pairs' if arguments.pairs else ''}", flush=True)
                if failures == arguments.failures:
                    break
            longest = max(longest, seconds)
            kills += acted
            number += 1
    print(f"{number - arguments.first} rounds, {kills} processes signalled, {failures} failures, "
          f"the longest end took {longest:.2f} s")
    return 1 if failures or kills == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
