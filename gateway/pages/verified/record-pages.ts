import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { type Html, html } from '../site/html.ts';
import type { Page } from '../site/layout.ts';
import type { Site } from '../site/site.ts';
import { renderFileForm, renderOfflineSteps } from './proof-parts.ts';

interface RecordPage {
  /** The folder of the pages' paths: `plans`. */
  readonly folder: string;
  readonly title: string;
  readonly description: string;
  /** What the page is for, and what a person without scripts does instead. */
  readonly says: string;
  readonly instead: string;
  /** The module in `assets/generated/`. */
  readonly script: string;
  /** Whether the page lists records without an id. */
  readonly isList?: boolean;
  /** What is on the page without an id, before the form for a key and an id. */
  readonly before?: Html;
  /** What is on every page, after the record. */
  readonly after?: (id: string) => Html | undefined;
}

const planOf = (origin: string, isSandbox: boolean): RecordPage => ({
  folder: 'plans',
  title: 'Plans',
  description: 'Read a plan in words, and approve it.',
  isList: true,
  says: 'Read what the plan allows, and approve exactly this plan.',
  instead:
    'GET /api/v1/plans?state=draft, GET /api/v1/plans/{plan_id} with Accept: text/markdown, and POST /api/v1/plans/{plan_id}/approve',
  script: 'records',
  after: (id) => (isSandbox && id === '' ? renderExample(origin) : undefined),
});

/** How plans come to wait in the sandbox, whose keys are in its data folder. */
const renderExample = (origin: string): Html => html`<section aria-labelledby="example-title">
<h2 id="example-title">An example plan in this sandbox</h2>
<p>The first start proposed a refund. Open this page with the approver's key, which <code>${COMMAND_LINES.start}</code> prints, and choose the plan to read and approve it.</p>
<p>In the checkout of Tollhouse, this proposes another one and prints that key.</p>
<pre tabindex="0"><code>KEY=$(node -p "require('./.tollhouse/keys/sandbox.json').agent")
node -p 'JSON.stringify({ plan_text: fs.readFileSync("docs/verified-execution/refund-agent/plan.yaml", "utf8") })' |
  curl -s ${origin}/api/v1/plans -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d @-
node -p "require('./.tollhouse/keys/sandbox.json').approver"</code></pre>
<p><a href="/docs/verified-execution/plan-text">How a plan is written</a></p>
</section>`;

const EXECUTION: RecordPage = {
  folder: 'executions',
  title: 'Execution',
  description: 'See what an agent did, the evidence for it, and what the service found.',
  says: 'See what the agent did, the evidence for it, and what the service found.',
  instead: 'GET /api/v1/executions/{execution_id}',
  script: 'records',
};

const proofOf = (origin: string): RecordPage => ({
  folder: 'proofs',
  title: 'Proof',
  description: 'See what was proven and who signed it, and verify the proof in your browser.',
  says: 'See what was proven and who signed it. Your browser verifies the signatures and the log itself.',
  instead: 'GET /api/v1/proofs/{proof_id}, and verify the file with the command below',
  script: 'proofs',
  before: renderFileForm(),
  after: (id) => renderOfflineSteps(origin, id),
});

/**
 * Publishes pages of records of verified execution. A page has no record: the browser reads it with the visitor's API key,
 * which stays in the memory of the page.
 */
export function publishRecordPages(site: Site, origin: string, isSandbox: boolean): void {
  const stylesheet = site.asset('records.css', 'text/css; charset=utf-8');
  const scripts = new Map(
    ['records', 'proofs'].map((name) => [name, site.asset(`generated/${name}.js`, 'text/javascript; charset=utf-8')]),
  );
  for (const kind of [planOf(origin, isSandbox), EXECUTION, proofOf(origin)]) {
    const page = (id: string): Page => ({
      title: kind.title,
      description: kind.description,
      main: shell(kind, id),
      scripts: [scripts.get(kind.script) ?? ''],
      stylesheets: [stylesheet],
    });
    site.page(`/${kind.folder}`, () => page(''));
    site.page(`/${kind.folder}/:id`, ({ params }) => page(idOf(params)), undefined, { maxAgeS: 0 });
  }
}

function shell({ folder, title, says, instead, isList = false, before, after }: RecordPage, id: string) {
  return html`<h1>${title}</h1>
<p class="lede">${says}</p>
<noscript><p class="note">This page needs JavaScript. Without it, call <code>${instead}</code>.</p></noscript>
${id === '' ? before : undefined}
<form id="access" data-folder="${folder}" hidden>
<label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" required pattern="thk_.+" placeholder="thk_…" size="36"></label>
<label>${isList ? 'Id, or nothing to list what waits' : 'Id'} <input name="id" autocomplete="off" spellcheck="false"${isList ? undefined : html` required`} value="${id}" size="38"></label>
<button>Open</button>
<p class="hint">The key is kept in the memory of this page alone, and is sent to this server alone. It is gone when you leave or reload the page.</p>
</form>
<div id="record" aria-live="polite"></div>
${after?.(id)}`;
}

function idOf(params: unknown): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : '';
  return typeof id === 'string' ? id.slice(0, 64) : '';
}
