import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { type Html, html } from '../site/html.ts';

/** Where a person chooses or drops a proof file. Scripts show it. */
export const renderFileForm = (): Html => html`<form id="verify-file" class="drop" hidden>
<h2>Verify a proof file</h2>
<p><label for="proof-file">Proof file</label> <input id="proof-file" type="file" accept=".json,application/json"></p>
<p class="hint">Choose the file, or drop it here. No key is needed. The file is verified in this browser, and is sent nowhere. <a href="#sample">Check a sample</a>.</p>
<details><summary>Use a key file of your own</summary>
<p><label for="key-file">Key file</label> <input id="key-file" type="file" accept=".json,application/json"></p>
<p class="hint">Without one, the keys are those that this server publishes: it vouches for itself. To depend on nobody, use the key file that you once got from the operator.</p>
</details>
</form>
<h2>Open a proof of this server</h2>`;

const ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** How a proof is verified without a browser and without this server. */
export function renderOfflineSteps(origin: string, id: string): Html {
  const proof = ID.test(id) ? id : '{proof_id}';
  return html`<section id="offline" aria-labelledby="offline-title">
<h2 id="offline-title">Verify it offline</h2>
<p>The command line of Tollhouse verifies a proof without any server. With the records, it also works out every verdict again.</p>
<pre tabindex="0"><code>KEY=thk_…
curl -fo proof.json -H "authorization: Bearer $KEY" ${origin}/api/v1/proofs/${proof}
curl -fo records.json -H "authorization: Bearer $KEY" ${origin}/api/v1/executions/{execution_id}/records
curl -fo keys.json ${origin}/api/v1/log/keys
${COMMAND_LINES.tollhouse} verify-proof proof.json --keys keys.json --records records.json</code></pre>
<p>Get the keys once, over a channel that you trust, and keep them. To verify without Tollhouse, there is <a href="/docs/verified-execution/proofs#without-tollhouse">one file of JavaScript or of Python</a>. <a href="/docs/verified-execution/proofs">What a proof is, and what it does not establish</a>.</p>
</section>`;
}
