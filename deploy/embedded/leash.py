"""Become another program that dies with its parent: `python -I -S leash.py OPTIONS -- COMMAND…`.

The parent-death signal belongs to the process that asks for it and outlives `exec`, so this file asks and then
turns into the command. A `preexec_fn` would do the same inside a fork of an interpreter with threads, which may hang.
It stands alone: standard library only, nothing of this package.
"""

import argparse
import ctypes
import os
import pwd
import signal
import sys

SET_PARENT_DEATH_SIGNAL, SET_SECUREBITS, AMBIENT, AMBIENT_RAISE = 1, 28, 47, 2  # linux/prctl.h
NO_SETUID_FIXUP = 4  # linux/securebits.h: capabilities outlive setuid(), and access() minds them
CAPABILITY_VERSION, DAC_OVERRIDE = 0x20080522, 1  # linux/capability.h


def main() -> None:
    """This will drop root where asked, bind this process to its parent and become the command."""
    cut = sys.argv.index("--")
    options, command = _options(sys.argv[1:cut]), sys.argv[cut + 1 :]
    if options.user:
        _become(options.user, reaching=options.reach)
    _die_with(options.parent, number=options.signal)
    os.execv(command[0], command)  # noqa: S606 - the command is the supervisor's own


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--signal", type=int, default=int(signal.SIGTERM))
    parser.add_argument("--user", default="")
    parser.add_argument("--reach", action="append", default=[])
    return parser.parse_args(arguments)


def _become(name: str, *, reaching: list[str]) -> None:
    """This will turn root into `name`, who can still reach the folders in `reaching`.

    Where a folder above one of them is closed to `name` (a checkout in /root, say), the process keeps the single
    capability that passes it. The alternative, opening the folder to everybody, is not ours to choose.
    """
    user = pwd.getpwnam(name)
    closed = not _reaches(user, reaching)
    if closed and sys.platform == "linux":
        _prctl(SET_SECUREBITS, NO_SETUID_FIXUP)
    os.chdir("/")
    os.setgroups([])
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    if closed and sys.platform == "linux":
        _keep_capability(DAC_OVERRIDE)


def _reaches(user: pwd.struct_passwd, folders: list[str]) -> bool:
    os.seteuid(user.pw_uid)
    try:
        return all(os.access(folder, os.X_OK, effective_ids=True) for folder in folders)
    finally:
        os.seteuid(0)


def _keep_capability(number: int) -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    bit = 1 << number
    sets = (ctypes.c_uint32 * 6)(bit, bit, bit, 0, 0, 0)  # effective, permitted, inheritable; low words, high words
    if ctypes.CDLL(None, use_errno=True).capset(header, sets) != 0:
        raise OSError(ctypes.get_errno(), "capset refused")
    _prctl(AMBIENT, AMBIENT_RAISE, number)


def _die_with(parent: int, *, number: int) -> None:
    """This will ask for `number` at the parent's death (Linux only) and leave at once if it is already gone."""
    if sys.platform == "linux":
        _prctl(SET_PARENT_DEATH_SIGNAL, number)
    if os.getppid() != parent:
        sys.exit("the supervisor is gone")


def _prctl(*arguments: int) -> None:
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:5]]
    if ctypes.CDLL(None, use_errno=True).prctl(*padded) != 0:
        raise OSError(ctypes.get_errno(), f"prctl{arguments} refused")


if __name__ == "__main__":
    main()
