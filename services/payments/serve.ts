import { ChannelsServiceService } from '../../proto/gen/tollhouse/payments/v1/channels.ts';
import { PaymentsOperatorServiceService } from '../../proto/gen/tollhouse/payments/v1/operator.ts';
import { PaymentsServiceService } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import { warnWithoutNativeCurve } from '../platform/ethereum/native-curve.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { readNamedKeys } from '../platform/process/named-keys.ts';
import { startReadiness } from '../platform/process/readiness.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { countUnclaimed, readChannelFigures } from '../store/channel-figures.ts';
import { migrate, openDatabase } from '../store/database.ts';
import { readSchemeEarnings } from '../store/earnings.ts';
import { countPayments } from '../store/payment-claims.ts';
import { createLockSessions } from '../store/recurring/lock-session.ts';
import { startRecurringJobs } from '../store/recurring/recurring-jobs.ts';
import { createBackend, termsOf } from './backend.ts';
import { createChannelsService } from './channels/channels-service.ts';
import { createClaimsGate, openClaimsPool } from './claims/claims-gate.ts';
import { createPostgresClaims } from './claims/postgres-claims.ts';
import { PaymentsEnvironment, readConfig } from './config.ts';
import { createFinalityFollower } from './finality/finality-follower.ts';
import { requireAuthorizationKeys } from './finality/require-authorization-keys.ts';
import { createUnfinalClaims } from './finality/unfinal-claims.ts';
import { createFollower } from './follower.ts';
import { createOperatorDesk } from './operator/operator-desk.ts';
import { createOperatorService } from './operator/operator-service.ts';
import { createStanding } from './operator/standing.ts';
import type { Context } from './payment/context.ts';
import { createPaymentReader } from './payment/payment.ts';
import { createPaymentsService } from './service.ts';
import { createAuthorizationCipher } from './settlement/authorization-cipher.ts';
import { createBegin } from './settlement/begin.ts';
import { createKeptAuthorizations } from './settlement/kept-authorizations.ts';
import { createOpenClaimsFollower } from './settlement/open-claims.ts';
import { createSettlement } from './settlement/settlement.ts';
import type { SettlingContext } from './settlement/settling-context.ts';
import { createGasBudget } from './signer/gas-budget.ts';
import { createLock } from './signer/signer-lock.ts';
import { createSignerTransactions } from './signer/signer-transactions.ts';
import { createTransactionFollower } from './signer/transaction-follower.ts';

const UPKEEP_EVERY_MS = 3_600_000;

const { logger, closeOnExit } = watchProcess('payments', process.env, PaymentsEnvironment);
const config = readConfig(process.env);
const { backend } = config;
warnWithoutNativeCurve(logger);

const terms = await termsOf(backend);
const { network, asset } = terms;
await migrate(config.databaseUrl, logger);
const database = openDatabase({ url: config.databaseUrl, connections: config.databaseConnections, logger });
const pool = openClaimsPool({ url: config.databaseUrl, connections: config.ledgerConnections }, logger);
const gate = createClaimsGate({ pool, clockToleranceMs: config.clockToleranceMs, logger });
const { now } = gate;
const lockSessions = createLockSessions(config.databaseUrl);
const context: Context = { network, terms, database, lock: createLock(lockSessions, network), now, logger };
const transactions = createSignerTransactions(context);
const gasBudget = createGasBudget(context);
const { facilitator, known, sender, payee, gas, sandbox, admit, check } = await createBackend({
  ...config,
  ...context,
  countUnclaimed: async () => (config.channels === undefined ? 0 : countUnclaimed(database, network)),
  transactions,
  gasBudget,
});
const chain = known?.chain;
const claims = createPostgresClaims({ pool, network, asset, hasChain: chain !== undefined, gate });
const readPayment = createPaymentReader(terms);
const authorizationKeys = readNamedKeys(config.authorizationKeys);
await requireAuthorizationKeys(context, authorizationKeys);
const cipher = createAuthorizationCipher(authorizationKeys);
const authorizations = createKeptAuthorizations({ ...context, cipher, readPayment });
const { settleTimeoutMs, leaseMarginMs } = config;
const settling: SettlingContext = {
  ...context,
  ...{ claims, facilitator, chain, authorizations, readPayment, settleTimeoutMs, leaseMarginMs, admit },
  onSettled: sandbox?.saveSoon,
};
const settlement = createSettlement(settling);
const begin = createBegin({ ...settling, settlement });
const operatorDesk = known && createOperatorDesk({ ...context, ...known, payee, claims });
const channels = await openChannels();

const server = await startGrpcServer({
  listen: config.listen,
  identity: config.identity,
  callers: { gateway: 'all', backoffice: ['getTerms'] },
  service: PaymentsServiceService,
  implementation: createPaymentsService({
    ...settling,
    ...{ begin, settlement, sandbox },
    countPayments: async () => {
      const [counts, channelFigures, earnings] = await Promise.all([
        countPayments(database, network),
        readChannelFigures(database, network),
        readSchemeEarnings(database, network),
      ]);
      return { ...counts, channels: channelFigures, earnings: [...earnings] };
    },
    readiness: gate.ready,
  }),
  besides: [
    {
      service: PaymentsOperatorServiceService,
      callers: { gateway: ['readStanding'], operator: 'all' },
      implementation: createOperatorService({
        ...context,
        ...{ claims, desk: operatorDesk, gas },
        readStanding: createStanding(context, known, gas),
      }),
    },
    {
      service: ChannelsServiceService,
      callers: {
        gateway: ['getChannelTerms', 'deposit', 'readChannels', 'refundChannel'],
        backoffice: ['claimChannels', 'resolveRefund', 'watchChannels'],
        operator: ['estimateClaims', 'estimateChannelRefund', 'refundChannel'],
      },
      implementation: createChannelsService({ ...context, channels, admit, refresh: sandbox?.refresh }),
    },
  ],
  logger,
});

const recurring = startRecurringJobs({
  sessions: lockSessions,
  group: `payments:${network}`,
  jobs: [
    {
      name: 'payments-follow',
      everyMs: config.finalityIntervalMs,
      run: createFollower(context, {
        due: createOpenClaimsFollower(settling, settlement),
        ...(channels && { channels: channels.follow }),
        ...(known && {
          claims: createFinalityFollower({ ...settling, ...known, settlement, unfinal: createUnfinalClaims(context) }),
          signed: createTransactionFollower({ ...context, ...known }, sender),
        }),
      }),
    },
    { name: 'payments-executions', everyMs: UPKEEP_EVERY_MS, run: claims.dropExecutions },
    { name: 'payments-gas', everyMs: UPKEEP_EVERY_MS, run: gasBudget.forget },
    ...(operatorDesk === undefined
      ? []
      : [{ name: 'payments-reconciliation', everyMs: config.reconcileIntervalMs, run: operatorDesk.reconcileAll }]),
  ],
  logger,
});

const stopReadiness = await startReadiness({
  check: async () => {
    // Checked first: a wrong chain is a configuration error, which waiting does not fix.
    await check();
    const readiness = gate.ready().ok ? gate.ready() : await gate.check();
    if (!readiness.ok) throw new Error(readiness.reason);
  },
  setReady: server.setReady,
  logger,
});

closeOnExit(async () => {
  stopReadiness();
  await Promise.all([server.close(), recurring.close()]);
  gate.close();
  await sandbox?.close();
  await Promise.all([lockSessions.close(), pool.end(), database.destroy()]);
});

/** Modules are loaded on demand: most of their memory is that of the contract's interface. */
async function openChannels() {
  const { channels: settings } = config;
  if (settings === undefined && backend.kind === 'signer') {
    logger.info('channels are not offered: X402_RECEIVER_AUTHORIZER_KEY is not set');
  }
  if (settings === undefined || known === undefined || sender === undefined) return undefined;
  const { createChannels } = await import('./channels/channels.ts');
  return createChannels({ ...context, ...known, sender, gasBudget, claims, onMined: sandbox?.save }, settings);
}
