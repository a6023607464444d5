import { createInterface } from 'node:readline/promises';
import { draftPlan } from '../../../../workers/plan/text/draft/draft-plan.ts';
import { toInstant } from '../../../../workers/plan/text/types/time-text.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { readTools } from './plan-input.ts';

/** `plan new`. Prints a plan to begin with. What no option says is asked, if a person is there to answer. */
export const newPlan: Command = async ({ say }, options) => {
  const catalogue = readTools(options.tools ?? '');
  const names = catalogue.map(({ name, version }) => `${name}@${version}`);
  const ask = createQuestions();
  try {
    const title = options.title ?? (await ask('What does the plan do?', '--title'));
    const expires = options.expires ?? (await ask('Until when (2099-12-31T00:00:00Z)?', '--expires'));
    const wanted =
      options.tool ?? (await ask(`Which tools, with commas (${names.join(', ')})?`, '--tool')).split(/\s*,\s*/);
    const most = options.times ?? (await ask('How often is each at most done?', '--times'));
    const limit = options.limit ?? (await ask('How much money may it move at most (100.00)?', '--limit'));
    const tools = wanted.map((name) => {
      const found = catalogue.find((tool) => tool.name === name || `${tool.name}@${tool.version}` === name);
      if (found !== undefined) return found;
      throw new CommandError(`the catalogue has no tool ${name}: it has ${names.join(', ')}`, 2);
    });
    if (toInstant(expires) === undefined) throw new CommandError('--expires is a time such as 2099-12-31T00:00:00Z', 2);
    if (!/^[1-9][0-9]{0,2}$/.test(most)) throw new CommandError('--times is a number from 1 to 999', 2);
    if (!/^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?$/.test(limit))
      throw new CommandError('--limit is a number such as 100.00', 2);
    say(draftPlan({ title, expires, tools, most: Number(most), limit }));
  } finally {
    ask.close();
  }
};

/** Asks on the terminal. Without one, an option is missing. */
function createQuestions() {
  const isPerson = process.stdin.isTTY === true;
  const lines = isPerson ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  const ask = async (question: string, option: string): Promise<string> => {
    if (lines === undefined) throw new CommandError(`plan new needs ${option}, or a terminal to ask on`, 2);
    const answer = (await lines.question(`${question} `)).trim();
    return answer === '' ? ask(question, option) : answer;
  };
  return Object.assign(ask, { close: () => lines?.close() });
}
