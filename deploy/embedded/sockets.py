"""Where the servers' sockets are: near the data if the path is short and plain, else in the temporary folder."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

LONGEST = 80  # bytes; a socket's whole path may have 103 on macOS and 107 on Linux
PLAIN = re.compile(r"[A-Za-z0-9/._-]+")  # what no URL has to quote


def socket_folder(home: Path, *, name: str, owner: int | None = None) -> Path:
    """This will make the private folder for the sockets of server `name` of the data in `home`.

    Raises PermissionError when somebody else made that folder before us.
    """
    folder = home / "run" / name
    if len(os.fsencode(folder)) > LONGEST or not PLAIN.fullmatch(str(folder)):
        digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"palimpsest-{os.geteuid()}-{digest}-{name}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = os.geteuid() if owner is None else owner
    if folder.is_symlink() or folder.stat().st_uid not in {os.geteuid(), owner}:
        raise PermissionError(f"{folder} belongs to somebody else; remove it or choose other data")
    os.chown(folder, owner, -1)
    folder.chmod(0o700)
    return folder
