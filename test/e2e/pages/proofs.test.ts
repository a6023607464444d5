import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { loadSigningKey, publishLogKey } from '../../../services/verification/proof/keys.ts';
import { signCheckpoint } from '../../../services/verification/proof/sign-checkpoint.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { recordRefund } from '../verified/refund.ts';
import { useVerifiedStack } from '../verified/verified-stack.ts';
import { overflowOf, startVisitor, violationsOf } from './browse.ts';
import { ENDED, outcomes, PASSED, proveRun, textOf } from './proven-run.ts';

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('proof pages');
const [first, second] = [await proveRun(tenant), await proveRun(tenant)];
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

async function openProof(page: Page): Promise<void> {
  await page.fill('input[name=key]', tenant.keys.reader);
  await page.click('#access button');
  await page.waitForSelector(ENDED);
}

test('a reader sees what was proven, and the browser verifies the proof and remembers the log', async (t) => {
  const { page, faults, close } = await visitor.open(`/proofs/${first.proofId}`, { bypassCSP: true });
  await openProof(page);
  t.deepEqual(await outcomes(page), [...PASSED, 'passed']);
  const text = await textOf(page);
  t.regex(text, /Valid\. .*sees this log for the first time/s);
  t.regex(text, /The plan “Refund order A1.*” that this server shows has the hash that is in the proof/);
  t.regex(text, /Unreported actions and the truth of responses are not established/);
  t.is(await page.locator('.verdicts > li .good').count(), 4);
  t.is(await page.getAttribute('#record a[href^="/executions/"]', 'href'), `/executions/${first.executionId}`);
  t.is(await page.locator('#record a[href^="/plans/"]').count(), 1);
  t.deepEqual(await violationsOf(page), []);

  await page.fill('input[name=id]', second.proofId);
  await page.click('#access button');
  await page.waitForSelector('#record .verdict :text("that this browser saw at")');
  t.deepEqual(await outcomes(page), [...PASSED, 'passed']);
  t.regex(page.url(), new RegExp(`/proofs/${second.proofId}$`));
  const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])');
  t.true(String(kept).includes('tollhouse-log:'));
  t.false(String(kept).includes(tenant.keys.reader));
  t.deepEqual(faults, []);
  await close();
});

test('the saved proof file is the proof byte for byte', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.proofId}`);
  await openProof(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download="proof.json"]')]);
  t.deepEqual(readFileSync(await download.path()), first.proof);
  await close();
});

const logKey = () => loadSigningKey(readFileSync(join(stack.dataDir, 'keys/proof-log'), 'utf8'));

/** Lets the browser of a page remember a head of the log that the log really signed. */
async function rememberHead(page: Page, sizeOf: (size: number) => number): Promise<void> {
  const { log } = JSON.parse(second.proof.toString());
  const key = logKey();
  const head = signCheckpoint({ size: sizeOf(log.tree_size), root: Buffer.alloc(32, 7) }, { origin: log.origin, key });
  const seen = JSON.stringify({ checkpoint: head, seen_at: '2026-01-02 03:04:05 UTC' });
  await page.evaluate(
    `localStorage.setItem(${JSON.stringify(`tollhouse-log:${log.origin}`)}, ${JSON.stringify(seen)})`,
  );
}

for (const [name, sizeOf, code] of [
  ['shows another tree than this browser saw', (size: number) => size - 1, 'INCONSISTENT'],
  ['is shorter than this browser saw', (size: number) => size + 1_000_000, 'LOG_SHRUNK'],
] as const) {
  test(`a log that ${name} is refused loudly, until the person forgets it`, async (t) => {
    const { page, faults, close } = await visitor.open(`/proofs/${first.proofId}`, { bypassCSP: true });
    await rememberHead(page, sizeOf);
    await openProof(page);
    t.deepEqual(await outcomes(page), [...PASSED, 'failed']);
    const alert = await textOf(page, '#record [role=alert]');
    t.regex(alert, /^The log contradicts itself/);
    t.true(alert.includes(code));
    t.false((await textOf(page)).includes('What was proven'));
    t.deepEqual(await violationsOf(page), []);
    await page.click('button:text("Forget")');
    await openProof(page);
    await page.waitForSelector('#record .verdict .good');
    t.deepEqual(faults, []);
    await close();
  });
}

test('a memory that somebody changed is refused, not ignored', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.proofId}`);
  const { log } = JSON.parse(first.proof.toString());
  await page.evaluate(`localStorage.setItem(${JSON.stringify(`tollhouse-log:${log.origin}`)}, '{"checkpoint":')`);
  await openProof(page);
  t.regex(await textOf(page, '#record [role=alert]'), /^Do not rely on this log.*REMEMBERED_CHECKPOINT_INVALID/s);
  await close();
});

test('a proof whose log cannot be read now is valid, with one check open', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.proofId}`);
  await page.route('**/api/v1/log/checkpoint', (route) => route.abort());
  await openProof(page);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  t.regex(await textOf(page), /NOT_REACHED/);
  await close();
});

test('a log that has another name now cannot be compared, and that is said', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.proofId}`);
  const { log } = JSON.parse(first.proof.toString());
  const later = { origin: `${log.origin}/restored`, key: logKey() };
  await page.route('**/api/v1/log/keys', async (route) => {
    const response = await route.fetch();
    const { keys } = JSON.parse(await response.text());
    await route.fulfill({ response, json: { keys: [...keys, publishLogKey(later)] } });
  });
  const head = signCheckpoint({ size: 1, root: Buffer.alloc(32, 7) }, later);
  await page.route('**/api/v1/log/checkpoint', (route) => route.fulfill({ body: head }));
  await openProof(page);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  t.regex(await textOf(page), /has another name now: .*\/restored.*database was restored/);
  await close();
});

test('a plan that is not the one of the proof is refused', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.proofId}`);
  await page.route('**/api/v1/plans/*', async (route) => {
    const answer = await route.fetch();
    const body = JSON.parse(await answer.text());
    await route.fulfill({
      response: answer,
      json: { ...body, plan: { ...body.plan, title: '<img src=x onerror=alert(1)>' } },
    });
  });
  await openProof(page);
  t.regex(await textOf(page), /<img src=x onerror=alert\(1\)>” that this server shows is not the one in the proof/);
  t.is(await page.locator('#record img').count(), 0);
  await close();
});

test('an execution leads to its proof, or says that there is none yet', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${first.executionId}`);
  await openProof(page);
  t.true((await textOf(page)).includes(first.proofId));
  const other = await stack.addTenant('proof pages');
  const { executionId } = await recordRefund(other, 'no-proof');
  await page.fill('input[name=key]', other.keys.reader);
  await page.fill('input[name=id]', executionId);
  await page.click('#access button');
  await page.waitForSelector('#record > .note');
  t.regex(await textOf(page), /No proof yet.*it is recorded/);
  await close();
});

test('an unknown id and a wrong key are said', async (t) => {
  const { page, close } = await visitor.open(`/proofs/${crypto.randomUUID()}`);
  await openProof(page);
  t.regex(await textOf(page), /^NOT_FOUND/);
  await page.fill('input[name=key]', 'thk_wrong');
  await page.click('#access button');
  await page.waitForSelector('#record > .bad:text("UNAUTHENTICATED")');
  await close();
  t.pass();
});

test('the page fits a small phone, in the dark, by keyboard alone', async (t) => {
  const options = { viewport: { width: 360, height: 800 }, colorScheme: 'dark', bypassCSP: true } as const;
  const { page, faults, close } = await visitor.open(`/proofs/${first.proofId}`, options);
  await page.focus('input[name=key]');
  await page.keyboard.type(tenant.keys.reader);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#record .verdict .good');
  t.true(Number(await overflowOf(page)) <= 0);
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

test('on a page over plain HTTP the browser verifies nothing, and the page says so', async (t) => {
  const { port } = new URL(stack.urls[0]);
  const insecure = await startVisitor(
    `http://tollhouse.test:${port}`,
    '--host-resolver-rules=MAP tollhouse.test 127.0.0.1',
  );
  t.teardown(() => insecure.stop());
  const { page, faults } = await insecure.open(`/proofs/${first.proofId}`);
  t.false(await page.evaluate('isSecureContext'));
  await openProof(page);
  t.regex(await textOf(page), /Not verified.*plain HTTP.*command line/);
  t.is(await page.locator('a[download="proof.json"]').count(), 1);
  t.deepEqual(faults, []);
});

// Chromium cannot be started without Ed25519, with a full storage or with a storage that is refused, so a page is made so.
for (const [name, script, says] of [
  [
    'cannot verify Ed25519',
    "crypto.subtle.importKey = () => Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError'))",
    /Not verified\. This browser cannot verify Ed25519/,
  ],
  [
    'keeps nothing for pages',
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })",
    /One check is open.*keeps nothing for this page/,
  ],
  [
    'has no room left',
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    /Valid\..*no room to remember/,
  ],
] as const) {
  test(`a browser that ${name} says so`, async (t) => {
    const { page, faults, close } = await visitor.open('/');
    await page.addInitScript(script);
    await page.goto(`${stack.urls[0]}/proofs/${first.proofId}`);
    await openProof(page);
    t.regex(await textOf(page), says);
    t.deepEqual(faults, []);
    await close();
  });
}

test('the page of an execution leads to its proof', async (t) => {
  const { page, close } = await visitor.open(`/executions/${first.executionId}`);
  await page.fill('input[name=key]', tenant.keys.reader);
  await page.click('#access button');
  await page.waitForSelector('#record .facts');
  t.is(await page.getAttribute('.facts a[href^="/proofs/"]', 'href'), `/proofs/${defined(first.proofId)}`);
  await close();
});
