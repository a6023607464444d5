import type { Library } from '../documents/library.ts';
import { PLAIN, type Site } from '../site/site.ts';
import { type Described, describeAgent, describeForModels } from './describe.ts';

export type { ToolEndpoint } from './describe.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

interface ForPrograms extends Described {
  readonly origin: string;
  readonly library: () => Promise<Library>;
}

/** Publishes what programs look for: descriptions of the operations and tools, robots and a site map. */
export function publishForPrograms(site: Site, described: ForPrograms): void {
  const { origin, operations, library } = described;
  const agent = JSON.stringify(describeAgent(described, origin));
  site.text('/agent.json', JSON_TYPE, () => agent);
  site.text('/.well-known/agent.json', JSON_TYPE, () => agent);
  site.text('/.well-known/x402', JSON_TYPE, () => JSON.stringify(describeResources(described)));
  site.text('/.well-known/mcp.json', JSON_TYPE, () => JSON.stringify(describeServers(described)));
  site.text('/llms.txt', PLAIN, () => describeForModels(described, origin));
  site.text('/robots.txt', PLAIN, () => `User-agent: *\nAllow: /\nDisallow: /search\nSitemap: ${origin}/sitemap.xml\n`);
  site.text('/sitemap.xml', 'application/xml; charset=utf-8', async () => {
    const documents = [...(await library()).documents.keys()];
    const paths = [
      '/',
      '/apis',
      ...operations.map(({ name }) => `/apis/${name}`),
      '/docs',
      '/docs/decisions',
      ...documents,
      '/reference',
    ];
    const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
  });
}

/** The resources that can be paid, for directories of x402. */
function describeResources({ operations, origin }: ForPrograms): object {
  return { version: 1, resources: operations.map(({ path }) => `${origin}${path}`), openapi: `${origin}/openapi.json` };
}

/** The servers of the Model Context Protocol, for their directories. */
function describeServers({ toolEndpoints, origin }: ForPrograms): object {
  return {
    mcpServers: Object.fromEntries(
      toolEndpoints.map(({ path, title }) => {
        const name = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
        return [name, { type: 'streamable-http', url: `${origin}${path}`, description: title }];
      }),
    ),
  };
}
