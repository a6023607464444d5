import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import test from 'ava';
import { HealthImplementation } from 'grpc-health-check';
import { createCertificate } from '../kit/self-signed.ts';
import { createTestFolder } from '../kit/test-folder.ts';
import { DEPLOY } from './check-program.ts';

const run = promisify(execFile);
const { path: folder, runDir, remove } = createTestFolder();
test.after.always(remove);

/** The certificate names this host in place of a program. */
const PROGRAM = 'localhost';
const { cert, key } = createCertificate();
const files = { 'ca.crt': cert, 'tls.crt': cert, 'tls.key': key };
mkdirSync(join(folder, PROGRAM));
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, PROGRAM, name), text);

const mutual = () => {
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
  return ServerCredentials.createSsl(Buffer.from(cert), [pair], true);
};
const WAYS = [
  ['unix socket', `unix:${join(runDir, 'health.sock')}`, ServerCredentials.createInsecure(), {}],
  ['port', '0.0.0.0:0', ServerCredentials.createInsecure(), { TLS_FOLDER: join(folder, 'none') }],
  ['port with mutual TLS', '0.0.0.0:0', mutual(), { TLS_FOLDER: folder }],
] as const;

for (const [title, address, credentials, env] of WAYS) {
  test(`a probe of a service on a ${title} sees whether it serves, is alive, or is gone`, async (t) => {
    const health = new HealthImplementation({ '': 'NOT_SERVING' });
    const server = new Server();
    health.addToServer(server);
    const port = await promisify(server.bindAsync.bind(server))(address, credentials);
    const LISTEN = address.replace(/:0$/, `:${port}`);
    const probe = async (...wanted: readonly string[]) => {
      const args = [join(DEPLOY, 'image/healthy.mjs'), PROGRAM, ...wanted];
      return run(process.execPath, args, { env: { ...env, LISTEN } }).then(
        () => 'yes',
        ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr.trim().replace(/:.*/, '')}`,
      );
    };
    t.is(await probe(), '1 not serving');
    t.is(await probe('live'), 'yes');
    health.setStatus('', 'SERVING');
    t.is(await probe(), 'yes');
    server.forceShutdown();
    t.regex(await probe('live'), /^1 ./);
  });
}
