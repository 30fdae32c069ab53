# SPDX-License-Identifier: BSD-3-Clause
# Plays the user of a terminal for terminal.sh.
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

OSHRUN = os.environ["OSHRUN"]


class Terminal:
    """A command in a session of its own, with this process at the keyboard."""

    def __init__(self, *command):
        self.text = ""
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.execv(command[0], command)

    def read_until(self, pattern, seconds=10):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.screen], [], [], left)[0]:
                sys.exit(f"{pattern!r} did not come: {self.text!r}")
            try:
                self.text += os.read(self.screen, 4096).decode()
            except OSError:  # the other side has gone
                if not re.search(pattern, self.text):
                    sys.exit(f"{pattern!r} did not come: {self.text!r}")

    def type(self, text):
        os.write(self.screen, text.encode())

    def end(self):
        try:
            while data := os.read(self.screen, 4096):
                self.text += data.decode()
        except OSError:
            pass
        return os.waitpid(self.process, 0)[1]


def expect(condition, what, terminal):
    if not condition:
        sys.exit(f"{what}: {terminal.text!r}")


try:
    for end in pty.openpty():
        os.close(end)
except OSError as error:
    print(f"skipped: no terminal to be had: {error}")
    sys.exit(77)

# A progress bar that is wiped before a line is gone when the line comes, and leaves no empty line.
bar = "printf '\\rbar 99 %%' >&2; sleep 0.2; printf '\\r\\033[K' >&2; echo done; sleep 0.2; echo end"
t = Terminal(OSHRUN, "-n", "1", "sh", "-c", bar)
t.end()
expect("bar 99 %\r\x1b[Kdone\r\nend\r\n" in t.text, "a bar is left", t)

ask = "if [ $SKERRY_PE = 0 ]; then printf 'Name? '; read name; echo \"Hello $name\"; fi"
t = Terminal(OSHRUN, "-n", "2", "sh", "-c", ask)
t.read_until(r"Name\? $")
t.type("Ada\n")
t.read_until("Hello Ada")
expect(os.waitstatus_to_exitcode(t.end()) == 0, "exit code after an answer", t)

t = Terminal(OSHRUN, "-n", "2", "sh", "-c", "echo $SKERRY_PE columns $SKERRY_TERMINAL; exec sleep 60")
t.read_until(r"0 columns \d+")
t.read_until(r"1 columns \d+")
t.type("\x03")
status = t.end()
expect(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, f"status {status:#x} after Ctrl-C", t)
expect(t.text.count("oshrun: stopped by signal 2 (Interrupt)") == 1, "the line after Ctrl-C", t)

# oshrun leads the session, as under ssh -t: when the terminal is lost the PEs are told, and have time to tidy up.
# Each PE gets the signal once, although a PE that writes shows the loss of the terminal too.
for busy in ("sleep 0.05", "echo text; sleep 0.01", "echo text; sleep 0.01"):
    with tempfile.TemporaryDirectory() as folder:
        tidy = f"trap 'sleep 1; touch {folder}/$SKERRY_PE; exit 0' HUP; echo begun; while :; do {busy}; done"
        t = Terminal(OSHRUN, "-n", "2", "sh", "-c", tidy)
        t.read_until(r"begun[^b]*begun")
        os.close(t.screen)
        status = os.waitpid(t.process, 0)[1]
        expect(sorted(os.listdir(folder)) == ["0", "1"], f"who has tidied up: {os.listdir(folder)}", t)
        expect(os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP, f"status {status:#x} without terminal", t)

# An interactive shell between, for job control.
t = Terminal("/bin/sh", "-i")
t.type("PS1='ready> '\n")
t.read_until(r"\n.*ready> $")
t.type(f"'{OSHRUN}' -n 2 sh -c 'echo begun; sleep 1; echo woken'\n")
t.read_until(r"\n\s*begun\s+begun")
t.type("\x1a")
t.read_until(r"(?i)(stopped|suspended)[^\n]*oshrun")
t.text = ""
time.sleep(1.5)
expect("woken" not in t.text, "went on while stopped", t)
t.type("fg\n")
t.read_until(r"woken\s+woken\s+ready> ")
t.type("exit\n")
t.end()
