import { BaseError } from 'viem';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { Terms } from '../payment/terms.ts';
import { checkToken } from './check-token.ts';
import type { Rpc } from './rpc.ts';

/** Looks at the chain each time, and at its token until that was right once. */
export function createNodeCheck(rpc: Rpc, terms: Terms): () => Promise<void> {
  let isTokenChecked = false;
  return async () => {
    await checkChainId(rpc, terms);
    if (!isTokenChecked) await checkToken(rpc, terms).catch((error: unknown) => noAnswer('X402_RPC_URL', error));
    isTokenChecked = true;
  };
}

/** On another chain, settlements would move other people's money, or none. @throws {ConfigurationError} */
export async function checkChainId(rpc: Rpc, terms: Terms): Promise<void> {
  const setting = terms.sandbox ? 'SANDBOX_RPC_URL' : 'X402_RPC_URL';
  const chainId = await rpc.getChainId().catch((error: unknown) => noAnswer(setting, error));
  if (chainId !== terms.chainId) {
    const wanted = terms.sandbox ? terms.chainId : `${terms.chainId}, that of X402_NETWORK`;
    throw new ConfigurationError(`${setting}: found a chain with id ${chainId}; it must be ${wanted}`);
  }
}

/** The message of a client's error has the URL, in which providers put a key. */
function noAnswer(setting: string, error: unknown): never {
  if (error instanceof ConfigurationError) throw error;
  const why = error instanceof BaseError ? error.details : String(error);
  throw new Error(`${setting}: the node does not answer (${why})`);
}
