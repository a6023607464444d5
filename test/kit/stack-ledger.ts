import { type ChannelLedger, createChannelLedger } from '../../services/ledger/store/charge.ts';
import { openLedgerPool } from '../../services/ledger/store/ledger-pool.ts';
import { createTrialLedger, type TrialLedger } from '../../services/ledger/store/trial-ledger.ts';
import { createVoucherCipher } from '../../services/ledger/store/voucher-cipher.ts';
import { HANG_MS } from './until.ts';

/** Opens the ledger of a stack, beside its processes. Signatures of vouchers cannot be read. */
export async function withLedger<T>(
  { databaseUrl }: { readonly databaseUrl: string },
  use: (ledger: TrialLedger & ChannelLedger) => Promise<T>,
  dailyBudgetMicroUsd = 2n ** 50n,
): Promise<T> {
  const pool = openLedgerPool({
    url: databaseUrl,
    connections: 2,
    statementTimeoutMs: HANG_MS,
    onError: () => {},
  });
  const terms = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd, grantsPerScope: 0, failuresPerHour: 0 };
  const options = { pool, network: 'eip155:31337', terms, monotonicMs: () => performance.now() };
  const cipher = createVoucherCipher([{ id: 'unused', secret: Buffer.alloc(32) }]);
  try {
    return await use({ ...createTrialLedger(options), ...createChannelLedger({ ...options, cipher }) });
  } finally {
    await pool.end();
  }
}

/** @throws {Error} if the ledger of a stack breaks an invariant */
export async function auditBooks(stack: { readonly databaseUrl: string }): Promise<void> {
  const { violations } = await withLedger(stack, (ledger) => ledger.audit());
  if (violations.length > 0) throw new Error(`the ledger breaks invariants: ${JSON.stringify(violations)}`);
}
