import { parseAbi } from 'viem';

/** Of the token, beside the functions of ERC-20. */
export const TOKEN_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function mint(address to, uint256 value)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);
