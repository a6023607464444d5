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
  /** What is on the page without an id, before the form for a key and an id. */
  readonly before?: Html;
  /** What is on every page, after the record. */
  readonly after?: (id: string) => Html;
}

const PLAN: RecordPage = {
  folder: 'plans',
  title: 'Plan',
  description: 'Read a plan in words, and approve it.',
  says: 'Read what the plan allows, and approve exactly this plan.',
  instead: 'GET /api/v1/plans/{plan_id} with Accept: text/markdown, and POST /api/v1/plans/{plan_id}/approve',
  script: 'records',
};
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
export function publishRecordPages(site: Site, origin: string): void {
  const stylesheet = site.asset('records.css', 'text/css; charset=utf-8');
  const scripts = new Map(
    ['records', 'proofs'].map((name) => [name, site.asset(`generated/${name}.js`, 'text/javascript; charset=utf-8')]),
  );
  for (const kind of [PLAN, EXECUTION, proofOf(origin)]) {
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

function shell({ folder, title, says, instead, before, after }: RecordPage, id: string) {
  return html`<h1>${title}</h1>
<p class="lede">${says}</p>
<noscript><p class="note">This page needs JavaScript. Without it, call <code>${instead}</code>.</p></noscript>
${id === '' ? before : undefined}
<form id="access" data-folder="${folder}" hidden>
<label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" required pattern="thk_.+" placeholder="thk_…" size="36"></label>
<label>Id <input name="id" autocomplete="off" spellcheck="false" required value="${id}" size="38"></label>
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
