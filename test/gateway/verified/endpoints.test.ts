import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Compile } from 'typebox/schema';
import { endpoints } from '../../../gateway/verified/index.ts';
import { VerificationServiceService } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { FLOW } from '../../../services/verification/status/flow.ts';
import { defined } from '../../../workers/exact/defined.ts';

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
    '/api/v1/plans/{plan_id}/withdraw',
    '/api/v1/executions',
    '/api/v1/executions/{execution_id}/evidence',
    '/api/v1/executions/{execution_id}/verify',
  ]);
});

test('every method of the service has an endpoint, except the methods for internal callers', (t) => {
  const folder = new URL('../../../gateway/verified/', import.meta.url);
  const sources = globSync('*.ts', { cwd: folder }).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const called = sources.flatMap((source) =>
    [...source.matchAll(/\(client\) => client\.(\w+)/g)].map(([, name]) => defined(name)),
  );
  const internal = ['authenticate', 'judgeRun'];
  t.deepEqual([...new Set(called), ...internal].toSorted(), Object.keys(VerificationServiceService).toSorted());
});
