import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { LedgerServiceService } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createLedgerClient, type LedgerClientOptions } from '../../../../services/ledger/contract/client.ts';
import { createWalletLocks, type WalletLocks } from '../../../../services/ledger/contract/wallet-lock.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-service.ts';
import { createLedgerAnswers, createLedgerService } from '../../../../services/ledger/service/ledger-service.ts';
import { createGate, type GateOptions } from '../../../../services/ledger/store/gate.ts';
import type { ClaimDetails, Claims, OpenOptions } from '../../../../services/payments/claims/claims.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import { type GrpcServer, startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { createWallet } from '../../../kit/chain.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';
import { details, leased } from '../../payments/claims/claims-fixture.ts';
import type { OpenLedger } from '../store/store-fixture.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
export const cipher = createBodyCipher([{ id: 'k1', secret: Buffer.alloc(32, 7) }]);
/** Time limits for a machine that does other work. */
const PATIENT = { timeoutMs: 30_000, answerWithinMs: 60_000, checkEveryMs: 50, clockToleranceMs: 300_000 };

const noChannels = () => Promise.reject(new Error('no channels in this test'));

export interface ServedOptions {
  readonly store?: Partial<LedgerStore>;
  readonly gate?: Partial<GateOptions>;
}

export interface Served {
  readonly target: string;
  stop(): Promise<void>;
  /** Starts another server on the same address. */
  start(): Promise<void>;
  /** Does what the gate does from time to time. It joins a look that is under way. */
  lookAtDatabase(): Promise<void>;
}

/** Serves a ledger. The end of the test stops it. */
export async function serveLedger(
  t: Pick<ExecutionContext, 'teardown'>,
  ledger: OpenLedger,
  { store, gate: gateOptions }: ServedOptions = {},
): Promise<Served> {
  const folder = createTestFolder();
  const target = `unix:${join(folder.runDir, 'ledger.sock')}`;
  const gate = createGate({ pool: ledger.pool, logger, checkEveryMs: 50, ...gateOptions });
  t.teardown(() => gate.close());
  await until(() => gate.closedBecause() === undefined);
  const channels = { charge: noChannels, holdRefund: noChannels, channels: noChannels };
  const answers = createLedgerAnswers({
    store: { ...ledger, ...channels, ...store },
    gate,
    cipher,
    logger,
  });
  const implementation = createLedgerService(() => answers, logger);
  let server: GrpcServer;
  const start = async () => {
    server = await startGrpcServer({
      listen: target,
      service: LedgerServiceService,
      implementation,
      logger,
    });
  };
  const stop = () => server.close();
  await start();
  t.teardown(async () => {
    await stop();
    folder.remove();
  });
  return { target, start, stop, lookAtDatabase: gate.check };
}

export function openLocks(
  t: Pick<ExecutionContext, 'teardown'>,
  options: { readonly url: string; readonly network: string; readonly waitMs?: number },
): WalletLocks {
  const { url, network, waitMs = 30_000 } = options;
  const client = createRedisClient({ url });
  const locks = createWalletLocks({ client, network, waitMs, monotonicMs: () => performance.now() });
  t.teardown(() => (client.isOpen ? locks.close() : undefined));
  return locks;
}

/** Locks for tests that are not about them. */
export const FREE_LOCKS: WalletLocks = {
  acquire: async () => ({ leftMs: () => 30_000, release() {} }),
  check: async () => {},
  close: async () => {},
};

/** Opens a client and waits until it is ready. The end of the test closes it. */
export async function openClient(
  t: Pick<ExecutionContext, 'teardown'>,
  options: Pick<LedgerClientOptions, 'target'> & Partial<LedgerClientOptions>,
) {
  const client = createLedgerClient({ ...PATIENT, locks: FREE_LOCKS, ...options });
  t.teardown(() => client.close());
  await until(async () => (await client.check()).ok);
  return client;
}

/** Opens claims of the network of a ledger, as the payments service does. */
export function openClaims({ pool, network }: Pick<OpenLedger, 'pool' | 'network'>): Claims {
  const same = <Outcome>(work: Promise<Outcome>) => work;
  const gate = { admit() {}, guard: same, watch: same };
  return createPostgresClaims({ pool, network, asset: `0x${'a'.repeat(40)}`, hasChain: true, gate });
}

/** A claim that executes. */
export async function openClaim(claims: Claims, options: Partial<OpenOptions> = {}): Promise<ClaimDetails> {
  const claim = details(createWallet().address);
  const opened = await claims.open(claim, leased({ leaseMs: 60_000, ...options }));
  if (opened !== 'opened') throw new Error(`the claim is ${opened}`);
  return claim;
}

export const answerOfClaim = ({ claimId }: { readonly claimId: string }, text = 'answer') => ({
  claimId,
  requestId: uuidv7(),
  requestBody: Buffer.from(`request of ${text}`),
  responseBody: Buffer.from(`response of ${text}`),
  operation: 'geocode',
  dueInMs: 60_000,
});

export const answerFor = ({ reservationId }: { readonly reservationId: string }, text = 'answer') => ({
  reservationId,
  requestId: uuidv7(),
  requestBody: Buffer.from(`request of ${text}`),
  responseBody: Buffer.from(`response of ${text}`),
});
