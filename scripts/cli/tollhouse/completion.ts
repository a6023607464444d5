import { isInstalled, ROOT } from '../../../services/platform/process/installation.ts';
import { type Command, CommandError } from '../terminal/command.ts';
import { type Groups, withoutOptions } from '../terminal/program.ts';

/** What runs the commands of a checkout. */
const RUN = `npm --prefix ${quote(ROOT)} --silent run tollhouse --`;

/** `completion`. Prints the completion of commands and options, and in a checkout a function `tollhouse`. */
export const completionOf =
  (groups: Groups): Command =>
  async ({ say }, _, shell) => {
    if (shell !== 'bash' && shell !== 'zsh') throw new CommandError('the shell is bash or zsh', 2);
    say(`# In ~/.${shell}rc: eval "$(${isInstalled ? 'tollhouse' : RUN} completion ${shell})"
${shell === 'zsh' ? 'autoload -U +X compinit bashcompinit && compinit && bashcompinit\n' : ''}\
${isInstalled ? '' : `tollhouse() { ${RUN} "$@"; }\n`}\
_tollhouse() {
  local at=1 path='' words=''
  while [ "$at" -lt "$COMP_CWORD" ] && [ "$at" -lt 3 ]; do
    path="$path \${COMP_WORDS[$at]}"
    at=$((at + 1))
  done
  case "$path" in
${casesOf(groups).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[$COMP_CWORD]}"))
}
complete -o default -F _tollhouse tollhouse`);
  };

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What may follow the first words of a command line. A command that has no commands below it has its arguments there. */
function casesOf(groups: Groups): readonly string[] {
  const shown = Object.entries(groups).flatMap(([heading, rows]) => (heading === '' ? [] : Object.keys(rows)));
  const paths = shown.map((usage) => ({ usage, path: ` ${withoutOptions(usage).replace(/ [<[].*/, '')}` }));
  const below = (path: string) =>
    paths
      .filter((one) => one.path.startsWith(`${path} `) && !one.path.slice(path.length + 1).includes(' '))
      .map((one) => one.path.slice(path.length + 1));
  return [
    ...paths.map(({ usage, path }) => {
      const names = below(path);
      const options = ['--help', ...(usage.match(/--[a-z-]+/g) ?? [])];
      return names.length > 0
        ? `    '${path}') words='${names.join(' ')}' ;;`
        : `    '${path}'*) words='${options.join(' ')}' ;;`;
    }),
    `    '') words='${below('').join(' ')}' ;;`,
  ];
}
