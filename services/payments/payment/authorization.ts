import type { Hex } from 'viem';
import { hexWord, numberWord } from '../../platform/ethereum/abi-words.ts';
import { createStructHasher, typeWord } from '../../platform/ethereum/typed-data.ts';
import type { Terms } from './terms.ts';

/** EIP-3009 `TransferWithAuthorization`. Times are Unix seconds. */
export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes, lower case. */
  readonly nonce: Hex;
}

const TRANSFER_WORD = typeWord(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

/** Creates a function that hashes authorizations of one token (EIP-712). */
export function createAuthorizationHasher({
  assetName,
  assetVersion,
  chainId,
  asset,
}: Pick<Terms, 'assetName' | 'assetVersion' | 'chainId' | 'asset'>): (authorization: Authorization) => Uint8Array {
  const digestOf = createStructHasher({ name: assetName, version: assetVersion, chainId, contract: asset });
  return ({ from, to, value, validAfter, validBefore, nonce }) => {
    const numbers = [value, validAfter, validBefore].map(numberWord).join('');
    return digestOf(`${TRANSFER_WORD}${hexWord(from)}${hexWord(to)}${numbers}${hexWord(nonce)}`);
  };
}
