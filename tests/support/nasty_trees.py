"""What a program can leave in its folder: each tree is a script that makes it in the current folder.

A script that may not make its tree here, because it needs root or rights that a sandbox takes away, ends with `CANNOT`.
"""

from __future__ import annotations

from typing import NamedTuple

CANNOT = "this tree cannot be made here"

_HELPERS = f"""
import os, socket, subprocess, sys

def run(*command):
    try:
        done = subprocess.run(command, capture_output=True)
    except OSError as error:
        sys.exit("{CANNOT}: " + str(error))
    if done.returncode:
        sys.exit("{CANNOT}: " + done.stderr.decode())

def nest(levels, name):
    here = os.open(".", os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name)
        os.chdir(name)
    open("bottom", "w").close()
    os.fchdir(here)
    os.close(here)

def touch(name):
    open(name, "w").close()
"""


class Tree(NamedTuple):
    name: str
    script: str
    may_stay: bool = False
    """Whether it cannot be removed by whoever runs the stack."""

    @property
    def source(self) -> str:
        return _HELPERS + self.script


TREES = (
    Tree("deep", 'nest(3000, "d")'),
    Tree("deeper than a path", 'nest(3000, "d" * 200)'),
    Tree("wide", 'for number in range(10_000): touch(f"w{number}")'),
    Tree("many folders", 'for number in range(1_000): os.mkdir(f"m{number}")'),
    Tree("unreadable", 'os.makedirs("u/v/w"); touch("u/v/w/x"); os.chmod("u/v", 0); os.chmod("u", 0)'),
    Tree("not writable", 'os.makedirs("u/v"); touch("u/v/x"); os.chmod("u/v", 0o500); os.chmod("u", 0o500)'),
    Tree("not searchable", 'os.makedirs("u/v"); touch("u/v/x"); os.chmod("u/v", 0o600); os.chmod("u", 0o600)'),
    Tree("unreadable file", 'touch("secret"); os.chmod("secret", 0)'),
    Tree("immutable file", 'os.mkdir("i"); touch("i/x"); run("chattr", "+i", "i/x")'),
    Tree("immutable folder", 'os.mkdir("i"); touch("i/x"); run("chattr", "+i", "i")'),
    Tree("append only", 'os.mkdir("i"); touch("i/x"); run("chattr", "+a", "i/x", "i")'),
    Tree("socket", 'socket.socket(socket.AF_UNIX).bind("socket")'),
    Tree("pipe", 'os.mkfifo("pipe"); os.mkfifo("state.json")'),
    Tree("links", 'os.symlink("/", "root"); os.symlink(".", "self"); os.symlink("/no/such", "dangling")'),
    Tree("link to a folder outside", 'os.symlink("/etc", "etc"); os.makedirs("a/b"); os.symlink("../..", "a/b/up")'),
    Tree("names that are not UTF-8", 'touch(b"\\xff\\xfe"); os.mkdir(b"\\xc3("); touch(b"\\xc3(/\\x80")'),
    Tree("long and odd names", 'touch("n" * 255); touch("a\\nb"); touch(" "); touch("-rf"); touch("*")'),
    Tree("sparse file", 'touch("sparse"); os.truncate("sparse", 50_000_000_000)'),
    Tree("device", 'run("mknod", "device", "c", "1", "5")'),
    Tree("a file in place of each folder", 'run("sh", "-c", "rm -rf ../out; touch ../out")'),
    Tree("mount", 'os.mkdir("m"); run("mount", "-t", "tmpfs", "tmpfs", "m"); touch("m/x")', may_stay=True),
    Tree("mount of the same device", 'os.mkdir("m"); run("mount", "--bind", "/etc", "m")', may_stay=True),
)
