import { GRANT_MICRO_USD } from '../../../services/ledger/contract/trial-terms.ts';
import { type SellerTerms, schemesOf } from '../../access/offer/accepts.ts';
import type { Contact } from '../../config/config.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import type { Endpoint } from '../../verified/endpoint.ts';

export interface ToolEndpoint {
  readonly path: string;
  readonly title: string;
  readonly tools: readonly { readonly name: string }[];
}

/** What the documents for programs describe. */
export interface Described {
  readonly contact: Contact;
  readonly terms: SellerTerms;
  /** What all trials together may spend in a UTC day. */
  readonly dailyBudgetMicroUsd: bigint;
  readonly operations: readonly Operation[];
  readonly verified: { readonly endpoints: readonly Endpoint[] };
  readonly toolEndpoints: readonly ToolEndpoint[];
}

/** `/agent.json`. */
export function describeAgent(
  { contact, terms, dailyBudgetMicroUsd, operations, toolEndpoints }: Described,
  origin: string,
): object {
  return {
    name: 'Tollhouse',
    description: 'Pay-per-call operations for agents and programs, with a free trial by wallet sign-in',
    url: origin,
    contact,
    openapiUrl: `${origin}/openapi.json`,
    payment: { protocol: 'x402', version: 2, schemes: schemesOf(terms), network: terms.network, asset: terms.asset },
    trial: {
      signIn: 'sign-in-with-x',
      network: terms.network,
      grantMicroUsd: String(GRANT_MICRO_USD),
      dailyBudgetMicroUsd: String(dailyBudgetMicroUsd),
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

/** `/llms.txt`: https://llmstxt.org. */
export function describeForModels(
  { operations, verified: { endpoints }, toolEndpoints }: Described,
  origin: string,
): string {
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
