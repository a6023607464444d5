import { appendFileSync, cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { ContentServiceClient, ContentServiceService } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { createCertificates } from '../../../../scripts/cli/tollhouse/keys/certificates.ts';
import { openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { openHealthProbe } from '../../../../services/platform/grpc/grpc-health.ts';
import { startGrpcServer, unary } from '../../../../services/platform/grpc/grpc-server.ts';
import {
  createIdentity,
  type GrpcTarget,
  type Role,
  readIdentity,
  type SecureTarget,
} from '../../../../services/platform/grpc/identity.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { HANG_MS, until } from '../../../kit/until.ts';

const DAY_MS = 86_400_000;
const REFRESH_MS = 20;
const folder = createTestFolder();
const warnings: unknown[] = [];
const logger = Object.assign(createLogger({ name: 'test', level: 'silent' }), {
  warn: ({ err }: { readonly err?: Error }) => void warnings.push(err?.message),
});
/** Certificates of one authority, later ones and expired ones of the same, and those of another authority. */
const [ours, later, old, others] = ['ours', 'later', 'old', 'others'].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
  string,
];

test.before(async () => {
  await createCertificates(ours);
  for (const copy of [later, old]) cpSync(join(ours, 'authority'), join(copy, 'authority'), { recursive: true });
  await createCertificates(later);
  await createCertificates(old, Date.now() - 400 * DAY_MS);
  await createCertificates(others);
  cpSync(join(others, 'tls'), join(later, 'both'), { recursive: true });
  appendFileSync(join(later, 'both/gateway/ca.crt'), readFileSync(join(ours, 'authority/ca.crt')));
});
test.after.always(() => folder.remove());

const replace = (from: string, to: string) => cpSync(join(from, 'tls'), to, { recursive: true });

/** Serves one method from a copy of the certificates. */
async function serve(t: ExecutionContext, listen = '127.0.0.2:0') {
  const own = mkdtempSync(join(folder.path, 'own-'));
  replace(ours, own);
  const identity = createIdentity('content', own, REFRESH_MS);
  const server = await startGrpcServer({
    listen,
    identity,
    callers: { gateway: 'all', backoffice: ['convertHtmlStream'] },
    service: ContentServiceService,
    implementation: { convertHtml: unary(logger, async () => ({ markdown: 'done', markdownCharacters: 4 })) },
    logger,
  });
  server.setReady(true);
  t.teardown(() => server.close());
  return { address: server.address, own, identity };
}

interface As {
  readonly role?: Role;
  readonly from?: string;
  /** The name that the certificate of the server must have. */
  readonly service?: Role;
}

const secure = (address: string, { role = 'gateway', from = ours, service = 'content' }: As = {}): SecureTarget => ({
  address,
  service,
  identity: createIdentity(role, join(from, 'tls')),
});

/** @returns `done`, or the failure */
async function ask(target: GrpcTarget): Promise<string> {
  const channels = openChannels(ContentServiceClient, target);
  try {
    const settings = { timeoutMs: HANG_MS };
    return (await channels.call((client) => client.convertHtml, { html: '' }, settings)).markdown;
  } catch (error) {
    return error instanceof Error && 'status' in error ? `${status[Number(error.status)]}: ${error.message}` : 'other';
  } finally {
    channels.close();
  }
}

test('a name that may call is answered, every other caller is refused', async (t) => {
  const { address } = await serve(t);
  t.is(await ask(secure(address)), 'done');
  t.is(await ask(secure(address, { from: later })), 'done');
  for (const role of ['operator', 'backoffice'] as const) {
    const refusal = `DNS:${role} may not call /tollhouse.content.v1.ContentService/ConvertHtml`;
    t.is(await ask(secure(address, { role })), `PERMISSION_DENIED: ${refusal}`);
    t.true(warnings.includes(refusal));
  }
  t.regex(await ask(secure(address, { from: others })), /^UNAVAILABLE/);
  t.regex(await ask(secure(address, { service: 'payments' })), /^UNAVAILABLE.*payments/);
  t.regex(await ask(address), /^UNAVAILABLE/);
});

test('nobody is answered without a certificate, or with an expired one', async (t) => {
  const { address } = await serve(t);
  const read = (from: string, file: string) => readFileSync(join(from, 'tls/gateway', file));
  const connect = (key?: Buffer, certificate?: Buffer) => {
    const client = new ContentServiceClient(
      address,
      credentials.createSsl(read(ours, 'ca.crt'), key ?? null, certificate ?? null),
      { 'grpc.ssl_target_name_override': 'content' },
    );
    t.teardown(() => client.close());
    return new Promise<status | undefined>((resolve) => {
      const options = { deadline: Date.now() + HANG_MS };
      client.convertHtml({ html: '' }, new Metadata(), options, (error) => resolve(error?.code));
    });
  };
  t.is(await connect(read(ours, 'tls.key'), read(ours, 'tls.crt')), undefined);
  t.is(await connect(), status.UNAVAILABLE);
  t.is(await connect(read(old, 'tls.key'), read(old, 'tls.crt')), status.UNAVAILABLE);
});

test('every name of the authority may ask for health', async (t) => {
  const { address } = await serve(t);
  for (const [target, state] of [
    [secure(address, { role: 'client' }), 'serving'],
    [secure(address, { role: 'client', from: others }), 'no_answer'],
    [address, 'no_answer'],
  ] as const) {
    const probe = openHealthProbe(target);
    t.teardown(() => probe.close());
    t.is(await probe.check(HANG_MS), state);
  }
});

test('a server takes new certificates without a restart, unless they cannot be used', async (t) => {
  const { address, own } = await serve(t);
  const fromOthers = secure(address, { from: others });
  t.regex(await ask(fromOthers), /^UNAVAILABLE/);
  // As between two writes.
  cpSync(join(others, 'tls/content/tls.key'), join(own, 'content/tls.key'));
  await until(() => warnings.some((warning) => String(warning).includes(`${own}/content cannot be used`)));
  t.is(await ask(secure(address)), 'done');
  // An authority is replaced in steps: first both are believed.
  replace(ours, own);
  appendFileSync(join(own, 'content/ca.crt'), readFileSync(join(others, 'authority/ca.crt')));
  const believing = { ...fromOthers, identity: createIdentity('gateway', join(later, 'both')) };
  await until(async () => (await ask(believing)) === 'done');
  t.is(await ask(secure(address)), 'done');
  replace(others, own);
  await until(async () => (await ask(fromOthers)) === 'done');
  t.regex(await ask(secure(address)), /^UNAVAILABLE/);
});

test('a client takes new certificates without a restart', async (t) => {
  const { address } = await serve(t);
  const own = join(folder.path, 'client');
  replace(others, own);
  const identity = createIdentity('gateway', own, REFRESH_MS);
  identity.watch(logger);
  const channels = openChannels(ContentServiceClient, { address, service: 'content', identity });
  t.teardown(() => channels.close());
  const call = () => channels.call((client) => client.convertHtml, { html: '' }, { timeoutMs: HANG_MS });
  await t.throwsAsync(call, { message: /./ });
  replace(ours, own);
  t.is((await until(call)).markdown, 'done');
});

test('a service on a Unix socket calls others with its new certificates', async (t) => {
  const { own, identity } = await serve(t, `unix:${join(folder.runDir, 'content.sock')}`);
  const read = (): Promise<string> =>
    new Promise((resolve) => {
      const listener = (update: { readonly certificate: Buffer } | null) => {
        identity.provider.removeIdentityCertificateListener(listener);
        resolve(String(update?.certificate));
      };
      identity.provider.addIdentityCertificateListener(listener);
    });
  const certificateIn = (path: string) => readFileSync(join(path, 'content/tls.crt'), 'utf8');
  t.is(await read(), certificateIn(join(ours, 'tls')));
  replace(later, own);
  await until(async () => (await read()) === certificateIn(join(later, 'tls')));
  t.pass();
});

test('a process does not start with certificates that are not its own', (t) => {
  const tls = { TLS_FOLDER: join(ours, 'tls') };
  const LISTEN = '0.0.0.0:8411';
  t.truthy(readIdentity('content', tls, { LISTEN }));
  t.is(readIdentity('content', { TLS_FOLDER: '/nowhere' }, { LISTEN: 'unix:/run/content.sock' }), undefined);
  const swapped = join(folder.path, 'swapped');
  replace(ours, swapped);
  cpSync(join(ours, 'tls/maps/tls.crt'), join(swapped, 'content/tls.crt'));
  cpSync(join(ours, 'tls/maps'), join(swapped, 'payments'), { recursive: true });
  for (const [role, TLS_FOLDER, message] of [
    ['content', '/nowhere', /TLS_FOLDER: the certificates in \/nowhere\/content cannot be used: ENOENT/],
    ['content', swapped, /key/],
    ['payments', swapped, /does not have the DNS name payments$/],
    ['content', join(old, 'tls'), /tls.crt has expired on /],
  ] as const)
    t.throws(() => readIdentity(role, { TLS_FOLDER }, { LISTEN }), { name: 'ConfigurationError', message });
});

test('plaintext stays on this machine', (t) => {
  for (const address of [
    '127.0.0.1:1',
    '127.9.9.9:1',
    'localhost:1',
    '[::1]:1',
    'unix:/run/a.sock',
    'unix:a',
    'dns:///localhost:1',
    'ipv4:127.0.0.1:1,127.0.0.2:1',
    'ipv6:[::1]:1',
  ])
    t.is(readIdentity('content', {}, { LISTEN: address }), undefined, address);
  for (const address of [
    '0.0.0.0:1',
    '[::]:1',
    '10.0.0.1:1',
    'content:1',
    'dns:///content:1',
    'dns:127.0.0.1.example:1',
    'ipv4:127.0.0.1:1,10.0.0.1:1',
    'ipv6:[::2]:1',
    '127.1:1',
  ])
    t.throws(() => readIdentity('content', {}, { LISTEN: address, MAPS_URL: address }), {
      name: 'ConfigurationError',
      message: /\n {2}LISTEN: found .*beyond this machine; set TLS_FOLDER, or use .*\n {2}MAPS_URL: /,
    });
});
