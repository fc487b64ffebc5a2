"""The completion scripts. Where nothing is known, such as after a flag with a value, the shell completes file names."""

from __future__ import annotations

from penstock.cli.completion.words import Command

_BASH = """\
_penstock() {{
  local IFS=$' \\t\\n' words
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
{actions}
  *) case "$COMP_CWORD ${{COMP_WORDS[1]}}" in
    1*) words="{commands}" ;;
{single}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _penstock penstock"""

_ZSH = """\
_penstock() {{
  local -a known
  case "${{words[2]}} ${{words[3]}}" in
{actions}
  *) case "$CURRENT ${{words[2]}}" in
    2*) known=({commands}) ;;
{single}
    esac ;;
  esac
  compadd -- $known
  _files
}}
compdef _penstock penstock"""


def bash(commands: list[Command]) -> str:
    return _with_cases(_BASH, commands, 'words="{}"')


def zsh(commands: list[Command]) -> str:
    return _with_cases(_ZSH, commands, "known=({})")


def fish(commands: list[Command]) -> str:
    return "\n".join(line for command in commands for line in _fish_lines(command))


def _with_cases(script: str, commands: list[Command], assign: str) -> str:
    def cases(depth: int, pattern: str) -> str:
        chosen = [command for command in commands if len(command.path) == depth]
        return "\n".join(
            f"  {pattern.format(' '.join(command.path))}) {assign.format(_texts(command))} ;;" for command in chosen
        )

    return script.format(actions=cases(2, '"{}"'), single=cases(1, '  *" {}"'), commands=_texts(commands[0]))


def _texts(command: Command) -> str:
    return " ".join(word.text for word in command.words)


def _fish_lines(command: Command) -> list[str]:
    condition = _fish_condition(command)
    start = f"complete -c penstock -n {_quoted(condition)}"
    return [f"{start} {_fish_word(word.text)} -d {_quoted(word.help)}" for word in command.words]


def _fish_condition(command: Command) -> str:
    """The words of a command are offered until one of its actions is given."""
    if not command.path:
        return "__fish_use_subcommand"
    actions = " ".join(word.text for word in command.words if not word.text.startswith("-"))
    given = "; and ".join(f"__fish_seen_subcommand_from {name}" for name in command.path)
    return f"{given}; and not __fish_seen_subcommand_from {actions}" if actions else given


def _fish_word(text: str) -> str:
    """Where a word is one of a few, file names are not offered."""
    if text.startswith("--"):
        return f"-l {text[2:]}"
    return f"-s {text[1:]}" if text.startswith("-") else f"-f -a {text}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
