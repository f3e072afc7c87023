"""An environment that lacks, as Windows does, what only other systems have."""

import os
import subprocess
from pathlib import Path

MISSING = """
import os, signal, sys
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios", "tty"), None))
for module, names in (
    (os, "fork forkpty getuid geteuid killpg nice register_at_fork setsid getpgid fchmod chown"),
    (signal, "SIGKILL SIGHUP SIGXCPU SIGXFSZ SIGALRM SIGPIPE SIGUSR1 setitimer alarm"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""


def like_windows(folder: Path) -> dict[str, str]:
    """An environment in which every Python that is started lacks these; a folder holds how."""
    (folder / "sitecustomize.py").write_text(MISSING)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env=environment)
