import { type CallFreeze, readCallFreeze, setCallFreeze } from '../../../../services/store/call-freeze.ts';
import { forgetFingerprintKey } from '../../../../services/store/fingerprint-key.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, parseArguments, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';

const USAGE = 'calls status | calls freeze|unfreeze|forget-key --reason TEXT';

const ACTIONS = ['status', 'freeze', 'unfreeze', 'forget-key'] as const;
const isAction = (text: string | undefined): text is (typeof ACTIONS)[number] => ACTIONS.some((one) => one === text);

/**
 * `calls status|freeze|unfreeze`. Stops new paid and trial calls in every gateway, or takes them again. Calls that run, and
 * settlements, go on. `calls forget-key`: after a loss of FINGERPRINT_KEY, the key that a gateway has next counts.
 */
export async function calls(args: readonly string[], terminal: Terminal): Promise<void> {
  const usage = `usage: npm run tollhouse -- ${USAGE}`;
  const { positionals, values } = parseArguments(args, { reason: { type: 'string' } }, usage);
  const [action] = expectArguments(positionals, 1, USAGE);
  if (!isAction(action)) throw new CommandError(usage, 2);
  if (action === 'status') return terminal.say(describe(await withDatabase(terminal, readCallFreeze)));
  const by = { operator: operatorOf(terminal), reason: requireReason(values.reason) };
  if (action === 'forget-key') {
    const wasKnown = await withDatabase(terminal, (database) => forgetFingerprintKey(database, by));
    return terminal.say(wasKnown ? 'the FINGERPRINT_KEY of the next gateway counts' : 'no key was known');
  }
  const changed = await withDatabase(terminal, (database) => setCallFreeze(database, action === 'freeze', by));
  terminal.say(describe(changed));
}

function describe({ isFrozen, changed }: CallFreeze): string {
  const state = isFrozen ? 'frozen: gateways refuse new paid and trial calls' : 'not frozen';
  if (changed === undefined) return state;
  return `${state}\nsince ${changed.at.toISOString()}, by ${changed.operator}: ${changed.reason}`;
}
