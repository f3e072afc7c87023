"""``advisor`` and ``python -m advisor``: the command line."""

import sys


def main() -> None:
    """Runs it; Ctrl-C is told in one line while it is still being read, too."""
    try:
        from advisor.cli import main as run
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder: none of its files may stand for a module
    main()
