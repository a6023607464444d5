import test from 'ava';
import { operations } from '../../../gateway/operations/index.ts';
import { readLibrary } from '../../../gateway/pages/documents/library.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { rawRequest } from '../../kit/client.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { overflowOf, startVisitor, violationsOf } from './browse.ts';

const stack = await useSharedStack();
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

const MAX_BYTES = 60_000;
const MAX_REFERENCE_BYTES = 1_200_000;
/** Pages by template. The first of each stands for the others: it alone is checked with axe on a wide screen in the dark too. */
const TEMPLATES = [
  ['/'],
  ['/apis'],
  operations.map(({ name }) => `/apis/${name}`),
  ['/docs', '/docs/decisions'],
  ['/docs/api', '/docs/errors', '/docs/verified-execution', '/docs/verified-execution/plan-text'],
  ['/proofs', `/proofs/${crypto.randomUUID()}`, '/plans', '/executions'],
  ['/search?q=plan'],
  ['/reference'],
  ['/nowhere'],
];
const PAGES = TEMPLATES.flat();
const SIZES = [
  [360, 'light'],
  [1280, 'light'],
  [3840, 'dark'],
] as const;
const IS_RECORD = /^\/(?:proofs|plans|executions)/;
/** Scalar writes what is inside. */
const FOREIGN = ['#reference'];
/** `--paper` of `site.css` in the dark. */
const DARK_PAPER = 'rgb(19, 23, 22)';
const LOADED =
  "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)";

const get = (path: string, accept = 'text/html') =>
  rawRequest(stack.urls[0] + path, { method: 'GET', headers: { accept } });

test('every page keeps its policy, is small and accessible in light and dark, fits every screen, and loads nothing from elsewhere', async (t) => {
  // One page for all: most of the time of a browser goes into new contexts.
  const { page, faults, close } = await visitor.open('/nowhere');
  for (const [representative, ...others] of TEMPLATES) {
    for (const path of [defined(representative), ...others]) {
      const before = faults.length;
      await page.setViewportSize({ width: 360, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(stack.urls[0] + path, { waitUntil: IS_RECORD.test(path) ? 'networkidle' : 'load' });
      if (IS_RECORD.test(path)) {
        const bytes = Number(await page.evaluate(LOADED));
        t.true(bytes > 20_000 && bytes <= MAX_BYTES, `${path} loads ${bytes} bytes`);
      }
      for (const [width, colorScheme] of SIZES) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        t.true(Number(await overflowOf(page)) <= 0, `${path} is wider than ${width} pixels`);
        if (width === 360 || (width === 3840 && path === representative))
          t.deepEqual(await violationsOf(page, FOREIGN), [], path);
      }
      // On a small screen, its list of endpoints is folded.
      if (path === '/reference') {
        await page.waitForSelector('text=Convert HTML to clean Markdown');
        // No call can be paid there.
        t.is(await page.locator('text=Test Request').count(), 0);
        // Its script changes this class only after the browser has changed the colors of the site.
        t.is(
          await page.evaluate(
            "document.body.className = 'light-mode', getComputedStyle(document.body).backgroundColor",
          ),
          DARK_PAPER,
        );
        t.true(Number(await page.evaluate(LOADED)) <= MAX_REFERENCE_BYTES);
      }
      t.deepEqual(faults.slice(before), [], path);
    }
  }
  await close();
});

test('every page is complete without scripts, or says what it needs them for', async (t) => {
  const { page, faults, close } = await visitor.open('/nowhere', { javaScriptEnabled: false });
  for (const path of [...PAGES, '/proofs/%3Cb%3E', '/plans/%3Cb%3E']) {
    await page.goto(stack.urls[0] + path);
    t.regex((await page.textContent('h1')) ?? '', /\w/, path);
    const text = (await page.textContent('#main')) ?? '';
    t.true(text.length > 100, path);
    if (IS_RECORD.test(path)) {
      t.regex(text, /needs JavaScript/, path);
      // Without scripts, a form would send the key in the address.
      t.false(await page.isVisible('#access'), path);
      t.is(await page.locator('main b').count(), 0);
    }
    if (path.startsWith('/proofs')) {
      t.regex(text, /verify-proof proof\.json --keys keys\.json/s);
      const id = /[0-9a-f-]{36}$/.exec(path)?.[0];
      if (id !== undefined) t.true(text.includes(id));
    }
    const { status, text: html, headers } = await get(path);
    t.is(status, path === '/nowhere' ? 404 : 200, path);
    t.false(IS_RECORD.test(path) && html.includes('<b>'), path);
    t.true(Buffer.byteLength(html) <= MAX_BYTES, `${path}: ${Buffer.byteLength(html)}`);
    t.regex(String(headers.get('content-security-policy')), /^default-src 'none'; script-src 'self'; style-src 'self'/);
    t.regex(
      String(headers.get('permissions-policy')),
      /^camera=\(\), microphone=\(\), geolocation=\(\), payment=\(\)$/,
    );
    t.is(headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups');
  }
  t.deepEqual(faults, []);
  await close();
});

test('the first key leads to the content, and the next to the navigation', async (t) => {
  const { page, close } = await visitor.open('/');
  await page.keyboard.press('Tab');
  t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await page.keyboard.press('Enter');
  t.is(await page.evaluate('document.activeElement.id'), 'main');
  await close();
});

test('on a phone, the navigation is one menu that needs no script, and texts that are typed are not bold', async (t) => {
  for (const javaScriptEnabled of [false, true]) {
    const { page, faults, close } = await visitor.open('/proofs', {
      javaScriptEnabled,
      bypassCSP: true,
      viewport: { width: 390, height: 844 },
    });
    const link = page.getByRole('link', { name: 'Plans', exact: true });
    t.is(await link.count(), 0);
    t.true(defined((await page.locator('.top').boundingBox()) ?? undefined).height < 80);
    await page.click('.menu summary');
    if (javaScriptEnabled) {
      t.deepEqual(await violationsOf(page), []);
      t.true(Number(await overflowOf(page)) <= 0);
      t.is(await page.evaluate("getComputedStyle(document.querySelector('#access input')).fontWeight"), '400');
    }
    await link.click();
    await page.waitForURL('**/plans');
    t.deepEqual(faults, []);
    await close();
  }
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

test('a document has its contents beside it, leads to the next one, and its code is copied with a button', async (t) => {
  const { page, faults, close } = await visitor.open('/docs/api', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Payment', exact: true }).click();
  t.is(await page.evaluate('location.hash'), '#payment');
  await page.setViewportSize({ width: 1099, height: 900 });
  t.false(await contents.isVisible());
  await page.locator('.code button').first().click();
  await page.waitForSelector('text=Copied');
  t.is(await page.evaluate('navigator.clipboard.readText()'), await page.locator('pre').first().textContent());
  await page.click('[rel=next]');
  await page.waitForURL('**/docs/verified-execution');
  await page.click('[rel=prev]');
  await page.waitForURL('**/docs/api');
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

test('the OpenAPI document is sent compressed, and not to a client that has it', async (t) => {
  const ask = (headers: Record<string, string>) =>
    rawRequest(`${stack.urls[0]}/openapi.json`, { method: 'GET', headers });
  const { headers } = await ask({ 'accept-encoding': 'br, gzip' });
  t.deepEqual(
    ['content-encoding', 'cache-control', 'vary'].map((name) => headers.get(name)),
    ['br', 'no-cache', 'accept-encoding'],
  );
  t.is((await ask({ 'if-none-match': String(headers.get('etag')) })).status, 304);
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
