import type { ReadFiguresResponse } from '../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { ReadStandingResponse } from '../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { SchemeEarnings } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import { PRODUCT_VERSION, processStartedAt } from '../../services/platform/grpc/process-facts.ts';
import type { RedisFigures } from '../../services/platform/redis/redis-figures.ts';
import { NETWORK_NAMES } from '../access/offer/network-names.ts';
import type { ServiceReport } from '../clients/service-health.ts';
import type { Facts } from './read-facts.ts';

/** A part of the product, or a server that it needs. */
interface Part {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'down';
  readonly version: string | null;
  readonly milliseconds: number | null;
  readonly startedAt: string | null;
  readonly detail: string | null;
  readonly lastFault: { readonly message: string; readonly at: string } | null;
}

const LEAST_FREE_PART = 0.1;
const LEAST_FREE_BYTES = 2 ** 30;
/** A chain whose latest block is older does not make blocks, or its node is behind. */
const OLD_BLOCK_S = 120;

/** The facts as JSON. Amounts are micro-USD. */
export function describeFacts(facts: Facts, operator: string, budgetMicroUsd: number) {
  const { atMs, calls, figures, standing, admission, faults } = facts;
  return {
    at: iso(atMs),
    operator,
    calls: describeCalls(calls, figures?.calls),
    parts: describeParts(facts),
    admission,
    budget: describeBudget(figures, budgetMicroUsd),
    credit: describeCredit(figures),
    reservations: describeReservations(figures),
    settlements: describeSettlements(standing),
    earnings: describeEarnings(standing),
    channels: describeChannels(standing),
    gas: describeGas(standing),
    jobs: figures?.jobs ?? null,
    obligations: figures?.obligations ?? null,
    retention: describeRetention(figures),
    faults,
  };
}

export type DescribedFacts = ReturnType<typeof describeFacts>;

/** Whether new calls are frozen, and by whom. */
export function describeCalls(state: Facts['calls'], calls: ReadFiguresResponse['calls']) {
  const isChanged = calls !== undefined && calls.operator !== '';
  return {
    /** What this gateway does now. */
    state,
    isFrozen: calls?.frozen ?? null,
    changedBy: isChanged ? calls.operator : null,
    reason: isChanged ? calls.reason : null,
    changedAt: isChanged ? iso(Number(calls.changedAtMs)) : null,
  };
}

function describeParts({ services, figures, standing, redis, disk, faults, atMs }: Facts): readonly Part[] {
  const faultOf = (name: string) => faults.find(({ part }) => part === name)?.message;
  const absent = (name: string, fault: string): Part => ({
    ...unknown(name),
    state: 'down',
    lastFault: { message: fault, at: iso(atMs) },
  });
  const postgres = figures?.postgres;
  return [
    {
      ...unknown('gateway'),
      state: 'ok',
      version: PRODUCT_VERSION,
      startedAt: processStartedAt().toISOString(),
      detail: `process ${process.pid}`,
    },
    ...Object.entries(services).map(([name, report]) => servicePart(name, report)),
    redis === undefined ? absent('Redis', faultOf('redis') ?? 'not known') : storePart('Redis', redis),
    postgres === undefined
      ? absent('PostgreSQL', faultOf('postgres') ?? 'the back office does not answer')
      : storePart('PostgreSQL', { ...postgres, usedBytes: Number(postgres.usedBytes), maxBytes: 0 }),
    chainPart(standing, faultOf('chain') ?? faultOf('payments'), atMs),
    disk === undefined ? absent('disk', faultOf('disk') ?? 'not known') : diskPart(disk),
  ];
}

const unknown = (name: string): Omit<Part, 'state'> => ({
  name,
  version: null,
  milliseconds: null,
  startedAt: null,
  detail: null,
  lastFault: null,
});

function servicePart(name: string, { state, milliseconds, facts, lastFault }: ServiceReport): Part {
  return {
    ...unknown(name),
    state: state === 'serving' ? 'ok' : state === 'not_serving' ? 'warning' : 'down',
    version: facts?.version ?? null,
    milliseconds: state === 'no_answer' ? null : rounded(milliseconds),
    startedAt: facts?.startedAt.toISOString() ?? null,
    detail: state === 'not_serving' ? 'it answers, and is not ready' : null,
    lastFault: lastFault === undefined ? null : { message: lastFault.message, at: iso(lastFault.atMs) },
  };
}

function storePart(name: string, { version, milliseconds, usedBytes, maxBytes }: RedisFigures): Part {
  const isFull = maxBytes > 0 && usedBytes > 0.9 * maxBytes;
  const limit = maxBytes > 0 ? ` of ${size(maxBytes)}` : '';
  return {
    ...unknown(name),
    state: isFull ? 'warning' : 'ok',
    version,
    milliseconds: rounded(milliseconds),
    detail: `${size(usedBytes)}${limit} used`,
  };
}

function chainPart(standing: ReadStandingResponse | undefined, fault: string | undefined, atMs: number): Part {
  const chain = standing?.chain;
  if (chain === undefined) {
    if (fault === undefined) return { ...unknown('chain'), state: 'ok', detail: 'none is configured' };
    return { ...unknown('chain'), state: 'down', lastFault: { message: fault, at: iso(atMs) } };
  }
  const ageS = Math.round(atMs / 1000 - Number(chain.latestBlockS));
  // The chain of the sandbox makes a block only for a transaction.
  const isOld = ageS > OLD_BLOCK_S && chain.network !== 'eip155:31337';
  return {
    ...unknown('chain'),
    state: isOld ? 'warning' : 'ok',
    milliseconds: rounded(chain.milliseconds),
    detail: `${NETWORK_NAMES[chain.network] ?? chain.network}, block ${chain.latestBlock.toLocaleString('en')}${isOld ? `, ${ageS} s old` : ''}`,
  };
}

function diskPart({ freeBytes, totalBytes }: NonNullable<Facts['disk']>): Part {
  const isFull = freeBytes < LEAST_FREE_BYTES || freeBytes < totalBytes * LEAST_FREE_PART;
  return {
    ...unknown('disk'),
    state: isFull ? 'warning' : 'ok',
    detail: `${size(freeBytes)} of ${size(totalBytes)} free in the data folder`,
  };
}

function describeBudget(figures: ReadFiguresResponse | undefined, configuredMicroUsd: number) {
  const ledger = figures?.ledger;
  if (ledger === undefined) return { day: null, configuredMicroUsd, usedMicroUsd: null, leftMicroUsd: null };
  const usedMicroUsd = Number(ledger.usedMicroUsd);
  const leftMicroUsd = Math.max(0, configuredMicroUsd - usedMicroUsd);
  return { day: ledger.day, configuredMicroUsd, usedMicroUsd, leftMicroUsd };
}

function describeReservations(figures: ReadFiguresResponse | undefined) {
  const ledger = figures?.ledger;
  if (ledger === undefined) return null;
  return {
    open: ledger.openReservations,
    amountMicroUsd: Number(ledger.reservedMicroUsd),
    oldestAt: ledger.oldestAtMs === 0n ? null : iso(Number(ledger.oldestAtMs)),
  };
}

function describeSettlements(standing: ReadStandingResponse | undefined) {
  const found = standing?.settlements;
  if (found === undefined) return null;
  const { open, settled, lost, failed } = found;
  return { pending: open, notFinal: settled, lost, failed };
}

/** Of all schemes. The sum of wei is decimal digits. */
function describeEarnings(standing: ReadStandingResponse | undefined) {
  const found = standing?.settlements?.earnings;
  if (found === undefined) return null;
  const sum = (of: (each: SchemeEarnings) => bigint) => found.reduce((total, each) => total + of(each), 0n);
  const [sold, refunded] = [sum((each) => each.soldMicroUsd), sum((each) => each.refundedMicroUsd)];
  return {
    calls: Number(sum(({ calls }) => calls)),
    soldMicroUsd: Number(sold),
    settledMicroUsd: Number(sum(({ settledMicroUsd }) => settledMicroUsd)),
    claimableMicroUsd: Number(sum(({ claimableMicroUsd }) => claimableMicroUsd)),
    refundedMicroUsd: Number(refunded),
    netMicroUsd: Number(sold - refunded),
    gasWei: `${sum(({ gasWei }) => BigInt(gasWei))}`,
    unknownGas: Number(sum(({ unknownGas }) => unknownGas)),
  };
}

function describeChannels(standing: ReadStandingResponse | undefined) {
  const found = standing?.settlements;
  if (found?.channels === undefined) return null;
  const { claimableMicroUsd, watchedSecondsAgo, ...counts } = found.channels;
  return {
    ...counts,
    claimedMicroUsd: Number(found.claimedMicroUsd),
    claimableMicroUsd: Number(claimableMicroUsd),
    watchedSecondsAgo: watchedSecondsAgo ?? null,
    openTransactions: found.openTransactions,
    refusedTransactions: found.refusedTransactions,
  };
}

function describeGas(standing: ReadStandingResponse | undefined) {
  const gas = standing?.gas;
  if (gas === undefined) return null;
  const shared = gas.shared.map((each) => ({ ...each, spent: `${each.spent}`, most: `${each.most}` }));
  const isEnough = BigInt(gas.balanceWei) >= BigInt(gas.neededWei);
  return { ...gas, shared, isEnough };
}

function describeCredit(figures: ReadFiguresResponse | undefined) {
  const credit = figures?.credit;
  if (credit === undefined) return null;
  return {
    walletsToday: credit.walletsToday,
    givenTodayMicroUsd: Number(credit.givenTodayMicroUsd),
    wallets30Days: credit.wallets30Days,
    given30DaysMicroUsd: Number(credit.given30DaysMicroUsd),
  };
}

function describeRetention(figures: ReadFiguresResponse | undefined) {
  const retention = figures?.retention;
  if (retention === undefined) return null;
  const { days, oldestDay, aboutCalls, bytes, held } = retention;
  return { days, oldestDay: oldestDay || null, aboutCalls: Number(aboutCalls), bytes: Number(bytes), held };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
