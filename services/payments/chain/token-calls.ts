import { decodeAbiParameters, decodeErrorResult, encodeFunctionData, type Hex, parseAbi, size, slice } from 'viem';
import type { Authorization } from '../payment/authorization.ts';
import type { Rpc } from './nodes.ts';

/** What is read of USDC (ERC-20 and EIP-3009). */
export const TOKEN_ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
]);
const TRANSFER_ABI = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
]);
const WALLET_TRANSFER_ABI = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
]);

export const NAME_CALL = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'name' });
export const VERSION_CALL = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'version' });

export const balanceOfCall = (account: Hex): Hex =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [account] });

export const authorizationStateCall = (authorizer: Hex, nonce: Hex): Hex =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'authorizationState', args: [authorizer, nonce] });

/** @param signature 65 bytes: r, s and v */
export function transferCall(authorization: Authorization, signature: Hex): Hex {
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), Number(slice(signature, 64, 65))];
  return encodeFunctionData({ abi: TRANSFER_ABI, args: [...argumentsOf(authorization), v, r, s] });
}

/** The form for signatures of any length (FiatTokenV2_2), about which the token asks the code of the payer (ERC-1271). */
export const walletTransferCall = (authorization: Authorization, signature: Hex): Hex =>
  encodeFunctionData({ abi: WALLET_TRANSFER_ABI, args: [...argumentsOf(authorization), signature] });

const argumentsOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const;

interface TokenAt {
  readonly rpc: Rpc;
  readonly asset: Hex;
  /** undefined: the latest one. */
  readonly block?: bigint | undefined;
}

/** Whether an authorization is used or cancelled at a block. */
export const isUsedAt = (
  { rpc, asset: address, block: blockNumber }: TokenAt,
  { payer, nonce }: { readonly payer: Hex; readonly nonce: Hex },
): Promise<boolean> =>
  rpc.readContract({ address, abi: TOKEN_ABI, functionName: 'authorizationState', args: [payer, nonce], blockNumber });

/** What an account has at a block. */
export const balanceAt = ({ rpc, asset: address, block: blockNumber }: TokenAt, account: Hex): Promise<bigint> =>
  rpc.readContract({ address, abi: TOKEN_ABI, functionName: 'balanceOf', args: [account], blockNumber });

/** @returns undefined for data that is not one word, such as the empty answer of an address without code */
export const readWord = (data: Hex): bigint | undefined => (size(data) === 32 ? BigInt(data) : undefined);

/** Reads a string that is the only value. @returns undefined for any other data */
export const readText = (data: Hex): string | undefined =>
  orUndefined(() => decodeAbiParameters([{ type: 'string' }], data)[0]);

const ERROR_ABI = parseAbi(['error Error(string message)']);

/** The text of a revert; undefined where the contract gave none. */
export const readRevertText = (data: Hex): string | undefined =>
  orUndefined(() => {
    const { errorName, args } = decodeErrorResult({ abi: ERROR_ABI, data });
    return errorName === 'Error' ? args[0] : undefined;
  });

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
