import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, parseArguments, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { readLimit, toJson } from '../terminal/options.ts';

const USAGE = `grants list [--limit N] [--json]
       npm run tollhouse -- grants reset SCOPE --reason TEXT`;
const OPTIONS = {
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
  reason: { type: 'string' },
} as const;
/** As the gateway writes it: an IPv4 /24 or an IPv6 /48. */
const SCOPE = /^[0-9a-f.:]{2,45}\/(?:24|48)$/;

/**
 * `grants list|reset`. New wallets of one network of clients get the free credit TRIAL_GRANTS_PER_NETWORK times a day. A
 * reset lets a network with many honest users, such as a conference, go on today.
 */
export async function grants(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, values } = parseArguments(args, OPTIONS, `usage: npm run tollhouse -- ${USAGE}`);
  const [action, ...rest] = positionals;
  if (action === 'reset') return reset(defined(expectArguments(rest, 1, USAGE)[0]), values.reason, terminal);
  if (action !== 'list' || values.reason !== undefined) {
    throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  }
  expectArguments(rest, 0, USAGE);
  const limit = readLimit(values.limit);
  const found = await withLedgers(terminal, async (ledger) =>
    (await inspectLedger(ledger).grants()).slice(0, limit).map((count) => ({ network: ledger.network, ...count })),
  );
  if (values.json) return terminal.say(toJson(found.flat()));
  for (const { network, scope, grants: count } of found.flat()) terminal.say(`${network}  ${scope}  ${count}`);
}

async function reset(scope: string, givenReason: string | undefined, terminal: Terminal): Promise<void> {
  if (!SCOPE.test(scope)) throw new CommandError('SCOPE is a network that "grants list" prints', 2);
  const reason = requireReason(givenReason);
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
}
