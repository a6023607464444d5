import type { Hex } from 'viem';
import { type Calls, createCalls } from './chain/calls.ts';
import { createChain } from './chain/chain.ts';
import { checkChainId, createNodeCheck } from './chain/check-node.ts';
import { createConfirmedBlocks } from './chain/confirmed-blocks.ts';
import type { KnownChain } from './chain/known-chain.ts';
import { createRpc, type Rpc } from './chain/nodes.ts';
import type { Backend, Config } from './config.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import type { Context } from './payment/context.ts';
import { createTerms, SANDBOX_NETWORK, type Terms } from './payment/terms.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { createMarketReader } from './signer/fees.ts';
import type { GasBudget } from './signer/gas-budget.ts';
import { createGasReserve, type GasReserve } from './signer/gas-reserve.ts';
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

export interface BackendContext
  extends Context,
    Pick<Config, 'backend' | 'settleTimeoutMs' | 'maxFeePerGas' | 'replaceAfterMs' | 'gasReserve' | 'confirmations'> {
  /** Channels that were charged more than is claimed. */
  readonly countUnclaimed: () => Promise<number>;
  readonly transactions: SignerTransactions;
  readonly gasBudget: GasBudget;
}

export async function termsOf(backend: Backend): Promise<Terms> {
  if (backend.kind !== 'sandbox')
    return createTerms({ network: backend.network, payTo: backend.payTo, sandbox: false });
  const { SANDBOX_PAY_TO } = await import('./sandbox/sandbox.ts');
  return createTerms({ network: SANDBOX_NETWORK, payTo: SANDBOX_PAY_TO, sandbox: true });
}

/** Modules are loaded on demand: the exact scheme takes 40 MB that a remote facilitator does not need. */
export async function createBackend(context: BackendContext): Promise<PaymentBackend> {
  const { backend } = context;
  if (backend.kind === 'sandbox') return createSandboxBackend(context, backend);
  return backend.kind === 'signer' ? createSignerBackend(context, backend) : createRemoteBackend(context, backend);
}

type SettingsOf<Kind extends Backend['kind']> = Extract<Backend, { readonly kind: Kind }>;

async function createRemoteBackend(
  context: BackendContext,
  { url, credentials: settings, rpcUrl }: SettingsOf<'facilitator'>,
): Promise<PaymentBackend> {
  const { network, terms, settleTimeoutMs: timeoutMs, now } = context;
  const { createRemoteFacilitator } = await import('./facilitator/remote.ts');
  const { createCredentials } = await import('./facilitator/credentials.ts');
  const credentials = createCredentials(settings, now);
  const facilitator = createRemoteFacilitator({ url, credentials, network, timeoutMs, now });
  const { admit, check } = facilitator;
  const remote = { facilitator, admit, sender: undefined, payee: undefined, gas: undefined, sandbox: undefined };
  if (rpcUrl === undefined) return { ...remote, known: undefined, check };
  const rpc = createRpc(rpcUrl, terms.chainId);
  const checkNode = createNodeCheck(rpcUrl, terms);
  return {
    ...remote,
    known: know(context, rpc, createCalls(rpc)),
    async check() {
      await checkNode();
      await check();
    },
  };
}

async function createSignerBackend(
  context: BackendContext,
  { rpcUrl, privateKey }: SettingsOf<'signer'>,
): Promise<PaymentBackend> {
  const { terms } = context;
  const rpc = createRpc(rpcUrl, terms.chainId);
  const calls = createCalls(rpc);
  const signer = await createSigner(context, { rpc, calls, privateKey });
  const checkNode = createNodeCheck(rpcUrl, terms);
  return {
    ...signer,
    known: know(context, rpc, calls),
    payee: signer.sender.address === terms.payTo ? signer.sender : undefined,
    sandbox: undefined,
    async check() {
      await checkNode();
      await signer.gas.check();
    },
  };
}

async function createSandboxBackend(
  context: BackendContext,
  { rpcUrl, stateFile }: SettingsOf<'sandbox'>,
): Promise<PaymentBackend> {
  const { createSandbox, SANDBOX_SIGNER_KEY } = await import('./sandbox/sandbox.ts');
  const { createSureFacilitator } = await import('./sandbox/sure-facilitator.ts');
  const rpc = createRpc(rpcUrl);
  const calls = createCalls(rpc);
  const signer = await createSigner(context, { rpc, calls, privateKey: SANDBOX_SIGNER_KEY });
  const sandbox = createSandbox({ ...context, rpc, rpcUrl, stateFile, sender: signer.sender });
  return {
    ...signer,
    facilitator: createSureFacilitator(signer.facilitator, sandbox),
    known: know(context, rpc, calls, sandbox),
    payee: undefined,
    sandbox,
    async check() {
      await checkChainId(rpc, context.terms);
      await sandbox.prepare();
      await signer.gas.check();
    },
  };
}

function know(context: BackendContext, rpc: Rpc, calls: Calls, sandbox?: Sandbox): KnownChain {
  const { transactions, confirmations } = context;
  const blocks = createConfirmedBlocks({ rpc, confirmations, readLatest: sandbox?.readSavedBlock });
  const { versionsOf } = transactions;
  const chain = createChain({
    ...context,
    rpc,
    calls,
    blocks,
    versionsOf,
    ...(sandbox && { advance: sandbox.advance }),
  });
  return { rpc, chain, blocks };
}

interface Signing {
  readonly rpc: Rpc;
  readonly calls: Calls;
  readonly privateKey: Hex;
}

async function createSigner(context: BackendContext, { rpc, calls, privateKey }: Signing) {
  const { terms, transactions, gasReserve: settlements, now } = context;
  const { createOwnSigner } = await import('./facilitator/own-signer.ts');
  const { createTransactionSender } = await import('./signer/transaction-sender.ts');
  const parts = { ...context, rpc, calls, versionsOf: transactions.versionsOf };
  const sender = createTransactionSender({ ...parts, chainId: terms.chainId, privateKey });
  const readMarket = createMarketReader(rpc, now);
  const gas = createGasReserve({ ...parts, address: sender.address, readMarket, settlements });
  return { sender, gas, admit: gas.admit, facilitator: createOwnSigner({ ...parts, sender }) };
}
