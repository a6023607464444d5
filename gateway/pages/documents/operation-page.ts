import { TRIAL_STATUSES } from '../../../services/ledger/contract/trial-terms.ts';
import { ERROR_CODES, type ErrorCode } from '../../../services/platform/errors/error-codes.ts';
import type { ErrorEntry } from '../../../services/platform/errors/error-entry.ts';
import { createTrialInfo } from '../../access/offer/trial-info.ts';
import { type Operation, toolNameOf } from '../../operations/operation/operation.ts';
import { toUsd } from '../../operations/operation/usd.ts';
import { type Html, html } from '../site/html.ts';
import { cell, renderMarkdown } from '../site/render-markdown.ts';
import { fieldTable } from './fields.ts';
import { pythonQuickstart } from './python-quickstart.ts';

/** The errors that callers meet most. */
const COMMON: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'PAYMENT_REUSED',
  'RATE_LIMITED',
  'OVERLOADED',
  'TRIAL_UNAVAILABLE',
];

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** What the documents say of this server. */
export interface Served {
  readonly origin: string;
  /** What all trials together may spend in a UTC day, as configured. */
  readonly dailyBudgetMicroUsd: bigint;
  /** Days after which bodies of calls are deleted, as configured. */
  readonly retentionDays: number;
}

/** The documentation of an operation, as Markdown. */
export function describeOperation(
  operation: Operation,
  { origin, dailyBudgetMicroUsd, retentionDays }: Served,
): string {
  const { name, summary, description, path, priceMicroUsd, request, response } = operation;
  const example = JSON.stringify(operation.requestExample);
  return `# ${name}

${summary}. ${description}

\`POST ${path}\` · **USD ${toUsd(priceMicroUsd)}** per call, paid with x402 or from the free credit of USD 0.05 that every wallet gets once.

## Quickstart

On the free credit. To pay for the call instead, use any x402 client, as in [this program](/docs/api#payment).

### curl

1. Send the body without a payment and without a proof:

   \`\`\`sh
   curl -i --max-time 30 ${origin}${path} \\
     -H 'content-type: application/json' \\
     -d '${example.replaceAll("'", "'\\''")}'
   \`\`\`

2. The answer is 402. Its \`PAYMENT-REQUIRED\` header is base64 of JSON. It has the price and, in \`extensions["sign-in-with-x"]\`, a challenge that is valid for 300 seconds.
3. Sign the challenge with your wallet (EIP-4361 text, EIP-191 signature). Contract wallets are not supported.
4. Send the identical request once more with \`SIGN-IN-WITH-X\`: base64 of the challenge's fields with \`address\`, \`chainId\`, \`type\` and \`signature\`.
5. The result is confirmed when \`X-Access-Mode\` is \`trial\`, \`X-Trial-Status\` is \`charged\`, \`X-Trial-Accounting-Status\` is \`confirmed\` and there is no payment response. Otherwise stop, whatever the status: neither repeat the call nor pay. Stop at every redirect, too, and after 30 seconds without an answer.

### TypeScript

In a folder of your own, after \`npm install viem @x402/extensions\`:

\`\`\`ts
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const wallet = privateKeyToAccount(generatePrivateKey());
// Each request ends after 30 seconds, and no redirect is followed.
const plainFetch: typeof fetch = (request) =>
  fetch(request, { redirect: 'error', signal: AbortSignal.timeout(30_000) });
const answer = await wrapFetchWithSIWx(plainFetch, wallet)('${origin}${path}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${example}),
});
const confirmed = {
  'x-access-mode': 'trial',
  'x-trial-status': 'charged',
  'x-trial-accounting-status': 'confirmed',
  'payment-response': null,
  'x-payment-response': null,
};
if (answer.status !== 200 || Object.entries(confirmed).some(([name, value]) => answer.headers.get(name) !== value)) {
  throw new Error(\`not confirmed, so neither repeat nor pay: \${answer.status} \${await answer.text()}\`);
}
console.log('confirmed', await answer.json());
\`\`\`

Without packages, [/assets/trial-client.js](/assets/trial-client.js) does all of this in JavaScript and checks the challenge, too.

### Python

With Debian's packages \`python3-ecdsa\` and \`python3-pycryptodome\`:

\`\`\`python
${pythonQuickstart({ url: `${origin}${path}`, body: example })}
\`\`\`

### MCP

The operation is the tool \`${toolNameOf(operation)}\`, paid per call with x402. In the list of servers of an agent whose wallet pays:

\`\`\`json
{ "mcpServers": { "tollhouse": { "type": "http", "url": "${origin}/mcp" } } }
\`\`\`

## Request

${fieldTable(request)}

${json(operation.requestExample)}

## Response

${fieldTable(response)}

${json(operation.responseExample)}

## The free trial

The policy \`once_per_wallet_shared_across_apis\` gives every wallet USD 0.05 once, for all operations together. It does not expire. All trials together may spend USD ${toUsd(dailyBudgetMicroUsd)} per UTC day. An unsigned call says where the trial is, in \`extensions["seller-trial"].info\`:

| Status | Next step | What to do |
|---|---|---|
${TRIAL_STATUSES.map((status) => {
  const { nextStep } = createTrialInfo(status, priceMicroUsd);
  return `| \`${status}\` | \`${nextStep.action}\` | ${cell(nextStep.description)} |`;
}).join('\n')}

## Errors

The most common ones, of [all errors](/docs/errors):

| Status | Code | Meaning | What to do |
|---|---|---|---|
${COMMON.map((code) => {
  const { http, meaning, remedy }: ErrorEntry = ERROR_CODES[code];
  return `| ${http} | \`${code}\` | ${cell(meaning)} | ${cell(remedy)} |`;
}).join('\n')}

A trial stops at every error: neither send the proof again nor pay automatically. The body of an error is \`{"error":{"code","message","requestId"}}\`.

## What is kept

Bodies of executed requests and responses are kept encrypted for operator review, and deleted asynchronously after ${retentionDays} ${retentionDays === 1 ? 'day' : 'days'}. Do not send secrets.

Authentication and payment headers are not recorded. What is needed to account for a call is kept: the wallet address, the amount, the nonce of a sign-in until it expires, and for a payment a keyed hash of the request. The authorization of a payment is kept encrypted until the payment is final, and the last two vouchers of a channel until later ones replace them.
`;
}

/** The page: what the operation does, the console, the quickstarts as tabs, and the reference. */
export function renderOperation(markdown: string, console: Html): Html {
  const [intro = '', quickstart = '', reference = ''] = markdown.split(/^(?=## (?:Quickstart|Request)$)/m);
  const [before = '', ...samples] = quickstart.split(/^### /m);
  const tabs = samples.map((sample) => {
    const end = sample.indexOf('\n');
    return { name: sample.slice(0, end), content: renderMarkdown(sample.slice(end)) };
  });
  return html`${renderMarkdown(intro)}${console}${renderMarkdown(before)}${renderTabs(tabs)}${renderMarkdown(reference)}`;
}

/** Tabs that work without scripts: styles show the section after the checked radio button. */
const renderTabs = (tabs: readonly { readonly name: string; readonly content: Html }[]): Html =>
  html`<div class="tabs" role="group" aria-label="Ways to call">${tabs.map(({ name, content }, index) => {
    const id = `quickstart-${name.toLowerCase()}`;
    return html`<input type="radio" name="quickstart" id="${id}"${index === 0 ? html` checked` : undefined}><label for="${id}">${name}</label><section aria-label="${name}">${content}</section>`;
  })}</div>`;
