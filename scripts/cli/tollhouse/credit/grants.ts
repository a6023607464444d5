import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** As the gateway writes it: an IPv4 /24 or an IPv6 /48. */
const SCOPE = /^[0-9a-f.:]{2,45}\/(?:24|48)$/;

/** `grants list`. New wallets of one network of clients get the free credit TRIAL_GRANTS_PER_NETWORK times a day. */
export const listGrants: Command = async (terminal, { limit: wanted, json }) => {
  const limit = readLimit(wanted);
  const found = await withLedgers(terminal, async (ledger) =>
    (await inspectLedger(ledger).grants()).slice(0, limit).map((count) => ({ network: ledger.network, ...count })),
  );
  if (json) return terminal.say(toJson(found.flat()));
  const rows = found.flat().map(({ network, scope, grants }) => [network, scope, `${grants}`]);
  sayTable(terminal, ['NETWORK', 'SCOPE', 'GRANTS'], rows);
};

/** `grants reset`. Lets a network with many honest users, such as a conference, go on today. */
export const resetGrants: Command = async (terminal, options, scope) => {
  if (!SCOPE.test(scope)) throw new CommandError('SCOPE is a network that "grants list" prints', 2);
  const reason = requireReason(options.reason);
  const operator = operatorOf(terminal);
  // Recorded first: a reset without a record must not exist.
  await withDatabase(terminal, (database) =>
    database.transaction().execute((transaction) => {
      return recordAct(transaction, { operator, action: 'grants.reset', subject: scope, reason, detail: {} });
    }),
  );
  const before = await withLedgers(terminal, (ledger) => inspectLedger(ledger).resetGrants(scope));
  const known = before.filter((count) => count !== undefined);
  if (known.length === 0) throw new CommandError(`no grants of ${scope} are counted today`);
  terminal.say(`${scope} had ${known.reduce((sum, count) => sum + count, 0)} grants today, and starts again at 0`);
};
