"""Print a script that completes commands, actions, flags, and names of a stack in a shell.

bash: eval "$(penstock completion bash)", in ~/.bashrc
zsh: eval "$(penstock completion zsh)", in ~/.zshrc after compinit
fish: penstock completion fish > ~/.config/fish/completions/penstock.fish
"""

from __future__ import annotations

from argparse import REMAINDER, SUPPRESS, ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "fish")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="which shell")
    # The scripts call this while a user types: the words of the line, the last of them as far as it was typed.
    parser.add_argument("--names", nargs=REMAINDER, help=SUPPRESS)


def run(options: Namespace) -> int:
    if options.names is not None:
        from penstock.cli.completion.names import find_names

        print(*find_names(options.names), sep="\n")
        return 0

    from penstock.cli.completion import scripts, words

    write = {"bash": scripts.bash, "zsh": scripts.zsh, "fish": scripts.fish}[options.shell]
    print(write(words.read_commands()))
    return 0
