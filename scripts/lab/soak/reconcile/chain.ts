import { createPublicClient, type Hex, http, parseAbi, parseAbiItem, TransactionReceiptNotFoundError } from 'viem';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI } from '../../../../services/payments/channels/settlement-abi.ts';

export const CHANNELS = SETTLEMENT.toLowerCase();
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');
const MOVED = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const ABI = parseAbi(['function balanceOf(address account) view returns (uint256)']);

export interface Transfer {
  readonly transaction: Hex;
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

/** The events of the sandbox chain, from its first block. Addresses are in lower case. */
export interface ChainBooks {
  /** Transactions that used an authorization, by `keyOf` its payer and nonce. */
  readonly uses: ReadonlyMap<string, readonly Hex[]>;
  readonly transfers: readonly Transfer[];
  readonly balanceOf: (account: Hex) => Promise<bigint>;
  /** What the contract of channels holds for a channel, and what of it is claimed. */
  readonly channelOf: (channelId: Hex) => Promise<{ readonly balance: bigint; readonly claimed: bigint }>;
  readonly hasTransaction: (hash: Hex) => Promise<boolean>;
}

export const keyOf = (payer: string, nonce: string): string => `${payer} ${nonce}`.toLowerCase();

export async function readChain(rpcUrl: string, asset: Hex): Promise<ChainBooks> {
  const chain = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) });
  const range = { address: asset, fromBlock: 0n, toBlock: 'latest' } as const;
  const [used, moved] = await Promise.all([
    chain.getLogs({ ...range, event: USED, strict: true }),
    chain.getLogs({ ...range, event: MOVED, strict: true }),
  ]);
  const uses = new Map<string, Hex[]>();
  for (const { args, transactionHash } of used) {
    const key = keyOf(args.authorizer, args.nonce);
    uses.set(key, [...(uses.get(key) ?? []), transactionHash]);
  }
  const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`;
  const transfers = moved.map(({ args: { from, to, value }, transactionHash: transaction }) => {
    return { transaction, from: lower(from), to: lower(to), value };
  });
  const balanceOf = (account: Hex) =>
    chain.readContract({ address: asset, abi: ABI, functionName: 'balanceOf', args: [account] });
  const channelOf = async (channelId: Hex) => {
    const contract = { address: SETTLEMENT, abi: SETTLEMENT_ABI } as const;
    const [balance, claimed] = await chain.readContract({ ...contract, functionName: 'channels', args: [channelId] });
    return { balance, claimed };
  };
  const hasTransaction = async (hash: Hex) => {
    const receipt = await chain.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    });
    return receipt !== undefined;
  };
  return { uses, transfers, balanceOf, channelOf, hasTransaction };
}
