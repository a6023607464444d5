import { setRevenueFreeze } from '../../../services/verification/mutations/revenue-freeze.ts';
import { CommandError, expectArguments, type Terminal } from './command.ts';
import { withDatabase } from './operator-database.ts';

/**
 * `freeze on|off`. Returns when no more writes that move money can be recorded. A freeze stops what is recorded here; it
 * cannot stop what agents do elsewhere.
 */
export async function freeze(args: readonly string[], terminal: Terminal): Promise<void> {
  const [state] = expectArguments(args, 1, 'freeze on|off');
  if (state !== 'on' && state !== 'off') throw new CommandError('usage: npm run tollhouse -- freeze on|off', 2);
  await withDatabase(terminal, (database) => setRevenueFreeze(database, state === 'on'));
  terminal.say(
    state === 'on'
      ? 'Frozen: writes that move money are neither recorded nor advised. Agents can still act elsewhere.'
      : 'Not frozen: writes that move money are recorded again.',
  );
}
