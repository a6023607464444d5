import { html } from './site/html.ts';
import type { Site } from './site/site.ts';

/**
 * Publishes the frame of the operator's page. It has no facts: the browser reads them with the operator's key, which stays
 * in the memory of the page.
 */
export function publishOperatorPage(site: Site): void {
  const scripts = [site.asset('generated/operator.js', 'text/javascript; charset=utf-8')];
  const stylesheets = ['records.css', 'operator.css'].map((name) => site.asset(name, 'text/css; charset=utf-8'));
  const page = { title: 'Operator', description: 'State of this server, for its operators.', scripts, stylesheets };
  site.page('/operator', () => ({ ...page, main: FRAME }), undefined, { maxAgeS: 0 });
}

const FRAME = html`<h1>Operator</h1>
<p class="lede">The state of this server, and what its operators can do about it.</p>
<noscript><p class="note">This page needs JavaScript. Without it, call <code>curl -H "Authorization: Bearer $KEY" …/operator/facts</code>. <a href="/docs/operations/operator-page">The page's documentation</a> lists the other addresses.</p></noscript>
<form id="access" hidden>
<label>Operator's key <input name="key" type="password" autocomplete="off" spellcheck="false" required minlength="32" size="44"></label>
<button>Open</button>
<p class="hint">The key is kept in the memory of this page alone, and is sent to this server alone. It is gone when you leave or reload the page.</p>
</form>
<div class="opened"><p id="notice" role="status"></p><button id="leave" type="button" hidden>Close and forget the key</button></div>
<div id="operator" hidden>
<section id="state" aria-labelledby="state-title"><h2 id="state-title">State</h2><div class="content"></div></section>
<section id="calls" aria-labelledby="calls-title"><h2 id="calls-title">New calls</h2><div class="content"></div>
<form class="act"><label>Reason <input name="reason" required maxlength="500" autocomplete="off"></label><button></button></form><p class="outcome" role="status"></p></section>
<section id="jobs" aria-labelledby="jobs-title"><h2 id="jobs-title">Jobs</h2><div class="content"></div>
<form class="act"><label>State <select name="state"><option>failed</option><option>waiting</option><option>delayed</option><option>active</option></select></label><label>Reason to try again <input name="reason" maxlength="500" autocomplete="off"></label><button>List</button></form><p class="outcome" role="status"></p><ul class="found"></ul></section>
<section id="money" aria-labelledby="money-title"><h2 id="money-title">Credit and settlements</h2><div class="content"></div></section>
<section id="bodies" aria-labelledby="bodies-title"><h2 id="bodies-title">Retained bodies</h2><div class="content"></div>
<form class="act"><label>Id of a call or record <input name="id" required autocomplete="off" spellcheck="false" size="38" pattern="[0-9a-f\\-]{36}"></label><label>Reason to read <input name="reason" maxlength="500" autocomplete="off"></label><button>Find</button></form>
<p class="hint">Every reading is in the audit trail, under the name of your key, before the bodies are shown.</p><p class="outcome" role="status"></p><ul class="found"></ul></section>
<section id="acts" aria-labelledby="acts-title"><h2 id="acts-title">Audit trail</h2>
<form class="act"><label>Id that acts were done to (empty: all) <input name="subject" maxlength="100" autocomplete="off" spellcheck="false" size="38"></label><button>Show</button></form><p class="outcome" role="status"></p><ol class="found"></ol></section>
</div>`;
