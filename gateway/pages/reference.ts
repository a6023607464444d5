import { html } from './site/html.ts';
import type { Site } from './site/site.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Scalar sets styles from its script, and shows images of its own as data. Everything else is as for the other pages. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Publishes the API reference: Scalar, from its package, over `/openapi.json`. */
export function publishReference(site: Site): void {
  const start = site.asset('reference.js', SCRIPT_TYPE);
  const scalar = site.lateAsset('scalar.js', SCRIPT_TYPE, async () =>
    (await import('./scalar-script.ts')).readScalar(),
  );
  site.page(
    '/reference',
    async () => ({
      title: 'API reference',
      description: 'Every endpoint of the HTTP API, with its fields, errors and examples.',
      isWide: true,
      main: html`<section class="intro" aria-label="About the reference"><h1>API reference</h1>
<p>Every endpoint is described in <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). The pages of the <a href="/apis">APIs</a> try calls on the free credit. <noscript>The reference below needs JavaScript. Without it, read the pages of the <a href="/apis">APIs</a> and of <a href="/docs/verified-execution">verified execution</a>.</noscript></p></section>
<div id="reference"></div>`,
      scripts: [await scalar(), start],
    }),
    undefined,
    { policy: POLICY },
  );
}
