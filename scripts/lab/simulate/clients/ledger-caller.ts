import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import type { VoidReason } from '../../../../services/ledger/contract/outcomes.ts';
import type { TrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import type { Host } from '../engine/host.ts';
import type { Ask } from '../model/ledger-facts.ts';
import type { SimulatedDatabase } from '../postgres/simulated-database.ts';
import { pause } from './http.ts';
import { type DrawnAsk, type LedgerLog, logged } from './ledger-log.ts';

export interface CallerOptions {
  readonly host: Host;
  readonly ledger: TrialLedger;
  readonly log: LedgerLog;
  readonly database: SimulatedDatabase;
}

/** The ledger did not answer: nothing was done, or nobody knows. */
type Silence = 'refused' | 'uncertain';

const MAX_ASKS = 8;
const REASONS: readonly [VoidReason, ...VoidReason[]] = ['caller_failed', 'operation_failed', 'cancelled'];

/** One call of a gateway: reserves, works, and posts or voids. It repeats by id what was not answered. */
export function createCaller({ host, ledger, log, database }: CallerOptions) {
  const { world } = host;
  const { random } = world;
  const context = { log, world, database };

  const silent = (error: unknown): Silence => {
    if (!(error instanceof LedgerUnavailableError)) throw error;
    world.note(() => `${host.name}: ${error.message}`);
    return error.code === 'refused' ? 'refused' : 'uncertain';
  };
  const reserve = ({ id, amount, expiresMs, ...ask }: Ask) =>
    logged(context, { call: 'reserve', id }, () =>
      ledger.reserve({
        ...ask,
        reservationId: id,
        expirationTimeMs: expiresMs,
        amountMicroUsd: amount,
        operation: 'simulated',
        grantScope: '203.0.113.0/24',
        lockLeftMs: random.chance(0.1) ? random.below(4) : 60_000,
      }),
    ).then(({ state }) => state, silent);
  const post = (id: string) => {
    const [request, response] = [Buffer.from(`request of ${id}`), Buffer.from(`response of ${id}`)];
    const answer = { reservationId: id, requestId: id, keyId: 'k1', request, response };
    return logged(context, { call: 'post', id }, () => ledger.post(answer)).then(({ state }) => state, silent);
  };
  const release = async (id: string): Promise<void> => {
    const reason = random.pick(REASONS);
    for (let asks = 0; asks < MAX_ASKS; asks += 1) {
      const call = () => ledger.void(id, reason);
      const state = await logged(context, { call: 'void', id }, call).then((told) => told.state, silent);
      if (state !== 'refused' && state !== 'uncertain' && state !== 'busy') return;
      await pause(host, random.between(100, 3000));
    }
  };

  /** After an uncertain post, only an answer by id decides. */
  async function charge(id: string): Promise<void> {
    let wasUncertain = false;
    for (let asks = 0; asks < MAX_ASKS; asks += 1) {
      const state = await post(id);
      if (state === 'posted' || state === 'unknown') return;
      if (state === 'uncertain') wasUncertain = true;
      if (!wasUncertain || random.chance(0.5)) return await release(id);
      await pause(host, random.between(100, 3000));
    }
  }

  return async ({ ask, isOwn }: DrawnAsk): Promise<void> => {
    let state = await reserve(ask);
    if (state === 'uncertain' && random.chance(0.5)) state = await reserve(ask);
    if (!isOwn) return;
    if (state === 'uncertain') return await release(ask.id);
    if (state !== 'reserved') return;
    await pause(host, random.pick([0, random.below(50), random.below(3000), random.below(20_000)]));
    const plan = random.fraction();
    if (plan < 0.6) await charge(ask.id);
    else if (plan < 0.9) await release(ask.id);
  };
}
