import { type Hex, numberToHex, pad, parseAbi, type RpcLog, TransactionNotFoundError, toEventSelector } from 'viem';
import type { ClaimDetails } from '../claims/claims.ts';
import type { Terms } from '../payment/terms.ts';
import { findReceipt, type Rpc } from './rpc.ts';

/** What the chain says of one authorization. */
export type ChainState =
  /** It moved the amount to us, in `transaction`, whoever sent it. */
  | { readonly kind: 'settled'; readonly transaction: Hex }
  /** It can never move the amount to us any more: used otherwise, cancelled, or expired. */
  | { readonly kind: 'void'; readonly reason: string }
  | { readonly kind: 'unused' }
  /** Unused, and the noted transaction waits to be mined. */
  | { readonly kind: 'in_flight' };

export type Question = Pick<ClaimDetails, 'payer' | 'nonce' | 'amount' | 'validBeforeS' | 'fromBlock'> & {
  readonly transaction?: Hex | undefined;
};

export interface Chain {
  /** @throws when a node cannot be asked, or contradicts itself: then nothing is known. */
  look(question: Question): Promise<ChainState>;
  /**
   * Whether an authorization has paid us, of which no claim says where to look. Also true where it was used so long ago
   * that what it did is out of sight.
   */
  mayHavePaid(question: Pick<Question, 'payer' | 'nonce' | 'amount'>): Promise<boolean>;
  balanceOf(payer: Hex): Promise<bigint>;
  /** What a payer holds, and which of these authorizations are used, both as of one block. */
  holdingsOf(payer: Hex, nonces: readonly Hex[]): Promise<Holdings>;
  blockNumber(): Promise<bigint>;
}

export interface Holdings {
  readonly balance: bigint;
  /** Nonces. */
  readonly used: readonly Hex[];
}

type EventLog = Pick<RpcLog, 'address' | 'topics' | 'data' | 'logIndex'>;

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
/** What public nodes let through in one request. */
const LOG_RANGE_BLOCKS = 1000n;

/** Nearly three hours of Base: payments are valid for one. */
const RECENT_BLOCKS = 5000n;

const recentBlock = (latest: bigint) => (latest > RECENT_BLOCKS ? latest - RECENT_BLOCKS : 0n);

type Use = Pick<Question, 'payer' | 'nonce' | 'amount'> & { readonly fromBlock: bigint };

const word = (address: Hex) => pad(address, { size: 32 }).toLowerCase();

/**
 * Whether a transaction's logs hold AuthorizationUsed(payer, nonce) with the Transfer(payer, payTo, amount) that
 * belongs to it. The token emits the two one after the other; a transfer elsewhere in the same transaction may be
 * another authorization's, put there to pay two claims with one amount.
 */
export function isPaid(
  logs: readonly EventLog[],
  terms: Pick<Terms, 'asset' | 'payTo'>,
  { payer, nonce, amount }: Pick<Question, 'payer' | 'nonce' | 'amount'>,
): boolean {
  const ours = (log: EventLog | undefined, topics: readonly string[]) =>
    log !== undefined &&
    log.address.toLowerCase() === terms.asset.toLowerCase() &&
    topics.every((topic, i) => log.topics[i]?.toLowerCase() === topic);
  return logs.some((log, i) => {
    if (!ours(log, [USED, word(payer), nonce.toLowerCase()])) return false;
    const next = logs[i + 1];
    if (next === undefined || Number(next.logIndex) !== Number(log.logIndex) + 1) return false;
    return ours(next, [TRANSFER, word(payer), word(terms.payTo)]) && BigInt(next.data) === amount;
  });
}

export interface ChainOptions {
  readonly rpc: Rpc;
  readonly terms: Terms;
  readonly now: () => number;
  /** A chain without traffic has an old clock; the sandbox mines a block to bring it up. */
  readonly advance?: () => Promise<void>;
}

export function createChain({ rpc, terms, now, advance }: ChainOptions): Chain {
  const pays = async (hash: Hex, question: Pick<Question, 'payer' | 'nonce' | 'amount'>): Promise<boolean> => {
    const receipt = await findReceipt(rpc, hash);
    return receipt?.success === true && isPaid(receipt.logs, terms, question);
  };

  async function lookUnused(question: Question, timestampS: bigint): Promise<ChainState> {
    if (timestampS >= BigInt(question.validBeforeS)) {
      return { kind: 'void', reason: 'invalid_exact_evm_payload_authorization_valid_before' };
    }
    if (question.transaction && (await isWaiting(rpc, question.transaction))) return { kind: 'in_flight' };
    return { kind: 'unused' };
  }

  /** What used the authorization, by its log; undefined where that is not in these blocks. */
  async function findUse(question: Use, latest: bigint): Promise<ChainState | undefined> {
    const topics = [[USED, CANCELED], pad(question.payer, { size: 32 }), question.nonce] as [Hex[], Hex, Hex];
    for (let from = question.fromBlock; from <= latest; from += LOG_RANGE_BLOCKS) {
      const to = from + LOG_RANGE_BLOCKS - 1n;
      const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to < latest ? to : latest) };
      const [log] = await rpc.request({ method: 'eth_getLogs', params: [{ address: terms.asset, topics, ...range }] });
      if (!log?.transactionHash) continue;
      if (await pays(log.transactionHash, question)) return { kind: 'settled', transaction: log.transactionHash };
      return { kind: 'void', reason: 'invalid_exact_evm_nonce_already_used' };
    }
    return undefined;
  }

  async function lookUsed(question: Question, latest: bigint): Promise<ChainState> {
    // A claim that was opened while no chain was known does not say where to look.
    const { fromBlock = recentBlock(latest) } = question;
    const use = await findUse({ ...question, fromBlock }, latest);
    if (use === undefined) throw new Error('the authorization is used, and its log is not there');
    return use;
  }

  return {
    async look(question) {
      const { transaction, payer, nonce, validBeforeS } = question;
      if (transaction && (await pays(transaction, question))) return { kind: 'settled', transaction };
      let block = await rpc.getBlock({ blockTag: 'latest' });
      if (advance && block.timestamp < BigInt(validBeforeS) && now() / 1000 > validBeforeS) {
        await advance();
        block = await rpc.getBlock({ blockTag: 'latest' });
      }
      // Read at the block whose time was read: a later one may have used the authorization in time.
      const at = { address: terms.asset, abi: ABI, blockNumber: block.number } as const;
      const used = await rpc.readContract({ ...at, functionName: 'authorizationState', args: [payer, nonce] });
      return used ? lookUsed(question, block.number) : lookUnused(question, block.timestamp);
    },
    async mayHavePaid(question) {
      const args = [question.payer, question.nonce] as const;
      const used = await rpc.readContract({ address: terms.asset, abi: ABI, functionName: 'authorizationState', args });
      if (!used) return false;
      const latest = await rpc.getBlockNumber({ cacheTime: 0 });
      const use = await findUse(
        { ...question, fromBlock: latest > RECENT_BLOCKS ? latest - RECENT_BLOCKS : 0n },
        latest,
      );
      return use?.kind !== 'void';
    },
    balanceOf: (payer) =>
      rpc.readContract({ address: terms.asset, abi: ABI, functionName: 'balanceOf', args: [payer] }),
    async holdingsOf(payer, nonces) {
      const at = { address: terms.asset, abi: ABI, blockNumber: await rpc.getBlockNumber({ cacheTime: 0 }) } as const;
      const [balance, ...states] = await Promise.all([
        rpc.readContract({ ...at, functionName: 'balanceOf', args: [payer] }),
        ...nonces.map((nonce) => rpc.readContract({ ...at, functionName: 'authorizationState', args: [payer, nonce] })),
      ]);
      return { balance, used: nonces.filter((_, i) => states[i]) };
    },
    blockNumber: () => rpc.getBlockNumber({ cacheTime: 0 }),
  };
}

async function isWaiting(rpc: Rpc, hash: Hex): Promise<boolean> {
  try {
    const transaction = await rpc.getTransaction({ hash });
    return transaction.blockNumber === null;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false;
    throw error;
  }
}
