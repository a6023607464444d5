import { html } from '../site/html.ts';
import type { Page } from '../site/layout.ts';
import type { Site } from '../site/site.ts';

interface RecordPage {
  /** The folder of the pages' paths: `plans`. */
  readonly folder: string;
  readonly title: string;
  readonly description: string;
  /** What the page is for, and what a person without scripts does instead. */
  readonly says: string;
  readonly instead: string;
}

const PLAN: RecordPage = {
  folder: 'plans',
  title: 'Plan',
  description: 'Read a plan in words, and approve it.',
  says: 'Read what the plan allows, and approve exactly this plan.',
  instead: 'GET /api/v1/plans/{plan_id} with Accept: text/markdown, and POST /api/v1/plans/{plan_id}/approve',
};
const EXECUTION: RecordPage = {
  folder: 'executions',
  title: 'Execution',
  description: 'See what an agent did, the evidence for it, and what the service found.',
  says: 'See what the agent did, the evidence for it, and what the service found.',
  instead: 'GET /api/v1/executions/{execution_id}',
};

/**
 * Publishes pages of records of verified execution. A page has no record: the browser reads it with the visitor's API key,
 * which stays in the memory of the page.
 */
export function publishRecordPages(site: Site): void {
  const script = site.asset('generated/records.js', 'text/javascript; charset=utf-8');
  const stylesheet = site.asset('records.css', 'text/css; charset=utf-8');
  for (const kind of [PLAN, EXECUTION]) {
    const page = (id: string): Page => ({
      title: kind.title,
      description: kind.description,
      main: shell(kind, id),
      scripts: [script],
      stylesheets: [stylesheet],
    });
    site.page(`/${kind.folder}`, () => page(''));
    site.page(`/${kind.folder}/:id`, ({ params }) => page(idOf(params)), undefined, { maxAgeS: 0 });
  }
}

function shell({ folder, title, says, instead }: RecordPage, id: string) {
  return html`<h1>${title}</h1>
<p class="lede">${says}</p>
<noscript><p class="note">This page needs JavaScript. Without it, call <code>${instead}</code>.</p></noscript>
<form id="access" data-folder="${folder}" hidden>
<label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" required pattern="thk_.+" placeholder="thk_…" size="36"></label>
<label>Id <input name="id" autocomplete="off" spellcheck="false" required value="${id}" size="38"></label>
<button>Open</button>
<p class="hint">The key is kept in the memory of this page alone, and is sent to this server alone. It is gone when you leave or reload the page.</p>
</form>
<div id="record" aria-live="polite"></div>`;
}

function idOf(params: unknown): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : '';
  return typeof id === 'string' ? id.slice(0, 64) : '';
}
