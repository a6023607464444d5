import type pg from 'pg';
import {
  createLedger,
  type LedgerAnswers,
  type LedgerCalls,
  type LedgerClient,
} from '../../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import type { WalletLocks } from '../../../../services/ledger/contract/wallet-lock.ts';
import { createLedgerAnswers } from '../../../../services/ledger/service/ledger-service.ts';
import { createChannelLedger } from '../../../../services/ledger/store/charge.ts';
import { createGate } from '../../../../services/ledger/store/gate.ts';
import { runStatement } from '../../../../services/ledger/store/ledger-pool.ts';
import { createTrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers, Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import type { World } from '../engine/world.ts';
import { callService, serveAnswer } from './calls.ts';
import { logger } from './setting.ts';

const CLOCK_TOLERANCE_MS = 300_000;
/** Rarer than in the product, where it is a second: nothing but checks happens in between. */
const CHECK_EVERY_MS = 10_000;
const HOLD_MS = 2000;
const RETRY_MS = 100;
const LOCK_WAIT_MS = 1000;

/** The locks of a world, as Redis keeps them for all its processes: it may forget one at any time. */
export function createSimulatedLocks(world: World): (host: Host) => WalletLocks {
  const heldUntilMs = new Map<string, number>();
  return (host) => ({
    async acquire(wallet) {
      for (let waitedMs = 0; (heldUntilMs.get(wallet) ?? 0) > world.nowMs(); waitedMs += RETRY_MS) {
        if (waitedMs > LOCK_WAIT_MS) throw new LedgerUnavailableError('lock_timeout', 'the wallet is busy');
        await new Promise<void>((resolve) => host.after(RETRY_MS, resolve));
      }
      const untilMs = world.nowMs() + HOLD_MS;
      if (!world.random.chance(0.05)) heldUntilMs.set(wallet, untilMs);
      return {
        leftMs: () => untilMs - world.nowMs(),
        release: () => {
          if (heldUntilMs.get(wallet) === untilMs) heldUntilMs.delete(wallet);
        },
      };
    },
    check: async () => {},
    close: async () => {},
  });
}

/** The ledger of a gateway: the product's client over the simulated network. */
export function openLedger(
  { network, host, to }: { readonly network: Network; readonly host: Host; readonly to: () => Machine },
  locks: WalletLocks,
): LedgerClient {
  const call = <Response>(method: keyof LedgerAnswers, request: unknown, timeoutMs: number) =>
    callService<Response>(network, host, { to: to(), method: `ledger.${method}`, request }, { timeoutMs });
  const calls: LedgerCalls = {
    reserve: (item, timeoutMs) => call('reserve', { ...item }, timeoutMs),
    charge: (charge, timeoutMs) => call('charge', charge, timeoutMs),
    post: (answer, timeoutMs) => call('post', answer, timeoutMs),
    keep: (answer, timeoutMs) => call('keep', answer, timeoutMs),
    void: (request, timeoutMs) => call('void', request, timeoutMs),
    holdRefund: (request, timeoutMs) => call('holdRefund', request, timeoutMs),
    readChannels: (request, timeoutMs) => call('readChannels', request, timeoutMs),
    readStatus: (request, timeoutMs) => call('readStatus', request, timeoutMs),
    close: () => {},
  };
  const now = () => Date.now();
  return createLedger(calls, { locks, clockToleranceMs: CLOCK_TOLERANCE_MS, checkEveryMs: CHECK_EVERY_MS, now });
}

export const voucherCipher = createVoucherCipher([{ id: 'k1', secret: Buffer.alloc(32, 1) }]);

/** What the process of the ledger serves. */
export function serveLedger(
  pool: pg.Pool,
  { network, terms }: { readonly network: string; readonly terms: TrialTerms },
): { readonly handlers: Handlers; readonly ledger: ReturnType<typeof createTrialLedger> } {
  const options = { pool, network, terms, monotonicMs: () => performance.now() };
  const ledger = createTrialLedger(options);
  const answers = createLedgerAnswers({
    store: { ...ledger, ...createChannelLedger({ ...options, cipher: voucherCipher }) },
    gate: createGate({ pool, logger, checkEveryMs: CHECK_EVERY_MS }),
    // The bodies stay readable for the model.
    cipher: { keyId: 'none', seal: async (body) => body },
    logger,
  });
  const handlers = {
    'ledger.reserve': serveAnswer(answers.reserve),
    'ledger.charge': serveAnswer(answers.charge),
    'ledger.post': serveAnswer(answers.post),
    'ledger.keep': serveAnswer(answers.keep),
    'ledger.void': serveAnswer(answers.void),
    'ledger.holdRefund': serveAnswer(answers.holdRefund),
    'ledger.readChannels': serveAnswer(answers.readChannels),
    'ledger.readStatus': serveAnswer(answers.readStatus),
  };
  return { handlers, ledger };
}

/** Serves the answers that were stored with their charges, as the back office does. */
export function serveRetained(pool: pg.Pool): Handlers {
  return {
    getRetained: serveAnswer(async ({ recordId }: { readonly recordId: string }) => {
      const [row] = await runStatement(
        pool,
        `SELECT operation, request_body AS "requestBody", response_body AS "responseBody" FROM retained_body
          WHERE record_id = $1`,
        [recordId],
      ).catch((cause: unknown) => {
        throw new ServiceError('RETENTION_UNAVAILABLE', 'the database does not answer', { cause });
      });
      if (row === undefined) throw new ServiceError('NOT_FOUND', 'no such record');
      return row;
    }),
  };
}
