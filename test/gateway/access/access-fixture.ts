import { type Access, type AccessDeps, type Call, createAccess } from '../../../gateway/access/access.ts';
import { createOffersByOrigin } from '../../../gateway/access/offer/offers-by-origin.ts';
import { trialUnavailable } from '../../../gateway/access/trial/trial-answers.ts';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import type { Operation } from '../../../gateway/operations/operation/operation.ts';
import { MAX_MICRO_USD } from '../../../services/ledger/contract/channels.ts';
import { openChallenger } from './challenge/fixture.ts';
import { SECRETS, TERMS } from './offer/offer-fixture.ts';

const ORIGIN = new URL('https://api.example.com');

export interface Setting {
  readonly operation?: Operation;
  readonly isFrozen?: boolean;
  readonly arePaymentsTaken?: boolean;
  readonly ledger?: Partial<AccessDeps['ledger']>;
  /** The clock of the ledger. It stands still by default. */
  readonly now?: () => number;
  readonly monotonicMs?: () => number;
}

export interface OpenAccess {
  /** What an unsigned request is answered. */
  askUnsigned(body?: unknown, search?: string): ReturnType<typeof ask>;
  /** A trial that cannot be accounted for. It rejects. */
  fail(): Promise<unknown>;
}

/** An access without executions, whose clock stands still. */
export function openAccess(setting: Setting = {}): OpenAccess {
  const { operation = geocode, isFrozen = false, arePaymentsTaken = true } = setting;
  const never = () => Promise.reject(new Error('nothing is executed'));
  const nowMs = Date.now();
  const access = createAccess({
    findOffer: createOffersByOrigin({ operations: [operation], publicUrls: [ORIGIN], terms: TERMS, secrets: SECRETS }),
    ledger: {
      ready: () => ({ ok: true }),
      budget: async () => ({ dayUtc: '', remainingMicroUsd: MAX_MICRO_USD }),
      checkLocks: async () => {},
      ...setting.ledger,
    },
    challenger: openChallenger().challenger,
    trial: { run: () => Promise.reject(trialUnavailable()) },
    payment: { run: never },
    freeze: { state: () => (isFrozen ? 'frozen' : 'open') },
    arePaymentsTaken: async () => arePaymentsTaken,
    now: setting.now ?? (() => nowMs),
    monotonicMs: setting.monotonicMs ?? (() => nowMs),
  });
  return {
    askUnsigned: (body = { query: 'Berlin' }, search = '') => ask(access, { ...callOf(operation, body), search }),
    fail: () => access.handle(callOf(operation, { query: 'Berlin' }, ['a proof'])),
  };
}

const callOf = (operation: Operation, body: unknown, signInWithX: readonly string[] = []) => ({
  operation,
  search: '',
  body,
  host: ORIGIN.host,
  requestId: 'test',
  client: '192.0.2.1',
  clientNetwork: undefined,
  paymentSignature: [],
  paymentV1: [],
  signInWithX,
});

async function ask(access: Access, call: Call) {
  const { status, headers, body: answer } = await access.handle(call);
  const header = headers['payment-required'] ?? '';
  const required = JSON.parse(Buffer.from(header, 'base64').toString());
  return { header, status, trialStatus: headers['x-trial-status'], body: JSON.parse(answer.toString()), required };
}
