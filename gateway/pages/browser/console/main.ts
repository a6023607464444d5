import { toUsd } from '../../../operations/operation/usd.ts';
import { codeBlock, element, find } from '../page/dom.ts';
import { term } from '../page/terms.ts';
import { type CallFailure, type OutcomeWords, wordsOfPayment, wordsOfTrial } from './outcome-words.ts';
import { type Payer, type Payment, type Priced, pricedOf, signPayment, transactionOf } from './payment.ts';
import { type Request, readFiles, readRequest } from './request-form.ts';
import { viewsOf } from './result-views.ts';
import { CallError, observed, post } from './send.ts';
import { showStep } from './steps.ts';
import { tabWallet } from './tab-wallet.ts';
import { keepTab } from './tabs.ts';
import { type BrowserWallet, findWallets } from './wallet.ts';

// The console of the start page or of an operation's page. It tries the operation on the free credit of a new wallet: the
// trial client sends no payment. It can also pay, with a wallet of the browser or with the play money of the sandbox, each
// time after the visitor confirmed how much goes to whom. Neither begins by itself, whatever became of the other.

interface TrialClient {
  readonly tryOperation: (options: object) => Promise<{
    readonly result: Readonly<Record<string, unknown>>;
    readonly accounting: Readonly<Record<string, string | null>>;
  }>;
}

/** What is shown, and whether the form may send the same request again. */
interface End {
  readonly parts: readonly Node[];
  readonly mayRepeat: boolean;
}
type Work = () => Promise<End>;

/** Play money, or a wallet of the browser. */
interface PaymentMethod {
  readonly label: string;
  /** About the wallet, for whoever is about to confirm. */
  readonly hint: string;
  connect(): Promise<Payer> | Payer;
  /** Undefined for the play money. */
  readonly wallet?: BrowserWallet;
}

/** A request with its signed payment. Sending it again pays nothing more. */
interface PaidCall {
  readonly request: Request;
  readonly payment: Payment;
}

/** What can be tried after a failed payment. */
interface Retry {
  readonly method?: PaymentMethod;
  readonly paid?: PaidCall;
}

const form = find('#console form', HTMLFormElement);
const steps = find('#steps', HTMLOListElement);
const outcome = find('#outcome', HTMLElement);
const { path = '', client = '', outlines = '', price = '', network = '', networkName = '', asset = '' } = form.dataset;
const playButton = form.querySelector('#pay');
const url = new URL(path, location.href).href;
const amount = `USD ${toUsd(BigInt(price))}`;
const money = `${toUsd(BigInt(price))} USDC${playButton === null ? '' : ' of play money'}`;
const methods: PaymentMethod[] = [];
let isRunning = false;

keepTab();
readFiles(form);
form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  act(runTrial);
});
if (playButton instanceof HTMLButtonElement)
  offer(playButton, { label: playButton.textContent, hint: 'The wallet was made in this tab.', connect: tabWallet });
// The chain of a sandbox is in no wallet.
const access = playButton === null ? '' : ` and the RPC address ${new URL('/sandbox/rpc', url).href}`;
findWallets({ name: networkName, id: network, access }, (wallet) => {
  const button = element('button', { type: 'button', class: 'quiet' }, `Pay with ${wallet.name}`);
  button.disabled = form.querySelector('button')?.disabled ?? false;
  find('#console .buttons', HTMLElement).append(button);
  const hint = `${wallet.name} asks you once more, in its own window.`;
  offer(button, { label: `Pay with ${wallet.name}`, hint, connect: () => wallet.connect(), wallet });
});
// Another request may be sent, whatever became of the one before. A payment that was to be confirmed was not for it.
form.addEventListener('input', () => {
  if (isRunning) return;
  enable(true);
  document.querySelector('#confirm')?.remove();
});

function offer(button: HTMLButtonElement, method: PaymentMethod): void {
  methods.push(method);
  button.addEventListener('click', () => {
    if (form.reportValidity()) act(() => askPrice(method));
  });
}

function enable(isEnabled: boolean): void {
  for (const button of form.querySelectorAll('button')) button.disabled = !isEnabled;
}

/** Does one thing at a time, and shows how it ended. */
function act(work: Work): void {
  isRunning = true;
  enable(false);
  steps.replaceChildren();
  outcome.replaceChildren(element('p', {}, 'Running …'));
  void work().then(({ parts, mayRepeat }) => {
    isRunning = false;
    enable(mayRepeat);
    outcome.replaceChildren(...parts);
    outcome.scrollIntoView({ block: 'nearest' });
  });
}

async function runTrial(): Promise<End> {
  const request = readRequest(form);
  const wallet = tabWallet();
  try {
    const { tryOperation }: TrialClient = await import(client);
    const { result, accounting } = await tryOperation({
      url,
      body: request,
      fetch: (address: string, init: RequestInit) => observed(steps, address, init),
      signer: {
        address: wallet.address,
        signMessage: async ({ message }: { readonly message: string }) => {
          const signature = await wallet.signMessage({ message });
          const says = `The wallet ${wallet.address} signs the challenge. This is no payment.`;
          showStep(steps, { title: 'Sign in.', says, details: `${message}\n\nSignature: ${signature}` });
          return signature;
        },
      },
    });
    const left = accounting['x-trial-balance-atomic'];
    const credit = left == null ? '' : ` USD ${toUsd(BigInt(left))} of its free credit is left.`;
    return await succeeded(`Confirmed: ${amount} was charged to the wallet's free credit.${credit}`, request, result);
  } catch (error) {
    const failure = failureOf(error);
    return failed(failure, wordsOfTrial(failure));
  }
}

/** The visitor confirms what the server asks for, if that is what the page says. */
async function askPrice(method: PaymentMethod): Promise<End> {
  const request = readRequest(form);
  return paying({ method }, async () => {
    const { headers } = await post(steps, { url, body: JSON.stringify(request), wanted: 402 });
    const priced = pricedOf(headers.get('payment-required'), { amount: price, network, asset });
    if (priced === undefined)
      throw new CallError('WRONG_OFFER', 'The server asks for another payment than this page says.', {
        isSigned: false,
      });
    const { address } = await connect(method);
    return { parts: [confirmation(priced, { request, method, address })], mayRepeat: true };
  });
}

/** A wallet may wait for the visitor in a window of its own, which not every browser shows. */
async function connect(method: PaymentMethod): Promise<Payer> {
  if (method.wallet !== undefined)
    outcome.replaceChildren(element('p', {}, `Answer ${method.wallet.name} if it asks …`));
  return method.connect();
}

/** A call, and the wallet that the visitor confirms for it. */
interface Choice {
  readonly request: Request;
  readonly method: PaymentMethod;
  readonly address: string;
}

function confirmation(priced: Priced, choice: Choice): HTMLElement {
  const { payTo, amount: microUsd } = priced.offer;
  const cancel = element('button', { type: 'button', class: 'quiet' }, 'Cancel');
  cancel.addEventListener('click', () => outcome.replaceChildren(element('p', {}, 'Nothing was signed or paid.')));
  const faucet = playButton === null ? '' : 'The faucet of the sandbox funds this wallet first. ';
  return element(
    'section',
    { id: 'confirm', 'aria-labelledby': 'confirm-title' },
    element('h3', { id: 'confirm-title' }, 'Confirm the payment'),
    element(
      'dl',
      {},
      ...term('Amount', `${money} (${microUsd} micro-USD)`),
      ...term('Network', `${networkName} (${network})`),
      ...term('To', element('code', {}, payTo)),
      ...term('From', element('code', {}, choice.address)),
    ),
    element('p', { class: 'hint' }, `${faucet}${choice.method.hint}`),
    element(
      'p',
      { class: 'buttons' },
      workButton('Sign and pay', () => pay(priced, choice)),
      cancel,
    ),
  );
}

async function pay(priced: Priced, { request, method, address }: Choice): Promise<End> {
  return paying({ method }, async () => {
    // The visitor may have chosen another account or network since.
    const payer = await connect(method);
    if (payer.address !== address)
      throw new CallError('WALLET_OTHER_ACCOUNT', 'The wallet uses another account than the one that you confirmed.', {
        isSigned: false,
      });
    if (playButton !== null) {
      const faucet = new URL('/sandbox/faucet', url).href;
      await post(steps, { url: faucet, body: JSON.stringify({ address }), wanted: 200 });
    }
    const payment = await signPayment(priced, payer);
    const says = `The wallet ${address} signs an authorization of ${amount}.`;
    showStep(steps, { title: 'Sign.', says, details: atob(payment.header) });
    return sendPaid({ request, payment });
  });
}

function sendPaid(paid: PaidCall): Promise<End> {
  const { request, payment } = paid;
  return paying({ paid }, async () => {
    const answer = await post(steps, { url, body: JSON.stringify(request), payment, wanted: 200 });
    const transaction = transactionOf(answer.headers.get('payment-response'));
    if (transaction === undefined)
      throw new CallError('UNCONFIRMED', 'The answer does not say that the payment was made.', { isSigned: true });
    return succeeded(`Paid: ${money}, in transaction ${transaction}.`, request, await answer.json());
  });
}

async function paying(retry: Retry, work: Work): Promise<End> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    return failed(failure, wordsOfPayment(failure), retry);
  }
}

/** Anything but a failure of a call is a fault of this page, after which nothing is certain. */
const failureOf = (error: unknown): CallFailure =>
  typeof Object(error).code === 'string' && typeof Object(error).details === 'object'
    ? (error as CallFailure)
    : { code: 'PAGE_FAULT', message: String(error), details: {} };

async function succeeded(says: string, request: Request, result: Readonly<Record<string, unknown>>): Promise<End> {
  // A picture that cannot be drawn does not make a call fail.
  const views = await viewsOf(request, result, outlines).catch(() => [codeBlock(JSON.stringify(result, null, 2))]);
  return { parts: [element('p', { class: 'good' }, says), ...views], mayRepeat: true };
}

/** What happened, whether something was charged, and the button for what may be done. */
function failed({ code, details }: CallFailure, { what, charge, next }: OutcomeWords, retry: Retry = {}): End {
  const requestId = details.accounting?.['x-request-id'];
  const help = element('a', { href: '/docs/errors' }, 'errors');
  const hint = element(
    'p',
    { class: 'hint' },
    `${code}${requestId == null ? '' : `, request ${requestId}`}. `,
    'All ',
    help,
    '.',
  );
  const step = stepFor(next, retry);
  const parts = [element('p', { class: 'bad' }, what), element('p', {}, element('strong', {}, charge)), ...step, hint];
  return { parts, mayRepeat: next !== 'stop' && next !== 'same-payment' };
}

function stepFor(next: OutcomeWords['next'], { method, paid }: Retry): readonly HTMLElement[] {
  if (next === 'change') return [element('p', {}, 'Change the request, and run it again.')];
  if (next === 'again') return [choices(workButton('Try again', runTrial))];
  if (next === 'same-payment' && paid !== undefined)
    return [choices(workButton('Ask again with the same payment', () => sendPaid(paid)))];
  if (next === 'switch' && method?.wallet !== undefined) {
    const { wallet } = method;
    return [choices(workButton(`Switch ${wallet.name} to ${networkName}`, () => switchNetwork(method, wallet)))];
  }
  if (next !== 'pay') return [];
  if (methods.length > 0) return [choices(...methods.map((one) => workButton(one.label, () => askPrice(one))))];
  const how = element('a', { href: '/docs/api#payment' }, 'How a call is paid');
  return [element('p', {}, 'To go on, call the operation with a client that pays. ', how, '.')];
}

const choices = (...buttons: readonly HTMLElement[]) => element('p', { class: 'buttons' }, ...buttons);

const switchNetwork = (method: PaymentMethod, wallet: BrowserWallet): Promise<End> =>
  paying({ method }, async () => {
    await wallet.switchNetwork();
    return askPrice(method);
  });

function workButton(label: string, work: Work): HTMLButtonElement {
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', () => act(work), { once: true });
  return button;
}
