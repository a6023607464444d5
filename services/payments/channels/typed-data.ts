import { encodeAbiParameters, type Hex, hashTypedData, hexToBigInt, hexToBytes, keccak256 } from 'viem';
import { createChannelHasher, DOMAIN_NAME, DOMAIN_VERSION } from '../contract/channel-ids.ts';
import type { Terms } from '../payment/terms.ts';
import { COLLECTOR, SETTLEMENT } from './addresses.ts';
import type { ChannelConfig } from './channel-config.ts';

const bytes32 = (name: string) => ({ name, type: 'bytes32' });
const uint128 = (name: string) => ({ name, type: 'uint128' });
const uint256 = (name: string) => ({ name, type: 'uint256' });
const address = (name: string) => ({ name, type: 'address' });

const TYPES = {
  Refund: [bytes32('channelId'), uint256('nonce'), uint128('amount')],
  ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
  ClaimEntry: [bytes32('channelId'), uint128('maxClaimableAmount'), uint128('totalClaimed')],
};
const RECEIVE_TYPES = {
  ReceiveWithAuthorization: [
    address('from'),
    address('to'),
    ...['value', 'validAfter', 'validBefore'].map(uint256),
    bytes32('nonce'),
  ],
};

export interface ClaimEntry {
  readonly channelId: Hex;
  readonly maxClaimableAmount: bigint;
  readonly totalClaimed: bigint;
}

/** The authorization of a deposit. */
export interface DepositAuthorization {
  readonly payer: Hex;
  readonly amount: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

export type TypedData = ReturnType<typeof createTypedData>;

/** Hashes what payers and we sign for channels (EIP-712). */
export function createTypedData({ chainId, asset, assetName, assetVersion }: Terms) {
  const domain = { name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId, verifyingContract: SETTLEMENT };
  const hasher = createChannelHasher({ chainId, contract: SETTLEMENT });
  const token = { name: assetName, version: assetVersion, chainId, verifyingContract: asset };
  const hash = (primaryType: keyof typeof TYPES, message: Record<string, unknown>): Hex =>
    hashTypedData({ domain, types: TYPES, primaryType, message });
  return {
    channelIdOf: ({ withdrawDelay, ...config }: ChannelConfig): Hex =>
      hasher.idOf({ ...config, withdrawDelaySeconds: withdrawDelay }),
    voucherDigest: (channelId: Hex, maxClaimableAmount: bigint): Uint8Array =>
      hasher.voucherDigest(channelId, maxClaimableAmount),
    refundDigest: (channelId: Hex, nonce: bigint, amount: bigint): Hex => hash('Refund', { channelId, nonce, amount }),
    claimsDigest: (claims: readonly ClaimEntry[]): Hex => hash('ClaimBatch', { claims }),
    depositDigest({ payer, amount, ...authorization }: DepositAuthorization): Uint8Array {
      const message = { from: payer, to: COLLECTOR, value: amount, ...authorization };
      const primaryType = 'ReceiveWithAuthorization';
      return hexToBytes(hashTypedData({ domain: token, types: RECEIVE_TYPES, primaryType, message }));
    },
  };
}

/** The nonce of the authorization of a deposit. It binds the authorization to the channel. */
export const depositNonce = (channelId: Hex, salt: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channelId, hexToBigInt(salt)]));
