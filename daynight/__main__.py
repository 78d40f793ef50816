"""`python -m daynight`: the command line."""

from daynight.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
