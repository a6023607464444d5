import { type Static, Type } from 'typebox';
import { encodeAbiParameters, encodeFunctionData, type Hex, hexToBigInt, parseTransaction } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createProofReader } from '../chain/authorization-use.ts';
import { decide, type Rpc } from '../chain/nodes.ts';
import { findReceipt, hasCode, isRevert, type LogRange, type Receipt, readBlock, readReceipt } from '../chain/rpc.ts';
import { earlierThan, recentBlock } from '../chain/search-range.ts';
import { isUsedAt } from '../chain/token-calls.ts';
import { Address, Bytes32 } from '../payment/hex.ts';
import { type GasAccount, isBurned } from '../signer/gas-budget.ts';
import { COLLECTOR, SETTLEMENT } from './addresses.ts';
import type { ChannelContext } from './channel-context.ts';
import { DEPOSITED, readEvents } from './contract-logs.ts';
import { readState } from './contract-reader.ts';
import type { DepositPayload } from './deposit-payload.ts';
import { type Reason, reasonOf } from './reasons.ts';
import { SETTLEMENT_ABI } from './settlement-abi.ts';
import { createRequestReader, type Ending, type NewTransaction } from './transaction-records.ts';
import { type ChannelCall, type SendingContext, type TransactionRules, transactionLock } from './transactions.ts';
import { authorizationOf, checkDeposit, checkFunds } from './verify-deposit.ts';

const Amount = Type.String({ pattern: '^\\d+$' });
/** What is stored of a deposit. */
const Stored = Type.Object({
  channelId: Bytes32,
  payer: Address,
  hasCode: Type.Boolean(),
  nonce: Bytes32,
  amount: Amount,
  validBefore: Amount,
  data: Type.Unsafe<Hex>(Type.String({ pattern: '^0x[0-9a-f]+$' })),
});
const readStored = createRequestReader(Stored);

export type Deposits = ReturnType<typeof createDeposits>;

export function createDeposits(context: SendingContext) {
  const { records, transactions, lock } = context;
  return {
    /**
     * Sends a deposit, or continues one that was sent before.
     * @param admit throws if none may be sent now
     * @returns undefined while its outcome is not known
     */
    async deposit(payload: DepositPayload, untilMs: number, admit: () => void): Promise<Ending | undefined> {
      const { payer, nonce } = authorizationOf(payload);
      const id = `deposit:${payer.toLowerCase()}:${nonce}`;
      const reason = await lock(transactionLock(id), async () => {
        const known = await records.find(id);
        // A refused deposit may be possible now, such as after the payer got tokens. One that failed in a transaction is not
        // sent again.
        if (known !== undefined && !isRetryable(known.ending)) return undefined;
        admit();
        return begin(context, id, payload);
      });
      return reason === undefined ? transactions.follow(id, untilMs) : { state: 'refused', reason: reasonOf(reason) };
    },
  };
}

const isRetryable = (ending: Ending | undefined) =>
  ending?.state === 'refused' && ending.reason !== reasonOf('deposit_transaction_failed');

/** Verifies a deposit and sends it. @returns why it is refused */
async function begin(context: SendingContext, id: string, payload: DepositPayload): Promise<Reason | undefined> {
  const { channels, records, transactions } = context;
  const { config, voucher, range } = payload;
  const { latest, stored, proof, refused } = await decide(() => examine(context, payload));
  if (refused !== undefined) return refused;
  const remember = () => channels.remember(voucher.channelId, config, latest);
  const transaction: NewTransaction = { id, kind: 'deposit', request: JSON.stringify(stored), fromBlock: latest };
  if (proof !== undefined) {
    await remember();
    await records.insert({ ...transaction, fromBlock: proof.block });
    return undefined;
  }
  // A deposit that is refused leaves nothing behind.
  return REFUSED[await transactions.start(transaction, { ...callOf(stored, range), beforeSigning: remember })];
}

/** Reads whether a deposit can be sent, or was sent before, which `proof` shows. `latest`: the latest block. */
async function examine(
  context: SendingContext,
  payload: DepositPayload,
): Promise<{ latest: bigint; stored: Stored; proof?: Proof; refused?: Reason | undefined }> {
  const { rpc, blocks, terms, claims, now } = context;
  const { payer } = authorizationOf(payload);
  const [{ latest: head }, isCoded] = await Promise.all([blocks.readHead(), hasCode(rpc, payer)]);
  const latest = head.number;
  const stored = toStored(payload, isCoded);
  const found = { latest, stored };
  // A stranger may have sent it, or the record was lost: then the validity no longer matters.
  const isUsed = await isUsedAt({ rpc, asset: terms.asset, block: latest }, stored);
  const fault = checkDeposit(context, payload, now());
  const refused = fault === 'receive_authorization_signature' ? await checkWallet(context, stored) : fault;
  const isEnded = refused === 'payload_authorization_valid_before';
  if (refused !== undefined && !(isUsed && isEnded)) return { ...found, refused };
  if (isUsed) {
    const search = { hashes: [], from: recentBlock(latest), to: latest };
    const proof = await findProof(rpc, terms.asset, stored, search);
    return proof === undefined ? { ...found, refused: 'deposit_transaction_failed' } : { ...found, proof };
  }
  if ((await claims.payerState(payer)).isThrottled) return { ...found, refused: 'too_many_failures' };
  const state = await readState(rpc, payload.voucher.channelId, latest);
  return { ...found, refused: await checkFunds(rpc, terms.asset, payload, state) };
}

/** The range is not stored with the deposit. What is reserved for it stays so when the deposit is sent again. */
function callOf({ data, payer, hasCode }: Stored, range?: string): ChannelCall {
  const accounts: readonly GasAccount[] = [
    payer,
    ...(hasCode ? ['code' as const] : []),
    'deposits',
    ...(range === undefined ? [] : [`range:${range}` as const]),
  ];
  return { data, vouchers: [], accounts };
}

const REFUSED = {
  started: undefined,
  reverts: 'deposit_simulation_failed',
  too_much_gas: 'too_much_gas_today',
} as const;

/** The signature of a contract wallet is checked by the token (ERC-1271). @returns why it is refused */
async function checkWallet({ sender }: SendingContext, { hasCode, data }: Stored): Promise<Reason | undefined> {
  if (!hasCode) return 'receive_authorization_signature';
  try {
    // Anyone may send a deposit. A stranger's signature must leave nothing behind, so this comes before anything is stored.
    await sender.estimateGas({ to: SETTLEMENT, data });
    return undefined;
  } catch (error) {
    if (isRevert(error)) return 'deposit_simulation_failed';
    throw error;
  }
}

type Stored = Static<typeof Stored>;

function toStored(payload: DepositPayload, hasCode: boolean): Stored {
  const { config, amount, voucher, validAfter, validBefore, salt, signature } = payload;
  const { payer, nonce } = authorizationOf(payload);
  const collectorData = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
    [validAfter, validBefore, hexToBigInt(salt), signature],
  );
  const data = encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: 'deposit',
    args: [config, amount, COLLECTOR, collectorData],
  });
  return {
    channelId: voucher.channelId,
    payer,
    hasCode,
    nonce,
    amount: `${amount}`,
    validBefore: `${validBefore}`,
    data,
  };
}

/** Decides by the chain: anyone may send the authorization, and it always goes to the same channel. */
export function createDepositRules({ rpc, terms: { asset }, claims, channels }: ChannelContext): TransactionRules {
  return {
    async isLostByCode(transaction, { fate, gasUsed }) {
      if (fate === 'mined') return false;
      if (fate !== 'reverted') return undefined;
      const limit = parseTransaction(defined(transaction.signed).serialized).gas ?? 0n;
      return isBurned({ used: gasUsed, limit }) || (await hasCode(rpc, readStored(transaction).payer));
    },
    async beforeEnding(transaction, { state }, { confirmed }) {
      // Otherwise a node that lags behind could answer the state before the deposit.
      if (state === 'done')
        await channels.note([await readState(rpc, readStored(transaction).channelId, confirmed.number)]);
    },
    async afterEnding(transaction, ending, { fate, minedIn }) {
      if (transaction.signed === undefined) return;
      const stored = readStored(transaction);
      const isFailed = fate === 'reverted' ? !(await isOnlyLate(rpc, stored, minedIn)) : isFailure(ending);
      if (isFailed) await claims.countFailure(stored.payer);
    },
    async decide(transaction, { confirmed, fate }) {
      const stored = readStored(transaction);
      if (await isUsedAt({ rpc, asset, block: confirmed.number }, stored)) {
        const range = { from: earlierThan(transaction.fromBlock), to: confirmed.number };
        const proof = await findProof(rpc, asset, stored, { hashes: transaction.transactions, ...range });
        if (proof === undefined) return { state: 'refused', reason: reasonOf('deposit_transaction_failed') };
        // The transaction may be one of another reorganization that is not final.
        if (proof.block > confirmed.number) return 'wait';
        return { state: 'done', transaction: proof.transaction, amount: BigInt(stored.amount) };
      }
      if (fate === 'reverted') return { state: 'refused', reason: reasonOf('deposit_transaction_failed') };
      if (confirmed.timestamp >= BigInt(stored.validBefore)) {
        return { state: 'refused', reason: reasonOf('payload_authorization_valid_before') };
      }
      return fate === 'replaced' ? { state: 'again', ...callOf(stored) } : 'wait';
    },
  };
}

/** One that was not mined in time is not its payer's failure. */
const isFailure = (ending: Ending): boolean =>
  ending.state === 'refused' && ending.reason !== reasonOf('payload_authorization_valid_before');

/** Whether a deposit was reverted because it was mined too late. Code of its payer may revert it for another reason. */
async function isOnlyLate(rpc: Rpc, stored: Stored, minedIn: readonly bigint[]): Promise<boolean> {
  if (stored.hasCode || (await hasCode(rpc, stored.payer))) return false;
  const blocks = await Promise.all(minedIn.map((number) => readBlock(rpc, number)));
  // A node that lags behind lacks the block. What is not known is not held against the payer.
  return blocks.every((block) => block === undefined || block.timestamp >= BigInt(stored.validBefore));
}

interface Proof {
  readonly transaction: Hex;
  readonly block: bigint;
}

/**
 * Finds the transaction in which the authorization moved the amount into the channel.
 * @param hashes transactions of ours, which are looked at first
 */
async function findProof(
  rpc: Rpc,
  asset: Hex,
  stored: Stored,
  { hashes, ...range }: LogRange & { readonly hashes: readonly Hex[] },
): Promise<Proof | undefined> {
  const receipts = await Promise.all(hashes.map((hash) => findReceipt(rpc, hash)));
  const own = findAmong(receipts, hashes, asset, stored);
  if (own !== undefined) return own;
  const events = await readEvents(rpc, [stored.channelId], range, DEPOSITED);
  const others = [...new Set(events.map(({ transaction }) => transaction))];
  return findAmong(await Promise.all(others.map((hash) => readReceipt(rpc, hash))), others, asset, stored);
}

/** Only the contract can make the collector receive, and the nonce names the channel. */
function findAmong(
  receipts: readonly (Receipt | undefined)[],
  hashes: readonly Hex[],
  asset: Hex,
  { payer, nonce, amount }: Stored,
): Proof | undefined {
  const wanted = { payer, nonce, payTo: COLLECTOR, amount: BigInt(amount) };
  for (const [i, transaction] of hashes.entries()) {
    const use = receipts[i] && createProofReader(transaction, receipts[i], asset)(wanted);
    if (use !== undefined) return { transaction, block: use.block.number };
  }
  return undefined;
}
