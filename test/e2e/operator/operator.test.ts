import { readFileSync } from 'node:fs';
import test from 'ava';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { Role } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../services/store/database.ts';
import { groupEarnings, readEarnings } from '../../../services/store/earnings.ts';
import { listActs } from '../../../services/store/operator-acts.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet } from '../../kit/chain.ts';
import { type Answer, CONVERT, codeOf, headerOf, post, rawRequest, signIn, toBase64 } from '../../kit/client.ts';
import { startExtraGateway } from '../../kit/extra-gateway.ts';
import { until } from '../../kit/until.ts';
import { overflowOf, startVisitor, violationsOf } from '../pages/browse.ts';
import { commandTests } from './command-tests.ts';
import { OPERATOR, preparePaid, sendTrial, startOperatorStack, untilFrozen } from './operator-stack.ts';

const MAX_BYTES = 60_000;
const EVIL = `<img src=x onerror="alert(1)">'"&</script>`;

const stack = await startOperatorStack();
const visitor = await startVisitor(stack.urls[0]);
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: stack.databaseUrl, connections: 2, logger });
test.after.always(async () => {
  await visitor.stop();
  await database.destroy();
  await stack.stop();
});

async function openPage(page: Page, key = stack.key): Promise<void> {
  await page.fill('input[name=key]', key);
  await page.press('input[name=key]', 'Enter');
  await page.waitForSelector('#state .card, #notice .bad');
}

const textOf = async (page: Page, selector: string): Promise<string> => (await page.textContent(selector)) ?? '';
const otherGateway = (): string => defined(stack.urls[1]);

test.serial('an operator freezes new calls, every gateway refuses them, and takes them again', async (t) => {
  const { page, faults, close } = await visitor.open('/operator', { bypassCSP: true });
  await openPage(page, 'x'.repeat(43));
  t.regex(await textOf(page, '#notice'), /^OPERATOR_KEY_REQUIRED/);
  t.false(await page.locator('#operator').isVisible());
  await openPage(page);
  t.is(await page.locator('.parts .card').count(), 10);
  t.deepEqual(await violationsOf(page), []);

  const known = await preparePaid(stack.urls[0]);
  const before = await known(stack.urls[0]);
  t.is(before.status, 200);
  const fresh = await preparePaid(stack.urls[0]);
  const proofs = new Map<string, string>();
  for (const origin of stack.urls) {
    const challenged = await post(origin + CONVERT, { html: '<p>Trial' });
    proofs.set(origin, toBase64(await signIn(challenged, createWallet())));
  }
  const trial = (origin: string) =>
    post(origin + CONVERT, { html: '<p>Trial' }, { 'sign-in-with-x': defined(proofs.get(origin)) });

  await page.fill('#calls input[name=reason]', 'the chain halted');
  await page.press('#calls input[name=reason]', 'Enter');
  await page.waitForSelector('#calls .outcome .good');
  t.regex(await textOf(page, '#calls'), /refused.*Changed by ada@example.com.*the chain halted/s);
  await untilFrozen(otherGateway(), true);
  for (const origin of stack.urls) {
    const refused: readonly Answer[] = await Promise.all([fresh(origin), trial(origin)]);
    for (const answer of refused) {
      t.is(answer.status, 503);
      t.is(codeOf(answer), 'CALLS_FROZEN');
      t.is(headerOf(answer, 'retry-after'), '30');
      t.false(answer.text.includes('the chain halted'), 'the reason is not public');
    }
    t.is(headerOf(defined(refused[1]), 'x-trial-status'), 'unavailable');
    const unsigned = await post(origin + CONVERT, { html: '<p>Unsigned' });
    t.deepEqual([unsigned.status, headerOf(unsigned, 'x-trial-status')], [402, 'unavailable']);
    t.regex(unsigned.text, /"action":"stop"/);
    t.notRegex(unsigned.text, /paid request remains possible|quickstartUrl/);
    t.is((await known(origin)).text, before.text, 'an earlier payment gets its answer again');
    t.is((await post(origin + CONVERT, '')).status, 402, 'prices can be asked for');
  }

  await page.fill('#calls input[name=reason]', 'it goes on');
  await page.click('#calls button');
  await page.waitForSelector('text=New calls are taken again.');
  await untilFrozen(otherGateway(), false);
  t.is((await fresh(otherGateway())).status, 200);
  for (const origin of stack.urls) t.is((await trial(origin)).status, 200);
  const acts = await listActs(database, { subject: 'calls', limit: 10 });
  t.deepEqual(
    acts.map(({ operator, action, reason }) => [operator, action, reason]),
    [
      [OPERATOR, 'calls.unfreeze', 'it goes on'],
      [OPERATOR, 'calls.freeze', 'the chain halted'],
    ],
  );
  const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])');
  t.false(String(kept).includes(stack.key));
  t.deepEqual(faults, []);
  await close();
});

test.serial('a body is read by the id of its call, its text is not run, and the reading is in the trail', async (t) => {
  const answer = await sendTrial(stack.urls[0], `<p>${EVIL}`);
  t.is(answer.status, 200);
  const { page, faults, close } = await visitor.open('/operator');
  await openPage(page);
  await page.fill('#bodies input[name=id]', headerOf(answer, 'x-request-id'));
  await page.press('#bodies input[name=id]', 'Enter');
  await page.waitForSelector('#bodies .found li');
  t.regex(await textOf(page, '#bodies .found'), /html-to-markdown, trial.*readings: 0/s);
  await page.click('#bodies .found button');
  t.is(await page.locator('#bodies .found pre').count(), 0, 'nothing is shown without a reason');
  await page.fill('#bodies input[name=reason]', `ticket 7 ${EVIL}`);
  await page.click('#bodies .found button');
  await page.waitForSelector('#bodies .found pre');
  t.true((await textOf(page, '#bodies .found pre')).includes('onerror'));
  await page.waitForSelector('#acts .found li:has-text("retention.review")');
  t.true((await textOf(page, '#acts .found li')).includes(`ticket 7 ${EVIL}`));
  t.is(await page.locator('#operator img').count(), 0);
  const [act] = await listActs(database, { limit: 1 });
  t.like(act, { operator: OPERATOR, action: 'retention.review', reason: `ticket 7 ${EVIL}` });
  t.deepEqual(faults, []);
  await close();
});

test.serial('bodies are not answered if their reading cannot be recorded', async (t) => {
  const answer = await sendTrial(stack.urls[0], '<p>secret');
  const { json } = await stack.get(`/bodies?id=${headerOf(answer, 'x-request-id')}`);
  const recordId = /"recordId":"([^"]+)"/.exec(JSON.stringify(json))?.[1];
  await sql`ALTER TABLE operator_act ADD CONSTRAINT drill CHECK (action <> 'retention.review') NOT VALID`.execute(
    database,
  );
  const refused = await stack.send('/bodies/read', { recordId, reason: 'drill' });
  t.is(codeOf(refused), 'SERVICE_UNAVAILABLE');
  t.false(refused.text.includes('secret'));
  await sql`ALTER TABLE operator_act DROP CONSTRAINT drill`.execute(database);
  t.like((await stack.send('/bodies/read', { recordId, reason: 'drill' })).json, { request: '{"html":"<p>secret"}' });
});

test.serial('a failed job is listed with its reason as text, and tried again', async (t) => {
  const jobId = uuidv7();
  await sql`INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work, state, attempts, due_at, error_code,
      error_message, ended_at)
    VALUES (${jobId}, ${uuidv7()}, 'key', ${JSON.stringify({ tenantId: 't', keyId: 'k', role: Role.ROLE_AGENT, scopes: [], keyGroup: '' })},
      ${JSON.stringify({ verifyExecution: { executionId: uuidv7() } })}, 'failed', 15, NULL, 'UNAVAILABLE', ${EVIL},
      clock_timestamp())`.execute(database);
  const { page, faults, close } = await visitor.open('/operator');
  await openPage(page);
  await page.click('#jobs form button');
  await page.waitForSelector('#jobs .found li');
  t.true((await textOf(page, '#jobs .found')).includes(EVIL));
  t.is(await page.locator('#jobs img').count(), 0);
  await page.fill('#jobs input[name=reason]', 'the service is back');
  await page.click(`#jobs .found li:has-text("${jobId}") button`);
  await page.waitForSelector('#jobs .outcome .good:has-text("is due now")');
  const { rows } = await sql<{
    state: string;
    spent: number;
  }>`SELECT state, spent FROM job WHERE job_id = ${jobId}`.execute(database);
  t.not(rows[0]?.state, 'failed');
  const [act] = await listActs(database, { subject: jobId, limit: 1 });
  t.like(act, { operator: OPERATOR, action: 'jobs.retry', reason: 'the service is back' });
  t.is(codeOf(await stack.send('/jobs/retry', { jobId: uuidv7(), reason: 'x' })), 'NOT_FOUND');
  t.deepEqual(faults, []);
  await close();
});

test.serial('without keys there is no page, and no file of it', async (t) => {
  const paths = ['/operator', '/operator/facts', '/assets/generated/operator.js', '/assets/operator.css'];
  for (const path of paths) {
    const answer = await rawRequest(otherGateway() + path, { method: 'GET' });
    t.is(answer.status, 404, path);
    t.is(codeOf(answer), 'NOT_FOUND');
  }
  t.is((await post(`${otherGateway()}/operator/freeze`, { frozen: true, reason: 'x' })).status, 404);
});

test.serial('only a key opens it, whatever else is sent', async (t) => {
  const url = `${stack.urls[0]}/operator/facts`;
  const get = (headers: Readonly<Record<string, string>>) => rawRequest(url, { method: 'GET', headers });
  const bearer = `Bearer ${stack.key}`;
  for (const authorization of ['Bearer ', 'Bearer short', `Basic ${stack.key}`, stack.keyHashes]) {
    const answer = await get({ authorization });
    t.is(answer.status, 401);
    t.is(codeOf(answer), 'OPERATOR_KEY_REQUIRED');
    t.regex(headerOf(answer, 'www-authenticate'), /^Bearer/);
  }
  t.is(codeOf(await get({})), 'OPERATOR_KEY_REQUIRED');
  t.is(codeOf(await get({ authorization: bearer, origin: 'https://evil.example' })), 'ORIGIN_NOT_ALLOWED');
  t.is(codeOf(await get({ authorization: bearer, host: 'evil.example' })), 'ORIGIN_NOT_ALLOWED');
  const answer = await get({ authorization: bearer, origin: stack.urls[0] });
  t.is(answer.status, 200);
  t.is(answer.headers.get('access-control-allow-origin'), null);
  t.is(answer.headers.get('cache-control'), 'no-store');
  t.false(stack.log('gateway0').join('').includes(stack.key));
});

test.serial('malformed requests are refused with what they must be', async (t) => {
  const sent: readonly (readonly [string, object])[] = [
    ['/freeze', { frozen: 'yes', reason: 'x' }],
    ['/freeze', { frozen: true }],
    ['/freeze', { frozen: true, reason: '' }],
    ['/freeze', { frozen: true, reason: 'x'.repeat(501) }],
    ['/freeze', { frozen: true, reason: 'x', more: 1 }],
    ['/freeze', { frozen: true, reason: '   ' }],
    ['/jobs/retry', { jobId: 'x', reason: 'x' }],
    ['/bodies/read', { recordId: uuidv7(), reason: '' }],
  ];
  for (const [path, body] of sent) t.is(codeOf(await stack.send(path, body)), 'INVALID_REQUEST', JSON.stringify(body));
  for (const path of ['/jobs?state=all', '/jobs', '/jobs?state=failed&limit=999', '/bodies?id=1', '/acts?limit=0']) {
    t.is(codeOf(await stack.get(path)), 'INVALID_REQUEST', path);
  }
  t.is(codeOf(await stack.send('/bodies/read', { recordId: uuidv7(), reason: 'x' })), 'NOT_FOUND');
  t.like((await stack.get(`/bodies?id=${uuidv7()}`)).json, { bodies: [] });
});

test.serial('wrong keys of an address are limited, also where nothing else is, and a right key passes', async (t) => {
  const gateway = await startExtraGateway(stack, { OPERATOR_KEY_HASHES: stack.keyHashes });
  t.teardown(() => gateway.stop());
  const ask = (key: string) =>
    rawRequest(`${gateway.url}/operator/facts`, { method: 'GET', headers: { authorization: `Bearer ${key}` } });
  t.is((await ask(stack.key)).status, 200);
  for (let tries = 0; tries < 10; tries += 1) t.is((await ask(`${'x'.repeat(40)}${tries}`)).status, 401);
  const refused = await ask('x'.repeat(43));
  t.is(refused.status, 429);
  t.true(Number(headerOf(refused, 'retry-after')) > 0);
  t.is((await ask(stack.key)).status, 200);
});

test.serial('the page says what was earned, and counts all calls', async (t) => {
  const [total] = groupEarnings(await readEarnings(database), []);
  const { calls, soldMicroUsd } = defined(total);
  const read = async () => Object((await stack.get('/facts')).json).earnings;
  // The figures may be some seconds old.
  await until(async () => (await read()).calls === Number(calls));
  const earnings = await read();
  t.like(earnings, { calls: Number(calls), soldMicroUsd: Number(soldMicroUsd), netMicroUsd: Number(soldMicroUsd) });
  t.true(earnings.soldMicroUsd >= 3000);
  const { page, close } = await visitor.open('/operator');
  await page.route('**/operator/facts', async (route) => {
    const response = await route.fetch();
    const shown = { ...earnings, calls: 12_345, refundedMicroUsd: 1, netMicroUsd: 2, unknownGas: 20_000 };
    await route.fulfill({ response, json: { ...(await response.json()), earnings: shown } });
  });
  await openPage(page);
  const text = await textOf(page, '#money');
  t.regex(text, /Calls12,345Sold.*Refunded *USD 0.000001Net *USD 0.000002Gas.* ETH, not known of transactions: 20,000/);
  await close();
});

test.serial('the page is accessible, small, and fits every screen, in light and dark', async (t) => {
  const { page, faults, close } = await visitor.open('/operator', { bypassCSP: true });
  t.deepEqual(await violationsOf(page), []);
  await openPage(page);
  await page.click('#jobs form button');
  await page.waitForSelector('#acts .found li');
  t.regex(await textOf(page, '#money'), /Balance[\d,.]+ ETH.*of 50,000,000 gas for/s);
  t.notRegex(await textOf(page, '#operator'), /\{"/);
  for (const [width, colorScheme] of [
    [360, 'light'],
    [3840, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    t.true(Number(await overflowOf(page)) <= 0, `wider than ${width} pixels`);
    t.deepEqual(await violationsOf(page), []);
  }
  t.deepEqual(faults, []);
  await close();
  const { text, headers } = await rawRequest(`${stack.urls[0]}/operator`, { method: 'GET' });
  const assets = new URL('../../../gateway/pages/assets/', import.meta.url);
  const files = ['generated/operator.js', 'site.css', 'records.css', 'operator.css'];
  const size = files.reduce((sum, file) => sum + readFileSync(new URL(file, assets)).length, Buffer.byteLength(text));
  t.true(size <= MAX_BYTES, String(size));
  t.regex(String(headers.get('content-security-policy')), /^default-src 'none'; script-src 'self'; style-src 'self'/);
  t.is(headers.get('cache-control'), 'no-store');
});

test.serial('everything works by keyboard, and without scripts the page says what to call', async (t) => {
  const { page, close } = await visitor.open('/operator');
  await page.focus('input[name=key]');
  await page.keyboard.type(stack.key);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#state .card');
  t.false(await page.locator('#access').isVisible());
  const reached = new Set<unknown>();
  for (let steps = 0; steps < 12; steps += 1) {
    reached.add(await page.evaluate('(document.activeElement.closest("section") ?? document.activeElement).id'));
    await page.keyboard.press('Tab');
  }
  for (const id of ['leave', 'calls', 'jobs', 'bodies', 'acts']) t.true(reached.has(id), id);
  await page.focus('#leave');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#operator', { state: 'hidden' });
  await close();
  const plain = await visitor.open('/operator', { javaScriptEnabled: false });
  t.regex(await textOf(plain.page, 'main'), /needs JavaScript.*\/operator\/facts/s);
  await plain.close();
});

for (const [title, run] of Object.entries(commandTests)) {
  test.serial(title, (t) => run(t, { stack, database }));
}
