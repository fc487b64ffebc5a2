"""The completion scripts. Names of tables, jobs, components and configurations are asked of the stack; where there is
nothing to offer, such as after a flag with a value, the shell completes file names."""

from __future__ import annotations

from penstock.cli.completion.words import Command

_BASH = """\
_penstock() {{
  local IFS=$' \\t\\n' words names
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
{actions}
  *) case "$COMP_CWORD ${{COMP_WORDS[1]}}" in
    1*) words="{commands}" ;;
{single}
    esac ;;
  esac
  if [[ -n "$names" && "${{COMP_WORDS[COMP_CWORD]}}" != -* ]]; then
    words="$words $("${{COMP_WORDS[0]}}" completion bash --names "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _penstock penstock"""

_ZSH = """\
_penstock() {{
  local -a offered
  local names
  case "${{words[2]}} ${{words[3]}}" in
{actions}
  *) case "$CURRENT ${{words[2]}}" in
    2*) offered=({commands}) ;;
{single}
    esac ;;
  esac
  if [[ -n "$names" && "${{words[CURRENT]}}" != -* ]]; then
    offered+=(${{(f)"$("${{words[1]}}" completion zsh --names "${{(@)words[2,CURRENT]}}" 2>/dev/null)"}})
  fi
  compadd -- $offered
  _files
}}
compdef _penstock penstock"""


_FISH_NAMES = "(penstock completion fish --names (commandline -opc)[2..-1] '' 2>/dev/null)"


def bash(commands: list[Command]) -> str:
    return _with_cases(_BASH, commands, 'words="{}"')


def zsh(commands: list[Command]) -> str:
    return _with_cases(_ZSH, commands, "offered=({})")


def fish(commands: list[Command]) -> str:
    return "\n".join(line for command in commands for line in _fish_lines(command))


def _with_cases(script: str, commands: list[Command], assign: str) -> str:
    def cases(depth: int, pattern: str) -> str:
        chosen = [command for command in commands if len(command.path) == depth]
        return "\n".join(
            f"  {pattern.format(' '.join(command.path))}) {assign.format(_texts(command))}{_mark(command)} ;;"
            for command in chosen
        )

    return script.format(actions=cases(2, '"{}"'), single=cases(1, '  *" {}"'), commands=_texts(commands[0]))


def _mark(command: Command) -> str:
    return "; names=1" if command.has_names else ""


def _texts(command: Command) -> str:
    return " ".join(word.text for word in command.words)


def _fish_lines(command: Command) -> list[str]:
    condition = _fish_condition(command)
    start = f"complete -c penstock -n {_quoted(condition)}"
    lines = [f"{start} {_fish_word(word.text)} -d {_quoted(word.help)}" for word in command.words]
    return [*lines, f"{start} -a {_quoted(_FISH_NAMES)}"] if command.has_names else lines


def _fish_condition(command: Command) -> str:
    """The words of a command are offered until one of its actions is typed."""
    if not command.path:
        return "__fish_use_subcommand"
    actions = " ".join(word.text for word in command.words if not word.text.startswith("-"))
    typed = "; and ".join(f"__fish_seen_subcommand_from {name}" for name in command.path)
    return f"{typed}; and not __fish_seen_subcommand_from {actions}" if actions else typed


def _fish_word(text: str) -> str:
    """Offer no file names where a word is one of a few."""
    if text.startswith("--"):
        return f"-l {text[2:]}"
    return f"-s {text[1:]}" if text.startswith("-") else f"-f -a {text}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
