"""`python -m innerlife` is the command `innerlife`."""

from innerlife.cli.main import main

if __name__ == "__main__":
    main()
