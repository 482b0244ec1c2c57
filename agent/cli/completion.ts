import type { Command } from 'commander';
import { ExitError } from '../run/exit-error.ts';

interface Word {
  text: string;
  about: string;
  /** For options: the accepted values, empty if any is accepted. Null if it takes no value. */
  values: readonly string[] | null;
}

/** Generates a completion script from the command tree. @throws ExitError usage for another shell */
export function completionScript(program: Command, shell: string): string {
  const options = optionWords(program);
  const commands = program.commands.map((command) => ({
    text: command.name(),
    about: command.description(),
    values: null,
  }));
  const write = { bash, zsh, fish }[shell];
  if (write === undefined) throw new ExitError('usage', `no completion for '${shell}'`, 'Shells: bash, zsh, fish.');
  return write(program.name(), options, commands);
}

function optionWords(program: Command): Word[] {
  return program.options.map((option) => ({
    text: option.long ?? option.flags,
    about: option.description,
    values: option.required ? (option.argChoices ?? knownValues(option.long)) : null,
  }));
}

const knownValues = (long: string | null | undefined): string[] =>
  long === '--device' ? ['auto', 'cuda', 'rocm', 'cpu'] : [];

function bash(name: string, options: Word[], commands: Word[]): string {
  const cases = options
    .filter((option) => option.values !== null)
    .map((option) => {
      const source = option.values?.length
        ? `-W "${option.values.join(' ')}"`
        : option.text.endsWith('-file')
          ? '-f'
          : '';
      return `    ${option.text}) COMPREPLY=(${source === '' ? '' : `$(compgen ${source} -- "$word")`}); return ;;`;
    });
  const words = [...options, ...commands].map((word) => word.text).join(' ');
  return [
    `_${snake(name)}() {`,
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    '  case "$before" in',
    ...cases,
    '    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;',
    '  esac',
    `  COMPREPLY=($(compgen -W "${words}" -- "$word"))`,
    '}',
    `complete -F _${snake(name)} ${name}`,
    '',
  ].join('\n');
}

function zsh(name: string, options: Word[], commands: Word[]): string {
  const specs = options.map((option) => {
    const values =
      option.values === null ? '' : `:value:${option.values.length > 0 ? `(${option.values.join(' ')})` : '_files'}`;
    return `    ${quoted(`${option.text}[${option.about.replaceAll(/[[\]:]/g, ' ')}]${values}`)} \\`;
  });
  const names = commands.map((command) => command.text).join(' ');
  return [
    `#compdef ${name}`,
    `_${snake(name)}() {`,
    '  _arguments \\',
    ...specs,
    `    ${quoted(`1:command:(${names})`)}`,
    '}',
    `compdef _${snake(name)} ${name}`,
    '',
  ].join('\n');
}

function fish(name: string, options: Word[], commands: Word[]): string {
  const lines = options.map((option) => {
    const values =
      option.values === null ? '' : option.values.length > 0 ? ` -x -a ${quoted(option.values.join(' '))}` : ' -r';
    return `complete -c ${name} -l ${option.text.replace(/^--/, '')}${values} -d ${quoted(option.about)}`;
  });
  const subcommands = commands.map(
    (command) => `complete -c ${name} -n __fish_use_subcommand -f -a ${command.text} -d ${quoted(command.about)}`,
  );
  return [...lines, ...subcommands, ''].join('\n');
}

const snake = (name: string): string => name.replaceAll('-', '_');
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
