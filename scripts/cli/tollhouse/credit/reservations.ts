import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';
import { CommandError, expectArguments, type Terminal } from '../terminal/command.ts';
import { readListing, toJson } from '../terminal/options.ts';

const USAGE = 'reservations list [--limit N] [--json]';

/**
 * `reservations list`. Prints open reservations of calls. The back office resolves a reservation seconds after its
 * deadline, so one that stays longer means that the back office does not run.
 */
export async function reservations(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, limit, json } = readListing(args, USAGE);
  const [action] = expectArguments(positionals, 1, USAGE);
  if (action !== 'list') throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  const found = await withLedgers(terminal, async (ledger) => {
    const { network } = ledger;
    const pending = await inspectLedger(ledger).pending(limit);
    return pending.map(({ deadlineMs, ...rest }) => ({
      network,
      ...rest,
      deadline: new Date(deadlineMs).toISOString(),
    }));
  });
  if (json) return terminal.say(toJson(found.flat()));
  for (const { network, reservationId, wallet, operation, amountMicroUsd, deadline } of found.flat()) {
    terminal.say(`${network}  ${reservationId}  ${wallet}  ${operation}  ${amountMicroUsd}  until ${deadline}`);
  }
}
