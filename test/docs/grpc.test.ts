import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentials } from '@grpc/grpc-js';
import test from 'ava';
import { ContentServiceClient } from '../../proto/gen/tollhouse/content/v1/content.ts';
import { defined } from '../../workers/exact/defined.ts';
import { listServices } from '../kit/reflect.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const stack = await useSharedStack();
test.after.always(() => stack.stop());

/** The rows of docs/grpc.md: process, default address, service, methods. */
const rows = Array.from(
  read('docs/grpc.md').matchAll(/^\| (\w+) \| `127\.0\.0\.1:\d+` \| `([\w.]+)` \| (.*) \|$/gm),
  ([, process, service, methods]) => ({
    process: defined(process),
    service: defined(service),
    methods: Array.from(defined(methods).matchAll(/\w+/g), ([name]) => name),
  }),
);

test('docs/grpc.md names every service and method of the contracts', (t) => {
  const contracts = globSync('proto/**/*.proto', { cwd: ROOT }).map((path) => {
    const text = read(path);
    const nameOf = (pattern: RegExp) => defined(pattern.exec(text)?.[1]);
    return {
      service: `${nameOf(/^package (.+);$/m)}.${nameOf(/^service (\w+)/m)}`,
      methods: Array.from(text.matchAll(/^ {2}rpc (\w+)/gm), ([, name]) => defined(name)),
    };
  });
  const byName = (a: { service: string }, b: { service: string }) => a.service.localeCompare(b.service);
  t.deepEqual(rows.map(({ service, methods }) => ({ service, methods })).toSorted(byName), contracts.toSorted(byName));
});

for (const process of new Set(rows.map((row) => row.process))) {
  test(`reflection of ${process} lists the services that docs/grpc.md names for it, and health`, async (t) => {
    const client = new ContentServiceClient(
      `unix:${join(stack.runDir, `${process}.sock`)}`,
      credentials.createInsecure(),
    );
    const documented = rows.flatMap((row) => (row.process === process ? [row.service] : []));
    t.deepEqual(await listServices(client), ['grpc.health.v1.Health', ...documented].toSorted());
    client.close();
  });
}
