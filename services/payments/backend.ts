import type { Hex } from 'viem';
import type { Logger } from '../platform/process/logger.ts';
import { type Calls, createCalls } from './chain/calls.ts';
import { createChain } from './chain/chain.ts';
import { checkChainId, createNodeCheck } from './chain/check-node.ts';
import { createConfirmedBlocks } from './chain/confirmed-blocks.ts';
import type { KnownChain } from './chain/known-chain.ts';
import { createRpc, type Rpc } from './chain/nodes.ts';
import type { Backend } from './config.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import { createTerms, SANDBOX_NETWORK, type Terms } from './payment/terms.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { createMarketReader } from './signer/fees.ts';
import type { GasBudget } from './signer/gas-budget.ts';
import { createGasReserve, type GasReserve } from './signer/gas-reserve.ts';
import type { Lock } from './signer/signer-lock.ts';
import type { SignerTransactions } from './signer/signer-transactions.ts';
import type { TransactionSender } from './signer/transaction-sender.ts';

/** The parts that differ between a remote facilitator, an own signer and the sandbox. */
export interface PaymentBackend {
  readonly facilitator: Facilitator;
  /** undefined: only the facilitator knows. */
  readonly known: KnownChain | undefined;
  /** Sends the transactions of settlements and channels; undefined where no key is held here. */
  readonly sender: TransactionSender | undefined;
  /** Sends transactions of the payee; undefined where its key is not held here. */
  readonly payee: TransactionSender | undefined;
  /** undefined: another party pays for settlements. */
  readonly gas: GasReserve | undefined;
  readonly sandbox: Sandbox | undefined;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while settlements would be refused, or could not be paid for */
  admit(): void;
  /** Resolves when the backend can be used. @throws when it cannot */
  check(): Promise<void>;
}

export interface BackendOptions {
  readonly backend: Backend;
  readonly terms: Terms;
  readonly settleTimeoutMs: number;
  /** Highest fee per gas of an own signer, in wei. */
  readonly maxFeePerGas: bigint;
  readonly replaceAfterMs: number;
  readonly gasReserve: number;
  /** Channels that were charged more than is claimed. */
  readonly countUnclaimed: () => Promise<number>;
  readonly confirmations: number;
  readonly lock: Lock;
  readonly transactions: SignerTransactions;
  readonly gasBudget: GasBudget;
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
  const { backend } = options;
  if (backend.kind === 'sandbox') return createSandboxBackend(options, backend);
  return backend.kind === 'signer' ? createSignerBackend(options, backend) : createRemoteBackend(options, backend);
}

type SettingsOf<Kind extends Backend['kind']> = Extract<Backend, { readonly kind: Kind }>;

async function createRemoteBackend(
  options: BackendOptions,
  { url, credentials: settings, rpcUrl }: SettingsOf<'facilitator'>,
): Promise<PaymentBackend> {
  const { terms, settleTimeoutMs: timeoutMs, now } = options;
  const [{ createRemoteFacilitator }, { createCredentials }] = await Promise.all([
    import('./facilitator/remote.ts'),
    import('./facilitator/credentials.ts'),
  ]);
  const credentials = createCredentials(settings, now);
  const facilitator = createRemoteFacilitator({ url, credentials, network: terms.network, timeoutMs, now });
  const others = { facilitator, admit: facilitator.admit, sender: undefined, payee: undefined, gas: undefined };
  if (rpcUrl === undefined) return { ...others, known: undefined, sandbox: undefined, check: facilitator.check };
  const rpc = createRpc(rpcUrl, terms.chainId);
  const checkNode = createNodeCheck(rpcUrl, terms);
  const check = async () => {
    await checkNode();
    await facilitator.check();
  };
  return { ...others, known: know(options, rpc, createCalls(rpc)), sandbox: undefined, check };
}

async function createSignerBackend(
  options: BackendOptions,
  { rpcUrl, privateKey }: SettingsOf<'signer'>,
): Promise<PaymentBackend> {
  const { terms } = options;
  const rpc = createRpc(rpcUrl, terms.chainId);
  const calls = createCalls(rpc);
  const { facilitator, sender, gas } = await createSigner(options, { rpc, calls, privateKey });
  const checkNode = createNodeCheck(rpcUrl, terms);
  const check = async () => {
    await checkNode();
    await gas.check();
  };
  const payee = sender.address === terms.payTo ? sender : undefined;
  return {
    facilitator,
    known: know(options, rpc, calls),
    sender,
    payee,
    gas,
    sandbox: undefined,
    admit: gas.admit,
    check,
  };
}

async function createSandboxBackend(
  options: BackendOptions,
  { rpcUrl, stateFile }: SettingsOf<'sandbox'>,
): Promise<PaymentBackend> {
  const { terms, lock, logger } = options;
  const rpc = createRpc(rpcUrl);
  const { createSandbox, SANDBOX_SIGNER_KEY } = await import('./sandbox/sandbox.ts');
  const { createSureFacilitator } = await import('./sandbox/sure-facilitator.ts');
  const calls = createCalls(rpc);
  const signing = { rpc, calls, privateKey: SANDBOX_SIGNER_KEY };
  const { facilitator: signer, sender, gas } = await createSigner(options, signing);
  const sandbox = createSandbox({ rpc, rpcUrl, stateFile, terms, sender, lock, logger });
  const facilitator = createSureFacilitator({ ...sandbox, facilitator: signer });
  const check = async () => {
    await checkChainId(rpc, terms);
    await sandbox.prepare();
    await gas.check();
  };
  return {
    facilitator,
    known: know(options, rpc, calls, sandbox),
    sender,
    payee: undefined,
    gas,
    sandbox,
    admit: gas.admit,
    check,
  };
}

function know(options: BackendOptions, rpc: Rpc, calls: Calls, sandbox?: Sandbox): KnownChain {
  const { terms, now, confirmations } = options;
  const { versionsOf } = options.transactions;
  const blocks = createConfirmedBlocks({ rpc, confirmations, readLatest: sandbox?.readSavedBlock });
  const chain = createChain({
    rpc,
    calls,
    terms,
    blocks,
    versionsOf,
    now,
    ...(sandbox && { advance: sandbox.advance }),
  });
  return { rpc, chain, blocks };
}

async function createSender({ terms, ...options }: BackendOptions, rpc: Rpc, privateKey: Hex) {
  const { createTransactionSender } = await import('./signer/transaction-sender.ts');
  return createTransactionSender({ ...options, rpc, chainId: terms.chainId, privateKey });
}

interface Signing {
  readonly rpc: Rpc;
  readonly calls: Calls;
  readonly privateKey: Hex;
}

async function createSigner(options: BackendOptions, { rpc, calls, privateKey }: Signing) {
  const { terms, settleTimeoutMs: timeoutMs, gasReserve: settlements, gasBudget, now, logger } = options;
  const { versionsOf } = options.transactions;
  const { createOwnSigner } = await import('./facilitator/own-signer.ts');
  const sender = await createSender(options, rpc, privateKey);
  const { address } = sender;
  const gas = createGasReserve({ ...options, rpc, address, readMarket: createMarketReader(rpc, now), settlements });
  return {
    sender,
    gas,
    facilitator: createOwnSigner({ rpc, calls, terms, sender, gasBudget, versionsOf, timeoutMs, logger, now }),
  };
}
