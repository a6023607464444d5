import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { GRANT_MICRO_USD } from '../../services/ledger/contract/trial-terms.ts';
import type { Contact } from '../config/config.ts';
import type { Operation } from '../operations/operation/operation.ts';
import type { Endpoint } from '../verified/endpoint.ts';
import { renderOperationPage } from './operation-page.ts';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export interface Published {
  readonly contact: Contact;
  readonly operations: readonly Operation[];
  readonly verified: { readonly endpoints: readonly Endpoint[] };
  readonly toolEndpoints: readonly ToolEndpoint[];
}

interface ToolEndpoint {
  readonly path: string;
  readonly title: string;
  readonly tools: readonly { readonly name: string }[];
}

/** Publishes a page per operation, the trial client, `/agent.json` and `/llms.txt`. */
export function registerPages(app: FastifyInstance, options: Published & { readonly origin: URL }): void {
  const { operations } = options;
  const { origin } = options.origin;
  const publish = (path: string, type: string, body: string) => {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      return reply
        .type(type)
        .headers({ 'cache-control': 'public, max-age=300', 'content-security-policy': PAGE_POLICY })
        .send(body);
    });
  };
  for (const operation of operations) {
    publish(`/apis/${operation.name}`, 'text/html; charset=utf-8', renderOperationPage(operation, origin));
  }
  publish('/agent.json', 'application/json; charset=utf-8', JSON.stringify(describeAgent(options, origin)));
  publish('/llms.txt', 'text/plain; charset=utf-8', describeForModels(options, origin));
  const client = readFileSync(new URL('./assets/trial-client.js', import.meta.url), 'utf8');
  publish('/assets/trial-client.js', 'text/javascript; charset=utf-8', client);
}

function describeAgent({ contact, operations, toolEndpoints }: Published, origin: string): object {
  return {
    name: 'Tollhouse',
    description: 'Pay-per-call operations for agents and programs, with a free trial by wallet sign-in',
    url: origin,
    contact,
    openapiUrl: `${origin}/openapi.json`,
    payment: { protocol: 'x402', version: 2, scheme: 'exact' },
    trial: {
      signIn: 'sign-in-with-x',
      grantMicroUsd: String(GRANT_MICRO_USD),
      policy: 'once_per_wallet_shared_across_apis',
    },
    operations: operations.map(({ name, operationId, path, summary, priceMicroUsd }) => ({
      name,
      operationId,
      method: 'POST',
      url: `${origin}${path}`,
      summary,
      priceMicroUsd: String(priceMicroUsd),
      documentationUrl: `${origin}/apis/${name}`,
    })),
    mcp: toolEndpoints.map(({ path, title, tools }) => ({
      title,
      url: `${origin}${path}`,
      transport: 'streamable-http',
      protocolVersion: '2025-06-18',
      tools: tools.map(({ name }) => name),
    })),
  };
}

function describeForModels({ operations, verified: { endpoints }, toolEndpoints }: Published, origin: string): string {
  const flow = endpoints.map(({ method, path, summary }) => `- ${method} ${origin}${path}: ${summary}`);
  const lines = operations.map(
    ({ name, path, summary, priceMicroUsd }) =>
      `- [${name}](${origin}/apis/${name}): POST ${path}. ${summary}. ${priceMicroUsd} micro-USD.`,
  );
  const tools = toolEndpoints.map(
    ({ path, title, tools: listed }) =>
      `- POST ${origin}${path}: ${title}. ${listed.map(({ name }) => name).join(', ')}`,
  );
  return `# Tollhouse

> Pay-per-call operations for agents: POST JSON, pay by x402 (USDC) or use the free credit of USD 0.05 that every wallet gets once.

## Operations

${lines.join('\n')}

## Verified execution

Someone approves a plan, an agent records its actions with evidence, and the service computes from these records alone whether the actions match the plan. If they do, it signs a proof. With an API key: \`Authorization: Bearer thk_…\`.

${flow.join('\n')}

## Tools

The same over the Model Context Protocol (streamable HTTP, revision 2025-06-18 and later); \`tools/list\` describes each tool.

${tools.join('\n')}

## Documents

- [OpenAPI](${origin}/openapi.json)
- [Trial client](${origin}/assets/trial-client.js): signs in, checks the accounting, never pays
`;
}
