import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { createCertificates } from '../../../scripts/cli/tollhouse/keys/certificates.ts';
import { startTied } from '../../../scripts/launch/processes/tied-process.ts';
import { type Binary, unpackDebian } from '../../../scripts/launch/servers/debian-packages.ts';
import { createContentClient } from '../../../services/content/contract/client.ts';
import { createMapsClient } from '../../../services/maps/contract/client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { childrenOf } from '../../kit/children-of.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { INHERITED } from '../../kit/inherited.ts';
import { createTestDatabase } from '../../kit/test-database.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { DEPLOY, PAY_TO, ROOT, type Settings } from '../check-program.ts';

/** As root, it needs no users of its own, which could not reach the socket of PostgreSQL's user. */
const USERS = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
/** What an engine gives a container: a network and processes of its own, which end with the first one. */
const CONTAINER = [...USERS, '--net', '--pid', '--fork', '--kill-child'];
const LISTEN = '10.84.0.1:8412';
/** Runs a program in a container with a wire to a second network, and then another program in that one. */
const IN_TWO_NETWORKS = `
  unshare --net sh -euc '
    ip link add inside type veth peer name outside netns 1
    ip address add 10.84.0.1/30 dev inside
    ip link set inside up
    echo ready
    "$@" >&2
    kill -s TERM -- -1' container "$1" "$2" | {
    read -r _ && ip address add 10.84.0.2/30 dev outside && ip link set outside up && shift 2 && "$@"
    kill -s TERM -- -1
  }`;
/** Leaves a child behind, as a command in a container does, and becomes the program. */
const WITH_ORPHAN = ['/bin/sh', '-c', '(sleep 1 &); exec "$@"', 'sh'];
const SETTINGS = { timeoutMs: HANG_MS };
const DOCUMENT = '<p>one <b>two</b> three</p>'.repeat(30_000);

const folder = createTestFolder();
test.after.always(folder.remove);

/** Opens a program, to give it work. */
type Open = (target: string) => { readonly ask: () => Promise<unknown>; readonly close: () => void };
const ROLES: Readonly<Record<string, Open>> = {
  content(target) {
    const { convertHtml, close } = createContentClient(target);
    return { ask: () => convertHtml({ html: DOCUMENT }, SETTINGS), close };
  },
  maps(target) {
    const { geocode, close } = createMapsClient(target);
    return { ask: () => geocode({ query: 'Kathmandu' }, SETTINGS), close };
  },
};

/** Debian's `ip` and `tini-static`. */
const findTools = (): Promise<Binary> =>
  unpackDebian({
    packages: ['iproute2', 'tini'],
    path: 'bin/ip',
    check: async ({ command, env }) => void (await promisify(execFile)(command, ['-V'], { env })),
  });

/** Starts a command as the first process of a container, which ends with the test. */
function start(t: ExecutionContext, name: string, [ip, ...command]: readonly [Binary, ...string[]], env: Settings) {
  const { log } = folder.place(name);
  const tools = [dirname(ip.command), INHERITED['PATH']].join(delimiter);
  const container = startTied({
    command: 'unshare',
    args: [...CONTAINER, ...command],
    output: log.output,
    env: { ...INHERITED, ...ip.env, PATH: tools, TOLLHOUSE_DATA: folder.path, ...env },
  });
  t.teardown(() => container.stop('SIGKILL', 0));
  return { ...container, log };
}

const { status, stderr, error } = spawnSync('unshare', [...CONTAINER, 'true'], { encoding: 'utf8' });
if (status === 0) testContainers();
else test.skip(`this user may make no namespaces here: ${error?.message ?? stderr.trim()}`, () => {});

function testContainers(): void {
  test('from another network, only the role that may refund reaches the payments service', async (t) => {
    const database = await createTestDatabase();
    t.teardown(() => database.stop());
    const { tlsFolder: TLS_FOLDER } = await createCertificates(folder.path);
    const program = [process.execPath, entryPoint('services/payments/main.ts')];
    const caller = [process.execPath, fileURLToPath(new URL('./ask-refunds.ts', import.meta.url)), LISTEN, TLS_FOLDER];
    const roles = ['operator', 'none', 'gateway'];
    const command = ['sh', '-c', IN_TWO_NETWORKS, 'sh', ...program, ...caller, ...roles] as const;
    const none = 'http://127.0.0.1:9';
    const { exited, log } = start(t, 'payments', [await findTools(), ...command], {
      LISTEN,
      TLS_FOLDER,
      DATABASE_URL: database.url,
      X402_FACILITATOR_URL: none,
      X402_RPC_URL: none,
      X402_PAY_TO: PAY_TO,
    });
    await exited;
    const lines = log.tail(100);
    t.true(lines.includes('NOT_FOUND UNAVAILABLE PERMISSION_DENIED'), lines.join('\n'));
  });

  const [, entry] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(DEPLOY, 'Containerfile'), 'utf8')) ?? [];
  for (const [name, open] of Object.entries(ROLES)) {
    test(`${name} as the image starts it leaves no orphans, and ends after its work with status 0`, async (t) => {
      const ip = await findTools();
      const places: Readonly<Record<string, readonly string[]>> = {
        tini: [join(dirname(ip.command), '../usr/bin/tini-static')],
        tollhouse: [...WITH_ORPHAN, process.execPath, join(ROOT, 'scripts/cli/tollhouse/main.ts')],
      };
      const words: readonly string[] = JSON.parse(defined(entry));
      const command = words.flatMap((word) => places[word] ?? [word]);
      const target = `unix:${join(folder.runDir, `${name}.sock`)}`;
      const threads = { CONTENT_THREADS: '1', MAPS_THREADS: '1' };
      const container = start(t, name, [ip, ...command, 'serve', name], { LISTEN: target, ...threads });
      const { ask, close } = open(target);
      t.teardown(close);
      await until(ask, { child: container, log: container.log });

      const isFirst = (pid: number) => /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      const first = defined(childrenOf(container.pid).find(isFirst));
      const isOrphan = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n';
      await until(() => !childrenOf(first).some(isOrphan));
      const work = Array.from({ length: 8 }, ask);
      await Promise.race(work);
      process.kill(first, 'SIGTERM');
      await t.notThrowsAsync(Promise.all(work));
      t.is(await container.exited, 'exit code 0');
    });
  }
}
