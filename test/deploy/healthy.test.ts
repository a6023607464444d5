import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import test from 'ava';
import { HealthImplementation } from 'grpc-health-check';
import { createCertificates } from '../../scripts/cli/tollhouse/keys/certificates.ts';
import { createTestFolder } from '../kit/test-folder.ts';
import { DEPLOY } from './check-program.ts';

const run = promisify(execFile);
const { path: folder, runDir, remove } = createTestFolder();
const PROGRAM = 'maps';
const { tlsFolder } = await createCertificates(folder, Date.now(), [PROGRAM]);
test.after.always(remove);
const read = (file: string) => readFileSync(join(tlsFolder, PROGRAM, file));

const mutual = () =>
  ServerCredentials.createSsl(read('ca.crt'), [{ private_key: read('tls.key'), cert_chain: read('tls.crt') }], true);
const WAYS = [
  ['unix socket', `unix:${join(runDir, 'health.sock')}`, ServerCredentials.createInsecure(), {}],
  ['port', '0.0.0.0:0', ServerCredentials.createInsecure(), { TLS_FOLDER: join(folder, 'none') }],
  ['port with mutual TLS', '0.0.0.0:0', mutual(), { TLS_FOLDER: tlsFolder }],
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
