import test from 'ava';
import { operations } from '../../../gateway/operations/index.ts';
import { readLibrary } from '../../../gateway/pages/documents/library.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { rawRequest } from '../../helpers/client.ts';
import { type SharedStack, useSharedStack } from '../../helpers/shared-stack.ts';
import { overflowOf, startVisitor, type Visitor, violationsOf } from './browse.ts';

let stack: SharedStack;
let visitor: Visitor;
test.before(async () => {
  stack = await useSharedStack();
  visitor = await startVisitor(stack.urls[0]);
});
test.after.always(async () => {
  await visitor?.stop();
  await stack?.stop();
});

const MAX_BYTES = 60_000;
const PAGES = [
  '/',
  '/apis',
  ...operations.map(({ name }) => `/apis/${name}`),
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/docs/verified-execution',
  '/docs/verified-execution/plan-text',
  '/proofs',
  '/search?q=plan',
  '/reference',
  '/nowhere',
];
/** Scalar writes what is inside. */
const FOREIGN = ['#reference'];

const get = (path: string, accept = 'text/html') =>
  rawRequest(stack.urls[0] + path, { method: 'GET', headers: { accept } });

for (const path of PAGES) {
  test(`${path} is accessible in light and dark, fits a small phone and a wide screen, and loads nothing from elsewhere`, async (t) => {
    for (const [width, colorScheme] of [
      [360, 'light'],
      [1280, 'dark'],
      [3840, 'light'],
    ] as const) {
      const { page, faults, close } = await visitor.open(path, {
        viewport: { width, height: 900 },
        colorScheme,
        bypassCSP: true,
      });
      t.true(Number(await overflowOf(page)) <= 0, `wider than ${width} pixels`);
      t.deepEqual(await violationsOf(page, FOREIGN), []);
      t.deepEqual(faults, []);
      await close();
    }
  });

  test(`${path} is small, keeps its policy, and is complete without scripts`, async (t) => {
    const { page, faults, close } = await visitor.open(path, { javaScriptEnabled: false });
    t.regex((await page.textContent('h1')) ?? '', /\w/);
    t.true(((await page.textContent('#main')) ?? '').length > 100);
    await close();
    t.deepEqual(faults, []);
    const { text, headers } = await get(path);
    t.true(Buffer.byteLength(text) <= MAX_BYTES, String(Buffer.byteLength(text)));
    t.regex(String(headers.get('content-security-policy')), /^default-src 'none'; script-src 'self'; style-src 'self'/);
  });
}

test('the first key leads to the content, and the next to the navigation', async (t) => {
  const { page, close } = await visitor.open('/');
  await page.keyboard.press('Tab');
  t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await page.keyboard.press('Enter');
  t.is(await page.evaluate('document.activeElement.id'), 'main');
  await close();
});

test('a search by keyboard finds a page, and each word of it', async (t) => {
  const { page, close } = await visitor.open('/');
  await page.focus('input[name=q]');
  await page.keyboard.type('second approver');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=second+approver');
  const first = page.locator('.results a').first();
  t.regex((await page.textContent('main')) ?? '', /results? for second approver/);
  await first.click();
  await page.waitForURL('**/docs/**');
  await close();
});

test('the reference shows the endpoints under the policy', async (t) => {
  const { page, faults, close } = await visitor.open('/reference');
  await page.waitForSelector('text=Convert HTML to clean Markdown');
  t.deepEqual(faults, []);
  await close();
});

test('every page of the site map exists, and each page links only to what exists', async (t) => {
  const { text } = await get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.slice(stack.urls[0].length));
  t.true(paths.length > 40);
  const links = new Set<string>();
  for (const path of paths) {
    const page = await get(path);
    t.is(page.status, 200, path);
    for (const [, href = ''] of page.text.matchAll(/<a href="(\/[^"#?]*)/g)) links.add(href);
  }
  for (const link of links) t.is((await get(link)).status, 200, link);
});

test('the same content is Markdown for those who ask for it', async (t) => {
  const library = await readLibrary();
  const source = defined(library.documents.get('/docs/api')).markdown;
  for (const answer of [await get('/docs/api', 'text/markdown'), await get('/docs/api.md')]) {
    t.is(answer.text, source);
    t.is(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
  }
  t.regex((await get('/', 'text/markdown;q=0.9, text/html;q=0.5')).text, /^# Tollhouse/);
  t.regex((await get('/', 'text/markdown;q=0.5, text/html')).text, /^<!doctype html>/);
  t.regex((await get('/apis/geocode.md')).text, /^# geocode/);
  t.is(
    (await get('/docs/verified-execution/examples/refund.yaml')).headers.get('content-type'),
    'text/plain; charset=utf-8',
  );
});

test('an error is a page for browsers and JSON for programs', async (t) => {
  const page = await get('/docs/nowhere');
  t.is(page.status, 404);
  t.regex(page.text, /^<!doctype html>.*NOT_FOUND/s);
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const answer = await get('/docs/nowhere', accept);
    t.like(answer.json, { error: { code: 'NOT_FOUND' } });
  }
});

test('markup in an address or a search is shown, not run', async (t) => {
  const evil = '<img src=x onerror=alert(1)>"\'&';
  for (const path of [`/search?q=${encodeURIComponent(evil)}`, `/docs/${encodeURIComponent(evil)}`]) {
    const { text } = await get(path);
    t.false(text.includes('<img src=x'), path);
    const { page, faults, close } = await visitor.open(path);
    t.deepEqual(faults, []);
    t.is(await page.locator('img[src=x]').count(), 0);
    await close();
  }
});

test('paths of files outside the documents are not answered', async (t) => {
  for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/..%2fpackage.json', '/docs/%00']) {
    const { status, text } = await get(path);
    t.true(status >= 400, path);
    t.false(text.includes('"dependencies"'), path);
  }
});

test('directories of x402 and of the Model Context Protocol find what is offered', async (t) => {
  const resources = (await get('/.well-known/x402')).json;
  t.deepEqual(
    resources?.['resources'],
    operations.map(({ path }) => stack.urls[0] + path),
  );
  t.regex((await get('/.well-known/mcp.json')).text, /"streamable-http"/);
  t.regex((await get('/robots.txt')).text, /^User-agent: \*\n/);
});
