import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { endpoints } from '../../../gateway/verified/index.ts';
import { VerificationServiceService } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { FLOW } from '../../../services/verification/status/flow.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { resolveReferences } from '../../kit/resolve-references.ts';

const readOpenApi = createReader(
  Type.Object({
    paths: Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        Type.Object({
          parameters: Type.Optional(
            Type.Array(Type.Object({ name: Type.String(), required: Type.Optional(Type.Boolean()) })),
          ),
        }),
      ),
    ),
  }),
  'openapi.json',
);

test('every example matches its schema', (t) => {
  for (const { operationId, request, answer } of endpoints) {
    if (request !== undefined) {
      for (const example of request.examples) {
        t.deepEqual(Compile(request.schema).Errors(example)[1], [], operationId);
      }
    }
    t.deepEqual(Compile(answer.schema).Errors(answer.example)[1], [], operationId);
  }
});

test('every step of the flow is an endpoint', (t) => {
  const known = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  for (const { endpoint } of FLOW) t.true(known.has(endpoint), endpoint);
  t.is(new Set(endpoints.map(({ operationId }) => operationId)).size, endpoints.length);
});

test('writes of the flow require an idempotency key', (t) => {
  const required = endpoints.filter(({ idempotencyKey }) => idempotencyKey === 'required').map(({ path }) => path);
  t.deepEqual(required, [
    '/api/v1/plans/{plan_id}/approve',
    '/api/v1/plans/{plan_id}/reject',
    '/api/v1/plans/{plan_id}/withdraw',
    '/api/v1/runs',
    '/api/v1/executions',
    '/api/v1/executions/{execution_id}/evidence',
    '/api/v1/executions/{execution_id}/verify',
    '/api/v1/reservations',
    '/api/v1/reservations/{reservation_id}/release',
  ]);
});

test('the documents and OpenAPI say which writes require an idempotency key and which accept one', (t) => {
  const text = readFileSync(new URL('../../../docs/verified-execution/README.md', import.meta.url), 'utf8');
  const openApi = readOpenApi(
    resolveReferences(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))),
  );
  for (const [word, need] of [
    ['required', 'required'],
    ['accepted', 'optional'],
  ]) {
    const row = defined(new RegExp(`^\\| ${word} \\| (.*) \\|$`, 'm').exec(text)?.[1]);
    const documented = Array.from(row.matchAll(/`([^`]+)`/g), ([, endpoint]) => defined(endpoint));
    const writes = endpoints.filter(({ idempotencyKey }) => idempotencyKey === need);
    t.deepEqual(documented.toSorted(), writes.map(({ method, path }) => `${method} ${path}`).toSorted());
  }
  for (const { method, path, idempotencyKey } of endpoints) {
    const { parameters = [] } = defined(openApi.paths[path]?.[method.toLowerCase()]);
    const header = parameters.find(({ name }) => name === 'Idempotency-Key');
    t.is(header && (header.required ? 'required' : 'optional'), idempotencyKey, path);
  }
});

test('every method of the service has an endpoint, except the methods for internal callers', (t) => {
  const folder = new URL('../../../gateway/verified/', import.meta.url);
  const sources = globSync('*.ts', { cwd: folder }).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const called = sources.flatMap((source) =>
    [...source.matchAll(/(?:operation: |ask\()'(\w+)'/g)].map(([, name]) => defined(name)),
  );
  const internal = ['authenticate', 'judgeRun'];
  t.deepEqual([...new Set(called), ...internal].toSorted(), Object.keys(VerificationServiceService).toSorted());
});
