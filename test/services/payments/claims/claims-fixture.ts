import type { ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { createKeep } from '../../../../services/ledger/store/post.ts';
import type { ClaimDetails, OpenOptions } from '../../../../services/payments/claims/claims.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import { createNonce, createWallet } from '../../../kit/chain.ts';
import { type createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';

export const START_MS = 1_800_000_000_000;
const PAY_TO: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A transaction that was signed. */
export const SIGNED = { signer: PAY_TO, nonce: 0, serialized: '0x' } as const;

/** A new claim of a payer. */
export const details = (payer: Hex, changes: Partial<ClaimDetails> = {}): ClaimDetails => ({
  payer,
  nonce: createNonce(),
  claimId: uuidv7(),
  digest: 'd1',
  fingerprint: 'f1',
  offerSecretHash: 'h1',
  paymentIdentifierHash: undefined,
  payTo: PAY_TO,
  amount: 3000n,
  validBeforeS: START_MS / 1000 + 60,
  fromBlock: 7n,
  ...changes,
});

export const leased = (changes: Partial<OpenOptions> = {}): OpenOptions => ({
  authorization: { keyId: 'k1', sealed: Buffer.from('sealed') },
  leaseMs: 1000,
  replaces: undefined,
  balance: 10n ** 9n,
  ...changes,
});

export const attempt = () => ({ attemptId: uuidv7(), leaseMs: 1000 });

export const ASSET: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const FAILED = {
  state: 'failed',
  final: false,
  paymentResponseJson: '{"success":false}',
  isPayersFault: false,
} as const;
export const SETTLED = { state: 'settled', paymentResponseJson: '{"success":true}' } as const;

/** A new claim of a payer, at the time of these tests. */
export const newDetails = (payer: Hex, changes: Partial<ClaimDetails> = {}): ClaimDetails =>
  details(payer, { claimId: uuidv7({ msecs: START_MS }), ...changes });
const same = <Outcome>(commit: Promise<Outcome>) => commit;
/** Whether claims may be opened is decided elsewhere. */
export const gate = { admit: () => {}, guard: same, watch: same };

export const answerOf = (claimId: string, text = 'answer') => ({
  claimId,
  operation: 'geocode',
  dueInMs: 5000,
  requestId: uuidv7(),
  keyId: 'k1',
  request: Buffer.from(`request of ${text}`),
  response: Buffer.from(text),
});

/** Opens the claims of a new network, with a clock of its own. */
export async function openClaims(
  t: ExecutionContext,
  database: Awaited<ReturnType<typeof createLedgerDatabase>>,
  options: Partial<Parameters<typeof createPostgresClaims>[0]> = {},
) {
  const ledger = openTrialLedger(t, database);
  const { pool, network } = ledger;
  let nowMs = START_MS;
  const set = async (ms: number) => {
    nowMs = ms;
    await ledger.setClock(ms);
  };
  await set(START_MS);
  /** Other claims of the same database. */
  const copy = (changes: typeof options = {}) =>
    createPostgresClaims({ pool, network, asset: ASSET, hasChain: true, gate, ...options, ...changes });
  const claims = copy();
  const keep = createKeep({ pool, network });
  /** Keeps an answer, and begins an attempt to settle. */
  const start = async (claim: ClaimDetails, by = attempt()) => {
    await keep(answerOf(claim.claimId));
    return claims.startSettling(claim, by);
  };
  /** A claim that is open, of a new payer by default. */
  const opened = async (changes: Partial<ClaimDetails> = {}) => {
    const claim = newDetails(changes.payer ?? createWallet().address, changes);
    const answer = await claims.open(claim, leased());
    if (answer !== 'opened') throw new Error(`the claim is not open: ${JSON.stringify(answer)}`);
    return claim;
  };
  /** A claim that an attempt settles. */
  const begun = async (changes: Partial<ClaimDetails> = {}) => {
    const claim = await opened(changes);
    const { attemptId, leaseMs } = attempt();
    await start(claim, { attemptId, leaseMs });
    return { claim, attemptId };
  };
  return {
    ...{ ledger, claims, copy, keep, start, opened, begun },
    clock: { set, pass: (ms: number) => set(nowMs + ms) },
    due: () => claims.takeDue(100),
    found: async (claim: ClaimDetails) => (await claims.find(claim)).claim,
    async settled(changes: Partial<ClaimDetails> = {}) {
      const { claim, attemptId } = await begun(changes);
      await claims.finish(claim, attemptId, SETTLED);
      return claim;
    },
  };
}
