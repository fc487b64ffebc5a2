"""Print a script that completes commands, actions and flags in a shell.

bash: eval "$(penstock completion bash)", in ~/.bashrc
zsh: eval "$(penstock completion zsh)", in ~/.zshrc after compinit
fish: penstock completion fish > ~/.config/fish/completions/penstock.fish
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "fish")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="which shell")


def run(options: Namespace) -> int:
    from penstock.cli.completion import scripts, words

    write = {"bash": scripts.bash, "zsh": scripts.zsh, "fish": scripts.fish}[options.shell]
    print(write(words.read_commands()))
    return 0
