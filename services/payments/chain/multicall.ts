import { type Hex, toFunctionSelector } from 'viem';
import { bytesWords, hexWord, numberWord, WORD_DIGITS } from '../../platform/ethereum/abi-words.ts';
import { NodeReplyError } from './node-replies.ts';

/** The address of Multicall3 on every public chain. */
export const MULTICALL3_ADDRESS: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

export interface ContractCall {
  readonly target: Hex;
  readonly data: Hex;
}

export interface ContractResult {
  readonly success: boolean;
  /** What the call returned, or the data of its revert. */
  readonly data: Hex;
}

const AGGREGATE3 = toFunctionSelector('aggregate3((address target, bool allowFailure, bytes callData)[])');
const WORD_BYTES = 32;

const ARRAY_OFFSET = numberWord(WORD_BYTES);
const ALLOW_FAILURE = numberWord(1);
/** The bytes begin after three words: the target, the flag and this offset. */
const BYTES_OFFSET = numberWord(3 * WORD_BYTES);

/**
 * Encodes a call of `aggregate3` in which each call may fail by itself (Solidity ABI). viem takes some 30 times as long for
 * a hundred calls.
 */
export function encodeAggregate3(calls: readonly ContractCall[]): Hex {
  const tuples = calls.map(
    ({ target, data }) => `${hexWord(target)}${ALLOW_FAILURE}${BYTES_OFFSET}${bytesWords(data)}`,
  );
  let offset = tuples.length * WORD_BYTES;
  const offsets = tuples.map((tuple) => {
    const own = numberWord(offset);
    offset += tuple.length / 2;
    return own;
  });
  return `${AGGREGATE3}${ARRAY_OFFSET}${numberWord(calls.length)}${offsets.join('')}${tuples.join('')}`;
}

/**
 * Decodes what `aggregate3` returned for `count` calls.
 * @throws {NodeReplyError} for any other bytes, such as the empty answer of an address without code
 */
export function decodeAggregate3(reply: Hex, count: number): readonly ContractResult[] {
  const digits = reply.slice(2);
  const fail = (): never => {
    throw new NodeReplyError('eth_call', reply);
  };
  const at = (byte: number): number => {
    const text = digits.slice(byte * 2, byte * 2 + WORD_DIGITS);
    const value = Number(`0x${text}`);
    return text.length === WORD_DIGITS && Number.isSafeInteger(value) ? value : fail();
  };
  const array = at(0);
  if (at(array) !== count) fail();
  const first = array + WORD_BYTES;
  return Array.from({ length: count }, (_, index) => {
    const tuple = first + at(first + index * WORD_BYTES);
    const success = at(tuple);
    const bytes = tuple + at(tuple + WORD_BYTES);
    const start = (bytes + WORD_BYTES) * 2;
    const end = start + at(bytes) * 2;
    if (success > 1 || end > digits.length) fail();
    return { success: success === 1, data: `0x${digits.slice(start, end)}` };
  });
}
