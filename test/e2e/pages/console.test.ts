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

async function run(page: Page, body: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [member, value] of Object.entries(body)) await page.fill(`#console-${member}`, value);
  await page.click('#console form button');
  await page.waitForSelector('#outcome .good, #outcome .bad');
}

test('a place is found on the free credit of a new wallet, step by step, and drawn on a map', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/geocode');
  await page.click('#console form summary');
  await run(page, { query: 'Munich', language: 'en', limit: '3' });
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
  t.deepEqual(faults, []);
  await close();
});

test('the outcome fits a small phone, also by keyboard alone', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/reverse-geocode', {
    viewport: { width: 360, height: 800 },
  });
  await page.focus('#console-longitude');
  await page.keyboard.press('Tab');
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
  await run(page, { html: '<h3>"Mine"</h3>' });
  t.is(await page.textContent('.rendered h3'), '"Mine"');
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

test('a result and a failure are accessible at both widths, light and dark, with long texts too', async (t) => {
  const html = `<main><h1>Tolls</h1>${`<p>${'All who pass through the gate pay. '.repeat(9)}</p>`.repeat(12)}</main>`;
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    for (const [name, right, wrong] of [
      ['geocode', { query: 'Munich' }, { query: ' ' }],
      ['html-to-markdown', { html }, { html: ' ' }],
    ] as const) {
      const options = { viewport: { width, height: 844 }, colorScheme, bypassCSP: true };
      const { page, close } = await visitor.open(`/apis/${name}`, options);
      const check = async (state: string) => {
        t.true(await page.isVisible(`#outcome .${state}`));
        t.deepEqual([await violationsOf(page), await overflowOf(page)], [[], 0], `${name} ${state} ${width}`);
      };
      await run(page, right);
      for (const summary of await page.locator('#console summary').all()) await summary.click();
      await check('good');
      await run(page, wrong);
      await check('bad');
      await close();
    }
  }
});

test('after the free credit is used up, play money pays once the visitor has confirmed how much goes to whom', async (t) => {
  const { page, faults, close } = await visitor.open('/apis/geocode', { bypassCSP: true });
  const paid: string[] = [];
  page.on('request', (request) => {
    if ('payment-signature' in request.headers()) paid.push(request.url());
  });
  for (let call = 0; call < 4; call += 1) await run(page);
  t.regex((await page.textContent('#outcome')) ?? '', /free credit of this wallet is used up.*Nothing was charged/);
  await page.click('#outcome button');
  await page.waitForSelector('#confirm');
  t.regex(
    (await page.textContent('#confirm')) ?? '',
    /0\.014 USDC of play money \(14000 micro-USD\).*the sandbox's chain \(eip155:31337\).*0x[0-9a-fA-F]{40}/s,
  );
  t.deepEqual(paid, []);
  t.deepEqual(await violationsOf(page), []);
  await page.click('#confirm button');
  await page.waitForSelector('#outcome .good');
  t.regex(
    (await page.textContent('#outcome .good')) ?? '',
    /^Paid: 0\.014 USDC of play money, in transaction 0x[0-9a-f]{64}\.$/,
  );
  t.is(await page.locator('svg.map').count(), 1);
  t.is(paid.length, 1);
  t.deepEqual(faults, []);
  await close();
});

test('a call whose charge is not known can be neither repeated nor paid for until the request is another', async (t) => {
  const { page, close } = await visitor.open('/apis/geocode');
  const enabled = () => page.locator('#console form button:enabled').count();
  await page.route('**/api/v1/maps/geocode', (route, request) =>
    'sign-in-with-x' in request.headers() ? route.abort() : route.continue(),
  );
  await run(page);
  t.regex((await page.textContent('#outcome')) ?? '', /not known whether the free credit was charged/);
  t.deepEqual([await enabled(), await page.locator('#outcome button').count()], [0, 0]);
  await page.fill('#console-query', 'Vienna');
  t.is(await enabled(), 2);
  await close();
});

test('a payment whose answer is lost is asked for again with the same payment, and paid once', async (t) => {
  const { page, close } = await visitor.open('/apis/reverse-geocode');
  const paid: (string | undefined)[] = [];
  await page.route('**/api/v1/maps/reverse-geocode', async (route, request) => {
    const payment = request.headers()['payment-signature'];
    if (payment !== undefined) paid.push(payment);
    if (paid.length === 1) {
      await route.fetch();
      return route.abort();
    }
    return route.continue();
  });
  await page.click('#pay');
  await page.click('#confirm button');
  await page.click('text=Ask again with the same payment');
  await page.waitForSelector('#outcome .good');
  t.is(paid.length, 2);
  t.is(paid[0], paid[1]);
  await close();
});

test('a request that is not valid is said, and nothing is charged; a file fills in the text', async (t) => {
  const { page, close } = await visitor.open('/apis/html-to-markdown');
  await run(page, { html: ' ' });
  t.regex((await page.textContent('#outcome')) ?? '', /html.*Nothing was charged\.Change the request/);
  const file = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<h3>From a file</h3>') };
  await page.setInputFiles('#console-html-file', file);
  await run(page);
  t.is(await page.textContent('.rendered h3'), 'From a file');
  await close();
});

test('the console is the first thing on the page, and quickstarts are tabs that are remembered and need no script', async (t) => {
  for (const width of [1280, 390]) {
    const plain = await visitor.open('/apis/geocode', { viewport: { width, height: 844 }, javaScriptEnabled: false });
    t.true(Number((await plain.page.locator('#console').boundingBox())?.y) < 600);
    t.true(await plain.page.isVisible('text=curl -i'));
    await plain.page.click('label[for=quickstart-python]');
    t.deepEqual(
      [await plain.page.isVisible('text=curl -i'), await plain.page.isVisible('text=import base64')],
      [false, true],
    );
    await plain.close();
  }
  const { page, close } = await visitor.open('/apis/geocode');
  await page.click('label[for=quickstart-mcp]');
  await page.goto(`${stack.urls[0]}/apis/html-to-markdown`);
  await page.waitForSelector('#quickstart-mcp:checked');
  t.true(await page.isVisible('text=mcpServers'));
  await close();
});
