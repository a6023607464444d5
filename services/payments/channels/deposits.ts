import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { encodeAbiParameters, encodeFunctionData, type Hex, hexToBigInt, parseAbi, parseTransaction } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { isSame, TRANSFER, topicOf, USED } from '../chain/authorization-use.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';
import {
  type Block,
  findReceipt,
  hasCode,
  isRevert,
  type Receipt,
  type Rpc,
  readBlock,
  readReceipt,
} from '../chain/rpc.ts';
import { earlierThan, recentBlock } from '../chain/search-range.ts';
import type { Claims } from '../claims/claims.ts';
import { Address, Bytes32 } from '../payment/hex.ts';
import { type GasAccount, isBurned } from '../signer/gas-budget.ts';
import type { Lock } from '../signer/signer-lock.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';
import { COLLECTOR, SETTLEMENT } from './addresses.ts';
import type { ChannelRecords } from './channel-records.ts';
import { DEPOSITED, readEvents } from './contract-logs.ts';
import { readState } from './contract-reader.ts';
import type { DepositPayload } from './deposit-payload.ts';
import { type Reason, reasonOf } from './reasons.ts';
import { SETTLEMENT_ABI } from './settlement-abi.ts';
import type { ChannelTransaction, Ending, NewTransaction, TransactionRecords } from './transaction-records.ts';
import { type ChannelCall, type ChannelTransactions, type TransactionRules, transactionLock } from './transactions.ts';
import { authorizationOf, checkDeposit, checkFunds, type DepositTerms } from './verify-deposit.ts';

const ABI = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)']);

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
const isStored = Compile(Stored);

export interface Deposits {
  /**
   * Sends a deposit, or continues one that was sent before.
   * @param admit throws if none may be sent now
   * @returns undefined while its outcome is not known
   */
  deposit(payload: DepositPayload, untilMs: number, admit: () => void): Promise<Ending | undefined>;
}

export interface DepositsOptions extends DepositTerms {
  readonly rpc: Rpc;
  readonly sender: Pick<TransactionSender, 'estimateGas'>;
  readonly blocks: ConfirmedBlocks;
  readonly claims: Pick<Claims, 'standing'>;
  readonly channels: Pick<ChannelRecords, 'remember'>;
  readonly records: TransactionRecords;
  readonly transactions: Pick<ChannelTransactions, 'start' | 'follow'>;
  readonly lock: Lock;
  readonly now: () => number;
}

export function createDeposits(options: DepositsOptions): Deposits {
  const { records, transactions, lock } = options;
  return {
    async deposit(payload, untilMs, admit) {
      const { payer, nonce } = authorizationOf(payload);
      const id = `deposit:${payer.toLowerCase()}:${nonce}`;
      const reason = await lock(transactionLock(id), async () => {
        const known = await records.find(id);
        // A refused deposit may be possible now, such as after the payer got tokens. One that failed in a transaction is not
        // sent again.
        if (known !== undefined && !isRetryable(known.ending)) return undefined;
        admit();
        return begin(options, id, payload);
      });
      return reason === undefined ? transactions.follow(id, untilMs) : { state: 'refused', reason: reasonOf(reason) };
    },
  };
}

const isRetryable = (ending: Ending | undefined) =>
  ending?.state === 'refused' && ending.reason !== reasonOf('deposit_transaction_failed');

/** Verifies a deposit and sends it. @returns why it is refused */
async function begin(options: DepositsOptions, id: string, payload: DepositPayload): Promise<Reason | undefined> {
  const { rpc, blocks, terms, channels, records, transactions, claims, now } = options;
  const { config, voucher, range } = payload;
  const { payer } = authorizationOf(payload);
  const [{ latest }, isCoded] = await Promise.all([blocks.readHead(), hasCode(rpc, payer)]);
  const stored = toStored(payload, isCoded);
  // A stranger may have sent it, or the record was lost: then the validity no longer matters.
  const isUsed = await isUsedAt(rpc, terms.asset, stored, latest);
  const fault = checkDeposit(options, payload, now());
  const refused = fault === 'receive_authorization_signature' ? await checkWallet(options, stored) : fault;
  const isEnded = refused === 'payload_authorization_valid_before';
  if (refused !== undefined && !(isUsed && isEnded)) return refused;
  const transaction: NewTransaction = {
    id,
    kind: 'deposit',
    request: JSON.stringify(stored),
    fromBlock: latest.number,
  };
  if (isUsed) {
    const proof = await findProof(rpc, terms.asset, stored, {
      hashes: [],
      from: recentBlock(latest.number),
      to: latest.number,
    });
    if (proof === undefined) return 'deposit_transaction_failed';
    await channels.remember(voucher.channelId, config, latest.number);
    await records.insert({ ...transaction, fromBlock: proof.block });
    return undefined;
  }
  if ((await claims.standing(payer)).isThrottled) return 'too_many_failures';
  const unfunded = await checkFunds(rpc, terms.asset, payload, await readState(rpc, voucher.channelId, latest.number));
  if (unfunded !== undefined) return unfunded;
  // A deposit that is refused leaves nothing behind.
  const beforeSigning = () => channels.remember(voucher.channelId, config, latest.number);
  return REFUSED[await transactions.start(transaction, { ...callOf(stored, range), beforeSigning })];
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
async function checkWallet({ sender }: DepositsOptions, { hasCode, data }: Stored): Promise<Reason | undefined> {
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

function readStored({ id, request }: ChannelTransaction): Stored {
  const stored: unknown = JSON.parse(request);
  if (!isStored.Check(stored)) throw new Error(`the record of ${id} is malformed`);
  return stored;
}

const isUsedAt = (rpc: Rpc, asset: Hex, { payer, nonce }: Stored, { number }: Block): Promise<boolean> =>
  rpc.readContract({
    address: asset,
    abi: ABI,
    functionName: 'authorizationState',
    args: [payer, nonce],
    blockNumber: number,
  });

export interface DepositRulesOptions {
  readonly rpc: Rpc;
  readonly asset: Hex;
  readonly claims: Pick<Claims, 'countFailure'>;
  readonly channels: Pick<ChannelRecords, 'note'>;
}

/** Decides by the chain: anyone may send the authorization, and it always goes to the same channel. */
export function createDepositRules({ rpc, asset, claims, channels }: DepositRulesOptions): TransactionRules {
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
      if (await isUsedAt(rpc, asset, stored, confirmed)) {
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

interface Search {
  /** Transactions of ours, which are looked at first. */
  readonly hashes: readonly Hex[];
  readonly from: bigint;
  readonly to: bigint;
}

/** Finds the transaction in which the authorization moved the amount into the channel. */
async function findProof(
  rpc: Rpc,
  asset: Hex,
  stored: Stored,
  { hashes, ...range }: Search,
): Promise<Proof | undefined> {
  const receipts = await Promise.all(hashes.map((hash) => findReceipt(rpc, hash)));
  const own = findAmong(receipts, hashes, asset, stored);
  if (own !== undefined) return own;
  const events = await readEvents(rpc, [stored.channelId], range, DEPOSITED);
  const others = [...new Set(events.map(({ transaction }) => transaction))];
  return findAmong(await Promise.all(others.map((hash) => readReceipt(rpc, hash))), others, asset, stored);
}

function findAmong(
  receipts: readonly (Receipt | undefined)[],
  hashes: readonly Hex[],
  asset: Hex,
  stored: Stored,
): Proof | undefined {
  for (const [i, transaction] of hashes.entries()) {
    const block = blockOfDeposit(receipts[i], asset, stored);
    if (block !== undefined) return { transaction, block };
  }
  return undefined;
}

/**
 * The token emits AuthorizationUsed, and then the transfer of that authorization. Only the contract can make the collector
 * receive, and the nonce names the channel.
 */
function blockOfDeposit(
  receipt: Receipt | undefined,
  asset: Hex,
  { payer, nonce, amount }: Stored,
): bigint | undefined {
  if (receipt?.success !== true) return undefined;
  const { logs } = receipt;
  const log = logs.find(({ address, topics }, i) => {
    const next = logs[i + 1];
    const isUse = isSame(topics[0], USED) && isSame(topics[1], topicOf(payer)) && isSame(topics[2], nonce);
    if (!isUse || !isSame(address, asset) || next === undefined || !isSame(next.address, asset)) return false;
    const [event, from, to] = next.topics;
    const isTransfer = isSame(event, TRANSFER) && isSame(from, topicOf(payer)) && isSame(to, topicOf(COLLECTOR));
    return isTransfer && BigInt(next.data) === BigInt(amount);
  });
  return log && BigInt(log.blockNumber);
}
