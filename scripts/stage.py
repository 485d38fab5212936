"""What `demo` and `soak` stand on: a folder, an installation, a daemon, accounts and terminals, all of them removed on
every way out."""
import base64
import contextlib
import json
import os
import pathlib
import pty
import pwd
import grp
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What the prompter writes when it waits for an answer.
QUESTION = re.compile(rb"Passcode for [^\r\n]*: $")


class Fault(Exception):
    """Something did not do what it must."""


def end_on_signals():
    """Turns the signals that ask a program to end into an orderly way out."""
    def leave(number, _frame):
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


class Stage:
    """A private folder with an installation in it. Use it in a `with` statement."""

    def __init__(self, name):
        self.name = name
        self.closing = contextlib.ExitStack()
        self.is_root = os.geteuid() == 0
        # In /tmp everybody may make names, so a daemon trusts nothing below it.
        above = "/var/lib" if self.is_root else os.path.expanduser("~/.cache")
        os.makedirs(above, exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"latchkey-{name}.", dir=above))
        self.closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
        # Other users must reach programs and socket; what is secret has a folder of its own.
        self.folder.chmod(0o755 if self.is_root else 0o700)
        self.prefix = self.folder / "installed"
        self.program = self.prefix / "bin/latchkey"
        self.socket = self.folder / "run/socket"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A second ctrl-C must not leave half of it behind.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self.closing.close()

    def install(self):
        """Puts the release programs and their files below the folder, building them where needed."""
        environment = dict(os.environ, PREFIX=str(self.prefix), DESTDIR="")
        done = subprocess.run([ROOT / "scripts/place-files", "install"], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise Fault(f"the installation failed:\n{done.stdout}")

    def environment(self, account=None):
        """What a client is started with."""
        kept = {name: os.environ[name] for name in ("PATH", "TERM", "LANG", "LC_ALL") if name in os.environ}
        own = account.entry if account else pwd.getpwuid(os.geteuid())
        return dict(kept, HOME=own.pw_dir, USER=own.pw_name, LATCHKEY_SOCKET=str(self.socket))


class Daemon:
    """One latchkeyd on the stage's socket and state folder."""

    def __init__(self, stage, *options):
        self.stage = stage
        self.options = options
        self.log = stage.folder / "daemon.log"
        self.process = None
        (stage.folder / "policies").mkdir(exist_ok=True)
        (stage.folder / "state").mkdir(mode=0o700, exist_ok=True)
        stage.closing.callback(self.end)

    def start(self):
        """Starts it and returns when it serves."""
        ready, told = os.pipe()
        stage = self.stage
        command = [stage.prefix / "libexec/latchkey/latchkeyd", "--system" if stage.is_root else "--user",
                   "--socket", stage.socket, "--state", stage.folder / "state",
                   "--policies", stage.folder / "policies", "--ready-fd", str(told), *self.options]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                            pass_fds=[told], start_new_session=True)
        os.close(told)
        word = self.read_word(ready)
        if len(word) != 1:
            raise Fault(f"latchkeyd did not start: {word.decode(errors='replace') or 'no word'}\n{self.said()}")
        return self.process.pid

    @staticmethod
    def read_word(ready):
        """One byte when it serves, or the reason why not."""
        word = b""
        deadline = time.monotonic() + 30
        with open(ready, "rb", buffering=0) as pipe:
            while select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
                piece = pipe.read(4096)
                word += piece
                # A lone byte is the good word; a reason is longer and ends with the pipe.
                if not piece or len(word) == 1:
                    break
        return word

    def said(self):
        """What it wrote."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def kill(self):
        """Ends it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def end(self):
        """Ends it in an orderly way, then by force."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()


class Account:
    """A throw-away user with a random passcode, which stands in no argument list and in no file."""

    def __init__(self, stage):
        self.name = "latchkey-" + secrets.token_hex(4)
        self.passcode = secrets.token_urlsafe(12).encode()
        home = stage.folder / f"home-{self.name}"
        stage.closing.callback(self.remove)
        # Two systems on one kernel must not take the same number for theirs.
        number = 20_000 + secrets.randbelow(39_000)
        self.run(["useradd", "--uid", str(number), "--no-create-home", "--home-dir", str(home), "--shell", "/bin/sh", self.name])
        self.run(["chpasswd"], self.name.encode() + b":" + self.passcode + b"\n")
        self.entry = pwd.getpwnam(self.name)
        home.mkdir(mode=0o700)
        os.chown(home, self.entry.pw_uid, self.entry.pw_gid)

    @staticmethod
    def run(command, given=b""):
        for _ in range(100):
            done = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            # Somebody else changes the accounts just now.
            if done.returncode == 0 or b"try again later" not in done.stdout:
                break
            time.sleep(0.1)
        if done.returncode != 0:
            raise Fault(f"{command[0]} failed: {done.stdout.decode(errors='replace')}")

    def remove(self):
        """Takes the account away again; a process of it that just ends is waited for."""
        for _ in range(50):
            done = subprocess.run(["userdel", self.name], stderr=subprocess.PIPE, check=False)
            # 6: there is no such account.
            if done.returncode in (0, 6):
                return
            time.sleep(0.1)
        print(f"could not remove the account {self.name}: {done.stderr.decode(errors='replace')}", file=sys.stderr)

    def become(self):
        """Makes the calling process this user's."""
        os.initgroups(self.name, self.entry.pw_gid)
        os.setgid(self.entry.pw_gid)
        os.setuid(self.entry.pw_uid)


class Outcome:
    """How a command ended."""

    def __init__(self, status, output, errors, prompts=None, screen=b""):
        self.status = status
        self.output = output
        self.errors = errors
        # Questions that were asked, where they could be counted.
        self.prompts = prompts
        # What stood on the terminal.
        self.screen = screen


class OwnTerminal:
    """The terminal this program runs on: its user answers the prompts."""

    def __init__(self, stage):
        self.stage = stage

    def run(self, command, given=b"", answers=(), secret=None):
        """Runs a command; `secret` is handed to it through a pipe, as a passcode."""
        environment, kept = self.stage.environment(), ()
        if secret is not None:
            source, sink = os.pipe()
            os.write(sink, secret)
            os.close(sink)
            command, kept = [*command, "--passcode-fd", str(source)], (source,)
        try:
            done = subprocess.run([self.stage.program, *command], input=given, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=environment, pass_fds=kept, check=False)
        finally:
            for number in kept:
                os.close(number)
        return Outcome(done.returncode, done.stdout, done.stderr)


class DrivenTerminal:
    """A login session of an account on a pseudo terminal: one session leader that runs commands and lives on, so that
    proofs given on this terminal can serve again."""

    def __init__(self, stage, account):
        self.stage = stage
        self.account = account
        self.master, self.slave = pty.openpty()
        name = os.ttyname(self.slave)
        os.chown(name, account.entry.pw_uid, grp.getgrnam("tty").gr_gid)
        os.chmod(name, 0o620)
        self.orders, theirs = socket.socketpair()
        self.leader = os.fork()
        if self.leader == 0:
            self.lead(name, theirs)
        theirs.close()
        self.screen = b""
        stage.closing.callback(self.end)

    def lead(self, name, orders):
        """The child: becomes the account's session on the terminal and runs what it is told to. Never returns."""
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            # The first terminal that a session leader opens becomes its own.
            terminal = os.open(name, os.O_RDWR)
            os.close(self.master)
            os.close(self.slave)
            self.account.become()
            os.chdir("/")
            for line in orders.makefile("rb"):
                order = json.loads(line)
                done = subprocess.run(order["command"], input=base64.b64decode(order["given"]), check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=order["environment"])
                reply = {"status": done.returncode, "output": base64.b64encode(done.stdout).decode(),
                         "errors": base64.b64encode(done.stderr).decode()}
                orders.sendall(json.dumps(reply).encode() + b"\n")
            os.close(terminal)
        finally:
            os._exit(0)

    def run(self, command, given=b"", answers=(), secret=None):
        """Runs a command of Latchkey and types the answers, the last of them again and again."""
        if secret is not None:
            raise Fault("here answers are typed")
        return self.run_program([self.stage.program, *command], given, answers)

    def run_program(self, command, given=b"", answers=()):
        """Runs any program and types the answers, the last of them again and again."""
        start = len(self.screen)
        order = {"command": list(map(str, command)), "given": base64.b64encode(given).decode(),
                 "environment": self.stage.environment(self.account)}
        self.orders.sendall(json.dumps(order).encode() + b"\n")
        prompts, reply = self.converse(list(answers))
        self.check_terminal()
        return Outcome(reply["status"], base64.b64decode(reply["output"]), base64.b64decode(reply["errors"]), prompts,
                       self.screen[start:])

    def converse(self, answers):
        """Answers questions until the command has ended."""
        prompts, reply, seen = 0, b"", len(self.screen)
        deadline = time.monotonic() + 90
        while not reply.endswith(b"\n"):
            left = deadline - time.monotonic()
            ready = select.select([self.master, self.orders], [], [], max(0, left))[0]
            if not ready:
                raise Fault("the command neither ended nor asked; on the terminal stands:\n" + self.text())
            if self.master in ready:
                self.screen += os.read(self.master, 4096)
                if QUESTION.search(self.screen[seen:]):
                    prompts, seen = prompts + 1, len(self.screen)
                    self.answer(answers)
            if self.orders in ready:
                reply += self.orders.recv(1 << 20)
        return prompts, json.loads(reply)

    def answer(self, answers):
        if not answers:
            raise Fault("it asks, and nothing must be asked here:\n" + self.text())
        if self.echoes():
            raise Fault("the terminal shows what is typed while a passcode is asked for")
        os.write(self.master, (answers.pop(0) if len(answers) > 1 else answers[0]) + b"\r")

    def echoes(self):
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def check_terminal(self):
        """After a command: what is left to read is read, echo is back, and no passcode was ever shown."""
        while select.select([self.master], [], [], 0)[0]:
            self.screen += os.read(self.master, 4096)
        if not self.echoes():
            raise Fault("the terminal was left without echo")
        if self.account.passcode in self.screen:
            raise Fault("the passcode was shown on the terminal")

    def text(self):
        return self.screen.decode(errors="replace")

    def end(self):
        """Hangs up."""
        self.orders.close()
        os.close(self.master)
        os.close(self.slave)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.leader, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.leader, 0)
