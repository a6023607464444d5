import type { SellerTerms } from '../../access/offer/accepts.ts';
import { NETWORK_NAMES } from '../../access/offer/network-names.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { toUsd } from '../../operations/operation/usd.ts';
import { type Html, html } from '../site/html.ts';
import type { Field } from './fields.ts';
import { SAMPLE } from './samples.ts';

export interface ConsoleAssets {
  readonly client: string;
  readonly script: string;
  readonly stylesheet: string;
  readonly outlines: string;
  /** Where and in which token a call is paid. */
  readonly terms: Pick<SellerTerms, 'network' | 'asset'>;
  /** Whether the console can pay with the play money of the sandbox. A wallet of the browser can pay everywhere. */
  readonly isSandbox: boolean;
}

/** What is filled in at first, and the result shown for it. */
interface Sample {
  readonly values: Readonly<Record<string, unknown>>;
  readonly result: string;
}

const sampleOf = ({ name, requestExample, responseExample }: Operation): Sample =>
  name === 'html-to-markdown'
    ? { values: { html: SAMPLE.html }, result: SAMPLE.markdown }
    : { values: requestExample, result: JSON.stringify(responseExample, null, 2) };

/** Tries an operation in the browser, on the free credit of a wallet that is made there. The result is beside the form. */
export function renderConsole(
  operation: Operation,
  { client, outlines, terms: { network, asset }, isSandbox }: ConsoleAssets,
  title = 'Try it',
): Html {
  const { path, name, priceMicroUsd, request } = operation;
  const { values, result } = sampleOf(operation);
  const fields = Object.entries<Field>(request.properties);
  const isRequired = ([member]: readonly [string, Field]) => request.required?.includes(member);
  const required = fields.filter(isRequired).map(([member, field]) => control(member, field, values[member]));
  const optional = fields.filter((field) => !isRequired(field)).map(([member, field]) => control(member, field));
  return html`<section id="console" class="console" aria-labelledby="console-title">
<h2 id="console-title">${title}</h2>
<noscript><p class="note">The console needs JavaScript. Without it, use the commands on this page.</p></noscript>
<div class="beside">
<div>
<form data-path="${path}" data-client="${client}" data-outlines="${outlines}" data-price="${String(priceMicroUsd)}" data-network="${network}" data-network-name="${NETWORK_NAMES[network] ?? network}" data-asset="${asset}" hidden>
${required}
${optional.length === 0 ? undefined : html`<details><summary>Options</summary>${optional}</details>`}
<p class="buttons"><button>Run on the free credit</button>${isSandbox ? html`<button type="button" class="quiet" id="pay">Pay USD ${toUsd(priceMicroUsd)} of play money</button>` : undefined}</p>
</form>
<p class="hint">A wallet is made in this tab. ${isSandbox ? 'It pays only when you confirm a payment, and only with the play money of this sandbox.' : 'It signs in and never holds money. A wallet of your browser pays only when you have confirmed how much goes to whom.'} What you send is kept as <a href="/apis/${name}#what-is-kept">described</a>.</p>
</div>
<div id="outcome" aria-live="polite"><h3>Result of the example</h3><pre tabindex="0"><code>${result}</code></pre></div>
<ol id="steps" aria-live="polite"></ol>
</div>
</section>`;
}

/** The field of a form for a member of the body. A text of any length may also come from a file. */
function control(member: string, { type, description, maxLength, minimum, maximum }: Field, value?: unknown): Html {
  const id = `console-${member}`;
  const text = value === undefined ? '' : String(value);
  const required = value === undefined ? undefined : html` required`;
  const hint = description ? html`<span class="hint" id="${id}-hint">${description}</span>` : undefined;
  const common = html`id="${id}" name="${member}"${hint && html` aria-describedby="${id}-hint"`}${required}`;
  const label = html`<label for="${id}">${labelOf(member)}</label>`;
  if (type === 'number' || type === 'integer') {
    const step = type === 'integer' ? '1' : 'any';
    return html`<p class="field">${label}<input ${common} type="number" step="${step}" min="${minimum}" max="${maximum}" value="${text}">${hint}</p>`;
  }
  if (maxLength !== undefined) {
    return html`<p class="field">${label}<input ${common} maxlength="${maxLength}" value="${text}" spellcheck="false">${hint}</p>`;
  }
  return html`<p class="field">${label}<textarea ${common} rows="10" spellcheck="false">
${text}</textarea>${hint}</p>
<p class="field"><label for="${id}-file">Or a file</label><input id="${id}-file" type="file" data-into="${id}"></p>`;
}

/** The name of a member as words: `sourceUrl` is "Source URL". */
function labelOf(member: string): string {
  const words = member
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(?:html|url)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
