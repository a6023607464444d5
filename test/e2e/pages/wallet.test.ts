import test from 'ava';
import type { Page } from 'playwright-core';
import { createWallet } from '../../kit/chain.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { startVisitor, violationsOf } from './browse.ts';

const stack = await useSharedStack();
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

/** A wallet as a page meets it (EIP-1193), on the side of the page. */
const PROVIDER = `{
  async request(asked) {
    const { result, error } = await askWallet(asked);
    if (error !== undefined) throw Object.assign(new Error('as the wallet says'), error);
    return result;
  },
}`;
const ANNOUNCED = `const provider = ${PROVIDER};
  addEventListener('eip6963:requestProvider', () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { name: 'Purse' }, provider } })));`;
const INJECTED = `window.ethereum = ${PROVIDER};`;

interface Asked {
  readonly method: string;
  readonly params: readonly [string, string];
}
type Answers = Readonly<Record<string, (params: Asked['params']) => unknown>>;

/** Fails as wallets do (EIP-1193, EIP-1474). */
const refuse = (code: number) => () => {
  throw Object.assign(new Error(), { code });
};

/** Opens the console in a browser with a wallet of its own. @returns also which methods the wallet was asked for */
async function openConsole(provider: string, answers: Answers = {}) {
  const account = createWallet();
  const asked: string[] = [];
  const usual: Answers = {
    eth_requestAccounts: () => [account.address.toLowerCase()],
    eth_chainId: () => '0x7a69',
    eth_signTypedData_v4: ([, text]) => account.signTypedData(JSON.parse(text)),
  };
  const opened = await visitor.open('/nowhere', { bypassCSP: true });
  await opened.page.exposeFunction('askWallet', async ({ method, params }: Asked) => {
    asked.push(method);
    try {
      return { result: await { ...usual, ...answers }[method]?.(params) };
    } catch (error) {
      return { error: { code: Object(error).code } };
    }
  });
  await opened.page.addInitScript(provider);
  await opened.page.goto(`${stack.urls[0]}/apis/geocode`);
  return { ...opened, address: account.address.toLowerCase(), asked };
}

async function confirm(page: Page): Promise<void> {
  await page.click('#confirm button:text-is("Sign and pay")');
  await page.waitForSelector('#outcome .good, #outcome .bad');
}

for (const [kind, provider, label] of [
  ['is announced', ANNOUNCED, 'Pay with Purse'],
  ['is only injected', INJECTED, "Pay with the browser's wallet"],
] as const) {
  test(`a wallet that ${kind} pays what the visitor confirmed, and nothing before that`, async (t) => {
    const { page, faults, close, address, asked } = await openConsole(provider);
    for (const isCanceled of [true, false]) {
      await page.click(`text=${label}`);
      const text = (await page.textContent('#confirm')) ?? '';
      t.regex(text, /0\.014 USDC of play money.*the sandbox's chain \(eip155:31337\).*To0x[0-9a-fA-F]{40}From0x/);
      t.true(text.includes(address));
      if (isCanceled) await page.click('text=Cancel');
      t.false(asked.includes('eth_signTypedData_v4'));
    }
    t.deepEqual(await violationsOf(page), []);
    await confirm(page);
    t.regex((await page.textContent('#outcome .good')) ?? '', /^Paid: 0\.014 USDC .* in transaction 0x[0-9a-f]{64}\.$/);
    t.is(asked.filter((method) => method === 'eth_signTypedData_v4').length, 1);
    t.deepEqual(faults, []);
    await close();
  });
}

/** How a wallet fails, what the page says of it, and the last of its buttons. */
const FAILURES: readonly (readonly [kind: string, Answers, says: RegExp, button: string])[] = [
  ['is locked', { eth_requestAccounts: () => [] }, /Purse is locked/, 'Pay with Purse'],
  ['gives no account', { eth_requestAccounts: refuse(4100) }, /Purse is locked/, 'Pay with Purse'],
  ['still asks', { eth_requestAccounts: refuse(-32_002) }, /earlier question: open it/, 'Pay with Purse'],
  ['may not sign', { eth_signTypedData_v4: refuse(4001) }, /You declined in Purse/, 'Pay with Purse'],
  ['signs nothing', { eth_signTypedData_v4: () => null }, /Purse gave no signature/, 'Pay with Purse'],
  ['uses another network', { eth_chainId: () => '0x1' }, /another network than/, "Switch Purse to the sandbox's chain"],
  [
    'changes its account',
    { eth_requestAccounts: () => [createWallet().address] },
    /another account than the one that you confirmed/,
    'Pay with Purse',
  ],
];

for (const [kind, answers, says, button] of FAILURES) {
  test(`a wallet that ${kind} pays nothing, and the page says so`, async (t) => {
    const { page, faults, close } = await openConsole(ANNOUNCED, answers);
    const sent: string[] = [];
    page.on('request', (request) => {
      if ('payment-signature' in request.headers()) sent.push(request.url());
    });
    await page.click('text=Pay with Purse');
    await page.waitForSelector('#confirm, #outcome .bad');
    if ((await page.locator('#confirm').count()) > 0) await confirm(page);
    t.regex((await page.textContent('#outcome')) ?? '', says);
    t.is(await page.textContent('#outcome strong'), 'Nothing was paid.');
    t.is(await page.locator('#outcome button').last().textContent(), button);
    t.deepEqual([sent, faults], [[], []]);
    await close();
  });
}

test('a wallet switches to the network before a payment is confirmed, or is told which network to add', async (t) => {
  let chain = '0x1';
  let isKnown = false;
  const wallet_switchEthereumChain = () => {
    if (!isKnown) refuse(4902)();
    chain = '0x7a69';
    return null;
  };
  const answers = { eth_chainId: () => chain, wallet_switchEthereumChain };
  const { page, close, asked } = await openConsole(ANNOUNCED, answers);
  await page.click('text=Pay with Purse');
  await page.click('#outcome button');
  await page.waitForSelector('text=WALLET_UNKNOWN_NETWORK');
  const text = (await page.textContent('#outcome')) ?? '';
  t.true(text.includes(`chain id 31337 and the RPC address ${stack.urls[0]}/sandbox/rpc.Nothing was paid.`));
  await page.click('#outcome button:text-is("Pay with Purse")');
  await page.waitForSelector('text=Switch Purse');
  isKnown = true;
  await page.click('text=Switch Purse');
  await page.waitForSelector('#confirm');
  t.false(asked.includes('eth_signTypedData_v4'));
  await close();
});

test('a wallet without money is told that nothing was paid, and an offer that the page does not make is not signed', async (t) => {
  const { page, close, asked } = await openConsole(ANNOUNCED);
  await page.route('**/sandbox/faucet', (route) => route.fulfill({ json: {} }));
  await page.click('text=Pay with Purse');
  await confirm(page);
  t.regex((await page.textContent('#outcome')) ?? '', /holds too little USDC.*Nothing was paid\..*Pay with Purse/);
  await page.route('**/api/v1/maps/geocode', async (route) => {
    const response = await route.fetch();
    const offered = atob(response.headers()['payment-required'] ?? '').replace('"14000"', '"14001"');
    await route.fulfill({ response, headers: { ...response.headers(), 'payment-required': btoa(offered) } });
  });
  await page.click('#outcome button:text-is("Pay with Purse")');
  await page.waitForSelector('text=WRONG_OFFER');
  t.is(asked.filter((method) => method === 'eth_signTypedData_v4').length, 1);
  await close();
});

test('a payment that was not settled is sent again until it expires, and the visitor signs another one only after that', async (t) => {
  const { page, close, asked } = await openConsole(ANNOUNCED);
  let isLate = false;
  await page.route('**/sandbox/faucet', (route) => route.fulfill({ json: {} }));
  await page.route('**/api/v1/maps/geocode', async (route, request) => {
    if (!('payment-signature' in request.headers())) return route.continue();
    const response = await route.fetch();
    const { date = '', ...headers } = response.headers();
    const later = new Date(Date.parse(date) + 600_000).toUTCString();
    const answer = { ...headers, 'payment-response': btoa('{"success":false}'), date: isLate ? later : date };
    return route.fulfill({ response, headers: answer });
  });
  await page.click('text=Pay with Purse');
  await confirm(page);
  t.regex((await page.textContent('#outcome')) ?? '', /it still could be until it expires/);
  t.deepEqual(await page.locator('#console button:enabled').allTextContents(), ['Ask again with the same payment']);
  isLate = true;
  await page.click('#outcome button');
  await page.waitForSelector('#outcome button:text-is("Pay with Purse")');
  t.regex((await page.textContent('#outcome')) ?? '', /Nothing was paid/);
  t.is(asked.filter((method) => method === 'eth_signTypedData_v4').length, 1);
  await close();
});
