import { BaseError } from 'viem';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { Terms } from '../payment/terms.ts';
import { checkToken } from './check-token.ts';
import { createRpc, type Rpc } from './nodes.ts';

/**
 * Looks at the chain of each node each time, and at its token until that was right once. Of several nodes, some may be
 * silent. @param list URLs, separated by commas
 */
export function createNodeCheck(list: string, terms: Terms): () => Promise<void> {
  const nodes = list.split(',').map((url) => createRpc(url));
  const checked = new Set<Rpc>();
  async function check(rpc: Rpc): Promise<void> {
    await checkChainId(rpc, terms);
    if (!checked.has(rpc)) await checkToken(rpc, terms).catch((error: unknown) => noAnswer('X402_RPC_URL', error));
    checked.add(rpc);
  }
  return async () => {
    const found = await Promise.allSettled(nodes.map(check));
    const faults = found.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const wrong = faults.find((fault) => fault instanceof ConfigurationError);
    if (wrong !== undefined) throw wrong;
    if (faults.length === nodes.length) throw faults[0];
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
