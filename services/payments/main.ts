import { ChannelsServiceService } from '../../proto/gen/tollhouse/payments/v1/channels.ts';
import { PaymentsOperatorServiceService } from '../../proto/gen/tollhouse/payments/v1/operator.ts';
import { PaymentsServiceService } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import { warnWithoutNativeCurve } from '../platform/ethereum/native-curve.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { readNamedKeys } from '../platform/process/named-keys.ts';
import { startReadiness } from '../platform/process/readiness.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { connectRedis } from '../platform/redis/connect-redis.ts';
import { createRedisClient } from '../platform/redis/redis-client.ts';
import { createRedisClock } from '../platform/redis/redis-clock.ts';
import { countUnclaimed, readChannelFigures } from '../store/channel-figures.ts';
import { migrate, openDatabase } from '../store/database.ts';
import { countPayments } from '../store/payment-claims.ts';
import { type RecurringJob, startRecurringJobs } from '../store/recurring/recurring-jobs.ts';
import { createBackend, termsOf } from './backend.ts';
import type { KnownChain } from './chain/known-chain.ts';
import { createChannelsService } from './channels/channels-service.ts';
import { createClaimsGuard } from './claims/claims-guard.ts';
import { createClaimsWitness } from './claims/claims-witness.ts';
import { createPostgresClaimRecords } from './claims/postgres-claim-records.ts';
import { createRecordedClaims } from './claims/recorded-claims.ts';
import { createRedisClaims } from './claims/redis-claims.ts';
import { readConfig } from './config.ts';
import { createAuthorizationCipher } from './finality/authorization-cipher.ts';
import { createFinalityFollower } from './finality/finality-follower.ts';
import { createKeptAuthorizations } from './finality/kept-authorizations.ts';
import { createUnfinalClaims } from './finality/unfinal-claims.ts';
import { createOperatorDesk, type OwnDesk } from './operator/operator-desk.ts';
import { createOperatorService } from './operator/operator-service.ts';
import { createStanding } from './operator/standing.ts';
import { createPaymentReader, rememberPayments } from './payment/payment.ts';
import { createPaymentsService } from './service.ts';
import { createBegin } from './settlement/begin.ts';
import { createSettlement } from './settlement/settlement.ts';
import { createReplacements } from './signer/replacements.ts';
import { createLock } from './signer/signer-lock.ts';

const { logger, closeOnExit } = watchProcess('payments', process.env);
const config = readConfig(process.env);
const timeoutMs = config.redisTimeoutMs;
const { backend, settleTimeoutMs, leaseMarginMs } = config;
warnWithoutNativeCurve(logger);

const terms = await termsOf(backend);
const { network, asset } = terms;
const logRedisError = createRepeatedErrorLog({ logger, message: 'the connection to Redis failed' });
const client = createRedisClient({ url: config.redisUrl, onError: logRedisError });
const subscriber = client.duplicate();
subscriber.on('error', logRedisError);
await migrate(config.databaseUrl, logger);
const database = openDatabase({ url: config.databaseUrl, connections: config.databaseConnections, logger });
const clock = createRedisClock({ client, timeoutMs, toleranceMs: config.clockToleranceMs });
const { now } = clock;
const guard = createClaimsGuard({
  client,
  witness: createClaimsWitness(database, network),
  network,
  isDurabilityVouched: config.isDurabilityVouched,
  timeoutMs,
  findClockFault: clock.findFault,
  logger,
});
await Promise.all([client, subscriber].map((each) => connectRedis(each, 'REDIS_URL (or PAYMENT_REDIS_URL)')));

const records = createPostgresClaimRecords({ database, network, asset });
const claims = createRecordedClaims({
  claims: createRedisClaims({ client, subscriber, guard, timeoutMs, network, asset }),
  records,
  logger,
});
const lock = createLock({ client, prefix: `tollhouse:{${network}}:`, timeoutMs });
const replacements = createReplacements({ client, prefix: `tollhouse:{${network}}:`, timeoutMs });
const { facilitator, known, sender, payee, gas, sandbox, check } = await createBackend({
  ...config,
  terms,
  countUnclaimed: () => (config.channels === undefined ? Promise.resolve(0) : countUnclaimed(database, network)),
  lock,
  replacements,
  now,
  logger,
});
const chain = known?.chain;
const readPayment = rememberPayments(createPaymentReader(terms));
const cipher = createAuthorizationCipher(readNamedKeys(config.authorizationKeys));
const authorizations = createKeptAuthorizations({ database, network, cipher, readPayment });
const settlement = createSettlement({
  network,
  claims,
  facilitator,
  chain,
  timeoutMs: settleTimeoutMs,
  logger,
  ...(sandbox && { onSettled: sandbox.saveSoon }),
  // Without a chain, nobody here notices a reorganization.
  keep: known && authorizations.keep,
});
const begin = createBegin({
  terms,
  readPayment,
  claims,
  facilitator,
  chain,
  settlement,
  leaseMarginMs,
  admit: () => gas?.admit(),
  now,
  logger,
});
const operatorDesk =
  known &&
  createOperatorDesk({ ...known, database, terms, payee, claimRecords: records, lock, onMined: sandbox?.save, logger });
const channels = await openChannels();

const server = await startGrpcServer({
  listen: config.listen,
  service: PaymentsServiceService,
  serviceName: 'tollhouse.payments.v1.PaymentsService',
  protoFile: 'tollhouse/payments/v1/payments.proto',
  implementation: createPaymentsService({
    terms,
    claims,
    begin,
    settlement,
    hasChain: chain !== undefined,
    readPayment,
    sandbox,
    countPayments: async () => {
      const [counts, channelFigures] = await Promise.all([
        countPayments(database, network),
        readChannelFigures(database, network),
      ]);
      return { ...counts, channels: channelFigures };
    },
    claimsReadiness: guard.ready,
    now,
    logger,
  }),
  besides: [
    {
      service: PaymentsOperatorServiceService,
      serviceName: 'tollhouse.payments.v1.PaymentsOperatorService',
      protoFile: 'tollhouse/payments/v1/operator.proto',
      implementation: createOperatorService({
        database,
        network,
        claims,
        records,
        desk: operatorDesk?.desk,
        gas,
        readStanding: createStanding({ database, network, known, gas }),
        logger,
      }),
    },
    {
      service: ChannelsServiceService,
      serviceName: 'tollhouse.payments.v1.ChannelsService',
      protoFile: 'tollhouse/payments/v1/channels.proto',
      implementation: createChannelsService({ channels, terms, admit: () => gas?.admit(), now, logger }),
    },
  ],
  logger,
});

const recurring = startRecurringJobs({
  databaseUrl: config.databaseUrl,
  jobs: known === undefined || operatorDesk === undefined ? [] : recurringJobs(known, operatorDesk),
  logger,
});

const stopReadiness = await startReadiness({
  check: async () => {
    // Checked first: a wrong chain is a configuration error, which waiting does not fix.
    await check();
    const claimsReady = guard.ready().ok ? guard.ready() : await guard.check();
    if (!claimsReady.ok) throw new Error(claimsReady.reason);
  },
  setReady: server.setReady,
  logger,
});

closeOnExit(async () => {
  stopReadiness();
  await Promise.all([server.close(), recurring.close()]);
  guard.close();
  await Promise.all([claims.drain(), sandbox?.close()]);
  client.destroy();
  subscriber.destroy();
  await database.destroy();
});

/** Modules are loaded on demand: most of their memory is that of the contract's interface. */
async function openChannels() {
  const { channels: settings, finalityIntervalMs: everyMs } = config;
  if (settings === undefined && backend.kind === 'signer') {
    logger.info('channels are not offered: X402_RECEIVER_AUTHORIZER_KEY is not set');
  }
  if (settings === undefined || known === undefined || sender === undefined) return undefined;
  const { createChannels } = await import('./channels/channels.ts');
  const shared = { settings, known, sender, terms, database, lock, everyMs, now, logger };
  return createChannels({ ...shared, onMined: sandbox?.save });
}

function recurringJobs(onChain: KnownChain, { followRefunds, reconcileAll }: OwnDesk): readonly RecurringJob[] {
  const { follow } = createFinalityFollower({
    ...onChain,
    unfinal: createUnfinalClaims({ database, network, asset }),
    authorizations,
    facilitator,
    claims,
    settlement,
    isSandbox: terms.sandbox,
    onSent: sandbox?.saveSoon,
    logger,
  });
  const { finalityIntervalMs, reconcileIntervalMs } = config;
  return [
    ...(channels === undefined ? [] : channels.jobs),
    { name: `payments-finality:${network}`, everyMs: finalityIntervalMs, run: follow },
    { name: `payments-refunds:${network}`, everyMs: finalityIntervalMs, run: followRefunds },
    { name: `payments-reconciliation:${network}`, everyMs: reconcileIntervalMs, run: reconcileAll },
  ];
}
