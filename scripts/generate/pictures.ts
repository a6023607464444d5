import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { DescribedFacts } from '../../gateway/operator/describe-facts.ts';
import { startChromium } from '../../test/kit/chromium.ts';
import { startStack } from '../../test/kit/stack.ts';

/** Of every browser and of the facts, so that a second run makes the same pictures. */
const NOW = Date.UTC(2030, 0, 31, 9, 30);
const ORIGIN = 'http://localhost:8402';
const WIDTHS = [1280, 390];
const HEIGHT = 900;
const QUIET_MS = 500;
/** Otherwise corners may differ by a shade, depending on which tiles were drawn first. */
const EVEN_RASTER = ['--disable-partial-raster', '--disable-skia-runtime-opts', '--num-raster-threads=1'];
/** Those that the README shows. The others are made to be looked at, and are not kept. */
const KEPT: readonly string[] = ['html-to-markdown-1280', 'proof-1280', 'operator-1280'];

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Waits for what the page shows late, and does what a visitor does first. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  { name: 'start', path: '/' },
  { name: 'apis', path: '/apis' },
  { name: 'html-to-markdown', path: '/apis/html-to-markdown' },
  { name: 'geocode', path: '/apis/geocode' },
  { name: 'documents', path: '/docs' },
  { name: 'document', path: '/docs/api' },
  { name: 'reference', path: '/reference', ready: (page) => page.waitForSelector('.scalar-app h1') },
  { name: 'plans', path: '/plans' },
  { name: 'proof', path: '/proofs#sample', ready: (page) => page.waitForSelector('#record h2') },
  {
    name: 'operator',
    path: '/operator',
    async ready(page) {
      await page.fill('input[name=key]', 'k'.repeat(43));
      await page.press('input[name=key]', 'Enter');
      await page.waitForSelector('#state .card');
    },
  },
];

const at = new Date(NOW).toISOString();
const part = (name: string, detail: string | null = null) => ({
  name,
  state: 'ok' as const,
  version: '0.1.0',
  milliseconds: 1.2,
  startedAt: new Date(NOW - 86_400_000).toISOString(),
  detail,
  lastFault: null,
});

const server = (name: string, version: string | null, detail: string) => ({
  ...part(name, detail),
  version,
  startedAt: null,
});

/** What a server that has sold for a while says. */
const FACTS: DescribedFacts = {
  at,
  operator: 'ada@example.com',
  calls: { state: 'open', isFrozen: false, changedBy: null, reason: null, changedAt: null },
  parts: [
    part('gateway', 'process 4711'),
    ...['content', 'maps', 'payments', 'backoffice', 'verification'].map((name) => part(name)),
    server('Redis', '7.0.15', '1.4 MiB used'),
    server('PostgreSQL', '15.20', '214 MiB used'),
    server('chain', null, 'eip155:8453, block 31415926'),
    { ...server('disk', null, '61 GiB of 80 GiB free in the data folder'), milliseconds: null },
  ],
  admission: { running: 3, waiting: 0, limit: 48 },
  budget: { day: at.slice(0, 10), configuredMicroUsd: 5_000_000, usedMicroUsd: 1_234_000, leftMicroUsd: 3_766_000 },
  credit: { walletsToday: 42, givenTodayMicroUsd: 2_100_000, wallets30Days: 911, given30DaysMicroUsd: 45_550_000 },
  reservations: { open: 3, amountMicroUsd: 31_000, oldestAt: new Date(NOW - 2000).toISOString() },
  settlements: { pending: 2, notFinal: 17, lost: 0, failed: 1 },
  earnings: {
    calls: 48_211,
    soldMicroUsd: 312_544_000,
    settledMicroUsd: 309_120_000,
    claimableMicroUsd: 3_424_000,
    refundedMicroUsd: 28_000,
    netMicroUsd: 312_516_000,
    gasWei: '8123456789012345',
    unknownGas: 0,
  },
  channels: {
    ...{ open: 31, withdrawing: 1, empty: 12, short: 0, claimedMicroUsd: 98_112_000, claimableMicroUsd: 3_424_000 },
    ...{ oldestClaimableSeconds: 5400, watchedSecondsAgo: 4, openTransactions: 1, refusedTransactions: 0 },
  },
  gas: {
    ...{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', settlements: 20, unclaimedChannels: 9, shared: [] },
    ...{ balanceWei: '51230000000000000', neededWei: '2110000000000000', isEnough: true },
  } as unknown as DescribedFacts['gas'],
  jobs: { waiting: 0, delayed: 1, active: 2, failed: 0, oldestWaitingSeconds: 0 },
  obligations: { open: 2, mostAttempts: 1, oldestDueSeconds: 0 },
  retention: { days: 31, oldestDay: '2030-01-01', aboutCalls: 61_040, bytes: 402_653_184, held: 0 },
  faults: [],
};

/** Draws a page once it does not change any more. */
async function drawQuiet(page: Page): Promise<Buffer> {
  const draw = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  for (let last = await draw(); ; ) {
    await page.waitForTimeout(QUIET_MS);
    const next = await draw();
    if (next.equals(last)) return next;
    last = next;
  }
}

/**
 * Draws the pages of a sandbox as a visitor sees them first, at the widths of a desk and of a phone, in `folder`.
 * @returns the pictures that are kept, by their names
 */
export async function drawPictures(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const gateway = { PUBLIC_URLS: ORIGIN, OPERATOR_KEY_HASHES: `ada@example.com:${'0'.repeat(64)}` };
  const stack = await startStack({ maps: true, verified: true, env: { gateway } });
  const { host } = new URL(stack.urls[0]);
  const browser = await startChromium(`--host-resolver-rules=MAP localhost:8402 ${host}`, ...EVEN_RASTER);
  const kept = new Map<string, Buffer>();
  mkdirSync(folder, { recursive: true });
  try {
    for (const { name, path, ready } of PICTURES) {
      for (const width of WIDTHS) {
        const context = await browser.newContext({ viewport: { width, height: HEIGHT }, reducedMotion: 'reduce' });
        const page = await context.newPage();
        await page.clock.setFixedTime(NOW);
        await page.route('**/operator/facts', (route) => route.fulfill({ json: FACTS }));
        await page.goto(ORIGIN + path, { waitUntil: 'networkidle' });
        await ready?.(page);
        const picture = await drawQuiet(page);
        const file = `${name}-${width}`;
        writeFileSync(join(folder, `${file}.png`), picture);
        if (KEPT.includes(file)) kept.set(file, picture);
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
  return kept;
}
