import type { Hex } from 'viem';
import { ConfigurationError } from '../platform/process/environment.ts';
import type { Logger } from '../platform/process/logger.ts';
import { type Chain, createChain } from './chain/chain.ts';
import { createRpc, type Rpc } from './chain/rpc.ts';
import type { Backend } from './config.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import { createTerms, SANDBOX_NETWORK, type Terms } from './payment/terms.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Lock } from './signer/signer-lock.ts';

/** The parts that differ between a remote facilitator, an own signer and the sandbox. */
export interface PaymentBackend {
  readonly facilitator: Facilitator;
  readonly chain: Chain | undefined;
  readonly sandbox: Sandbox | undefined;
  /** Resolves when the backend can be used. @throws when it cannot */
  check(): Promise<void>;
}

export interface BackendOptions {
  readonly backend: Backend;
  readonly terms: Terms;
  readonly settleTimeoutMs: number;
  /** Highest fee per gas of an own signer, in wei. */
  readonly maxFeePerGas: bigint;
  readonly lock: Lock;
  readonly now: () => number;
  readonly logger: Logger;
}

export async function termsOf(backend: Backend): Promise<Terms> {
  if (backend.kind !== 'sandbox')
    return createTerms({ network: backend.network, payTo: backend.payTo, sandbox: false });
  const { SANDBOX_PAY_TO } = await import('./sandbox/sandbox.ts');
  return createTerms({ network: SANDBOX_NETWORK, payTo: SANDBOX_PAY_TO, sandbox: true });
}

/** Modules are loaded on demand: the exact scheme takes 40 MB that a remote facilitator does not need. */
export async function createBackend(options: BackendOptions): Promise<PaymentBackend> {
  const { backend, settleTimeoutMs: timeoutMs } = options;
  if (backend.kind === 'sandbox') return createSandboxBackend(options, backend);
  if (backend.kind === 'signer') {
    const rpc = createRpc(backend.rpcUrl);
    const { facilitator } = await createSigner(options, rpc, backend.privateKey);
    return withChain(options, rpc, facilitator);
  }
  const { createRemoteFacilitator } = await import('./facilitator/remote.ts');
  const facilitator = createRemoteFacilitator({ url: backend.url, timeoutMs });
  if (backend.rpcUrl === undefined) return { facilitator, chain: undefined, sandbox: undefined, check: async () => {} };
  return withChain(options, createRpc(backend.rpcUrl), facilitator);
}

function withChain({ terms, now }: BackendOptions, rpc: Rpc, facilitator: Facilitator): PaymentBackend {
  const chain = createChain({ rpc, terms, now });
  return { facilitator, chain, sandbox: undefined, check: () => checkChainId(rpc, terms) };
}

type SandboxSettings = Extract<Backend, { readonly kind: 'sandbox' }>;

async function createSandboxBackend(options: BackendOptions, settings: SandboxSettings): Promise<PaymentBackend> {
  const { terms, lock, logger, now } = options;
  const rpc = createRpc(settings.rpcUrl);
  const { createSandbox, SANDBOX_SIGNER_KEY } = await import('./sandbox/sandbox.ts');
  const { createSureFacilitator } = await import('./sandbox/sure-facilitator.ts');
  const { facilitator: signer, sender } = await createSigner(options, rpc, SANDBOX_SIGNER_KEY);
  const { rpcUrl, stateFile } = settings;
  const sandbox = createSandbox({ rpc, rpcUrl, stateFile, terms, sender, lock, logger });
  const facilitator = createSureFacilitator({ facilitator: signer, prepare: sandbox.prepare });
  const check = async () => {
    await checkChainId(rpc, terms);
    await sandbox.prepare();
  };
  return { facilitator, chain: createChain({ rpc, terms, now, advance: sandbox.advance }), sandbox, check };
}

async function createSigner(
  { terms, lock, now, settleTimeoutMs, maxFeePerGas }: BackendOptions,
  rpc: Rpc,
  privateKey: Hex,
) {
  const { createTransactionSender } = await import('./signer/transaction-sender.ts');
  const { createOwnSigner } = await import('./facilitator/own-signer.ts');
  const sender = createTransactionSender({ rpc, chainId: terms.chainId, privateKey, maxFeePerGas, lock, now });
  return { sender, facilitator: createOwnSigner({ rpc, sender, timeoutMs: settleTimeoutMs }) };
}

/** On another chain, settlements would move other people's money, or none. @throws {ConfigurationError} */
async function checkChainId(rpc: Rpc, terms: Terms): Promise<void> {
  const chainId = await rpc.getChainId();
  if (chainId !== terms.chainId) {
    const setting = terms.sandbox ? 'SANDBOX_RPC_URL' : 'X402_RPC_URL';
    throw new ConfigurationError(`${setting}: found a chain with id ${chainId}; it must be ${terms.chainId}`);
  }
}
