import { encodeAbiParameters, type Hex, hashTypedData, hexToBigInt, hexToBytes, keccak256 } from 'viem';
import { recoverSigner } from '../payment/authorization.ts';
import type { Terms } from '../payment/terms.ts';
import { COLLECTOR, SETTLEMENT } from './addresses.ts';
import type { ChannelConfig } from './channel-config.ts';

const bytes32 = (name: string) => ({ name, type: 'bytes32' });
const uint128 = (name: string) => ({ name, type: 'uint128' });
const uint256 = (name: string) => ({ name, type: 'uint256' });
const address = (name: string) => ({ name, type: 'address' });

const TYPES = {
  ChannelConfig: [
    ...['payer', 'payerAuthorizer', 'receiver', 'receiverAuthorizer', 'token'].map(address),
    { name: 'withdrawDelay', type: 'uint40' },
    bytes32('salt'),
  ],
  Voucher: [bytes32('channelId'), uint128('maxClaimableAmount')],
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
  const domain = { name: 'x402 Batch Settlement', version: '1', chainId, verifyingContract: SETTLEMENT };
  const token = { name: assetName, version: assetVersion, chainId, verifyingContract: asset };
  const hash = (primaryType: keyof typeof TYPES, message: Record<string, unknown>): Hex =>
    hashTypedData({ domain, types: TYPES, primaryType, message });
  return {
    /** The id is the whole digest of the configuration. */
    channelIdOf: (config: ChannelConfig): Hex => hash('ChannelConfig', { ...config }),
    voucherDigest: (channelId: Hex, maxClaimableAmount: bigint): Hex =>
      hash('Voucher', { channelId, maxClaimableAmount }),
    refundDigest: (channelId: Hex, nonce: bigint, amount: bigint): Hex => hash('Refund', { channelId, nonce, amount }),
    claimsDigest: (claims: readonly ClaimEntry[]): Hex => hash('ClaimBatch', { claims }),
    depositDigest: ({ payer, amount, ...authorization }: DepositAuthorization): Hex =>
      hashTypedData({
        domain: token,
        types: RECEIVE_TYPES,
        primaryType: 'ReceiveWithAuthorization',
        message: { from: payer, to: COLLECTOR, value: amount, ...authorization },
      }),
  };
}

/** The nonce of the authorization of a deposit. It binds the authorization to the channel. */
export const depositNonce = (channelId: Hex, salt: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channelId, hexToBigInt(salt)]));

/** Whether an account made the signature. Contract wallets are not supported. */
export const isSignedBy = (signer: Hex, digest: Hex, signature: Hex): boolean =>
  recoverSigner(hexToBytes(digest), signature) === signer;
