import { Type } from 'typebox';
import type { Hex } from 'viem';

const hexOf = (pattern: string) => Type.Unsafe<Hex>(Type.String({ pattern }));

const ADDRESS = '^0x[0-9a-fA-F]{40}$';
const BYTES_32 = '^0x[0-9a-fA-F]{64}$';

/** An EVM address in any letter case. */
export const Address = hexOf(ADDRESS);
/** 32 bytes: a transaction hash, a block hash, a nonce of EIP-3009, a private key. */
export const Bytes32 = hexOf(BYTES_32);
/** Any number of bytes. */
export const Bytes = hexOf('^0x([0-9a-fA-F]{2})*$');
export const NonEmptyBytes = hexOf('^0x([0-9a-fA-F]{2})+$');
/** An integer as Ethereum JSON-RPC encodes it. */
export const Quantity = hexOf('^0x[0-9a-fA-F]{1,64}$');

const bytes32 = new RegExp(BYTES_32);
const address = new RegExp(ADDRESS);

/** The same bytes in lower case, as hashes and nonces are compared. */
export const toLowerHex = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`;

export const isBytes32 = (text: string): text is Hex => bytes32.test(text);
export const isHexAddress = (text: string): text is Hex => address.test(text);
