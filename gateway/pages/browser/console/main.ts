import { toUsd } from '../../../operations/operation/usd.ts';
import { codeBlock, element, find } from '../page/dom.ts';
import { term } from '../page/terms.ts';
import { type CallFailure, type OutcomeWords, wordsOfPayment, wordsOfTrial } from './outcome-words.ts';
import { type Priced, pricedOf, signPayment, transactionOf } from './payment.ts';
import { type Request, readFiles, readRequest } from './request-form.ts';
import { viewsOf } from './result-views.ts';
import { CallError, observed, post } from './send.ts';
import { showStep } from './steps.ts';
import { tabWallet } from './tab-wallet.ts';
import { keepTab } from './tabs.ts';

// The console of the start page or of an operation's page. It tries the operation on the free credit of a new wallet: the
// trial client sends no payment. In the sandbox it can also pay with play money, each time after the visitor confirmed how
// much goes to whom. Neither begins by itself, whatever became of the other.

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

/** A request with its signed payment. Sending it again pays nothing more. */
interface PaidCall {
  readonly request: Request;
  readonly payment: string;
}

const form = find('#console form', HTMLFormElement);
const steps = find('#steps', HTMLOListElement);
const outcome = find('#outcome', HTMLElement);
const buttons = form.querySelectorAll('button');
const { path = '', client = '', outlines = '', price = '', network = '' } = form.dataset;
const url = new URL(path, location.href).href;
const amount = `USD ${toUsd(BigInt(price))}`;
let isRunning = false;

keepTab();
readFiles(form);
form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  act(runTrial);
});
form.querySelector('#pay')?.addEventListener('click', () => {
  if (form.reportValidity()) act(askPrice);
});
// Another request may be sent, whatever became of the one before. A payment that was to be confirmed was not for it.
form.addEventListener('input', () => {
  if (isRunning) return;
  enable(true);
  document.querySelector('#confirm')?.remove();
});

function enable(isEnabled: boolean): void {
  for (const button of buttons) button.disabled = !isEnabled;
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
async function askPrice(): Promise<End> {
  const request = readRequest(form);
  return paying(async () => {
    const { headers } = await post(steps, { url, body: JSON.stringify(request), wanted: 402 });
    const priced = pricedOf(headers.get('payment-required'), price, network);
    if (priced === undefined)
      throw new CallError('WRONG_OFFER', 'The server asks for another payment than this page says.', {
        isSigned: false,
      });
    return { parts: [confirmation(priced, request)], mayRepeat: true };
  });
}

function confirmation(priced: Priced, request: Request): HTMLElement {
  const { offer } = priced;
  const cancel = element('button', { type: 'button', class: 'quiet' }, 'Cancel');
  cancel.addEventListener('click', () => outcome.replaceChildren(element('p', {}, 'Nothing was signed or paid.')));
  return element(
    'section',
    { id: 'confirm', 'aria-labelledby': 'confirm-title' },
    element('h3', { id: 'confirm-title' }, 'Confirm the payment'),
    element(
      'dl',
      {},
      ...term('Amount', `USD ${toUsd(BigInt(offer.amount))} of play money (${offer.amount} micro-USD)`),
      ...term('Network', `${offer.network}, the chain of this sandbox`),
      ...term('To', element('code', {}, offer.payTo)),
      ...term('From', element('code', {}, tabWallet().address)),
    ),
    element('p', { class: 'hint' }, 'The faucet of the sandbox funds this wallet first. It was made in this tab.'),
    element(
      'p',
      { class: 'buttons' },
      workButton('Sign and pay', () => pay(priced, request)),
      cancel,
    ),
  );
}

async function pay(priced: Priced, request: Request): Promise<End> {
  const wallet = tabWallet();
  return paying(async () => {
    const faucet = new URL('/sandbox/faucet', url).href;
    await post(steps, { url: faucet, body: JSON.stringify({ address: wallet.address }), wanted: 200 });
    const payment = await signPayment(priced, wallet);
    const says = `The wallet ${wallet.address} signs an authorization of ${amount}.`;
    showStep(steps, { title: 'Sign.', says, details: atob(payment) });
    return sendPaid({ request, payment });
  });
}

function sendPaid(paid: PaidCall): Promise<End> {
  const { request, payment } = paid;
  return paying(async () => {
    const answer = await post(steps, { url, body: JSON.stringify(request), payment, wanted: 200 });
    const transaction = transactionOf(answer.headers.get('payment-response'));
    if (transaction === undefined)
      throw new CallError('UNCONFIRMED', 'The answer does not say that the payment was made.', { isSigned: true });
    const says = `Paid: ${amount} of play money, in transaction ${transaction}.`;
    return succeeded(says, request, await answer.json());
  }, paid);
}

/** @param paid the call that may be sent again, once its payment is signed */
async function paying(work: Work, paid?: PaidCall): Promise<End> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    return failed(failure, wordsOfPayment(failure), paid);
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
function failed({ code, details }: CallFailure, { what, charge, next }: OutcomeWords, paid?: PaidCall): End {
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
  const step = stepFor(next, paid);
  const parts = [element('p', { class: 'bad' }, what), element('p', {}, element('strong', {}, charge)), ...step, hint];
  return { parts, mayRepeat: next !== 'stop' && next !== 'same-payment' };
}

function stepFor(next: OutcomeWords['next'], paid: PaidCall | undefined): readonly HTMLElement[] {
  if (next === 'change') return [element('p', {}, 'Change the request, and run it again.')];
  if (next === 'again') return [element('p', {}, workButton('Try again', runTrial))];
  if (next === 'same-payment' && paid !== undefined)
    return [
      element(
        'p',
        {},
        workButton('Ask again with the same payment', () => sendPaid(paid)),
      ),
    ];
  if (next !== 'pay') return [];
  if (network !== '') return [element('p', {}, workButton(`Pay ${amount} of play money`, askPrice))];
  const how = element('a', { href: '/docs/api#payment' }, 'How a call is paid');
  return [element('p', {}, 'To go on, call the operation with a client that pays. ', how, '.')];
}

function workButton(label: string, work: Work): HTMLButtonElement {
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', () => act(work), { once: true });
  return button;
}
