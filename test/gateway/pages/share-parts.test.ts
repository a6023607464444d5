import test from 'ava';
import fc from 'fast-check';
import { shareParts } from '../../../gateway/pages/share-parts.ts';
import { resolveReferences } from '../../kit/resolve-references.ts';

const TEXT = 'a description that is long enough for its part to be worth a reference, whatever else the part has';
const WAIT = { schema: { type: 'integer' }, description: `${TEXT}, in seconds` };
const ITEM = {
  type: 'object',
  description: TEXT,
  properties: { plan_id: { type: 'string', description: TEXT + TEXT } },
};
const answer = (schema: object) => ({ description: TEXT, content: { 'application/json': { schema } } });
const LATER = { description: TEXT, headers: { 'retry-after': WAIT } };
const operation = (schema: object) => ({ responses: { 200: answer(schema), 429: LATER } });

/** Its paths, without references. */
const pathsOf = (document: object): unknown => Reflect.get(Object(resolveReferences(document)), 'paths');

test('equal parts become components with names, and what is inside them too', (t) => {
  const list = { type: 'array', items: ITEM };
  const document = {
    openapi: '3.1.0',
    paths: {
      '/one': { get: operation(ITEM) },
      '/many': { get: operation(list), post: { responses: { 503: { ...LATER, description: `${TEXT} now` } } } },
    },
    components: { securitySchemes: { key: { type: 'http' } } },
  };
  const later = { $ref: '#/components/responses/TooManyRequests' };
  const item = { $ref: '#/components/schemas/Ok' };
  t.deepEqual(shareParts(document), {
    openapi: '3.1.0',
    paths: {
      '/one': { get: { responses: { 200: answer(item), 429: later } } },
      '/many': {
        get: { responses: { 200: answer({ ...list, items: item }), 429: later } },
        post: {
          responses: {
            503: {
              description: `${TEXT} now`,
              headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
            },
          },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'http' } },
      schemas: { Ok: ITEM },
      responses: {
        TooManyRequests: { description: TEXT, headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } },
      },
      headers: { RetryAfter: WAIT },
    },
  });
});

test('different parts of one name have numbers, and components that exist keep theirs', (t) => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((key, index) => [
      `/${key}`,
      { get: { responses: { 404: { description: TEXT + TEXT + (index % 2) } } } },
    ]),
  );
  const known = { description: 'known' };
  const shared = shareParts({ paths, components: { responses: { NotFound: known } } });
  t.like(shared, { components: { responses: { NotFound: known, NotFound2: { description: TEXT + TEXT + 0 } } } });
  t.deepEqual(pathsOf(shared), paths);
});

test('any document says the same as before', (t) => {
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ type: fc.constant('string'), description: fc.constantFrom('short', TEXT + TEXT) }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ description: fc.constant(TEXT), anyOf: fc.array(tie('schema'), { maxLength: 2 }) }),
      fc.record({ properties: fc.dictionary(fc.constantFrom('items', 'plan_id', '$id', 'a/b'), tie('schema')) }),
    ),
  }));
  const operations = fc.record({
    responses: fc.dictionary(fc.constantFrom('200', '404', '429', '999'), schema.map(answer)),
    parameters: fc.array(
      fc.record({ name: fc.constantFrom('X-PAYMENT', 'limit'), schema, description: fc.constant(TEXT) }),
    ),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('/a', '/b', '/c'), fc.record({ get: operations })), (paths) => {
      t.deepEqual(pathsOf(shareParts({ paths })), paths);
    }),
  );
});
