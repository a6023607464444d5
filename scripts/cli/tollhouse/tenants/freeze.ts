import { setRevenueFreeze } from '../../../../services/verification/mutations/revenue-freeze.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, parseArguments, type Terminal } from '../terminal/command.ts';
import { operatorOf } from '../terminal/operator.ts';

const USAGE = 'freeze on|off [--reason TEXT]';

/**
 * `freeze on|off [--reason TEXT]`. Returns when no more writes that move money can be recorded. A freeze stops what is recorded here; it
 * cannot stop what agents do elsewhere.
 */
export async function freeze(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, values } = parseArguments(
    args,
    { reason: { type: 'string' } },
    `usage: npm run tollhouse -- ${USAGE}`,
  );
  const [state] = expectArguments(positionals, 1, USAGE);
  if (state !== 'on' && state !== 'off') throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  // In an emergency, nothing may delay a freeze: its reason is optional.
  const by = { operator: operatorOf(terminal), reason: values.reason ?? 'none given' };
  await withDatabase(terminal, (database) => setRevenueFreeze(database, state === 'on', by));
  terminal.say(
    state === 'on'
      ? 'Frozen: writes that move money are neither recorded nor advised. Agents can still act elsewhere.'
      : 'Not frozen: writes that move money are recorded again.',
  );
}
