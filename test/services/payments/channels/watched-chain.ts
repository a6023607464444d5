import { type Hex, numberToHex, type RpcTransactionReceipt } from 'viem';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createRpc, type Rpc } from '../../../../services/payments/chain/nodes.ts';
import { type Block, readBlock } from '../../../../services/payments/chain/rpc.ts';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import type { ChannelState } from '../../../../services/payments/channels/contract-reader.ts';
import { type Reason, reasonOf } from '../../../../services/payments/channels/reasons.ts';
import type { Ending } from '../../../../services/payments/channels/transaction-records.ts';
import type { Fate, FateAt } from '../../../../services/payments/channels/transactions.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { awaitReceipt } from '../../../kit/chain.ts';
import { type Answerer, startNodeBefore } from '../node-before.ts';
import { startChannelChain } from '../sandbox/channel-chain.ts';

/** Development accounts of anvil, which sign without a key of ours. */
export const [PAY_TO, STRANGER]: readonly [Hex, Hex] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
];
export const terms = createTerms({ network: 'eip155:31337', payTo: PAY_TO, sandbox: false });
export const hex32 = (value: number): Hex => numberToHex(value, { size: 32 });
/** No transactions have these hashes. */
export const [UNKNOWN, OTHER] = [hex32(0xc1), hex32(0xc2)];
export const refused = (reason: Reason): Ending => ({ state: 'refused', reason: reasonOf(reason) });
export const done = (transaction: Hex, amount: bigint): Ending => ({ state: 'done', transaction, amount });
/** What the contract knows of a channel, with nothing by default. */
export const stateOf = (channelId: Hex, changes: Partial<ChannelState> = {}): ChannelState => ({
  channelId,
  balance: 0n,
  totalClaimed: 0n,
  refundNonce: 0n,
  withdrawal: undefined,
  block: 90n,
  ...changes,
});

export type NodeCall = Parameters<Answerer>[0];

export const CONFIRMATIONS = 3;

/** A chain with the contracts, behind a node that keeps what it was asked for, and lies where a test wants it. */
export async function startWatchedChain() {
  const chain = await startChannelChain();
  const asked: NodeCall[] = [];
  let lie: Answerer = () => undefined;
  const front = await startNodeBefore(chain.url, (call, together) => {
    asked.push(call);
    return lie(call, together);
  });
  const rpc = createRpc(front.url);
  const { node } = chain;
  const blockAt = async (number: bigint): Promise<Block> => defined(await readBlock(createRpc(chain.url), number));
  const latest = async () => blockAt(await node.getBlockNumber({ cacheTime: 0 }));
  return {
    ...chain,
    rpc,
    blocks: createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS }),
    blockAt,
    latest,
    /** The fate of a transaction at a final block, which is so many blocks before the latest one. */
    async at(fate: Fate, { back = 0n, timestamp, ...changes }: AtBlock = {}): Promise<FateAt> {
      const confirmed = await blockAt((await latest()).number - back);
      const timed = { ...confirmed, ...(timestamp && { timestamp }) };
      return { confirmed: timed, fate, isMined: false, gasUsed: 0n, minedIn: [], ...changes };
    },
    /** What was asked for by a method, since the last time that it was forgotten. */
    askedFor: (wanted: string) =>
      asked.filter(({ method }) => method === wanted).map(({ params = [] }): readonly unknown[] => params),
    forget() {
      asked.length = 0;
      lie = () => undefined;
    },
    lie(answer: Answerer) {
      lie = answer;
    },
    /** Lets the node answer a method so, whatever the parameters are. */
    tell(wanted: string, result: unknown) {
      lie = ({ method }) => (method === wanted ? { result } : undefined);
    },
    /** Mines a transaction, also one that is reverted. */
    async mine(data: Hex, { to = SETTLEMENT, from = STRANGER }: { readonly to?: Hex; readonly from?: Hex } = {}) {
      const hash = await node.sendTransaction({ account: from, chain: null, to, data, gas: 1_000_000n });
      const { status, blockNumber } = await awaitReceipt(node, hash);
      return { hash, isDone: status === 'success', block: await blockAt(blockNumber) };
    },
    async stop() {
      await front.stop();
      await chain.stop();
    },
  };
}

type AtBlock = Partial<FateAt> & { readonly back?: bigint; readonly timestamp?: bigint };

/** The raw receipt of a transaction, with its logs changed. */
export async function receiptOf(
  { rpc }: { readonly rpc: Rpc },
  hash: Hex,
  change: (logs: readonly RawLog[]) => readonly RawLog[] = (logs) => logs,
) {
  const receipt: RpcTransactionReceipt | null = await rpc.request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  });
  if (receipt === null) throw new Error('there is no such receipt');
  return { ...receipt, logs: change(receipt.logs) };
}
export type RawLog = RpcTransactionReceipt['logs'][number];
