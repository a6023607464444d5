import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import { createSavedChain } from '../../../../services/payments/sandbox/chain-state.ts';
import { createLock } from '../../../../services/payments/signer/signer-lock.ts';
import { createLockSessions } from '../../../../services/store/recurring/lock-session.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { portOf } from '../../../kit/port-of.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

test('a save that loses its lock does not replace the newer state of another copy', async (t) => {
  const { url, stop } = await createTestDatabase();
  t.teardown(stop);
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const file = join(folder.path, 'state.json');
  const replies: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0","id":1,"result":"0x');
    replies.push(response);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const openCopy = () => {
    const sessions = createLockSessions(url);
    t.teardown(sessions.close);
    const saved = createSavedChain({
      rpcUrl: `http://127.0.0.1:${portOf(server)}`,
      anvil: { loadState: async () => undefined } as never,
      file,
      lock: createLock(sessions, 'eip155:31337'),
      whileQuiet: (work) => work({ number: 0n, hash: '0x', timestamp: 0n }),
      isSetUp: async () => true,
      onError: () => undefined,
    });
    return saved;
  };
  const [one, two] = [openCopy(), openCopy()];
  const older = one.save().catch(() => undefined);
  await until(() => replies.length === 1);
  // PostgreSQL restarts, or ends the session of a process that was stopped for ten seconds.
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  await admin.end();
  const newer = two.save();
  await until(() => replies.length === 2);
  defined(replies[1]).end('bb"}');
  await newer;
  t.is(readFileSync(file, 'utf8'), '0xbb');
  defined(replies[0]).end('aa"}');
  await older;
  t.is(readFileSync(file, 'utf8'), '0xbb', 'the newer state');
});
