import type { Health } from '../../http/health.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { toUsd } from '../../operations/operation/usd.ts';
import { type Html, html } from '../site/html.ts';
import { renderMarkdown } from '../site/render-markdown.ts';
import { type ConsoleAssets, renderConsole } from './console.ts';
import { describeSamples } from './samples.ts';

/** What the home page shows of the server's health. */
export type SiteHealth = Pick<Health, 'status' | 'trials' | 'payments' | 'services'>;

const FLOW = [
  ['Plan', 'An agent proposes a plan: which tools, how often, with which amounts, under which rules.'],
  ['Approve', 'A person reads the plan in words and approves exactly that plan.'],
  ['Act', 'The agent acts, and records its actions with evidence.'],
  ['Verify', 'The service recomputes, with an exact solver and by replay, whether the acts were the plan.'],
  ['Prove', 'If they were, it signs a proof that anyone can verify offline.'],
] as const;

interface Home {
  readonly operations: readonly Operation[];
  readonly origin: string;
  readonly dailyBudgetMicroUsd: bigint;
}

const LEDE =
  'No account, no API key, no deposit. A call is paid with x402 in USDC, or tried on a free credit of USD 0.05 that every wallet gets once.';
const RUN =
  'Tollhouse is free software (Apache License 2.0). On Debian with Node, npm and git, `npm start` in its checkout serves all of this, with play money on a chain of its own. [Running Tollhouse](/docs/operations) goes on to real payments.';
const SAMPLE_PROOF =
  'A refund agent did what was approved: [check its proof](/proofs#sample) in your browser. Its files: [proof](/docs/verified-execution/sample/proof.json), [keys](/docs/verified-execution/sample/keys.json), [records](/docs/verified-execution/sample/records.json).';

/** The operation of the samples and the console, if it is sold. */
const sampled = ({ operations }: Home): Operation | undefined =>
  operations.find(({ name }) => name === 'html-to-markdown');

/** The home page: what this is, a console, how to call, what is sold and proven, and where to go. */
export function renderHome(
  home: Home,
  { health, assets }: { readonly health: SiteHealth; readonly assets: ConsoleAssets },
): Html {
  const operation = sampled(home);
  return html`<h1>APIs that agents pay per call, and proofs that agents did what was approved</h1>
<p class="lede">${LEDE}</p>
${status(health)}
${operation && renderConsole(operation, assets, 'Paste HTML, get Markdown')}
${noTrials(home)}
${operation && html`<h2 id="call">Call it</h2>${renderMarkdown(describeSamples(operation, home.origin))}`}
<h2 id="apis">Pay-per-call APIs</h2>
${renderCards(home.operations, 'h3')}
<h2 id="verified-execution">Verified execution</h2>
<p>For agents that act: payments, mails, migrations, grants. No verdict is taken from the agent.</p>
<ol>${FLOW.map(([name, says]) => html`<li><strong>${name}.</strong> ${says}</li>`)}</ol>
${renderMarkdown(SAMPLE_PROOF)}
<p><a href="/docs/verified-execution">How it works</a> · <a href="/docs/verified-execution/plan-text">A plan in twenty lines</a> · <a href="/docs/verified-execution/proofs">What a proof says</a></p>
<h2 id="run">Run your own</h2>
${renderMarkdown(RUN)}
<h2 id="next">Where next</h2>
<ul>
<li><a href="/docs">Documents</a>: calling the API, verified execution, running the server</li>
<li><a href="/reference">API reference</a>: every endpoint, with examples</li>
<li>For programs: <a href="/openapi.json">OpenAPI</a>, <a href="/agent.json">agent.json</a>, <a href="/llms.txt">llms.txt</a></li>
</ul>`;
}

/** What is sold, with prices. @param heading the element of each name */
export const renderCards = (operations: readonly Operation[], heading: 'h2' | 'h3'): Html =>
  html`<ul class="cards">${operations.map((operation) => card(operation, heading))}</ul>`;

function card({ name, summary, description, priceMicroUsd }: Operation, heading: string): Html {
  return html`<li class="card"><${heading}><a href="/apis/${name}">${name}</a></${heading}><p>${summary}. ${description}</p><p><span class="price">USD ${toUsd(priceMicroUsd)}</span> per call · <a href="/apis/${name}#console">try it free</a></p></li>`;
}

function status({ status: overall, trials, payments, services }: SiteHealth): Html {
  const down = Object.entries(services).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
  const isWell = overall === 'ok' && trials === 'available' && payments === 'available';
  const word = isWell ? 'All parts work' : overall === 'starting' ? 'Starting' : 'Some parts do not work';
  const reasons = [
    ...(trials === 'available' ? [] : [`free trials: ${trials}`]),
    ...(payments === 'available' ? [] : [`new payments: ${payments}`]),
    ...(down.length === 0 ? [] : [`unavailable: ${down.join(', ')}`]),
  ];
  return html`<p><span class="state ${isWell ? 'good' : 'warn'}">${word}</span>${reasons.length === 0 ? undefined : ` (${reasons.join('; ')})`}</p>`;
}

const noTrials = ({ dailyBudgetMicroUsd }: Home): Html | undefined =>
  dailyBudgetMicroUsd === 0n ? html`<p>There are no free trials on this server now.</p>` : undefined;

/** The same as Markdown. */
export function describeHome(home: Home): string {
  const { operations, origin } = home;
  const rows = operations.map(
    ({ name, summary, priceMicroUsd }) =>
      `| [${name}](${origin}/apis/${name}.md) | ${summary} | ${toUsd(priceMicroUsd)} |`,
  );
  const operation = sampled(home);
  return `# Tollhouse

APIs that agents pay per call, and proofs that agents did what was approved. ${LEDE}

${operation === undefined ? '' : `## Call it\n\n${describeSamples(operation, origin)}\n`}## Pay-per-call APIs

| Operation | What it does | USD per call |
|---|---|---|
${rows.join('\n')}

## Verified execution

${FLOW.map(([name, says], index) => `${index + 1}. **${name}.** ${says}`).join('\n')}

${SAMPLE_PROOF}

## Run your own

${RUN}

## Where next

- [Documents](${origin}/docs.md)
- [OpenAPI](${origin}/openapi.json), [agent.json](${origin}/agent.json), [llms.txt](${origin}/llms.txt)
`;
}
