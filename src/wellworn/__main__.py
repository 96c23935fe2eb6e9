"""`python -m wellworn`: the command line."""

from wellworn.cli import main

if __name__ == "__main__":
    main()
