import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { openBuyers } from '../../kit/buyers.ts';
import { type Answer, CONVERT, codeOf, post } from '../../kit/client.ts';
import { readMetrics } from '../../kit/metrics.ts';
import { startStack } from '../../kit/stack.ts';
import { until } from '../../kit/until.ts';
import { BODY } from './faulty-stack.ts';

const HOUR_MS = 3_600_000;

const stack = await startStack({
  gateways: 3,
  preload: new URL('../../kit/shift-clock.ts', import.meta.url),
  env: {
    // A challenge is valid for one public URL. Gateways with the same public URL accept each other's challenges.
    gateway: { PUBLIC_URLS: 'http://127.0.0.1:8402' },
    gateway1: { CLOCK_SHIFT_MS: '-35000' },
    gateway2: { CLOCK_SHIFT_MS: '35000' },
    payments: { CLOCK_SHIFT_MS: '35000' },
  },
});
test.after.always(() => stack.stop());

const urlOf = (gateway: number) => defined(stack.urls[gateway]);
const statusOf = ({ status, headers }: Answer) => [
  status,
  headers.get('x-trial-status'),
  headers.get('x-trial-accounting-status'),
];

/** Sends the challenge of one gateway to another gateway. */
const tryAcross = async (issuer: number, executor: number): Promise<Answer> =>
  (await openBuyers(urlOf(issuer)).trial().sign(CONVERT, BODY)).send(urlOf(executor));
const payOnce = async () => (await openBuyers(urlOf(0)).exact()).call(CONVERT, BODY);

async function readText(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text();
}

const skewOf = async (gateway: number, server: string) =>
  Number(
    new RegExp(`tollhouse_clock_skew_seconds\\{server="${server}"\\} (.+)`).exec(
      await readMetrics(stack, urlOf(gateway)),
    )?.[1],
  );

test.serial('a payments service whose clock is 35 s fast accepts payments', async (t) => {
  t.is((await payOnce()).status, 200);
});

for (const [gateway, name, seconds] of [
  [1, 'slow', -35],
  [2, 'fast', 35],
] as const) {
  test.serial(`a gateway whose clock is 35 s ${name} runs trials, and reports its clock skew`, async (t) => {
    t.deepEqual(statusOf(await tryAcross(gateway, gateway)), [200, 'charged', 'confirmed']);
    const skew = await skewOf(gateway, 'postgresql');
    // A slow answer of the database is no clock.
    t.true(Math.abs(skew - seconds) < 20, `${skew}`);
  });

  test.serial(
    `a challenge is accepted between a gateway whose clock is 35 s ${name} and one whose clock is right`,
    async (t) => {
      t.deepEqual(statusOf(await tryAcross(gateway, 0)), [200, 'charged', 'confirmed']);
      t.deepEqual(statusOf(await tryAcross(0, gateway)), [200, 'charged', 'confirmed']);
    },
  );
}

test.serial('a gateway whose clock is an hour off refuses trials, and reports the reason', async (t) => {
  const withoutTrials = { withoutTrials: true };
  const wrong = [
    { gateway: 1, shiftMs: -HOUR_MS, side: 'behind' },
    { gateway: 2, shiftMs: HOUR_MS, side: 'ahead of' },
  ];
  await Promise.all(
    wrong.map(async ({ gateway, shiftMs }) => {
      await stack.kill(`gateway${gateway}`);
      await stack.start(`gateway${gateway}`, { CLOCK_SHIFT_MS: String(shiftMs) }, withoutTrials);
    }),
  );
  for (const { gateway, side } of wrong) {
    const reason = new RegExp(`the clock of this machine is 3[56]\\d\\d\\.\\d s ${side} that of the database`);
    t.regex(await readText(`${urlOf(gateway)}/health/ready`), reason);
    t.deepEqual(statusOf(await post(urlOf(gateway) + CONVERT, BODY)), [402, 'unavailable', null]);
    const refused = await tryAcross(0, gateway);
    t.deepEqual([codeOf(refused), ...statusOf(refused)], ['TRIAL_UNAVAILABLE', 503, 'unavailable', null]);
  }
});

for (const [name, shiftMs, expected] of [
  ['four minutes slow accepts payments', -240_000, 200],
  // Authorizations of clients last a minute. They are compared with the clock of the database.
  ['four minutes fast accepts payments', 240_000, 200],
  ['an hour fast refuses new payments', HOUR_MS, 503],
] as const) {
  test.serial(`a payments service whose clock is ${name}`, async (t) => {
    await stack.kill('payments');
    await stack.start('payments', { CLOCK_SHIFT_MS: String(shiftMs) });
    const answer = await until(payOnce);
    t.is(answer.status, expected, answer.text);
  });
}
