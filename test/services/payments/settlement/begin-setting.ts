import type { Hex } from 'viem';
import type { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Chain, ChainState } from '../../../../services/payments/chain/chain.ts';
import type { Claim, Claims, IdentifiedCall, OpenOptions } from '../../../../services/payments/claims/claims.ts';
import { FacilitatorError, type Verification } from '../../../../services/payments/facilitator/facilitator.ts';
import type { ReadPayment } from '../../../../services/payments/payment/payment.ts';
import { createBegin, type Presentation } from '../../../../services/payments/settlement/begin.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { hex32, NETWORK, payment } from './claim-fixture.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
/** The payment is valid until 2000 s. */
const NOW_MS = 1_900_000;

const PRESENTED: Presentation = {
  paymentJson: '{}',
  amount: '3000',
  fingerprint: 'f1',
  offerSecretHash: 's1',
  paymentIdentifierHash: undefined,
  operationTimeoutMs: 5000,
  callsFrozen: false,
};
export const NAMED = { paymentIdentifierHash: 'i1' };
const payerAt = (ms: number) => ({ inFlight: [hex32('9')], readAt: new Date(ms) });
const UNUSED = { kind: 'unused' } as const;

type Opened = Awaited<ReturnType<Claims['open']>>;

export interface Setting {
  readonly read?: ReadPayment;
  /** The claim of the payment at each question; the last one stays. */
  readonly found?: readonly (Claim | undefined)[];
  readonly byId?: Claim | undefined;
  readonly calls?: readonly (IdentifiedCall | undefined)[];
  /** What consulting a claim makes of it. */
  readonly consulted?: Claim;
  readonly view?: ChainState | { readonly kind: 'unsure' };
  readonly hasChain?: boolean;
  readonly use?: 'nothing' | 'another' | 'perhaps_us' | 'fails';
  readonly opened?: readonly Opened[];
  readonly isThrottled?: boolean;
  readonly verification?: Verification | 'fails';
  readonly chainFails?: boolean;
  readonly holdingsFail?: boolean;
  readonly isClosed?: boolean;
  readonly isPoor?: boolean;
  readonly isFull?: boolean;
  readonly nowMs?: number;
}

/** The answers to payments over stubs, to a caller whose time is over once it has to wait. */
export function open(setting: Setting = {}) {
  const { found = [undefined], calls = [undefined], opened = ['opened'], use = 'nothing', nowMs = NOW_MS } = setting;
  const openings: { readonly claim: Parameters<Claims['open']>[0]; readonly options: OpenOptions }[] = [];
  const asked: string[] = [];
  const queues: (readonly string[])[] = [];
  let waitedMs = 0;
  const next = <Item>(items: readonly Item[], n: number) => items[Math.min(n, items.length - 1)] as Item;
  const count = (name: string) => asked.filter((each) => each === name).length;
  const note = (name: string) => {
    asked.push(name);
    return count(name) - 1;
  };
  const claims = {
    async find() {
      const looks = note('find');
      return { claim: next(found, looks), payer: { isThrottled: setting.isThrottled ?? false, ...payerAt(looks) } };
    },
    findById: async () => setting.byId,
    findCall: async () => next(calls, note('findCall')),
    sync: async () => void note('sync'),
    admit() {
      if (setting.isClosed) throw new ServiceError('PAYMENT_UNAVAILABLE', 'closed');
    },
    payerState: async () => ({ isThrottled: false, ...payerAt(1 + note('payerState')) }),
    async open(claim, options) {
      openings.push({ claim, options });
      return next(opened, openings.length - 1);
    },
    enterQueues(keys) {
      queues.push(keys);
      waitedMs = 1000;
      return setting.isFull ? undefined : () => void note('left');
    },
  } as Partial<Claims> as Claims;
  const chain = {
    async balanceOf() {
      if (setting.chainFails) throw new Error('no answer');
      return 9000n;
    },
    blockNumber: async () => 12n,
    async useOf() {
      note('useOf');
      if (use === 'fails') throw new Error('no answer');
      return use;
    },
    async holdingsOf(_payer: Hex, used: readonly Hex[]) {
      if (setting.holdingsFail) throw new Error('no answer');
      return { balance: 1000n, used: [...used] };
    },
  } as Partial<Chain> as Chain;
  const begin = createBegin(
    contextOf<Parameters<typeof createBegin>[0]>({
      readPayment: () => setting.read ?? { ok: true, payment, mismatch: undefined },
      claims,
      facilitator: {
        async verify() {
          note('verify');
          if (setting.verification === 'fails') throw new FacilitatorError('no answer');
          return setting.verification ?? { ok: true };
        },
        settle: async () => ({ kind: 'unsent' }),
      },
      chain: setting.hasChain === false ? undefined : chain,
      settlement: {
        async consult(claim) {
          note('consult');
          return { claim: setting.consulted ?? claim, view: setting.view ?? UNUSED };
        },
      },
      authorizations: {
        seal: (claimId) => ({ keyId: 'k1', sealed: Buffer.from(claimId) }),
        async keep({ claimId }, { signature }) {
          note(`keep ${claimId} ${signature}`);
        },
      },
      network: NETWORK,
      leaseMarginMs: 700,
      admit() {
        if (setting.isPoor) throw new ServiceError('PAYMENT_UNAVAILABLE', 'poor');
      },
      now: () => nowMs + waitedMs,
      logger,
    }),
  );
  return {
    openings,
    asked,
    queues,
    count,
    begin: (changes: Partial<Presentation> = {}) =>
      begin({ ...PRESENTED, ...changes }, { deadlineMs: nowMs + 1001, signal: new AbortController().signal }),
  };
}

export const refusal = (code: RefusalCode, reason: string, paymentResponseJson?: string) => ({
  outcome: { $case: 'refuse' as const, value: { code, reason, paymentResponseJson } },
});
