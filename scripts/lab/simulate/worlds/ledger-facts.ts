import type pg from 'pg';
import { auditLedger, type Violation } from '../../../../services/ledger/store/audit.ts';
import { runStatement } from '../../../../services/ledger/store/ledger-pool.ts';
import { readBigint, readText } from '../../../../services/ledger/store/read-outcomes.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import type { LedgerLog } from '../clients/ledger-log.ts';
import type { ChannelFacts } from '../model/channel-facts.ts';
import type { LedgerFacts } from '../model/ledger-facts.ts';
import type { PaymentFacts } from '../model/payment-facts.ts';
import type { TrialFacts } from '../model/trial-facts.ts';

export interface ReadOptions {
  readonly pool: pg.Pool;
  readonly network: string;
  readonly terms: TrialTerms;
  readonly log: LedgerLog;
}

/** Reads what is stored, for the judge. */
export async function readLedgerFacts({ pool, network, terms, log }: ReadOptions): Promise<LedgerFacts> {
  const read = (text: string) => runStatement(pool, text, [network]);
  const entries = await read('SELECT id, account, amount, day FROM ledger.entry WHERE network = $1');
  const wallets = await read('SELECT address, balance FROM ledger.wallet WHERE network = $1');
  const open = await read('SELECT id FROM ledger.reservation WHERE network = $1');
  const { violations } = await auditLedger({ pool, network });
  return {
    ...log,
    grant: terms.grantMicroUsd,
    dailyBudget: terms.dailyBudgetMicroUsd,
    entries: new Map(
      entries.map(({ id, account, amount, day }) => [
        readText(id),
        { account: readText(account), amount: readBigint(amount), day: readText(day) },
      ]),
    ),
    bodies: await readBodies(pool),
    balances: new Map(wallets.map(({ address, balance }) => [readText(address), readBigint(balance)])),
    open: open.map(({ id }) => readText(id)),
    violations: violations.map(describeViolation),
  };
}

type Stored = Pick<TrialFacts, 'reserved' | 'charged' | 'bodies' | 'open' | 'violations'>;

/** Reads what is stored of trials that went through gateways, for the judge. */
export async function readTrialFacts({ pool, network }: Pick<ReadOptions, 'pool' | 'network'>): Promise<Stored> {
  const read = (text: string) => runStatement(pool, text, [network]);
  const nonces = await read(
    "SELECT nonce, reservation_id FROM ledger.nonce WHERE network = $1 AND outcome = 'reserved'",
  );
  const entries = await read('SELECT id, account FROM ledger.entry WHERE network = $1');
  const open = await read('SELECT id FROM ledger.reservation WHERE network = $1');
  const { violations } = await auditLedger({ pool, network });
  return {
    reserved: new Map(nonces.map(({ nonce, reservation_id: id }) => [readText(nonce), readText(id)])),
    charged: new Map(entries.map(({ id, account }) => [readText(id), readText(account)])),
    bodies: await readBodies(pool),
    open: open.map(({ id }) => readText(id)),
    violations: violations.map(describeViolation),
  };
}

/** Reads what is stored of channels, for the judge. */
export async function readChannelFacts({
  pool,
  network,
}: Pick<ReadOptions, 'pool' | 'network'>): Promise<
  Pick<ChannelFacts, 'charges' | 'charged' | 'bodies' | 'open' | 'violations'>
> {
  const read = (text: string) => runStatement(pool, text, [network]);
  const entries = await read('SELECT id, account, amount FROM ledger.entry WHERE network = $1');
  const channels = await read('SELECT id, charged FROM ledger.channel WHERE network = $1');
  const open = await read('SELECT id FROM ledger.reservation WHERE network = $1');
  const { violations } = await auditLedger({ pool, network });
  return {
    charges: new Map(
      entries.map(({ id, account, amount }) => [
        readText(id),
        { channelId: readText(account), amount: readBigint(amount) },
      ]),
    ),
    charged: new Map(channels.map(({ id, charged }) => [readText(id), readBigint(charged)])),
    bodies: await readBodies(pool),
    open: open.map(({ id }) => readText(id)),
    violations: violations.map(describeViolation),
  };
}

/** Reads what is stored of single payments, for the judge. An execution without an answer owes nothing. */
export async function readPaymentFacts({
  pool,
  network,
}: Pick<ReadOptions, 'pool' | 'network'>): Promise<Pick<PaymentFacts, 'claims' | 'orphans'>> {
  const claims = await runStatement(
    pool,
    `SELECT c.claim_id, c.payer, c.nonce, c.state, c.is_final IS TRUE AS is_final, c.finalized_at IS NOT NULL AS is_finalized,
        c.lost_at IS NOT NULL AS is_lost, c.due_at IS NOT NULL AS is_owed,
        (extract(epoch FROM c.created_at) * 1000)::bigint AS opened_ms, convert_from(b.response_body, 'UTF8') AS body
      FROM ledger.payment_claim c LEFT JOIN retained_body b ON b.record_id = c.claim_id
      WHERE c.network = $1 AND (c.state <> 'executing' OR b.record_id IS NOT NULL) ORDER BY c.claim_id`,
    [network],
  );
  const orphans = await runStatement(
    pool,
    `SELECT b.record_id FROM retained_body b
      WHERE NOT EXISTS (SELECT FROM ledger.payment_claim c WHERE c.claim_id = b.record_id)`,
    [],
  );
  return {
    claims: claims.map((row) => ({
      claimId: readText(row['claim_id']),
      payer: readText(row['payer']),
      nonce: readText(row['nonce']),
      openedMs: Number(readBigint(row['opened_ms'])),
      outcome: row['state'] === 'settled' || row['state'] === 'failed' ? row['state'] : undefined,
      isFinal: row['is_final'] === true,
      isFinalized: row['is_finalized'] === true,
      isLost: row['is_lost'] === true,
      isOwed: row['is_owed'] === true,
      body: row['body'] === null ? undefined : readText(row['body']),
    })),
    orphans: orphans.map((row) => readText(row['record_id'])),
  };
}

/** A world sees the answers of no other. */
async function readBodies(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const bodies = await runStatement(
    pool,
    `SELECT record_id, convert_from(request_body, 'UTF8') || ' ' || convert_from(response_body, 'UTF8') AS bodies
      FROM retained_body`,
    [],
  );
  return new Map(bodies.map(({ record_id: id, bodies: text }) => [readText(id), readText(text)]));
}

const describeViolation = ({ invariant, subject, detail }: Violation): string =>
  `${invariant} of ${subject}: ${detail}`;
