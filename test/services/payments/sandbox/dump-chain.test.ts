import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { dumpChain } from '../../../../services/payments/sandbox/dump-chain.ts';
import { portOf } from '../../../kit/port-of.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const REPLY = '{"jsonrpc":"2.0","id":1,"result":"0x1f8b"}';

/** Dumps from a server that replies with these parts. It cuts the connection if the last one is undefined. */
async function dump(t: ExecutionContext, parts: readonly (string | undefined)[]): Promise<string> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const part of parts) {
      if (part === undefined) response.destroy();
      else response.write(part);
      await turn();
    }
    response.end();
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const file = join(folder.path, 'state');
  const dumped = await dumpChain(`http://127.0.0.1:${portOf(server)}`, 20_000);
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
  await t.throwsAsync(dump(t, ['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"busy"}}']), {
    message: /did not dump its state: .*busy/,
  });
  await t.throwsAsync(dump(t, ['x'.repeat(2000)]), { message: /did not dump its state: x+$/ });
  await t.throwsAsync(dump(t, [REPLY.slice(0, -4)]), { message: 'anvil did not dump its whole state' });
  await t.throwsAsync(dump(t, [REPLY.slice(0, -4), undefined]));
});
