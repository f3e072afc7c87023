"""``advisor`` and ``python -m advisor``: the command line."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C prints one line even while its modules are loading."""
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
