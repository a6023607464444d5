import type { Operation } from '../../operations/operation/operation.ts';
import { type Html, html } from '../site/html.ts';

export interface ConsoleAssets {
  readonly client: string;
  readonly script: string;
  readonly stylesheet: string;
  readonly outlines: string;
}

/** A console for the text of one member of the body, which is all that a call needs. */
export interface TextConsole {
  readonly member: string;
  readonly title: string;
  readonly label: string;
  readonly text: string;
  readonly button: string;
  /** Shown until there is an outcome. */
  readonly example: Html;
}

/** Tries an operation in the browser, on the free credit of a wallet that is made there. */
export function renderConsole(
  { path, requestExample, name }: Operation,
  { client, outlines }: ConsoleAssets,
  { member, title, label, text, button, example }: Partial<TextConsole> = {},
): Html {
  return html`<section id="console" class="console" aria-labelledby="console-title">
<h2 id="console-title">${title ?? `Try ${name}`}</h2>
<p>A new wallet is made in this tab. It signs in and uses its free credit, and each step is shown. The console never pays, and the wallet never holds money. What you send is kept as <a href="/apis/${name}#what-is-kept">described</a>.</p>
<noscript><p class="note">The console needs JavaScript. Without it, use the commands on this page.</p></noscript>
<form data-path="${path}" data-client="${client}" data-outlines="${outlines}"${member === undefined ? undefined : html` data-member="${member}"`} hidden>
<label for="console-body">${label ?? 'Request body'}</label>
<textarea id="console-body" rows="8" spellcheck="false">${text ?? JSON.stringify(requestExample, null, 2)}</textarea>
<p><button>${button ?? 'Run on the free credit'}</button></p>
</form>
<ol id="steps" aria-live="polite"></ol>
<div id="outcome" aria-live="polite">${example}</div>
</section>`;
}
