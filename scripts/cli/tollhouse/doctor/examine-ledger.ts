import type { LedgerStores } from '../../../../services/ledger/restore/ledger-stores.ts';
import { type LedgerStatus, readLedgerStatus } from '../../../../services/ledger/restore/status.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

/** The copy is made four times a second. */
const NOTABLE_LAG_MS = 60_000;
const TIMEOUT_MS = 5000;

/** Looks at the ledger of each network that PostgreSQL knows, and at the copy of its journal. */
export async function examineLedgers(stores: Omit<LedgerStores, 'network' | 'timeoutMs'>): Promise<readonly Finding[]> {
  const known = await stores.database.selectFrom('ledger_witness').select('network').orderBy('network').execute();
  const findings: Finding[] = [];
  for (const { network } of known) {
    findings.push(...examineLedger(await readLedgerStatus({ ...stores, network, timeoutMs: TIMEOUT_MS })));
  }
  return findings;
}

function examineLedger({ network, closedBecause, pending, lagEntries, lagMs }: LedgerStatus): readonly Finding[] {
  const state = `${network}: open, ${pending} reservations are pending`;
  const ledger =
    closedBecause === undefined
      ? ok('ledger.state', state)
      : failure('ledger.state', `${network}: ${closedBecause}`, 'see tollhouse ledger status, audit and restore');
  const found = `${network}: ${lagEntries} entries are not copied, the oldest for ${lagMs} ms`;
  const action = 'check that the back office runs, and look at its log: an entry that is not copied is lost with Redis';
  return [ledger, lagMs < NOTABLE_LAG_MS ? ok('ledger.copy', found) : warning('ledger.copy', found, action)];
}
