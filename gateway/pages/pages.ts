import type { FastifyInstance } from 'fastify';
import type { SellerTerms } from '../access/offer/accepts.ts';
import type { Contact } from '../config/config.ts';
import type { Health } from '../http/health.ts';
import type { Operation } from '../operations/operation/operation.ts';
import { toUsd } from '../operations/operation/usd.ts';
import type { Endpoint } from '../verified/endpoint.ts';
import { type ConsoleAssets, renderConsole } from './documents/console.ts';
import {
  describeDecisions,
  describeIndex,
  renderDecisions,
  renderDocument,
  renderIndex,
} from './documents/docs-pages.ts';
import { describeHome, renderCards, renderHome } from './documents/home-page.ts';
import { type Library, readLibrary } from './documents/library.ts';
import { describeOperation, renderOperation, type Served } from './documents/operation-page.ts';
import { createSearch, type Found, renderSearch } from './documents/search.ts';
import { registerErrorPages } from './error-pages.ts';
import { publishOperatorPage } from './operator-page.ts';
import { publishForPrograms, type ToolEndpoint } from './programs/programs.ts';
import { publishReference } from './reference.ts';
import { html } from './site/html.ts';
import { navigationLink, type Page } from './site/layout.ts';
import { once } from './site/once.ts';
import { createSite, MARKDOWN, PLAIN, type Site } from './site/site.ts';
import { publishRecordPages } from './verified/record-pages.ts';

const STATUS_MAX_AGE_S = 5;

export interface Published {
  readonly contact: Contact;
  readonly terms: SellerTerms;
  readonly operations: readonly Operation[];
  readonly verified: { readonly endpoints: readonly Endpoint[] };
  readonly toolEndpoints: readonly ToolEndpoint[];
  readonly readHealth: () => Promise<Health>;
  readonly dailyBudgetMicroUsd: bigint;
  readonly retentionDays: number;
  readonly isSandbox: boolean;
  /** Whether the operator's page is served. */
  readonly hasOperatorPage: boolean;
}

/** Publishes the site, and the documents for programs. */
export function registerPages(app: FastifyInstance, options: Published & { readonly origin: URL }): void {
  const site = createSite(app);
  registerErrorPages(app, site);
  const { origin } = options.origin;
  const { dailyBudgetMicroUsd, retentionDays } = options;
  const served: Served = { origin, dailyBudgetMicroUsd, retentionDays };
  const assets: ConsoleAssets = {
    client: site.asset('trial-client.js', 'text/javascript; charset=utf-8'),
    script: site.asset('generated/console.js', 'text/javascript; charset=utf-8'),
    stylesheet: site.asset('console.css', 'text/css; charset=utf-8'),
    outlines: site.asset('generated/world.json', 'application/json; charset=utf-8'),
    terms: options.terms,
    isSandbox: options.isSandbox,
  };
  const home = { operations: options.operations, ...served };
  site.page(
    '/',
    async () => ({
      title: 'Tollhouse',
      description: 'APIs that agents pay per call with x402, and proofs that agents did what was approved.',
      main: renderHome(home, { health: await options.readHealth(), assets }),
      scripts: [assets.script],
      stylesheets: [assets.stylesheet],
      markdown: '/index.md',
    }),
    () => describeHome(home),
    { maxAgeS: STATUS_MAX_AGE_S },
  );
  publishOperations(site, options.operations, { served, assets });
  const library = once(() => readLibrary());
  publishDocuments(site, library);
  publishSearch(site, { library, operations: options.operations, served });
  publishReference(site);
  publishRecordPages(site, origin, options.isSandbox);
  if (options.hasOperatorPage) publishOperatorPage(site);
  publishForPrograms(site, { ...options, origin, library });
}

function publishOperations(
  site: Site,
  operations: readonly Operation[],
  { served, assets }: { readonly served: Served; readonly assets: ConsoleAssets },
): void {
  const list = operations.map(
    ({ name, summary, priceMicroUsd }) =>
      `- [${name}](/apis/${name}): ${summary}. **USD ${toUsd(priceMicroUsd)}** per call.`,
  );
  const overview = `# APIs\n\nEvery operation is a \`POST\` with a JSON body. [How a call is tried and paid](/docs/api).\n\n${list.join('\n')}\n`;
  site.page(
    '/apis',
    () => ({
      title: 'APIs',
      description: 'Operations that are paid per call, or tried on a free credit.',
      main: html`<h1>APIs</h1><p>Every operation is a <code>POST</code> with a JSON body. <a href="/docs/api">How a call is tried and paid</a>.</p>${renderCards(operations, 'h2')}`,
      markdown: '/apis.md',
    }),
    () => overview,
  );
  for (const operation of operations) {
    const path = `/apis/${operation.name}`;
    const links = operations.map(({ name }) => navigationLink(`/apis/${name}`, name, name === operation.name));
    const markdown = describeOperation(operation, served);
    // Rendered once: rendering takes milliseconds of the thread that answers calls.
    const page = once(async () => ({
      title: operation.name,
      description: `${operation.summary}. ${operation.description}`,
      main: renderOperation(markdown, renderConsole(operation, assets)),
      scripts: [assets.script],
      stylesheets: [assets.stylesheet],
      markdown: `${path}.md`,
      aside: html`<h2>APIs</h2><ul>${links}</ul>`,
    }));
    site.page(path, page, () => markdown);
  }
}

function publishDocuments(site: Site, library: () => Promise<Library>): void {
  const rendered = new Map<string, Page>();
  site.page(
    '/docs',
    async () => renderIndex(await library()),
    async () => describeIndex(await library()),
  );
  site.page(
    '/docs/decisions',
    async () => renderDecisions(await library()),
    async () => describeDecisions(await library()),
  );
  site.page(
    '/docs/*',
    async ({ url }) => {
      const found = await library();
      const path = pathOf(url);
      const document = found.documents.get(path);
      if (document !== undefined) {
        const page = rendered.get(path) ?? renderDocument(found, document);
        rendered.set(path, page);
        return page;
      }
      const source = path.endsWith('.md') ? found.documents.get(path.slice(0, -3))?.markdown : undefined;
      if (source !== undefined) return { type: MARKDOWN, text: source };
      const file = found.files.get(path);
      return file && { type: PLAIN, text: file.text };
    },
    async ({ url }) => (await library()).documents.get(pathOf(url).replace(/\.md$/, ''))?.markdown,
  );
}

interface Searched {
  readonly library: () => Promise<Library>;
  readonly operations: readonly Operation[];
  readonly served: Served;
}

function publishSearch(site: Site, { library, operations, served }: Searched): void {
  const search = once(async (): Promise<(query: string) => readonly Found[]> => {
    const { documents } = await library();
    const described = operations.map((operation) => ({
      path: `/apis/${operation.name}`,
      title: operation.name,
      markdown: describeOperation(operation, served),
    }));
    return createSearch([...described, ...documents.values()]);
  });
  site.page(
    '/search',
    async ({ query }) => {
      const text = queryOf(query);
      return renderSearch(text, text === '' ? [] : (await search())(text));
    },
    undefined,
    { maxAgeS: 0 },
  );
}

const MAX_QUERY = 100;

function queryOf(query: unknown): string {
  const text = typeof query === 'object' && query !== null && 'q' in query ? query.q : '';
  return typeof text === 'string' ? text.trim().slice(0, MAX_QUERY) : '';
}

const pathOf = (url: string): string => url.split('?')[0]?.replace(/\/$/, '') ?? '';
