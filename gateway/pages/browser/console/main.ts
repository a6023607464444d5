import { codeBlock, element, find } from '../page/dom.ts';
import { burnerWallet } from './burner-wallet.ts';
import { showMarkdown } from './markdown-views.ts';
import { drawMap, type Place } from './place-map.ts';
import { describeAnswer, pretty, showStep } from './steps.ts';

// The console of the start page or of an operation's page: it tries the operation on the free credit of a new wallet, and
// shows every step. It never pays: the trial client sends no payment.

interface TrialClient {
  readonly tryOperation: (options: object) => Promise<{
    readonly result: Readonly<Record<string, unknown>>;
    readonly accounting: Readonly<Record<string, string | null>>;
  }>;
}

const form = find('#console form', HTMLFormElement);
const body = find('#console textarea', HTMLTextAreaElement);
const run = find('#console button', HTMLButtonElement);
const steps = find('#steps', HTMLOListElement);
const outcome = find('#outcome', HTMLElement);
const { path = '', client = '', outlines = '', member } = form.dataset;

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  run.disabled = true;
  steps.replaceChildren();
  outcome.replaceChildren(element('p', {}, 'Running …'));
  tryIt()
    .catch(showFailure)
    .finally(() => {
      run.disabled = false;
    });
});

async function tryIt(): Promise<void> {
  const request: unknown = member === undefined ? JSON.parse(body.value) : { [member]: body.value };
  const wallet = burnerWallet();
  const { tryOperation }: TrialClient = await import(client);
  const { result, accounting } = await tryOperation({
    url: new URL(path, location.href).href,
    body: request,
    fetch: observed,
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
  const credit = left == null ? '' : ` USD ${(Number(left) / 1_000_000).toFixed(3)} of its free credit is left.`;
  outcome.replaceChildren(
    element('p', { class: 'good' }, `Confirmed: the call was charged to the wallet's free credit.${credit}`),
    ...(await viewsOf(request, result)),
    codeBlock(JSON.stringify(result, null, 2)),
  );
}

/** Sends a request for the trial client, and shows its answer. */
async function observed(url: string, init: RequestInit): Promise<Response> {
  const isSigned = new Headers(init.headers).has('sign-in-with-x');
  const answer = await fetch(url, init);
  const details = await describeAnswer(answer.clone());
  if (isSigned) {
    const says = `The same request, with the signature, is answered with ${answer.status}.`;
    showStep(steps, { title: 'Call.', says, details });
  } else {
    const says = `The request without a payment is answered with ${answer.status}: the price, and a challenge to sign.`;
    showStep(steps, { title: 'Ask.', says, details });
  }
  return answer;
}

/** Pictures of a result, beside its JSON. */
async function viewsOf(request: unknown, result: Readonly<Record<string, unknown>>): Promise<readonly HTMLElement[]> {
  const source = typeof request === 'object' && request !== null && 'html' in request ? request.html : undefined;
  if (typeof result['markdown'] === 'string' && typeof source === 'string')
    return showMarkdown(source, result['markdown']);
  const places = placesOf(result);
  return places.length === 0 ? [] : [await drawMap(outlines, places)];
}

function placesOf(result: Readonly<Record<string, unknown>>): readonly Place[] {
  const found = Array.isArray(result['results']) ? result['results'] : [result['address'] ?? result];
  return found.filter((one): one is Place => typeof one?.latitude === 'number' && typeof one?.longitude === 'number');
}

/** What went wrong, and what to do next. */
function showFailure(error: unknown): void {
  if (error instanceof SyntaxError) {
    outcome.replaceChildren(element('p', { class: 'bad' }, `The request body is not valid JSON: ${error.message}`));
    return;
  }
  const { code = '', message = String(error), details = {} } = Object(error);
  const step: unknown = details.trial?.nextStep?.description;
  outcome.replaceChildren(
    element('p', { class: 'bad' }, element('strong', {}, `${code} `), message),
    ...(typeof step === 'string' ? [element('p', {}, step)] : []),
    ...(details.trial?.status === 'insufficient_balance' ? [howToContinue()] : []),
    ...(details.json === undefined ? [] : [codeBlock(pretty(JSON.stringify(details.json)))]),
  );
}

const howToContinue = (): HTMLElement =>
  element(
    'p',
    {},
    'The free credit is used up. To continue, call the operation with a client that pays: see ',
    element('a', { href: '/docs/api#payment' }, 'how a call is paid'),
    '.',
  );
