import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { listActs, type RecordedAct } from '../../../../services/store/operator-acts.ts';
import type { Command } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { usdc } from '../payments/payments-fields.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { type ChannelRow, findChannel, readChannelId } from './channels-rows.ts';

const MAX_ACTS = 100;

interface SentTransaction {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string | null;
  readonly transaction: string | null;
  readonly amount: bigint | null;
  readonly startedAt: Date;
}

/** `channels show`. Prints a channel, its account in the ledger, its transactions and its acts. */
export const showChannel: Command = async (terminal, { json }, text) => {
  const channelId = readChannelId(text);
  const { channel, transactions, acts } = await withDatabase(terminal, async (database) => ({
    channel: await findChannel(database, channelId),
    transactions: await selectTransactions(database, channelId),
    acts: await listActs(database, { subject: channelId, limit: MAX_ACTS }),
  }));
  if (json) return terminal.say(toJson({ channel, transactions, acts }));
  for (const line of toLines(channel, transactions, acts)) terminal.say(line);
};

async function selectTransactions(database: Database, channelId: string): Promise<readonly SentTransaction[]> {
  const { rows } = await sql<SentTransaction>`
    SELECT id, kind, state, reason, coalesce(transaction, transactions[cardinality(transactions)]) AS transaction, amount,
      started_at AS "startedAt"
    FROM channel_transaction WHERE position(${channelId} IN request) > 0 ORDER BY started_at`.execute(database);
  return rows;
}

function toLines(
  { channelId, network, payer, balance, totalClaimed, blockNumber, voucher, unclaimed, ...channel }: ChannelRow,
  transactions: readonly SentTransaction[],
  acts: readonly RecordedAct[],
): readonly string[] {
  const { withdrawAmount, withdrawableAt, claimable, claimableSince, charged, reserved } = channel;
  const usable = balance - (withdrawAmount ?? 0n) - charged - reserved;
  const since = claimableSince === null ? '' : ` since ${claimableSince.toISOString()}`;
  const left = usable > 0n ? usable : 0n;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['channel', `${channelId} on ${network}`],
    ['payer', payer],
    ['contract', `${usdc(balance)}, of which ${usdc(totalClaimed)} claimed, at block ${blockNumber ?? 'none yet'}`],
    ['account', `charged ${usdc(charged)}, reserved ${usdc(reserved)}, left ${usdc(left)}`],
    ['voucher', voucher === null ? undefined : usdc(voucher)],
    ['unclaimed', `${usdc(unclaimed)}, of which ${usdc(claimable)} can be claimed${since}`],
    [
      'withdrawing',
      withdrawAmount === null ? undefined : `${usdc(withdrawAmount)}, possible at ${withdrawableAt?.toISOString()}`,
    ],
  ];
  return [
    ...fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(11)}  ${value}`])),
    ...transactions.map(
      ({ kind, state, reason, transaction, amount, startedAt }) =>
        `${kind.padEnd(11)}  ${startedAt.toISOString()}  ${state}  ${transaction ?? '-'}  ${amount === null ? (reason ?? '') : usdc(amount)}`,
    ),
    ...acts.map(
      ({ actedAt, operator, action, reason }) =>
        `act          ${actedAt.toISOString()}  ${operator}  ${action}  ${reason}`,
    ),
  ];
}
