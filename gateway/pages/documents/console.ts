import type { Operation } from '../../operations/operation/operation.ts';
import { type Html, html } from '../site/html.ts';

export interface ConsoleAssets {
  readonly client: string;
  readonly script: string;
  readonly stylesheet: string;
  readonly outlines: string;
}

/** Tries an operation in the browser, on the free credit of a wallet that is made there. */
export function renderConsole({ path, requestExample, name }: Operation, { client, outlines }: ConsoleAssets): Html {
  return html`<section id="console" class="console" aria-labelledby="console-title">
<h2 id="console-title">Try ${name}</h2>
<p>A new wallet is made in this tab. It signs in and uses its free credit, and each step is shown. The console never pays, and the wallet never holds money. What you send is kept as <a href="#what-is-kept">described below</a>.</p>
<noscript><p class="note">The console needs JavaScript. Without it, use the commands above.</p></noscript>
<form data-path="${path}" data-client="${client}" data-outlines="${outlines}" hidden>
<label for="console-body">Request body</label>
<textarea id="console-body" rows="8" spellcheck="false">${JSON.stringify(requestExample, null, 2)}</textarea>
<p><button>Run on the free credit</button></p>
</form>
<ol id="steps" aria-live="polite"></ol>
<div id="outcome" aria-live="polite"></div>
</section>`;
}
