import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { privateKeyToAddress } from 'viem/accounts';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, createWallet, signPayment } from '../../kit/chain.ts';
import { adminUrlOf, connected, setServer } from '../../kit/owned-database.ts';
import { startTestPostgres } from '../../kit/servers.ts';
import { until } from '../../kit/until.ts';
import { expectCase, offerOf, present, startPayments } from './harness.ts';
import { SIGNER_KEY } from './own-payee.ts';
import { placeContracts, SANDBOX_ASSET, startChain } from './test-sandbox.ts';

/**
 * The statements of one paid call, in their order. That of the gateway's answer is of the ledger service; the others are of the
 * payments service.
 */
const OF_A_CALL = [
  /\.find_claims\(/,
  /\.open_claims\(/,
  /\.keep\(/,
  /\.start_settling\(/,
  /FROM ledger\.spent_gas .* GROUP BY account$/,
  /pg_try_advisory_lock/,
  /\.note_transactions\(/,
  /pg_advisory_unlock/,
  /\.finish_claims\(/,
];

/** What a process asks about once in a while, however many calls there are. */
const PERIODIC = [
  // The clock and the role of the database, and whether commits are durable: once a second.
  /\.status\(\)/,
  /\.probe\(\)/,
  // Which payers used up the gas of the day: kept for a second.
  /FROM ledger\.spent_gas .* HAVING/,
  // The session of the locks.
  /^SELECT 1$/,
];

// The jobs that follow settlements run when the service starts, and not again.
const JOBS = { X402_FINALITY_INTERVAL_MS: '600000', X402_RECONCILE_INTERVAL_MS: '86400000' };

const ENTRY = '@entry ';

const [postgres, anvil] = await Promise.all([startTestPostgres(), startChain()]);
const adminUrl = adminUrlOf(postgres.url);
await connected(adminUrl, async (admin) => {
  await setServer(admin, 'log_line_prefix', ENTRY);
  await setServer(admin, 'log_parameter_max_length', '0');
  await setServer(admin, 'log_statement', 'all');
});
// Connections that are opened from now on have these settings.
await until(() =>
  connected(adminUrl, async (admin) => (await admin.query('SHOW log_statement')).rows[0].log_statement === 'all'),
);
await placeContracts(anvil.rpcUrl);
const chain = connectChain(anvil.rpcUrl, SANDBOX_ASSET);
const service = await startPayments({
  env: {
    ...JOBS,
    DATABASE_URL: postgres.url,
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: anvil.rpcUrl,
    X402_PAY_TO: privateKeyToAddress(SIGNER_KEY),
    X402_NETWORK: 'eip155:31337',
  },
});
test.after.always(async () => {
  await service.stop();
  await Promise.all([postgres.stop(), anvil.stop()]);
});

/** What the server has executed, without what is periodic. */
function statements(): readonly string[] {
  const log = readFileSync(join(postgres.folder.path, 'logs', 'postgres.log'), 'utf8');
  return log.split(ENTRY).flatMap((entry) => {
    const [, text] = entry.replaceAll(/\s+/g, ' ').match(/^LOG: (?:statement|execute \S+): (.*?) ?$/) ?? [];
    return text === undefined || PERIODIC.some((periodic) => periodic.test(text)) ? [] : [text];
  });
}

async function pay() {
  const wallet = createWallet();
  await chain.mint(wallet.address, 10_000_000n);
  const payment = await signPayment(wallet, offerOf(await service.terms()));
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  return (await service.settle(claimId)).outcome;
}

test('a payment that is settled at once takes nine statements in all processes', async (t) => {
  // The first one opens connections.
  t.is(await pay(), SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  await connected(adminUrl, (admin) => admin.query("SELECT 'the second begins'"));
  t.is(await pay(), SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  const all = statements();
  t.deepEqual(
    all
      .slice(all.findIndex((text) => text.includes('the second begins')) + 1)
      .map((text) => OF_A_CALL.find((each) => each.test(text))?.source ?? text),
    OF_A_CALL.map(({ source }) => source),
  );
});
