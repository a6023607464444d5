import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { startTied } from '../../../scripts/launch/processes/tied-process.ts';
import type { Binary } from '../../../scripts/launch/servers/debian-packages.ts';
import { isListeningOn } from '../../../services/platform/process/listen-address.ts';
import type { TestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';
import type { ProxyName } from './programs.ts';

const STOP_GRACE_MS = 3000;

export interface RunningProxy {
  log(): readonly string[];
  stop(): Promise<void>;
}

export interface ProxyOptions {
  readonly name: ProxyName;
  readonly program: Binary;
  /** What an operator writes. The rest is what Debian's package adds to it. */
  readonly text: string;
  /** Where it listens. */
  readonly port: number;
}

/** Starts a proxy in the foreground, with all of its files in the folder. It ends with this process. */
export async function startProxy(
  folder: TestFolder,
  { name, program, text, port }: ProxyOptions,
): Promise<RunningProxy> {
  const { dataDir, log } = folder.place(`${name}-${port}`);
  mkdirSync(dataDir, { mode: 0o755 });
  const file = join(dataDir, 'configuration');
  writeFileSync(file, AROUND[name](text, dataDir));
  const proxy = startTied({
    command: program.command,
    args: ARGUMENTS[name](file),
    cwd: dataDir,
    // Caddy keeps its state in the home folder.
    env: { ...program.env, HOME: dataDir, XDG_DATA_HOME: dataDir, XDG_CONFIG_HOME: dataDir },
    output: log.output,
  });
  const isUp = () => isListeningOn({ host: '127.0.0.1', port });
  await until(isUp, { child: proxy, log });
  return { log: () => log.tail(20), stop: () => proxy.stop('SIGTERM', STOP_GRACE_MS) };
}

const ARGUMENTS: Readonly<Record<ProxyName, (file: string) => readonly string[]>> = {
  nginx: (file) => ['-e', 'stderr', '-c', file],
  haproxy: (file) => ['-db', '-f', file],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/**
 * Paths of this test around what an operator writes; for nginx also the blocks that its main file has around it. Caddy
 * serves no HTTP/3, which needs the UDP port of the same number: `freePort` holds it.
 */
const AROUND: Readonly<Record<ProxyName, (text: string, folder: string) => string>> = {
  nginx: (text, folder) => `daemon off;
user ${userInfo().username};
pid ${folder}/pid;
error_log stderr warn;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
${text}
}
`,
  haproxy: (text) => text,
  caddy: (text, folder) => `{
admin off
auto_https disable_redirects
servers {
protocols h1 h2
}
storage file_system ${folder}
}
${text}
`,
};
