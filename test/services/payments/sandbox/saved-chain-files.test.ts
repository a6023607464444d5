import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createSavedChain } from '../../../../services/payments/sandbox/chain-state.ts';
import { portOf } from '../../../kit/port-of.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

async function openChain(
  t: ExecutionContext,
  isSetUp: () => Promise<boolean>,
  reply = '{"jsonrpc":"2.0","id":1,"result":"0x1f8b"}',
) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(reply);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const file = join(folder.path, 'state.json');
  const saved = createSavedChain({
    rpcUrl: `http://127.0.0.1:${portOf(server)}`,
    anvil: { loadState: async () => undefined } as never,
    file,
    lock: (_name, work) => work(),
    whileQuiet: (work) => work({ number: 0n, hash: '0x', timestamp: 0n }),
    isSetUp,
    onError: () => undefined,
  });
  return { saved, file, files: () => readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file))) };
}

test('a save that fails leaves no file', async (t) => {
  const { saved, file, files } = await openChain(t, async () => false);
  writeFileSync(file, '0x00');
  await t.throwsAsync(saved.save(), { message: /restarted/ });
  t.is(readFileSync(file, 'utf8'), '0x00');
  t.deepEqual(files(), [basename(file)]);
});

test('a reply that ends early leaves no file', async (t) => {
  const { saved, files } = await openChain(t, async () => true, '{"jsonrpc":"2.0","id":1,"result":"0x1f8b');
  await t.throwsAsync(saved.save(), { message: /whole state/ });
  t.deepEqual(files(), []);
});

test('the next save removes the file of a process that was killed while it wrote', async (t) => {
  const { saved, file, files } = await openChain(t, async () => true);
  // No process has this id: the maximum of Linux is 4194304.
  writeFileSync(`${file}.4194305.tmp`, '0x1f');
  await saved.save();
  t.deepEqual(files(), [basename(file)]);
});
