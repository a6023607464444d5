import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type SellerTerms, schemesOf } from '../access/offer/accepts.ts';
import type { Contact } from '../config/config.ts';
import { SHARED_SCHEMAS } from '../operations/operation/route-schema.ts';
import { shareParts } from './share-parts.ts';
import { createContent } from './site/content.ts';
import { once } from './site/once.ts';

/** For agents that read only this document. Directories of x402 show it. */
const GUIDANCE = {
  'x-guidance':
    'POST a JSON body to an operation. The first answer is 402: its header PAYMENT-REQUIRED has the price and a sign-in challenge. Pay with x402, or sign the challenge to use the free credit of the wallet, and send the identical request again. /llms.txt lists everything, and /docs/errors says after which errors a paid request may be repeated; a trial stops at every error.',
};

/** OpenAPI has no scheme for sign-ins by wallets, so directories of x402 know it by the marker. */
const SIGN_IN = {
  type: 'apiKey',
  in: 'header',
  name: 'SIGN-IN-WITH-X',
  description:
    'Base64 of the JSON sign-in proof: the challenge of a 402, signed by a wallet. It uses the free credit of the wallet, and is no payment.',
  'x-agentcash-auth-kind': 'siwx',
} as const;

/** Collects the routes that are registered after it into the OpenAPI document, served at `/openapi.json`. */
export async function registerOpenApi(
  app: FastifyInstance,
  { origin, contact, terms }: { readonly origin: URL; readonly contact: Contact; readonly terms: SellerTerms },
): Promise<void> {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollhouse',
        version: '1.0.0',
        summary: 'Pay-per-call operations with a free trial',
        description: `Every operation is a POST with a JSON body. Pay it with x402 (USDC, scheme ${schemesOf(terms).join(' or ')}), or try it on the free credit of USD 0.05 that every wallet gets once, by signing in with the wallet (SIWX).`,
        contact,
        ...GUIDANCE,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: origin.origin }],
      tags: [
        { name: 'content', description: 'Documents' },
        { name: 'maps', description: 'Addresses and places' },
        { name: 'channels', description: 'Payment channels of the x402 scheme batch-settlement' },
        { name: 'tools', description: 'Operations as tools of the Model Context Protocol' },
        {
          name: 'verified execution',
          description:
            'A plan is approved, an agent records its actions, and the service verifies them from the records alone',
        },
      ],
      security: [],
      components: {
        securitySchemes: {
          siwx: SIGN_IN,
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of verified execution: thk_…' },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `schema-${index}`) },
  });
  const document = once(async () => createContent(Buffer.from(JSON.stringify(describeApi(app)))));
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const content = await document();
    // Kept, but asked for each time: it changes with the settings.
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return content.send(request, reply);
  });
}

/** The OpenAPI document of the routes that an application has once it is ready. */
export const describeApi = (app: FastifyInstance): object => shareParts({ ...app.swagger() });
