import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  numberToHex,
  parseAbi,
  RpcRequestError,
  slice,
} from 'viem';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import type { TokenCall } from './block.ts';
import { Revert, readTransferCall, type TokenState } from './token.ts';

const MULTICALL = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
]);
const TOKEN = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function name() view returns (string)',
  'function version() view returns (string)',
]);
const REVERT = parseAbi(['error Error(string)']);
/** Of transferWithAuthorization with v, r and s. */
const TRANSFER = '0xe3ee160e';

const isMulticall = (to: Hex) => to.toLowerCase() === MULTICALL3_ADDRESS.toLowerCase();

const membersOf = (data: Hex) => decodeFunctionData({ abi: MULTICALL, data }).args[0].map(({ callData }) => callData);

/** The calls of the token that a transaction makes: one, or those of a batch. */
export function tokenCallsOf(to: Hex, data: Hex): readonly TokenCall[] {
  return isMulticall(to) ? membersOf(data).map(readTransferCall) : [readTransferCall(data)];
}

/** Answers `eth_call`. Within a batch, each call sees what the earlier ones changed. */
export function answerCall(
  token: TokenState,
  atS: number,
  { to, data }: { readonly to: Hex; readonly data: Hex },
): Hex {
  if (!isMulticall(to)) {
    const { success, returnData } = answerTokenCall(token, atS, data);
    if (success) return returnData;
    const error = { code: 3, message: 'execution reverted', data: returnData };
    throw new RpcRequestError({ body: {}, url: 'http://node', error });
  }
  const result = membersOf(data).map((callData) => answerTokenCall(token, atS, callData));
  return encodeFunctionResult({ abi: MULTICALL, functionName: 'aggregate3', result });
}

function answerTokenCall(token: TokenState, atS: number, data: Hex) {
  try {
    return { success: true, returnData: runTokenCall(token, atS, data) };
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    const returnData = encodeErrorResult({ abi: REVERT, errorName: 'Error', args: [error.message] });
    return { success: false, returnData };
  }
}

function runTokenCall(token: TokenState, atS: number, data: Hex): Hex {
  if (slice(data, 0, 4) === TRANSFER) {
    const call = readTransferCall(data);
    token.check(call, atS);
    token.apply(call, atS);
    return '0x';
  }
  const { functionName, args } = decodeFunctionData({ abi: TOKEN, data });
  switch (functionName) {
    case 'balanceOf':
      return numberToHex(token.balanceOf(args[0]), { size: 32 });
    case 'authorizationState':
      return numberToHex(token.isUsed(args[0], args[1]) ? 1 : 0, { size: 32 });
    case 'name':
      return encodeAbiParameters([{ type: 'string' }], ['USD Coin']);
    case 'version':
      return encodeAbiParameters([{ type: 'string' }], ['2']);
  }
}
