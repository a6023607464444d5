import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { PUBLIC_CODES } from '../../services/platform/errors/code-lists.ts';
import { ERROR_CODES } from '../../services/platform/errors/error-codes.ts';
import { html } from './site/html.ts';
import { pageHeaders, prefersHtml, type Site } from './site/site.ts';

const envelope = Compile(
  Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String(), requestId: Type.String() }) }),
);

/** Shows errors as pages to browsers that open an address. Programs get the same errors as JSON. */
export function registerErrorPages(app: FastifyInstance, site: Site): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isOpened = request.method === 'GET' && reply.statusCode >= 400 && prefersHtml(request);
    const type = reply.getHeader('content-type');
    if (!isOpened || typeof payload !== 'string' || !String(type).startsWith('application/json')) return payload;
    const body: unknown = JSON.parse(payload);
    if (!envelope.Check(body)) return payload;
    reply
      .type('text/html; charset=utf-8')
      .headers({ ...pageHeaders(reply), 'content-security-policy': site.policy })
      .header('vary', 'accept')
      .removeHeader('content-length');
    return site.render(errorPage(reply.statusCode, body.error), request.url);
  });
}

interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

function errorPage(status: number, { code, message, requestId }: ShownError) {
  const known = PUBLIC_CODES.find((one) => one === code);
  const title = status === 404 ? 'There is nothing here' : `Error ${status}`;
  return {
    title,
    description: title,
    main: html`<h1>${title}</h1>
${message.toLowerCase() === title.toLowerCase() ? undefined : html`<p><strong>${message}</strong></p>`}
${known === undefined ? undefined : html`<p>${ERROR_CODES[known].meaning}</p><p>${ERROR_CODES[known].remedy}</p>`}
<p><a href="/">Home</a> · <a href="/docs">Documents</a> · <a href="/docs/errors">All errors</a></p>
<p>Code <code>${code}</code>, request <code>${requestId}</code></p>`,
  };
}
