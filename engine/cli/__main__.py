"""``python -m turnwire.cli``: the command line where the ``turnwire`` script is not on the path."""

from __future__ import annotations

from . import main

if __name__ == "__main__":
    main()
