import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createSavedChain } from '../../../../services/payments/sandbox/chain-state.ts';
import { dumpChain } from '../../../../services/payments/sandbox/dump-chain.ts';
import { createLock } from '../../../../services/payments/signer/signer-lock.ts';
import { createLockSessions } from '../../../../services/store/recurring/lock-session.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connected } from '../../../kit/owned-database.ts';
import { portOf } from '../../../kit/port-of.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

const REPLY = '{"jsonrpc":"2.0","id":1,"result":"0x1f8b"}';
const UNFINISHED = REPLY.slice(0, -2);

/** A node that replies so, and the path of a new file. */
async function openNode(t: ExecutionContext, reply: (response: ServerResponse) => unknown) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    return reply(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = createTestFolder();
  t.teardown(() => {
    server.close();
    folder.remove();
  });
  return { rpcUrl: `http://127.0.0.1:${portOf(server)}`, file: join(folder.path, 'state') };
}

/** Dumps from a server that replies with these parts. It cuts the connection if the last one is undefined. */
async function dump(t: ExecutionContext, parts: readonly (string | undefined)[]): Promise<string> {
  const { rpcUrl, file } = await openNode(t, async (response) => {
    for (const part of parts) {
      if (part === undefined) response.destroy();
      else response.write(part);
      await turn();
    }
    response.end();
  });
  const dumped = await dumpChain(rpcUrl, 20_000);
  const handle = await open(file, 'w');
  await dumped.writeTo(handle).finally(() => handle.close());
  return readFileSync(file, 'utf8');
}

test('the state is the result of the reply, wherever its parts end', async (t) => {
  for (let at = 1; at < REPLY.length; at += 1) {
    t.is(await dump(t, [REPLY.slice(0, at), REPLY.slice(at)]), '0x1f8b');
  }
  t.is(await dump(t, [...REPLY]), '0x1f8b');
});

test('a reply without the whole state is an error', async (t) => {
  const busy = '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"busy"}}';
  await t.throwsAsync(dump(t, [busy]), { message: /did not dump its state: .*busy/ });
  await t.throwsAsync(dump(t, ['x'.repeat(2000)]), { message: /did not dump its state: x+$/ });
  await t.throwsAsync(dump(t, [REPLY.slice(0, -4)]), { message: 'anvil did not dump its whole state' });
  await t.throwsAsync(dump(t, [REPLY.slice(0, -4), undefined]));
});

type SavedChainOptions = Parameters<typeof createSavedChain>[0];

const saveTo = (node: Pick<SavedChainOptions, 'rpcUrl' | 'file'>, changes: Partial<SavedChainOptions> = {}) =>
  createSavedChain({
    ...node,
    anvil: { loadState: async () => undefined } as never,
    lock: (_name, work) => work(),
    whileQuiet: (work) => work({ number: 0n, hash: '0x', timestamp: 0n }),
    isSetUp: async () => true,
    onError: () => undefined,
    ...changes,
  });

/** The files of a saved chain. */
const filesOf = (file: string) => readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));

test('a save that fails leaves no file', async (t) => {
  const node = await openNode(t, (response) => response.end(REPLY));
  writeFileSync(node.file, '0x00');
  await t.throwsAsync(saveTo(node, { isSetUp: async () => false }).save(), { message: /restarted/ });
  t.is(readFileSync(node.file, 'utf8'), '0x00');
  t.deepEqual(filesOf(node.file), [basename(node.file)]);
  const cut = await openNode(t, (response) => response.end(UNFINISHED));
  await t.throwsAsync(saveTo(cut).save(), { message: /whole state/ });
  t.deepEqual(filesOf(cut.file), []);
});

test('the next save removes the file of a process that was killed while it wrote', async (t) => {
  const node = await openNode(t, (response) => response.end(REPLY));
  // No process has this id: the maximum of Linux is 4194304.
  writeFileSync(`${node.file}.4194305.tmp`, '0x1f');
  await saveTo(node).save();
  t.deepEqual(filesOf(node.file), [basename(node.file)]);
});

test('a save that loses its lock does not replace the newer state of another copy', async (t) => {
  const { url, stop } = await createTestDatabase();
  t.teardown(stop);
  const replies: ServerResponse[] = [];
  const node = await openNode(t, (response) => {
    response.write('{"jsonrpc":"2.0","id":1,"result":"0x');
    replies.push(response);
  });
  const openCopy = () => {
    const sessions = createLockSessions(url);
    t.teardown(sessions.close);
    return saveTo(node, { lock: createLock(sessions, 'eip155:31337') });
  };
  const [one, two] = [openCopy(), openCopy()];
  const older = one.save().catch(() => undefined);
  await until(() => replies.length === 1);
  // PostgreSQL restarts, or ends the session of a process that was stopped for ten seconds.
  await connected(url, (admin) =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
  );
  const newer = two.save();
  await until(() => replies.length === 2);
  defined(replies[1]).end('bb"}');
  await newer;
  t.is(readFileSync(node.file, 'utf8'), '0xbb');
  defined(replies[0]).end('aa"}');
  await older;
  t.is(readFileSync(node.file, 'utf8'), '0xbb', 'the newer state');
});
