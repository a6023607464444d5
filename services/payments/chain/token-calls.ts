import { type Hex, hexToString, toFunctionSelector } from 'viem';
import { bytesWords, hexWord, numberWord, WORD_DIGITS } from '../../platform/ethereum/abi-words.ts';
import type { Authorization } from '../payment/authorization.ts';

/*
 * Call data of USDC (ERC-20 and EIP-3009), and what it returns. Encoded by hand: a payment needs several of these, and viem
 * looks every function up by its name and its types.
 */

const TRANSFER_WITH_AUTHORIZATION = toFunctionSelector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
);
const BALANCE_OF = toFunctionSelector('balanceOf(address)');
const AUTHORIZATION_STATE = toFunctionSelector('authorizationState(address,bytes32)');
const TRANSFER_BY_WALLET = toFunctionSelector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
);
export const NAME_CALL = toFunctionSelector('name()');
export const VERSION_CALL = toFunctionSelector('version()');

export const balanceOfCall = (account: Hex): Hex => `${BALANCE_OF}${hexWord(account)}`;

export const authorizationStateCall = (authorizer: Hex, nonce: Hex): Hex =>
  `${AUTHORIZATION_STATE}${hexWord(authorizer)}${nonce.slice(2)}`;

/** @param signature 65 bytes: r, s and v */
export function transferCall(authorization: Authorization, signature: Hex): Hex {
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
  return `${TRANSFER_WITH_AUTHORIZATION}${wordsOf(authorization)}${v.padStart(WORD_DIGITS, '0')}${r}${s}`;
}

/** The signature begins after seven words: those of the authorization and this offset. */
const SIGNATURE_OFFSET = numberWord((7 * WORD_DIGITS) / 2);

/** The form for signatures of any length (FiatTokenV2_2), about which the token asks the code of the payer (ERC-1271). */
export function walletTransferCall(authorization: Authorization, signature: Hex): Hex {
  const signed = `${SIGNATURE_OFFSET}${bytesWords(signature)}`;
  return `${TRANSFER_BY_WALLET}${wordsOf(authorization)}${signed}`;
}

function wordsOf({ from, to, value, validAfter, validBefore, nonce }: Authorization): string {
  const numbers = `${numberWord(value)}${numberWord(validAfter)}${numberWord(validBefore)}`;
  return `${hexWord(from)}${hexWord(to)}${numbers}${nonce.slice(2)}`;
}

/** @returns undefined for data that is not one word, such as the empty answer of an address without code */
export function readWord(data: Hex): bigint | undefined {
  return data.length === 2 + WORD_DIGITS ? BigInt(data) : undefined;
}

const ERROR_SELECTOR = toFunctionSelector('Error(string)');

/** The text of a revert; undefined where the contract gave none. */
export function readRevertText(data: Hex): string | undefined {
  return data.startsWith(ERROR_SELECTOR) ? readText(`0x${data.slice(ERROR_SELECTOR.length)}`) : undefined;
}

/** Reads a string that is the only value. @returns undefined for any other data */
export function readText(data: Hex): string | undefined {
  const length = Number(`0x${data.slice(2 + WORD_DIGITS, 2 + 2 * WORD_DIGITS)}`);
  const start = 2 + 2 * WORD_DIGITS;
  const digits = data.slice(start, start + length * 2);
  return Number.isSafeInteger(length) && digits.length === length * 2 ? hexToString(`0x${digits}`) : undefined;
}
