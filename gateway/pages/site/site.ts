import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../../services/platform/process/settings.ts';
import { acceptWeight } from '../../http/accept.ts';
import { type Content, createContent } from './content.ts';
import { type Frame, type Page, renderPage } from './layout.ts';
import { once } from './once.ts';

const HTML = 'text/html; charset=utf-8';
export const MARKDOWN = 'text/markdown; charset=utf-8';
export const PLAIN = 'text/plain; charset=utf-8';
const ASSETS = new URL('../assets/', import.meta.url);
const YEAR_S = 31_536_000;

/** Pages load scripts, styles, images and data from this server alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LINKS = [
  ['/', 'Home'],
  ['/apis', 'APIs'],
  ['/plans', 'Plans'],
  ['/proofs', 'Proofs'],
  ['/docs', 'Documents'],
  ['/reference', 'Reference'],
] as const;

export interface PageOptions {
  readonly maxAgeS?: number;
  /** Replaces the policy of the site. */
  readonly policy?: string;
}

/** What a path answers. Undefined: nothing is there. */
type Render<Result> = (request: FastifyRequest) => Promise<Result | undefined> | Result | undefined;

/** A document that is no page. */
export interface TextAnswer {
  readonly type: string;
  readonly text: string;
}

export interface Site {
  /** Publishes a page and, if it has one, its Markdown: at `PATH.md`, and at PATH for `Accept: text/markdown`. */
  page(path: string, render: Render<Page | TextAnswer>, markdown?: Render<string>, options?: PageOptions): void;
  /** Publishes a text of any type. */
  text(path: string, type: string, render: Render<string>, options?: PageOptions): void;
  /** Publishes a file of `assets/`, once however often it is asked for. Returns its path, which changes with its content. */
  asset(name: string, type: string): string;
  /** The same for what is read when it is first needed. */
  lateAsset(name: string, type: string, read: () => Promise<Buffer>): () => Promise<string>;
  render(page: Page, path: string): string;
  readonly policy: string;
}

/**
 * A page uses no device, and no window that it did not open reaches it. A wallet may open a window of its own. Browsers
 * complain about the policy for windows on plain HTTP of another machine, where they do not follow it.
 */
export function pageHeaders(reply: FastifyReply): Readonly<Record<string, string>> {
  const isSecure = reply.hasHeader('strict-transport-security') || isLoopback(reply.request.hostname);
  return {
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(isSecure && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
  };
}

export function createSite(app: FastifyInstance): Site {
  const published = new Map<string, string>();
  const serve = (path: string, type: string, read: () => Content | Promise<Content>) =>
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const content = await read();
      const isNamed = request.url.includes(`v=${content.hash}`);
      const caching = isNamed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=300';
      reply.type(type).headers({ 'cache-control': caching, 'content-security-policy': POLICY });
      return content.send(request, reply);
    });
  const asset: Site['asset'] = (name, type) => {
    const known = published.get(name);
    if (known !== undefined) return known;
    const path = `/assets/${name}`;
    const content = createContent(readFileSync(new URL(name, ASSETS)));
    serve(path, type, () => content);
    const named = `${path}?v=${content.hash}`;
    published.set(name, named);
    return named;
  };
  const lateAsset: Site['lateAsset'] = (name, type, read) => {
    const path = `/assets/${name}`;
    const content = once(async () => createContent(await read()));
    serve(path, type, content);
    return async () => `${path}?v=${(await content()).hash}`;
  };
  const frame: Frame = {
    links: LINKS,
    icon: asset('favicon.svg', 'image/svg+xml'),
    stylesheet: asset('site.css', 'text/css; charset=utf-8'),
    copyScript: asset('generated/copy.js', 'text/javascript; charset=utf-8'),
  };
  const render: Site['render'] = (page, path) => renderPage(page, { frame, path });
  const send = (reply: FastifyReply, type: string, body: string, { maxAgeS = 300, policy = POLICY }: PageOptions) =>
    reply
      .type(type)
      .headers({
        'cache-control': maxAgeS === 0 ? 'no-store' : `public, max-age=${maxAgeS}`,
        'content-security-policy': policy,
        ...(type.startsWith('text/html') && pageHeaders(reply)),
      })
      .send(body);
  const text: Site['text'] = (path, type, renderText, options = {}) => {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const body = await renderText(request);
      return body === undefined ? reply.callNotFound() : send(reply, type, body, options);
    });
  };
  return {
    asset,
    lateAsset,
    policy: POLICY,
    render,
    text,
    page(path, renderBody, markdown, options = {}) {
      app.get(path, { schema: { hide: true } }, async (request, reply) => {
        reply.header('vary', 'accept');
        if (markdown !== undefined && prefersMarkdown(request)) {
          const body = await markdown(request);
          return body === undefined ? reply.callNotFound() : send(reply, MARKDOWN, body, options);
        }
        const page = await renderBody(request);
        if (page === undefined) return reply.callNotFound();
        if ('text' in page) return send(reply, page.type, page.text, options);
        const [here = path] = request.url.split('?');
        return send(reply, HTML, render(page, here), options);
      });
      // A wildcard has its Markdown under its own paths.
      if (markdown !== undefined && !path.endsWith('*')) {
        text(path === '/' ? '/index.md' : `${path}.md`, MARKDOWN, markdown, options);
      }
    },
  };
}

/** Whether the client asks for Markdown and not, or less, for HTML. */
function prefersMarkdown(request: FastifyRequest): boolean {
  return acceptWeight(request, 'text/markdown') > acceptWeight(request, 'text/html');
}

/** Whether the client is a browser that a person uses: it asks for HTML, and less for JSON. */
export function prefersHtml(request: FastifyRequest): boolean {
  return acceptWeight(request, 'text/html') > acceptWeight(request, 'application/json');
}
