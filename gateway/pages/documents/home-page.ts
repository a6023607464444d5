import type { Health } from '../../http/health.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { toUsd } from '../../operations/operation/usd.ts';
import { type Html, html } from '../site/html.ts';
import type { Served } from './operation-page.ts';

/** What the home page shows of the server's health. */
export type SiteHealth = Pick<Health, 'status' | 'trials' | 'payments' | 'services'>;

const FLOW = [
  ['Plan', 'An agent proposes a plan: which tools, how often, with which amounts, under which rules.'],
  ['Approve', 'A person reads the plan in words and approves exactly that plan.'],
  ['Act', 'The agent acts, and records its actions with evidence.'],
  ['Verify', 'The service recomputes, with an exact solver and by replay, whether the acts were the plan.'],
  ['Prove', 'If they were, it signs a proof that anyone can verify offline.'],
] as const;

/** The home page: what this is, prices, live status, and where to go. */
export function renderHome(
  operations: readonly Operation[],
  { health, dailyBudgetMicroUsd }: { readonly health: SiteHealth; readonly dailyBudgetMicroUsd: bigint },
): Html {
  return html`<h1>APIs that agents pay per call, and proofs that agents did what was approved</h1>
<p class="lede">No account, no API key, no deposit. A call is paid with x402 in USDC, or tried on a free credit of USD 0.05 that every wallet gets once.</p>
${status(health)}
<h2 id="apis">Pay-per-call APIs</h2>
<ul class="cards">${operations.map(card)}</ul>
<p>${budget(dailyBudgetMicroUsd)}</p>
<p>The same operations are tools of the Model Context Protocol at <code>POST /mcp</code>. <a href="/docs/api">How a call is tried and paid</a>.</p>
<h2 id="verified-execution">Verified execution</h2>
<p>For agents that act: payments, mails, migrations, grants. No verdict is taken from the agent.</p>
<ol>${FLOW.map(([name, says]) => html`<li><strong>${name}.</strong> ${says}</li>`)}</ol>
<p><a href="/docs/verified-execution">How it works</a> · <a href="/docs/verified-execution/plan-text">A plan in twenty lines</a> · <a href="/docs/verified-execution/proofs">What a proof says</a></p>
<h2 id="next">Where next</h2>
<ul>
<li><a href="/docs">Documents</a>: calling the API, verified execution, running the server</li>
<li><a href="/reference">API reference</a>: every endpoint, with examples</li>
<li>For programs: <a href="/openapi.json">OpenAPI</a>, <a href="/agent.json">agent.json</a>, <a href="/llms.txt">llms.txt</a></li>
</ul>`;
}

function card({ name, summary, description, priceMicroUsd }: Operation): Html {
  return html`<li class="card"><h3><a href="/apis/${name}">${name}</a></h3><p>${summary}. ${description}</p><p><span class="price">USD ${toUsd(priceMicroUsd)}</span> per call · <a href="/apis/${name}#console">try it free</a></p></li>`;
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

const budget = (microUsd: bigint): string =>
  microUsd === 0n
    ? 'There are no free trials on this server now.'
    : `All free trials together may spend USD ${toUsd(microUsd)} a day (UTC).`;

/** The same as Markdown. */
export function describeHome(operations: readonly Operation[], { origin, dailyBudgetMicroUsd }: Served): string {
  const rows = operations.map(
    ({ name, summary, priceMicroUsd }) =>
      `| [${name}](${origin}/apis/${name}.md) | ${summary} | ${toUsd(priceMicroUsd)} |`,
  );
  return `# Tollhouse

APIs that agents pay per call, and proofs that agents did what was approved. No account, no API key, no deposit. A call is paid with x402 in USDC, or tried on a free credit of USD 0.05 that every wallet gets once.

## Pay-per-call APIs

| Operation | What it does | USD per call |
|---|---|---|
${rows.join('\n')}

${budget(dailyBudgetMicroUsd)}

## Verified execution

${FLOW.map(([name, says], index) => `${index + 1}. **${name}.** ${says}`).join('\n')}

## Where next

- [Documents](${origin}/docs.md)
- [OpenAPI](${origin}/openapi.json), [agent.json](${origin}/agent.json), [llms.txt](${origin}/llms.txt)
`;
}
