import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createFileStore } from '../../../gateway/client/file-store.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { createWebStore } from '../../../gateway/client/web-store.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const folder = createTestFolder();
test.after.always(folder.remove);

/** Web Storage with the same methods in a map. */
function createStorage() {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
}

for (const [title, store] of [
  ['memory', createMemoryStore()],
  ['web storage', createWebStore(createStorage())],
  ['files', createFileStore(join(folder.path, 'new/files'))],
] as const) {
  test(`a store in ${title} lists what it keeps under a prefix`, async (t) => {
    t.deepEqual(await store.list(''), []);
    await store.set('a-1', 'one');
    await store.set('a-2', 'two');
    await store.set('b-1', 'three');
    t.deepEqual(await store.list('a-'), [
      { name: 'a-1', value: 'one' },
      { name: 'a-2', value: 'two' },
    ]);
    await store.delete('a-1');
    await store.delete('a-1');
    t.deepEqual(await store.list('a-'), [{ name: 'a-2', value: 'two' }]);
  });
}

test('only the owner reads the files, and a draft of a process that died is no payment', async (t) => {
  const path = join(folder.path, 'private');
  const store = createFileStore(path);
  await store.set('a', 'one');
  writeFileSync(join(path, 'b.payment.draft'), 'tw');
  t.is(statSync(path).mode & 0o777, 0o700);
  for (const file of readdirSync(path).filter((name) => name.startsWith('a')))
    t.is(statSync(join(path, file)).mode & 0o777, 0o600);
  t.deepEqual(await store.list(''), [{ name: 'a', value: 'one' }]);
});

test('a folder that cannot be read is an error', async (t) => {
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  chmodSync(path, 0o600);
  await t.throwsAsync(createFileStore(path).list(''), { code: 'ENOTDIR' });
});
