import { auditStores } from '../../../../services/ledger/restore/audit-copy.ts';
import type { LedgerStores } from '../../../../services/ledger/restore/ledger-stores.ts';
import { RestoreRefusedError, type RestoreScope } from '../../../../services/ledger/restore/prepare.ts';
import { planRestore, type RestoreReport, restoreLedger } from '../../../../services/ledger/restore/restore.ts';
import { readLedgerStatus } from '../../../../services/ledger/restore/status.ts';
import { isDatabaseRestored, RESTORED } from '../../../../services/store/database-identity.ts';
import { withLedger } from '../stores/ledger-stores.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { toJson } from '../terminal/options.ts';
import { budgetOf, describeRestore, describeStatus } from './ledger-output.ts';

const USAGE = `usage: npm run tollhouse -- ledger status [--json] [--network ID]
       npm run tollhouse -- ledger audit [--json] [--network ID]
       npm run tollhouse -- ledger restore --reason TEXT [--release-lost-tail] [--json] [--network ID]
       npm run tollhouse -- ledger restore --plan [--json] [--network ID]`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  network: { type: 'string' },
  plan: { type: 'boolean', default: false },
  reason: { type: 'string' },
  'release-lost-tail': { type: 'boolean', default: false },
} as const;

interface Options {
  readonly json: boolean;
  readonly network: string | undefined;
  readonly plan: boolean;
  readonly reason: string | undefined;
  readonly releaseLostTail: boolean;
}

/** `ledger status|audit|restore`: the credit ledger in Redis and the copy of its journal. */
export async function ledger([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const run = ACTIONS.get(String(action));
  if (run === undefined) throw new CommandError(USAGE, 2);
  await run(readOptions(args, action === 'restore'), terminal);
}

const ACTIONS: ReadonlyMap<string, (options: Options, terminal: Terminal) => Promise<void>> = new Map([
  ['status', status],
  ['audit', audit],
  ['restore', restore],
]);

async function status({ json, network }: Options, terminal: Terminal): Promise<void> {
  const found = await withLedger(terminal, network, readLedgerStatus);
  const budgetMicroUsd = budgetOf(terminal.environment);
  if (json) terminal.say(toJson({ ...found, isOpen: found.closedBecause === undefined, budgetMicroUsd }));
  else for (const line of describeStatus(found, budgetMicroUsd)) terminal.say(line);
  if (found.closedBecause !== undefined) throw new CommandError('the ledger is closed: no trials are admitted');
}

async function audit({ json, network }: Options, terminal: Terminal): Promise<void> {
  const report = await withLedger(terminal, network, auditStores);
  const { position, wallets, pending, compared, violations } = report;
  if (json) terminal.say(toJson(report));
  else {
    terminal.say(
      `epoch ${position.epoch}, ${position.sequence} entries, ${compared} of them compared with their copies`,
    );
    terminal.say(`${wallets} wallets, ${pending} pending reservations`);
    for (const { invariant, subject, detail } of violations) terminal.say(`${invariant}: ${subject}: ${detail}`);
  }
  if (violations.length > 0) throw new CommandError(`the audit found ${violations.length} differences`);
  if (!json) terminal.say('no differences');
}

async function restore(options: Options, terminal: Terminal): Promise<void> {
  const { json, network, plan, releaseLostTail } = options;
  const report = plan
    ? await withLedger(terminal, network, (stores) => refusing(alone(stores, (scope) => planRestore(stores, scope))))
    : await restoreNow(terminal, network, { reason: requireReason(options.reason), releaseLostTail });
  if (json) terminal.say(toJson(report));
  else for (const line of describeRestore(report)) terminal.say(line);
}

function restoreNow(
  terminal: Terminal,
  network: string | undefined,
  decided: { readonly reason: string; readonly releaseLostTail: boolean },
): Promise<RestoreReport> {
  const operator = operatorOf(terminal);
  return withLedger(terminal, network, (stores) =>
    refusing(alone(stores, (scope) => restoreLedger(stores, { operator, ...decided, ...scope }))),
  );
}

/** After a restore of the database, the ledger is restored together with the decision about the database. */
async function alone<Value>({ database }: LedgerStores, work: (scope: RestoreScope) => Promise<Value>): Promise<Value> {
  if (await isDatabaseRestored(database)) throw new RestoreRefusedError(RESTORED);
  return work({ isDatabaseRestored: false });
}

async function refusing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RestoreRefusedError) throw new CommandError(`not restored: ${error.message}`);
    throw error;
  }
}

function readOptions(args: readonly string[], isRestore: boolean): Options {
  const values = parseOptions(args, OPTIONS, USAGE);
  const { json, network, plan, reason, 'release-lost-tail': releaseLostTail } = values;
  if (!isRestore && (plan || releaseLostTail || reason !== undefined)) throw new CommandError(USAGE, 2);
  return { json, network, plan, reason, releaseLostTail };
}
