import { isAddressEqual } from 'viem';
import { authorizationOf } from '../chain/authorization-use.ts';
import type { KnownChain } from '../chain/known-chain.ts';
import { NodeReplyError } from '../chain/node-replies.ts';
import { decide } from '../chain/nodes.ts';
import { type Block, readReceipt } from '../chain/rpc.ts';
import { balanceAt } from '../chain/token-calls.ts';
import { readTransfers, type Transfer } from '../chain/transfers.ts';
import { SETTLEMENT } from '../channels/addresses.ts';
import type { BlockRange, BookedClaim, Books, Payee, Run, RunBy } from './books.ts';
import { matchClaims, matchRefunds, sumOf } from './match.ts';

export interface Reconciliation {
  readonly differs: boolean;
  /** Whether it reached the final end of the chain. If not, the next run continues. */
  readonly complete: boolean;
  /** JSON text. */
  readonly report: string;
}

/** What a run compares. */
interface Compared extends Payee, Omit<KnownChain, 'chain'> {
  readonly books: Books;
}

/** Half a day of Base. */
const MAX_BLOCKS = 20_000n;
/** How long a claim may be without an outcome after its transfer, in seconds of the chain. */
const OPEN_FOR_S = 600n;

/**
 * Compares the claims with the transfers of the payee in the final blocks since the last run of this kind.
 * @throws {Error} where the node that is asked lacks a part of these blocks: it would seem that claims and chain differ
 */
export const reconcile = (compared: Compared, runBy: RunBy): Promise<Reconciliation> =>
  decide(() => run(compared, runBy));

async function run(compared: Compared, runBy: RunBy): Promise<Reconciliation> {
  const { blocks, books } = compared;
  const { confirmed } = await blocks.readHead();
  if (confirmed === undefined) throw new Error('the chain has no final block yet');
  const last = await books.lastRun(runBy);
  const from = last === undefined ? ((await books.firstBlock()) ?? confirmed.number) : last.toBlock + 1n;
  if (confirmed.number < from - 1n) {
    throw new Error(
      `the final part of the chain ends at block ${confirmed.number}, before the last run at ${from - 1n}`,
    );
  }
  const end = from + MAX_BLOCKS - 1n;
  const range = { from, to: end < confirmed.number ? end : confirmed.number };
  const found = await compare(compared, range, { last, confirmed });
  const report = JSON.stringify(found.report);
  // Nothing is final since the last run, or a claim will have its outcome soon: the next run starts at the same block.
  if (found.to >= from)
    await books.record(runBy, { from, to: found.to, balance: found.balance, differs: found.differs, report });
  return { differs: found.differs, complete: found.to >= confirmed.number || found.to < range.to, report };
}

async function compare(
  compared: Compared,
  range: BlockRange,
  { last, confirmed }: { readonly last: Run | undefined; readonly confirmed: Block },
) {
  const { rpc, books, network, asset, payee } = compared;
  const read = (direction: 'received' | 'sent') => readTransfers(rpc, { asset, account: payee, direction }, range);
  const [allReceived, allSent] = await Promise.all([read('received'), read('sent')]);
  // What is claimed of channels has no claim of a payment. Only the contract sends from its address.
  const [fromChannels, others] = [
    allReceived.filter(isFromChannels),
    allReceived.filter((each) => !isFromChannels(each)),
  ];
  const judged = await judge(compared, others, confirmed);
  const to = judged.pendingFrom === undefined ? range.to : judged.pendingFrom - 1n;
  const isIn = ({ block }: Transfer) => block.number <= to;
  const [received, sent] = [allReceived.filter(isIn), allSent.filter(isIn)];
  const blocks = { from: range.from, to };
  const settled = await books.settledIn(blocks);
  const paid = new Set(judged.paid.map(({ claimId }) => claimId));
  const refunds = matchRefunds(sent, await books.refundsIn(blocks));
  const balances = await readBalances(compared, blocks, last);
  const [came, went] = [sumOf(received.map(({ value }) => value)), sumOf(sent.map(({ value }) => value))];
  const expected = balances.before === undefined ? undefined : balances.before + came - went;
  const missing = await books.missing(last?.madeAt);
  const differences = {
    claimsWithoutTransfer: [
      ...settled
        .filter(({ claimId }) => !paid.has(claimId))
        .map((claim) => ({ ...claimFields(claim), reason: 'the chain does not have its transfer' })),
      ...missing.map((claim) => ({ ...claimFields(claim), reason: claim.reason })),
    ],
    transfersWithoutClaim: judged.unclaimed.filter(({ transfer }) => isIn(transfer)).map(unclaimedFields),
    refundsWithoutTransfer: refunds.unproven.map(refundFields),
    balance: expected === undefined || expected === balances.after ? null : `${balances.after - expected}`,
  };
  const { balance, ...lists } = differences;
  const differs = balance !== null || Object.values(lists).some((list) => list.length > 0);
  const report = {
    network,
    asset,
    payee,
    fromBlock: Number(range.from),
    toBlock: Number(to),
    received: sumFields(received),
    settledFromChannels: sumFields(fromChannels.filter(isIn)),
    sent: sumFields(sent),
    balance: { before: balances.before === undefined ? null : `${balances.before}`, after: `${balances.after}` },
    differs,
    differences,
    refunds: refunds.refunded.map(refundFields),
    otherTransfersSent: refunds.others.map(transferFields),
    pendingClaims: judged.pending.map(({ claimId }) => claimId),
  };
  return { to, balance: balances.after, differs, report };
}

const isFromChannels = ({ from }: Transfer): boolean => isAddressEqual(from, SETTLEMENT);

const sumFields = (transfers: readonly Transfer[]) => ({
  count: transfers.length,
  amount: `${sumOf(transfers.map(({ value }) => value))}`,
});

interface Unclaimed {
  readonly transfer: Transfer;
  /** A claim of the same authorization that is not settled. */
  readonly claim: BookedClaim | undefined;
}

/** Finds the claim of each transfer to the payee. */
async function judge({ rpc, books, blocks, asset }: Compared, received: readonly Transfer[], confirmed: Block) {
  const transactions = [...new Set(received.map(({ transaction }) => transaction))];
  const { matched, unmatched } = matchClaims(received, await books.claimsOf(transactions));
  const paid: BookedClaim[] = [];
  const pending: BookedClaim[] = [];
  const unclaimed: Unclaimed[] = [];
  let pendingFrom: bigint | undefined;
  // A stranger may have sent the authorization, in another transaction than the one that was noted.
  const others = await Promise.all(
    unmatched.map(async (transfer) => ({ transfer, claim: await claimBehind(transfer) })),
  );
  for (const { transfer, claim } of [...matched, ...others]) {
    if (claim?.state === 'settled' && !claim.isLost && claim.amount === transfer.value) paid.push(claim);
    else if (claim !== undefined && isOpen(claim) && (await isRecent(transfer))) {
      pending.push(claim);
      const { number } = transfer.block;
      pendingFrom = pendingFrom === undefined || number < pendingFrom ? number : pendingFrom;
    } else unclaimed.push({ transfer, claim });
  }
  return { paid, pending, unclaimed, pendingFrom };

  async function claimBehind({ transaction, logIndex, from: payer }: Transfer): Promise<BookedClaim | undefined> {
    const receipt = await readReceipt(rpc, transaction);
    const use = authorizationOf(receipt.logs, asset, logIndex);
    return use && books.claimOf({ payer, nonce: use.nonce });
  }

  async function isRecent({ block }: Transfer): Promise<boolean> {
    const found = await blocks.readBlock(block.number);
    if (found === undefined) throw new NodeReplyError('eth_getBlockByNumber', null);
    return found.timestamp + OPEN_FOR_S > confirmed.timestamp;
  }
}

async function readBalances({ rpc, asset, payee }: Compared, { from, to }: BlockRange, last: Run | undefined) {
  const at = (block: bigint) => balanceAt({ rpc, asset, block }, payee);
  const after = await at(to);
  if (last !== undefined) return { before: last.balance, after };
  // A node without an archive does not know the balance before the first run.
  const before = from === 0n ? undefined : await at(from - 1n).catch(() => undefined);
  return { before, after };
}

const isOpen = ({ state }: BookedClaim): boolean => state !== 'settled' && state !== 'failed';

const claimFields = ({ claimId, payer, amount, transaction }: BookedClaim) => ({
  claimId,
  payer,
  amount: `${amount}`,
  transaction,
});

const transferFields = ({ transaction, block, logIndex, from, to, value }: Transfer) => ({
  transaction,
  blockNumber: Number(block.number),
  logIndex: Number(logIndex),
  from,
  to,
  amount: `${value}`,
});

const unclaimedFields = ({ transfer, claim }: Unclaimed) => ({
  ...transferFields(transfer),
  claimId: claim?.claimId ?? null,
});

const refundFields = ({ claimId, transaction, amount }: { claimId: string; transaction: string; amount: bigint }) => ({
  claimId,
  transaction,
  amount: `${amount}`,
});
