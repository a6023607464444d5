import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Contact } from '../config/config.ts';
import { SHARED_SCHEMAS } from '../operations/operation/route-schema.ts';

/** Collects the routes that are registered after it into the OpenAPI document, served at `/openapi.json`. */
export async function registerOpenApi(
  app: FastifyInstance,
  { origin, contact }: { readonly origin: URL; readonly contact: Contact },
): Promise<void> {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollhouse',
        version: '1.0.0',
        summary: 'Pay-per-call operations with a free trial',
        description:
          'Every operation is a POST with a JSON body. Pay it with x402 (USDC, scheme exact or batch-settlement), or try it on the free credit of USD 0.05 that every wallet gets once, by signing in with the wallet (SIWX).',
        contact,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
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
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of verified execution: thk_…' },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `schema-${index}`) },
  });
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
