import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import type { ClaimDetails } from '../claims/claims.ts';
import type { Terms } from '../payment/terms.ts';
import {
  type AuthorizationRef,
  type AuthorizationUse,
  createProofs,
  findUse,
  type UseSearch,
} from './authorization-use.ts';
import type { Calls } from './calls.ts';
import type { ConfirmedBlocks } from './confirmed-blocks.ts';
import { isSame, NodeReplyError } from './node-replies.ts';
import { decide, type Rpc } from './nodes.ts';
import { type Block, findReceipt, findTransaction, readLatestBlock } from './rpc.ts';
import { earlierThan, recentBlock } from './search-range.ts';
import { balanceAt, balanceOfCall, isUsedAt, readWord } from './token-calls.ts';

/** State of one authorization on the chain. */
export type ChainState =
  | Exclude<AuthorizationUse, { readonly kind: 'void' }>
  /**
   * It was used otherwise or cancelled, or has expired. `isConfirmed`: in a block that is final. Until then, a
   * reorganization could let it be used.
   */
  | { readonly kind: 'void'; readonly reason: string; readonly isConfirmed: boolean }
  | { readonly kind: 'unused' }
  /** Unused, and the noted transaction, which was for this authorization alone, was mined and reverted. */
  | { readonly kind: 'reverted' }
  /** Unused, and the noted transaction waits to be mined. */
  | { readonly kind: 'in_flight' };

/** An authorization to look up, with the transaction that was noted for it, if any. */
export type AuthorizationQuery = AuthorizationRef &
  Pick<ClaimDetails, 'validBeforeS' | 'fromBlock'> & { readonly transaction?: Hex | undefined };

export type Chain = ReturnType<typeof createChain>;

export interface ChainOptions {
  readonly rpc: Rpc;
  readonly calls: Calls;
  readonly terms: Terms;
  readonly blocks: Pick<ConfirmedBlocks, 'readHead'>;
  /** A transaction of ours with all its replacements. Only the own signer has replacements. */
  readonly versionsOf?: (transaction: Hex) => Promise<readonly Hex[]>;
  readonly now: () => number;
  /** Mines a block. Only the sandbox has it: the clock of a chain without traffic stands still. */
  readonly advance?: () => Promise<void>;
}

export function createChain(options: ChainOptions) {
  const { rpc, calls, terms } = options;
  const token = { rpc, asset: terms.asset };
  const { blockNumber } = calls;
  const proofsOf = createProofs(rpc, terms.asset);
  const search = { ...token, proofsOf };
  /** Whether an authorization was already used or cancelled at the latest final block, or else had expired unused. */
  async function isEnded(query: AuthorizationQuery, isUsed: boolean): Promise<boolean> {
    const { confirmed } = await options.blocks.readHead();
    if (confirmed === undefined || (!isUsed && confirmed.timestamp < BigInt(query.validBeforeS))) return false;
    // Another node may know of a use that the first one did not show.
    return (await isUsedAt({ ...token, block: confirmed.number }, query)) === isUsed;
  }
  async function stateOf(query: AuthorizationQuery): Promise<ChainState> {
    const { transaction } = query;
    const settled = transaction && (await proofsOf(transaction))?.(query);
    if (settled) return settled;
    const block = await readCurrentBlock(options, query.validBeforeS);
    // Read the state at the block whose time was read: a later block may have used the authorization in time.
    const isUsed = await isUsedAt({ ...token, block: block.number }, query);
    const state = await (isUsed
      ? stateOfUsed(search, query, block.number)
      : stateOfUnused(options, query, block.timestamp));
    return state.kind === 'void' ? { ...state, isConfirmed: await isEnded(query, isUsed) } : state;
  }
  return {
    /** @throws when the node does not answer, or contradicts itself: then nothing is known */
    stateOf: (query: AuthorizationQuery): Promise<ChainState> => decide(() => stateOf(query)),
    /**
     * What an authorization without a claim was used for. `perhaps_us`: it paid the present payee, or it was used so long ago that its log
     * is out of range.
     */
    useOf: (authorization: Omit<AuthorizationRef, 'payTo'>): Promise<'nothing' | 'another' | 'perhaps_us'> =>
      decide(async () => {
        if (!(await isUsedAt(token, authorization))) return 'nothing';
        const latest = await blockNumber();
        const { payTo } = terms;
        const use = await findUse(search, { ...authorization, payTo }, { from: recentBlock(latest), to: latest });
        return use?.kind === 'void' ? 'another' : 'perhaps_us';
      }),
    async balanceOf(payer: Hex): Promise<bigint> {
      const outcome = await calls.read({ target: terms.asset, data: balanceOfCall(payer) });
      const balance = outcome.success ? readWord(outcome.data) : undefined;
      if (balance === undefined) throw new NodeReplyError('balanceOf', outcome);
      return balance;
    },
    /** The payer's balance, and which of these authorizations are used, both at one block. */
    holdingsOf: (payer: Hex, nonces: readonly Hex[]) =>
      decide(async () => {
        const at = { ...token, block: await blockNumber() };
        const [balance, ...states] = await Promise.all([
          balanceAt(at, payer),
          ...nonces.map((nonce) => isUsedAt(at, { payer, nonce })),
        ]);
        return { balance, used: nonces.filter((_, i) => defined(states[i])) };
      }),
    blockNumber,
  };
}

/** The latest block. In the sandbox it is mined now if an authorization has expired since the last one. */
async function readCurrentBlock({ rpc, now, advance }: ChainOptions, validBeforeS: number): Promise<Block> {
  const block = await readLatestBlock(rpc);
  const isBehind = block.timestamp < BigInt(validBeforeS) && now() / 1000 > validBeforeS;
  if (advance === undefined || !isBehind) return block;
  await advance();
  return readLatestBlock(rpc);
}

async function stateOfUnused(
  { rpc, terms, versionsOf = async (transaction) => [transaction] }: ChainOptions,
  query: AuthorizationQuery,
  timestampS: bigint,
): Promise<AuthorizationUse | Extract<ChainState, { readonly kind: 'unused' | 'reverted' | 'in_flight' }>> {
  if (timestampS >= BigInt(query.validBeforeS)) {
    return { kind: 'void', reason: 'invalid_exact_evm_payload_authorization_valid_before' };
  }
  if (query.transaction === undefined) return { kind: 'unused' };
  // A claim of a batch may not know that another claim's caller replaced the transaction.
  let versions = await versionsOf(query.transaction);
  for (let known = 0; known < versions.length; ) {
    const found = await Promise.all(versions.map((transaction) => findTransaction(rpc, transaction)));
    if (found.some((each) => each?.blockNumber === null)) return { kind: 'in_flight' };
    known = versions.length;
    // The last one may have been replaced before the node was asked for it.
    versions = await versionsOf(query.transaction);
  }
  const receipts = await Promise.all(versions.map((transaction) => findReceipt(rpc, transaction)));
  // In a batch, another payment may have used up the gas.
  const isReverted = receipts.some((each) => each?.success === false && isSame(each.to, terms.asset));
  return { kind: isReverted ? 'reverted' : 'unused' };
}

async function stateOfUsed(search: UseSearch, query: AuthorizationQuery, latest: bigint): Promise<AuthorizationUse> {
  // A claim that was opened while no chain was known does not say from which block to search.
  const from = query.fromBlock === undefined ? recentBlock(latest) : earlierThan(query.fromBlock);
  const use = await findUse(search, query, { from, to: latest });
  if (use === undefined) throw new Error('the authorization is used, and no block has its log');
  return use;
}
