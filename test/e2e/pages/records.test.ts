import test from 'ava';
import type { Page } from 'playwright-core';
import { ORDER, REFUND } from '../../../gateway/verified/catalogue-examples.ts';
import { PLAN_TEXT } from '../../../gateway/verified/plan-text-examples.ts';
import { describeTools } from '../../../scripts/cli/try/flow-calls.ts';
import { playRun } from '../../../scripts/cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../scripts/cli/try/run-file.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CreatePlanAnswer, RecordExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { useVerifiedStack } from '../verified/verified-stack.ts';
import { overflowOf, startVisitor, violationsOf } from './browse.ts';

const readCreated = createReader(CreatePlanAnswer, 'the plan');

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('pages');
for (const tool of [ORDER, REFUND]) await tenant.approver.post('/api/v1/tools', { tool });
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

async function openRecord(page: Page, key: string): Promise<void> {
  await page.fill('input[name=key]', key);
  await page.click('#access button');
  await page.waitForSelector('#record .facts, #record .waiting, #record .bad');
}

const propose = async (text: string) => readCreated(await tenant.agent.post('/api/v1/plans', { plan_text: text }));

test('an approver reads a plan in words and approves it, with the key in no storage', async (t) => {
  const { plan_id, plan_hash } = await propose(PLAN_TEXT);
  const { page, faults, close } = await visitor.open(`/plans/${plan_id}`, { bypassCSP: true });
  await openRecord(page, tenant.keys.approver);
  const text = (await page.textContent('#record')) ?? '';
  t.regex(text, /draft.*0 of 1/s);
  t.is(text.split(plan_hash).length, 2);
  t.deepEqual(await page.locator('h1').allTextContents(), ['Plan Refund order A1']);
  t.deepEqual(await violationsOf(page), []);
  t.true(await page.locator('.approve > p > button').isDisabled());
  await page.check('#consent');
  await page.click('.approve button');
  await page.waitForSelector('.approve .good');
  t.regex((await page.textContent('.approve .good')) ?? '', /1 of 1 approvals. The plan is approved/);
  t.regex((await page.textContent('#record .facts')) ?? '', /Stateapproved.*1 of 1: /s);
  t.like(await tenant.agent.get<object>(`/api/v1/plans/${plan_id}`), { state: 'approved' });
  const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])');
  t.false(String(kept).includes(tenant.keys.approver));
  await openRecord(page, tenant.keys.approver);
  await page.click('.approve summary');
  await page.click('.approve details button');
  await page.waitForSelector('.approve .good');
  t.regex((await page.textContent('.approve .good')) ?? '', /Withdrawn: 1 of 1 approvals. The plan is withdrawn/);
  t.deepEqual(faults, []);
  await close();
});

test('an approver rejects a plan for a reason, which its page and the list of plans show as text', async (t) => {
  const reason = '<img src=x onerror=alert(1)> too much';
  const { plan_id } = await propose(PLAN_TEXT.replace('order A1', 'order A1, rejected'));
  const { page, faults, close } = await visitor.open(`/plans/${plan_id}`, { bypassCSP: true });
  await openRecord(page, tenant.keys.approver);
  await page.click('.approve summary');
  await page.click('.approve details button');
  await page.waitForSelector('.approve .bad');
  await page.fill('.approve details input', reason);
  t.deepEqual(await violationsOf(page), []);
  await page.click('.approve details button');
  await page.waitForSelector('.approve .good');
  t.true(((await page.textContent('#record .facts')) ?? '').includes(reason));
  await page.click('text=All plans that wait');
  const item = page.locator('.waiting li', { hasText: 'Refund order A1, rejected' });
  await item.waitFor();
  t.true(((await item.textContent()) ?? '').includes(reason));
  t.is(await page.locator('#record img').count(), 0);
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(
    faults.filter((fault) => !fault.includes('422')),
    [],
  );
  await close();
});

test('a plan shows its warnings first, then what changed, and folds its details', async (t) => {
  const before = await propose(PLAN_TEXT);
  const text = PLAN_TEXT.replace('cap: 100.00', 'cap: 250.00').replace(
    'expires:',
    `supersedes: ${before.plan_id}\nexpires:`,
  );
  const { plan_id } = await propose(text);
  const { page, faults, close } = await visitor.open(`/plans/${plan_id}`, { bypassCSP: true });
  await openRecord(page, tenant.keys.approver);
  const headings = ['Warnings', 'Differences from the plan before', 'What money can move'];
  t.deepEqual((await page.locator('#record .rendered h2').allTextContents()).slice(0, 3), headings);
  t.regex((await page.textContent('#record')) ?? '', /cap changed, from: .*100\.00.* to: .*250\.00/s);
  t.is(await page.locator('#record h2:text-is("Payees")').isVisible(), true);
  t.is(await page.getAttribute('.facts a', 'href'), `/plans/${before.plan_id}`);
  const step = page.locator('#record h3:text-is("What is done")');
  t.false(await step.isVisible());
  await page.click('#record summary');
  t.true(await step.isVisible());
  t.deepEqual(await violationsOf(page), []);
  await page.goto(`${stack.urls[0]}/plans/${before.plan_id}`);
  await openRecord(page, tenant.keys.approver);
  t.is(await page.locator('#record h2:text-is("Differences from the plan before")').count(), 0);
  t.deepEqual(faults, []);
  await close();
});

test('a key of another role is told that it cannot approve, and an unknown key is refused', async (t) => {
  const { plan_id } = await propose(PLAN_TEXT.replace('order A1', 'order A1 again'));
  const { page, close } = await visitor.open(`/plans/${plan_id}`);
  await openRecord(page, tenant.keys.agent);
  await page.check('#consent');
  await page.click('.approve button');
  await page.waitForSelector('.approve .bad');
  t.regex((await page.textContent('.approve .bad')) ?? '', /APPROVAL_NOT_ALLOWED/);
  await page.fill('input[name=key]', 'thk_wrong');
  await page.click('#access button');
  await page.waitForSelector('#record > .bad');
  t.regex((await page.textContent('#record')) ?? '', /^UNAUTHENTICATED/);
  await close();
});

test('a key alone lists the plans that wait, at both widths, and one of them is opened and left again', async (t) => {
  const { plan_id } = await propose(PLAN_TEXT.replace('order A1', 'order A1 for the list'));
  for (const width of [1280, 390]) {
    const { page, faults, close } = await visitor.open('/plans', { viewport: { width, height: 844 }, bypassCSP: true });
    await openRecord(page, tenant.keys.approver);
    t.deepEqual(await violationsOf(page), []);
    await page.click('.waiting button:text-is("Refund order A1 for the list")');
    await page.waitForSelector('#record .facts');
    t.is(new URL(page.url()).pathname, `/plans/${plan_id}`);
    t.not(await page.locator('.warnings').first().evaluate('(one) => getComputedStyle(one).borderTopWidth'), '0px');
    await page.click('text=All plans that wait');
    await page.waitForSelector('#record .waiting');
    t.deepEqual([await page.locator('h1').allTextContents(), await overflowOf(page)], [['Plans'], 0]);
    t.deepEqual(await violationsOf(page), []);
    t.deepEqual(faults, []);
    await close();
  }
});

test('markup in the names of a plan is shown, not run', async (t) => {
  const evil = '<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1))';
  const { plan_id } = await propose(PLAN_TEXT.replace('plan: Refund order A1', `plan: ${JSON.stringify(evil)}`));
  const { page, faults, close } = await visitor.open(`/plans/${plan_id}`);
  await openRecord(page, tenant.keys.reader);
  t.true(((await page.textContent('h1')) ?? '').includes(evil));
  t.is(await page.locator('#main img, h1 strong, #main a[href^=javascript]').count(), 0);
  t.deepEqual(faults, []);
  await close();
});

test('an execution is a timeline with its evidence and its verdicts, on a phone too', async (t) => {
  const run = readRun(defined(readRunFiles().get('as-planned')), `page-${process.hrtime.bigint()}`);
  const executions: string[] = [];
  const post = async <T = unknown>(path: string, body: unknown): Promise<T> => {
    const answer = await tenant.agent.post<T>(path, body);
    if (path === '/api/v1/executions') executions.push(readRecorded(answer).execution_id);
    return answer;
  };
  await describeTools(tenant.approver);
  await playRun(readPlanFile(), run, { ...tenant, agent: { ...tenant.agent, post }, onStep: () => {} });
  const options = { viewport: { width: 360, height: 800 }, colorScheme: 'dark', bypassCSP: true } as const;
  const { page, faults, close } = await visitor.open(`/executions/${defined(executions[0])}`, options);
  await openRecord(page, tenant.keys.reader);
  t.is(await page.locator('.verdicts > li .good').count(), 4);
  t.true((await page.locator('.timeline > li.kept').count()) > 1);
  t.regex((await page.textContent('.timeline')) ?? '', /Evidence receipt: application\/json/);
  t.true(Number(await overflowOf(page)) <= 0);
  t.deepEqual(await violationsOf(page), []);
  const { plan_id } = await tenant.agent.get<{ plan_id: string }>(`/api/v1/executions/${executions[0]}`);
  await page.goto(`${stack.urls[0]}/plans/${plan_id}`);
  await openRecord(page, tenant.keys.reader);
  t.is(await page.getAttribute('.runs a', 'href'), `/executions/${executions[0]}`);
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

const readRecorded = createReader(RecordExecutionAnswer, 'the execution');
