import { domainSeparator } from 'viem';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { Terms } from '../payment/terms.ts';
import type { Rpc } from './nodes.ts';
import { TOKEN_ABI } from './token-calls.ts';

/** Of USDC: prices are in its atomic units. */
const DECIMALS = 6;
/**
 * Looks whether the token of the network is the one that payments are signed for. With another name, version, chain or address,
 * each signature would be refused; with other decimals, prices would be others.
 * @throws {ConfigurationError} if it is not; another error if the node does not answer
 */
export async function checkToken(rpc: Rpc, { asset, assetName, assetVersion, chainId, network }: Terms): Promise<void> {
  const wrong = (what: string) => new ConfigurationError(`X402_RPC_URL: the token ${asset} of ${network} ${what}`);
  const code = await rpc.getCode({ address: asset });
  if (code === undefined || code === '0x') throw wrong('has no code; the node must be on the chain of X402_NETWORK');
  const read = (functionName: 'decimals' | 'version' | 'DOMAIN_SEPARATOR') =>
    rpc.readContract({ address: asset, abi: TOKEN_ABI, functionName });
  const decimals = await read('decimals');
  if (decimals !== DECIMALS) throw wrong(`has ${decimals} decimals; it must have ${DECIMALS}`);
  const domain = { name: assetName, version: assetVersion, chainId, verifyingContract: asset };
  const separator = domainSeparator({ domain });
  if ((await read('DOMAIN_SEPARATOR')) === separator) return;
  const version = await read('version').catch(() => 'unknown');
  throw wrong(
    `has another domain for signatures (version ${version}); it must be that of ${assetName}, version ${assetVersion}`,
  );
}
