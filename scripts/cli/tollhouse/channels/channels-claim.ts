import type { Estimate } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import {
  BATCH,
  CLAIM_TIMEOUT_MS,
  claimVouchers,
  toClaim,
} from '../../../../services/backoffice/channels/claim-channels.ts';
import {
  createVouchers,
  type StoredVoucher,
  type Vouchers,
} from '../../../../services/backoffice/channels/vouchers.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { Database } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';
import { requireReason } from '../../terminal/operator.ts';
import { sayEstimate } from '../payments/estimate.ts';
import { usdc } from '../payments/payments-fields.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { findChannel, readChannelId } from './channels-rows.ts';
import { recordChannelAct, voucherCipherOf, withChannels } from './channels-service.ts';

const SILENT = createLogger({ name: 'tollhouse', level: 'silent' });
const ALL = { afterSeconds: 0, aboveMicroUsd: 1n };

/** `channels claim`. Claims what channels were charged now, without waiting for the back office. */
export const claimChannels: Command = async (terminal, { reason: given, dryRun, json }, ...texts) => {
  const ids = texts.map(readChannelId);
  const reason = requireReason(given);
  await withDatabase(terminal, async (database) => {
    let chosen = 0;
    for (const network of await networksOf(database, ids)) {
      const vouchers = createVouchers({ database, network });
      const { at, vouchers: all } = await vouchers.due(ALL);
      const due = ids.length === 0 ? all : await findVouchers(vouchers, ids);
      chosen += due.length;
      if (dryRun && due.length > 0) {
        await sayEstimates(terminal, json, due);
        continue;
      }
      for (let from = 0; from < due.length; from += BATCH) {
        const batch = due.slice(from, from + BATCH);
        const claimed = await claimBatch(terminal, { database, vouchers }, { batch, at, reason });
        if (json) terminal.say(JSON.stringify(claimed));
        else for (const line of toLines(claimed)) terminal.say(line);
      }
    }
    if (chosen === 0 && !json) terminal.say('nothing is unclaimed');
  });
};

/** The network of the given channels, or all networks. */
async function networksOf(database: Database, ids: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(ids.map(async (id) => (await findChannel(database, id)).network));
  if (ids.length > 0) return [...new Set(found)];
  const rows = await database.selectFrom('channel').select('network').distinct().orderBy('network').execute();
  return rows.map(({ network }) => network);
}

interface Opened {
  readonly database: Database;
  readonly vouchers: Vouchers;
}

async function findVouchers(vouchers: Vouchers, ids: readonly string[]): Promise<readonly StoredVoucher[]> {
  const found = await vouchers.find(ids);
  const missing = ids.find((id) => found.every(({ channelId }) => channelId !== id));
  if (missing !== undefined) throw new CommandError(`nothing of channel ${missing} can be claimed`);
  return found;
}

interface Batch {
  readonly batch: readonly StoredVoucher[];
  readonly at: Date;
  readonly reason: string;
}

interface Claimed {
  readonly transactions: readonly string[];
  readonly channels: readonly { readonly channelId: string; readonly totalClaimed: string }[];
  readonly refusedIds: readonly string[];
}

/** Prints what a claim would do, and writes nothing. */
async function sayEstimates(
  terminal: Terminal,
  json: boolean | undefined,
  due: readonly StoredVoucher[],
): Promise<void> {
  const cipher = voucherCipherOf(terminal);
  const claims = due.flatMap((voucher) => toClaim({ cipher, logger: SILENT }, voucher)?.message ?? []);
  const estimate: Estimate & { refusedIds: string[] } = { transfers: [], gas: 0n, maxCostWei: '0', refusedIds: [] };
  for (let from = 0; from < claims.length; from += BATCH) {
    const request = { claims: claims.slice(from, from + BATCH) };
    const { estimate: part, refusedIds } = await withChannels(terminal, (channels) =>
      channels.estimateClaims(request, { timeoutMs: CLAIM_TIMEOUT_MS }),
    );
    const { transfers, gas, maxCostWei } = defined(part);
    estimate.transfers.push(...transfers);
    estimate.gas += gas;
    estimate.maxCostWei = `${BigInt(estimate.maxCostWei) + BigInt(maxCostWei)}`;
    estimate.refusedIds.push(...refusedIds);
  }
  sayEstimate(terminal, json, estimate);
  if (!json) for (const line of estimate.refusedIds.map(toRefusal)) terminal.say(line);
}

async function claimBatch(
  terminal: Terminal,
  { database, vouchers }: Opened,
  { batch, at, reason }: Batch,
): Promise<Claimed> {
  const cipher = voucherCipherOf(terminal);
  const channelIds = batch.map(({ channelId }) => channelId);
  await recordChannelAct(terminal, database, { action: 'channels.claim', channelIds, reason });
  const response = await withChannels(terminal, (channels) =>
    claimVouchers({ vouchers, cipher, logger: SILENT, channels }, batch, at),
  );
  if (response === undefined) return { transactions: [], channels: [], refusedIds: [] };
  const { transactions, refusedIds } = response;
  const channels = response.channels.map(({ channelId, totalClaimed }) => ({ channelId, totalClaimed }));
  return { transactions, channels, refusedIds };
}

const toLines = ({ transactions, channels, refusedIds }: Claimed): readonly string[] => [
  ...transactions.map((transaction) => `claimed in ${transaction}`),
  ...channels.map(({ channelId, totalClaimed }) => `${channelId}  claimed in total ${usdc(BigInt(totalClaimed))}`),
  ...refusedIds.map(toRefusal),
];

const toRefusal = (channelId: string) => `${channelId}  NOT CLAIMED: the chain would revert it`;
