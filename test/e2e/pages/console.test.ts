import test from 'ava';
import type { Page } from 'playwright-core';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { overflowOf, startVisitor, violationsOf } from './browse.ts';

const stack = await useSharedStack();
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

async function run(page: Page, body?: object): Promise<void> {
  if (body !== undefined) await page.fill('#console-body', JSON.stringify(body));
  await page.click('#console button');
  await page.waitForSelector('#outcome .good, #outcome .bad');
}

test('a place is found on the free credit of a new wallet, step by step, and drawn on a map', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/geocode', { bypassCSP: true });
  await run(page, { query: 'Munich', language: 'en', limit: 3 });
  t.regex((await page.textContent('#outcome .good')) ?? '', /charged to the wallet's free credit. USD 0.036 .*left/);
  t.deepEqual(await page.locator('#steps li strong').allTextContents(), ['Ask.', 'Sign in.', 'Call.']);
  await page.click('#steps li:nth-child(2) summary');
  t.regex(
    (await page.textContent('#steps li:nth-child(2) pre')) ?? '',
    /wants you to sign in with your Ethereum account/,
  );
  await page.click('#steps li:nth-child(3) summary');
  t.regex((await page.textContent('#steps li:nth-child(3) pre')) ?? '', /x-trial-accounting-status: confirmed/);
  t.regex((await page.getAttribute('svg.map', 'aria-label')) ?? '', /Munich/);
  t.regex((await page.getAttribute('svg.map .outlines', 'd')) ?? '', /^M/);
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

test('the outcome fits a small phone, also by keyboard alone', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/reverse-geocode', {
    viewport: { width: 360, height: 800 },
  });
  await page.focus('#console-body');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#outcome .good');
  t.true(Number(await overflowOf(page)) <= 0);
  t.is(await page.locator('svg.map circle').count(), 1);
  t.deepEqual(faults, []);
  await close();
});

test('Markdown is shown beside its source and rendered, and markup in it is not run', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/html-to-markdown');
  const html =
    '<html><body><nav><a href="/x">Menu words</a></nav><main><h1>Tolls</h1><p>Paid &lt;img src=x onerror=alert(1)> here, every day of the year, by all who pass through the gate.</p><img src="https://example.com/a.png" alt="Gate"><p><a href="https://example.com/">Link</a></p></main></body></html>';
  await run(page, { html });
  t.is(await page.textContent('.rendered h1'), 'Tolls');
  t.is(await page.locator('#outcome img').count(), 0);
  t.regex((await page.textContent('.rendered')) ?? '', /\[image: Gate\]/);
  t.regex((await page.textContent('.difference del')) ?? '', /Menu words/);
  t.deepEqual(faults, []);
  await close();
});

test('HTML that is pasted on the start page becomes Markdown, as the example there says', async (t) => {
  const { page, faults, close } = await visitor.open('/', { bypassCSP: true });
  const example = await page.textContent('#outcome pre');
  await run(page);
  t.is(await page.textContent('#outcome [aria-label=Markdown] pre'), example);
  await page.fill('#console-body', '<h3>"Mine"</h3>');
  await run(page);
  t.is(await page.textContent('.rendered h3'), '"Mine"');
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

test('a credit that is used up is said, with how to continue', async (t) => {
  const { page, close } = await visitor.open('/apis/geocode');
  for (let call = 0; call < 3; call += 1) await run(page);
  await run(page);
  t.regex((await page.textContent('#outcome .bad')) ?? '', /DENIED/);
  t.regex((await page.textContent('#outcome')) ?? '', /free credit is used up.*client that pays/);
  t.is(await page.getAttribute('#outcome a', 'href'), '/docs/api#payment');
  await close();
});

test('a request that is not valid is said before or after it was sent', async (t) => {
  const { page, close } = await visitor.open('/apis/geocode');
  await page.fill('#console-body', '{"query":');
  await page.click('#console button');
  await page.waitForSelector('#outcome .bad');
  t.regex((await page.textContent('#outcome')) ?? '', /not valid JSON/);
  t.is(await page.locator('#steps li').count(), 0);
  await run(page, { query: '' });
  t.regex((await page.textContent('#outcome')) ?? '', /query/);
  await close();
});
