import {
  type Ledger,
  type LedgerPosition,
  LedgerUnavailableError,
} from '../../../../services/ledger/contract/ledger.ts';
import { createLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import type { Host } from '../engine/host.ts';
import { connectRedis, type Setting } from './setting.ts';

/** Micro-USD. Little enough that worlds exhaust it. */
export const DAILY_BUDGET = 40_000n;
export const GRANT = 50_000n;
const CLOCK_TOLERANCE_MS = 300_000;
/** Rarer than in the product, where it is seconds: nothing but checks happens in between. */
const CHECK_EVERY_MS = 120_000;

/** Opens the ledger of one process, with the settings of the product. */
export function openLedger(
  setting: Setting,
  host: Host,
  attest: (position: LedgerPosition) => Promise<LedgerPosition>,
): Ledger {
  return createLedger(connectRedis(setting, host), {
    network: setting.caip2,
    grantMicroUsd: GRANT,
    dailyBudgetMicroUsd: DAILY_BUDGET,
    clockToleranceMs: CLOCK_TOLERANCE_MS,
    checkEveryMs: CHECK_EVERY_MS,
    commandTimeoutMs: 1000,
    lockWaitMs: 1000,
    answerWithinMs: 3000,
    attest,
  });
}

const closed = () => Promise.reject(new LedgerUnavailableError('not_ready', 'this world has no trials'));

/** The ledger of a world without trials. */
export const closedLedger: Ledger = {
  reserve: closed,
  charge: closed,
  holdRefund: closed,
  fund: closed,
  channels: closed,
  post: closed,
  void: closed,
  balance: closed,
  budget: closed,
  figures: closed,
  server: closed,
  overdue: closed,
  journal: closed,
  audit: closed,
  now: () => Date.now(),
  clockSkewMs: () => undefined,
  ready: () => ({ ok: false, reason: 'this world has no trials' }),
  check: async () => ({ ok: false, reason: 'this world has no trials' }),
  close: async () => {},
};
