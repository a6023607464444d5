import type pg from 'pg';
import { auditLedger } from '../../../../services/ledger/store/audit.ts';
import { runStatement } from '../../../../services/ledger/store/ledger-pool.ts';
import { readBigint, readText } from '../../../../services/ledger/store/read-outcomes.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import type { LedgerLog } from '../clients/ledger-log.ts';
import type { LedgerFacts } from '../model/ledger-facts.ts';

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
  // A world sees the answers of no other.
  const bodies = await read(`SELECT record_id, convert_from(request_body, 'UTF8') || ' ' ||
    convert_from(response_body, 'UTF8') AS bodies FROM retained_body WHERE $1 <> ''`);
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
    bodies: new Map(bodies.map(({ record_id: id, bodies: text }) => [readText(id), readText(text)])),
    balances: new Map(wallets.map(({ address, balance }) => [readText(address), readBigint(balance)])),
    open: open.map(({ id }) => readText(id)),
    violations: violations.map(({ invariant, subject, detail }) => `${invariant} of ${subject}: ${detail}`),
  };
}
