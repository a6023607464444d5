import { type Static, Type } from 'typebox';
import { encodeFunctionData, type Hex } from 'viem';
import { Bytes32, NonEmptyBytes } from '../payment/hex.ts';
import type { Authorizer } from './authorizer.ts';
import { type ChannelConfig, ConfigJson } from './channel-config.ts';
import type { ChannelState } from './contract-reader.ts';
import type { VoucherAmount } from './deposit-payload.ts';
import { SETTLEMENT_ABI } from './settlement-abi.ts';
import { createRequestReader, type NewTransaction } from './transaction-records.ts';
import type { TypedData } from './typed-data.ts';

/** A claim of one channel. The total is cumulative. */
export interface ClaimRow {
  readonly config: ChannelConfig;
  readonly voucher: VoucherAmount;
  readonly totalClaimed: bigint;
}

const Amount = Type.String({ pattern: '^\\d+$' });

/** A row as it is stored, in JSON. */
export const StoredRow = Type.Object({
  config: ConfigJson,
  voucher: Type.Object({ channelId: Bytes32, maxClaimableAmount: Amount, signature: NonEmptyBytes }),
  totalClaimed: Amount,
});
type StoredRow = Static<typeof StoredRow>;

export const storeRow = ({ config, voucher, totalClaimed }: ClaimRow): StoredRow => ({
  config,
  voucher: { ...voucher, maxClaimableAmount: `${voucher.maxClaimableAmount}` },
  totalClaimed: `${totalClaimed}`,
});

export const restoreRow = ({ config, voucher, totalClaimed }: StoredRow): ClaimRow => ({
  config,
  voucher: { ...voucher, maxClaimableAmount: BigInt(voucher.maxClaimableAmount) },
  totalClaimed: BigInt(totalClaimed),
});

export const storeRows = (rows: readonly ClaimRow[]): string => JSON.stringify(rows.map(storeRow));

const readStored = createRequestReader(Type.Array(StoredRow));

/** The rows of a stored claim. */
export const restoreRows = (claim: NewTransaction): readonly ClaimRow[] => readStored(claim).map(restoreRow);

/**
 * The row that can be claimed of a channel. After a withdrawal, the contract may hold less than what was charged: then the
 * rest is lost, and a higher claim would be reverted.
 * @returns undefined where nothing more can be claimed
 */
export function claimable(row: ClaimRow, { balance, totalClaimed }: ChannelState): ClaimRow | undefined {
  const total = row.totalClaimed < balance ? row.totalClaimed : balance;
  return total > totalClaimed ? { ...row, totalClaimed: total } : undefined;
}

/** Data of a call that claims the rows. Anyone may send it, because it has our signature. */
export function encodeClaim(
  { typedData, authorizer }: { readonly typedData: TypedData; readonly authorizer: Authorizer },
  rows: readonly ClaimRow[],
): Hex {
  const entries = rows.map(({ voucher: { channelId, maxClaimableAmount }, totalClaimed }) => ({
    channelId,
    maxClaimableAmount,
    totalClaimed,
  }));
  return encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: 'claimWithSignature',
    args: [rows.map(toArgument), authorizer.sign(typedData.claimsDigest(entries))],
  });
}

/** As `encodeClaim`, without our signature: only the address of the authorizer may send it. */
export const encodeUnsignedClaim = (rows: readonly ClaimRow[]): Hex =>
  encodeFunctionData({ abi: SETTLEMENT_ABI, functionName: 'claim', args: [rows.map(toArgument)] });

const toArgument = ({ config, voucher: { maxClaimableAmount, signature }, totalClaimed }: ClaimRow) => ({
  voucher: { channel: config, maxClaimableAmount },
  signature,
  totalClaimed,
});

/** Data of calls that send the receivers of channels all that was claimed for them and not sent yet, one for each receiver. */
export function encodeSettles(configs: readonly ChannelConfig[]): readonly Hex[] {
  const calls = configs.map(({ receiver, token }) =>
    encodeFunctionData({ abi: SETTLEMENT_ABI, functionName: 'settle', args: [receiver, token] }),
  );
  return [...new Set(calls)];
}

/** Data of a call that makes several calls in one transaction. */
export const encodeMulticall = (data: readonly Hex[]): Hex =>
  encodeFunctionData({ abi: SETTLEMENT_ABI, functionName: 'multicall', args: [[...data]] });
