// One process of the gateway.

import cluster from 'node:cluster';
import { createBackofficeClient } from '../services/backoffice/contract/client.ts';
import { createOperatorClient } from '../services/backoffice/contract/operator-client.ts';
import { createLedgerClient } from '../services/ledger/contract/client.ts';
import { createWalletLocks } from '../services/ledger/contract/wallet-lock.ts';
import { createChannelsClient } from '../services/payments/contract/channels-client.ts';
import { createPaymentsClient } from '../services/payments/contract/client.ts';
import { createPaymentsOperatorClient } from '../services/payments/contract/operator-client.ts';
import { warnWithoutNativeCurve } from '../services/platform/ethereum/native-curve.ts';
import { CallError, type CallSettings } from '../services/platform/grpc/grpc-client.ts';
import { targetOf } from '../services/platform/grpc/identity.ts';
import { createRepeatedErrorLog } from '../services/platform/process/repeated-errors.ts';
import { watchProcess } from '../services/platform/process/watched-process.ts';
import { answerWithin, createRedisClient } from '../services/platform/redis/redis-client.ts';
import { readRedisFigures } from '../services/platform/redis/redis-figures.ts';
import { createAccess } from './access/access.ts';
import { createExecute } from './access/call/execution.ts';
import { createFingerprints } from './access/call/fingerprints.ts';
import { createChallenger } from './access/challenge/challenge.ts';
import { createChannels } from './access/channels.ts';
import type { ChannelTerms } from './access/offer/channel-terms.ts';
import { createOfferSecrets } from './access/offer/offer-secret.ts';
import { createOffersByOrigin } from './access/offer/offers-by-origin.ts';
import { createExactPayment } from './access/payment/exact-payment.ts';
import { createPayment } from './access/payment-schemes.ts';
import { createToolAccess } from './access/tool-access.ts';
import { createTrial } from './access/trial/trial.ts';
import { createAdaptiveLimit } from './admission/adaptive-limit.ts';
import { createAdmission } from './admission/admission.ts';
import { watchLoopDelay } from './admission/loop-delay.ts';
import { createApps } from './app.ts';
import { createOperationClients } from './clients/operation-clients.ts';
import { type ServicesHealth, takesPayments, watchServices } from './clients/service-health.ts';
import { createVerifiedClients } from './clients/verified-clients.ts';
import { GatewayConfig, ownOrigins, readConfig, readMode } from './config/config.ts';
import type { CallState } from './freeze/call-freeze.ts';
import { watchFreeze } from './freeze/watch-freeze.ts';
import { listenAt } from './http/admin-server.ts';
import { affordableConnections } from './http/descriptors.ts';
import type { Health } from './http/health.ts';
import { operations } from './operations/index.ts';
import { createOperatorAccess } from './operator/operator-access.ts';
import { createFactsReader } from './operator/read-facts.ts';
import { countProcesses, LISTENING } from './processes/processes.ts';
import { endpoints } from './verified/index.ts';

const TERMS_TIMEOUT_MS = 2000;
const TERMS_RETRY_MS = 200;
/** How long /health/ready waits for services that have not served since the start. */
const START_GRACE_MS = 30_000;
/** How many time limits of an answer to ask again for the outcome of a void. */
const ANSWERS_WAITED_FOR = 3;
/** The largest answers take some seconds to store. */
const LEAST_ANSWER_MS = 5000;
/** Calls that are always executed at the same time: enough to keep all cores of a machine busy with long ones. */
const LEAST_CALLS = 8;

const REFUSALS: Partial<Record<CallState, string>> = {
  frozen: 'stopped by the operator',
  other_key: 'FINGERPRINT_KEY is not that of the records',
};

const now = Date.now;
const monotonicMs = () => performance.now();
const { logger, closeOnExit } = watchProcess('gateway', process.env, GatewayConfig);
// A wrong value is reported before anything is waited for.
const config = readConfig(process.env);
const processes = cluster.isWorker ? countProcesses(process.env) : 1;
warnWithoutNativeCurve(logger);

config.identity?.watch(logger);
const targets = {
  content: targetOf(config.identity, 'content', config.CONTENT_URL),
  maps: targetOf(config.identity, 'maps', config.MAPS_URL),
  payments: targetOf(config.identity, 'payments', config.PAYMENTS_URL),
  backoffice: targetOf(config.identity, 'backoffice', config.BACKOFFICE_URL),
  verification: targetOf(config.identity, 'verification', config.VERIFICATION_URL),
};
const operationClients = createOperationClients(targets);
const verifiedClients = createVerifiedClients({ verification: targets.verification, jobs: targets.backoffice });
const payments = createPaymentsClient(targets.payments);
const channels = createChannelsClient(targets.payments);
const backoffice = createBackofficeClient(targets.backoffice);

const services = watchServices({
  targets,
  startGraceMs: START_GRACE_MS,
  monotonicMs,
});
const paymentTerms = await readTerms(payments.getTerms);
const channelTerms = await readTerms(readChannelTerms);
const { network } = paymentTerms;
const isSandbox = paymentTerms.sandbox;
const {
  publicUrls,
  contact,
  operatorKeys,
  keys: { challenge: keys, fingerprint },
} = readMode(config, isSandbox);
// The official client wants the network that it pays on among the chains that it may sign in on.
const chains = isSandbox ? [network, 'eip155:8453'] : [network];
const terms = { ...paymentTerms, chains, ...(channelTerms && { channels: channelTerms }) };

const dailyBudgetMicroUsd = BigInt(config.TRIAL_DAILY_BUDGET_MICRO_USD);
const redis = createRedisClient({
  url: config.REDIS_URL,
  onError: createRepeatedErrorLog({ logger, message: 'the connection to Redis failed' }),
});
const ledger = createLedgerClient({
  target: targets.backoffice,
  locks: createWalletLocks({
    client: redis,
    network,
    waitMs: config.LEDGER_TIMEOUT_MS,
    monotonicMs,
  }),
  clockToleranceMs: config.CLOCK_TOLERANCE_MS,
  timeoutMs: config.LEDGER_TIMEOUT_MS,
  answerWithinMs: Math.max(LEAST_ANSWER_MS, ANSWERS_WAITED_FOR * config.LEDGER_TIMEOUT_MS),
  onError: createRepeatedErrorLog({ logger, message: 'the ledger failed a check' }),
});

const deploymentId = `${network}:${isSandbox ? 'sandbox' : 'production'}`;
const challenger = createChallenger({ keys, deploymentId, chains, now: ledger.now });
const secrets = createOfferSecrets({ keys, deploymentId });
const fingerprints = createFingerprints(fingerprint);
const execute = createExecute(operationClients.clients);
const targetMs = config.TARGET_LATENCY_MS;
const admission = createAdmission({
  limit: createAdaptiveLimit({
    targetMs,
    least: LEAST_CALLS,
    most: config.MAX_CONNECTIONS,
    monotonicMs,
    readLoopDelayMs: watchLoopDelay(),
  }),
  targetMs,
  monotonicMs,
});
const freeze = watchFreeze({ backoffice, keyCheck: fingerprints.keyCheck, logger });
const shared = { ledger, backoffice, execute, admission, freeze, secrets, fingerprints, now: ledger.now, logger };
const exact = createExactPayment({ ...shared, payments });
const { payment: channel, refundAccess } = createChannels({
  ...shared,
  terms,
  publicUrls,
  channels,
  monotonicMs,
});
const payment = createPayment({ exact, channel, freeze });
const findOffer = createOffersByOrigin({ operations, publicUrls, terms, secrets });
const access = createAccess({
  findOffer,
  ledger,
  challenger,
  trial: createTrial({ ...shared, challenger }),
  payment,
  freeze,
  arePaymentsTaken: async () => takesPayments(await services.read()),
  now: ledger.now,
  monotonicMs,
});
const operatorClient = createOperatorClient(targets.backoffice);
const paymentsOperator = createPaymentsOperatorClient(targets.payments);
const operator = operatorKeys && {
  access: createOperatorAccess({ keys: operatorKeys, origins: ownOrigins(config, publicUrls), monotonicMs, logger }),
  client: operatorClient,
  freeze,
  readFacts: createFactsReader({
    services,
    backoffice: operatorClient,
    payments: paymentsOperator,
    readRedis: () => answerWithin(readRedisFigures(redis), config.LEDGER_TIMEOUT_MS),
    admission,
    freeze,
    dataFolder: config.TOLLHOUSE_DATA,
    monotonicMs,
    now,
  }),
  dailyBudgetMicroUsd,
};
const { app, admin } = await createApps({
  operator,
  dailyBudgetMicroUsd,
  retentionDays: config.RETENTION_DAYS,
  operations,
  verified: { endpoints, clients: verifiedClients.clients },
  access,
  admission,
  toolAccess: createToolAccess({ findOffer, payment, freeze }),
  refundAccess,
  payments,
  readHealth,
  readClockSkewMs: ledger.clockSkewMs,
  publicUrls,
  contact: { name: `Operator of ${publicUrls[0].host}`, ...contact },
  terms,
  isSandbox,
  boundsNetworks: !isSandbox,
  http: {
    maxConnections: affordableConnections(Math.ceil(config.MAX_CONNECTIONS / processes)),
    maxConnectionsPerClient: config.MAX_CONNECTIONS_PER_CLIENT,
    maxBodyBytesInFlight: Math.ceil((config.MAX_BODY_MB_IN_FLIGHT * 1024 * 1024) / processes),
    maxEventLoopDelayMs: config.MAX_EVENT_LOOP_DELAY_MS,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    isTrustedProxy: config.isTrustedProxy,
    stopGraceMs: config.STOP_GRACE_MS,
    logger,
  },
});
if (isSandbox) logger.warn({ network }, 'SANDBOX: payments are play money on a local test chain');
// Without an answer, new calls are refused until there is one.
await Promise.all([ledger.check(), freeze.refresh().catch(() => {})]);
if (config.ADMIN_LISTEN !== undefined) await listenAt(admin, config.ADMIN_LISTEN);
await app.listen({ port: config.PORT, host: config.HOST, ...sharePort() });
cluster.worker?.send(LISTENING);

closeOnExit(async ({ hasFailed }) => {
  await (hasFailed ? app.close() : app.stop());
  await admin.close();
  freeze.close();
  await ledger.close();
  const clients = [operationClients, verifiedClients, payments, channels, backoffice, operatorClient, paymentsOperator];
  for (const client of [...clients, services]) client.close();
});

/** Linux distributes connections to the processes by itself. Elsewhere the primary process does it. */
function sharePort(): { readonly reusePort?: boolean; readonly exclusive?: boolean } {
  return cluster.isWorker && process.platform === 'linux' ? { reusePort: true, exclusive: true } : {};
}

/** What is sold cannot be said before the payments service says how it is paid: wait for it. */
async function readTerms<Terms>(read: (settings: CallSettings) => Promise<Terms>): Promise<Terms> {
  const logError = createRepeatedErrorLog({ logger, message: 'waiting for the payments service' });
  for (;;) {
    try {
      return await read({ timeoutMs: TERMS_TIMEOUT_MS });
    } catch (error) {
      logError(error);
      await new Promise((resolve) => setTimeout(resolve, TERMS_RETRY_MS));
    }
  }
}

/** Undefined if the payments service has no channels. */
async function readChannelTerms(settings: CallSettings): Promise<ChannelTerms | undefined> {
  try {
    return await channels.getTerms(settings);
  } catch (error) {
    if (error instanceof CallError && error.code === 'CHANNELS_NOT_OFFERED') return undefined;
    throw error;
  }
}

async function readHealth(): Promise<Health> {
  const health = await services.read();
  const trials = ledger.ready();
  const refused = REFUSALS[freeze.state()];
  return {
    ...health,
    trials: refused ?? (trials.ok ? 'available' : trials.reason),
    payments: refused ?? (await readAdmission(health)),
  };
}

/** `available`, or why new payments are not accepted. The service is asked for the reason only while it does not serve. */
async function readAdmission(health: ServicesHealth): Promise<string> {
  if (health.services.payments === 'ok') return 'available';
  try {
    const { refusedBecause } = await payments.getAdmission({ timeoutMs: TERMS_TIMEOUT_MS });
    return refusedBecause ?? 'the payments service is not ready';
  } catch {
    return 'the payments service does not answer';
  }
}
