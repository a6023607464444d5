import type { Hex } from 'viem';
import { keccak256 } from './keccak256.ts';

/** The address of the account with a public key: 65 bytes, uncompressed. With the checksum of EIP-55. */
export function addressOfKey(publicKey: Uint8Array): Hex {
  const hash = Buffer.from(keccak256(publicKey.subarray(1)));
  return withChecksum(`0x${hash.toString('hex', 12)}`);
}

/**
 * An address with the checksum of EIP-55: a letter is in upper case if the hash of the lower-case address has 8 or more at
 * its place.
 * @param address 0x and 40 hexadecimal digits, in any case
 */
export function withChecksum(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak256(Buffer.from(digits, 'latin1'))).toString('hex');
  const isUpper = (index: number) => hash.charCodeAt(index) >= EIGHT;
  return `0x${Array.from(digits, (digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`;
}

/** Of the digits 0-9a-f, only those from 8 on have a character code from here on. */
const EIGHT = '8'.charCodeAt(0);
