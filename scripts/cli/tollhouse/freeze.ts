import { setRevenueFreeze } from '../../../services/verification/mutations/revenue-freeze.ts';
import { CommandError, expectArguments, type Terminal } from './command.ts';
import { withDatabase } from './operator-database.ts';

/** `freeze on|off`. Returns once no write that moves money commits any more: the recording stops, not the act. */
export async function freeze(args: readonly string[], terminal: Terminal): Promise<void> {
  const [state] = expectArguments(args, 1, 'freeze on|off');
  if (state !== 'on' && state !== 'off') throw new CommandError('usage: npm run tollhouse -- freeze on|off', 2);
  await withDatabase(terminal, (database) => setRevenueFreeze(database, state === 'on'));
  terminal.say(
    state === 'on'
      ? 'Frozen: no write that moves money is recorded or advised. What agents do elsewhere goes on.'
      : 'Writes that move money go on.',
  );
}
