import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { reportOf } from '../../scripts/cli/terminal/main.ts';
import { runTollhouse } from '../../scripts/cli/tollhouse/tollhouse.ts';
import { runTry } from '../../scripts/cli/try/try.ts';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { ensureSandboxKeys } from '../../scripts/launch/sandbox-keys.ts';
import { ensureSandboxTools } from '../../scripts/launch/sandbox-tools.ts';
import { openSolver } from '../../services/verification/offline/solver.ts';
import { defined } from '../../workers/exact/defined.ts';
import { environmentWithCurl } from '../kit/curl.ts';
import { ownProcess } from '../kit/own-process.ts';
import { startSharedStack } from '../kit/shared-stack.ts';
import { createTestFolder } from '../kit/test-folder.ts';

ownProcess('it changes the working folder of its process');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })].toSorted();

/** Commands that this test does not run, with the reasons. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm start\b/, 'test/scripts/launch/faults/main.test.ts starts the product'],
  [/^npm test$/, 'this test is part of it'],
  [/^bash scripts\/checks\/bare-machine\.sh /, 'it needs root, and runs all tests'],
  [/^git clone /, 'there is no repository to clone from'],
  [/https:\/\/…/, 'it needs a server elsewhere'],
  [/tollhouse -- writes (?:un)?freeze/, 'it would stop other tests; test/scripts/cli/tollhouse/main.test.ts runs it'],
  [/^python3 /, 'test/docs/verify-proof.test.ts finds a Python'],
  [/examples\/webhook\.mjs/, 'test/services/backoffice/webhook/send-events.test.ts receives events with it'],
  [/tollhouse -- serve \w+$/, 'the stack of this test runs these programs'],
];

/** The sockets of the stack in place of the ports that documents name. */
const SOCKETS: Readonly<Record<string, string>> = { '8411': 'content.sock', '8414': 'maps.sock' };

/** Text that the output of a command must contain. Every command must also succeed. */
const SHOWN: readonly (readonly [RegExp, RegExp])[] = [
  [/^curl -i /, /^HTTP\/1\.1 402/],
  [/"tools\/call".*geocode/, /PAYMENT|accepts/i],
  [/svc_sheet_list/, /tollhouse\./],
  [/^npm run try -- html-to-markdown page\.html$/, /# Hello/],
  [/^npm run try -- geocode/, /Poland|Polska/],
  [/^npm run try -- verified$/, /a proof, as expected/],
  [/verify-proof/, /valid/i],
  [/DSSEv1|log\.checkpoint\.split\("\\n"\)/, /^552faa31533a86fac5690bb527a4a31cc8f3f85a51465a030e742853df9e2412\b/],
  [/public_key' \|/, /^916f60c3$/],
  [/od -An/, /^ 91 6f 60 c3\n$/],
  [/require\("crypto"\)\.verify/, /^true\n$/],
  [/tollhouse -- doctor/, /ok +redis\.version/],
  [/plan lint/, /some run obeys it/],
  [/plan explain/, /Hash to approve: `[0-9a-f]{64}`/],
  [/plan test/, /runs, as expected/],
  [/plan run/, /^ok {7}two small invoices: satisfied$/m],
  [/plan-to-proof\.mjs/, /replay satisfied\nproof [0-9a-f-]{36}/],
  [/state=draft/, /"title":"Refund/],
  [/\/approve"/, /"state":"approved"/],
  [/^npx buf curl .*ConvertHtml\b/, /# Hello/],
  [/^npx buf curl .*ConvertHtmlStream\b/, /# b/],
  [/^npx buf curl .*GeocodeStream\b/, /France/],
];

const parsePackage = createJsonReader(
  Type.Object({ scripts: Type.Record(Type.String(), Type.String()) }),
  'package.json',
);
const { scripts } = parsePackage(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The commands in a page's `sh` blocks, without comments, with continued lines and pipes joined. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) =>
    block === undefined ? [] : [block],
  );
  return blocks.flatMap((block) =>
    block
      .replaceAll(/\\\n\s*/g, ' ')
      .replaceAll(/\|\n\s*/g, '| ')
      .split('\n')
      .map((line) => line.replace(/\s+#\s.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

const folder = createTestFolder();
// Of its own: it describes tools for all tenants.
const stack = await startSharedStack();
const withCurl = await environmentWithCurl();
const environment = {
  ...withCurl,
  PATH: `${join(ROOT, 'node_modules/.bin')}:${withCurl['PATH']}`,
  TOLLHOUSE_DATA: stack.dataDir,
  DATABASE_URL: stack.databaseUrl,
  REDIS_URL: stack.redisUrl,
};
// While it is open, all commands of this process use it.
const solver = await openSolver();
await ensureSandboxKeys(stack.databaseUrl, stack.dataDir);
await ensureSandboxTools(stack.databaseUrl, join(ROOT, 'docs/verified-execution/examples/tools.yaml'));
for (const name of ['node_modules', 'docs', 'scripts', 'services', 'gateway', 'workers', 'proto', 'package.json']) {
  symlinkSync(join(ROOT, name), join(folder.path, name));
}
symlinkSync(stack.dataDir, join(folder.path, '.tollhouse'));
test.after.always(async () => {
  await solver.close();
  await stack.stop();
  folder.remove();
});

/** Values of a page's placeholders, which earlier commands printed. */
const placeholders = new Map<string, string>();

/** Changes a command to use the stack of this test, and to skip `npm run`. */
function toShell(command: string): string {
  let shell = command
    .replace(
      /\bnpm run (\w+)(?: --)?/,
      (whole, name: string) => scripts[name]?.replace(/^sh scripts\/setup\.sh && (?:exec )?/, '') ?? whole,
    )
    .replace(/^(node scripts\/cli\/(?:try\/main\.ts \S+|tollhouse\/main\.ts plan run))/, `$1 --url ${stack.urls[0]}`)
    .replaceAll('http://127.0.0.1:8402', stack.urls[0])
    .replace(
      /^npx (buf curl.*)http:\/\/127\.0\.0\.1:(\d+)/,
      (_, start: string, port: string) =>
        `${start.replace('buf curl', `buf curl --unix-socket ${stack.runDir}/${defined(SOCKETS[port])}`)}http://localhost`,
    );
  for (const [name, value] of placeholders) shell = shell.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value);
  return shell;
}

const IN_NODE = /^node scripts\/cli\/(tollhouse|try)\/main\.ts (?!.*[|>])/;
const started = new Set<string>();

/** Runs a command. Of those of one program only the first is a process, because starting each takes most of its time. */
function run(shell: string) {
  const [, program] = IN_NODE.exec(shell) ?? [];
  if (program !== undefined && started.has(program)) return runHere(shell, program);
  if (program !== undefined) started.add(program);
  return runProcess(shell);
}

function runProcess(shell: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell], {
    cwd: folder.path,
    encoding: 'utf8',
    env: environment,
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Runs a command in this process, with the arguments as a shell reads them. */
async function runHere(shell: string, program: string) {
  const args = runProcess(shell.replace(IN_NODE, String.raw`printf '%s\0' `)).output.split('\0').slice(0, -1);
  const lines: string[] = [];
  const { log } = console;
  const say = (line: string) => lines.push(line);
  process.chdir(folder.path);
  try {
    if (program === 'tollhouse') await runTollhouse(args, { environment, say });
    else {
      console.log = say;
      await runTry(args, { environment, say });
    }
    return { status: 0, output: lines.join('\n') };
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    return { status: exitCode, output: [...lines, message].join('\n') };
  } finally {
    console.log = log;
    process.chdir(ROOT);
  }
}

/** `tenant create` prints the tenant's id first and the last key's id last. */
function rememberIds(output: string): void {
  const ids = Array.from(output.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g), ([id]) => id);
  placeholders.set('TENANT', defined(ids.at(0)));
  placeholders.set('KEY_ID', defined(ids.at(-1)));
}

const isAssignment = (command: string): boolean => /^[A-Z]+=\$\(/.test(command);

const seen = new Set<string>();
for (const page of PAGES) {
  const commands = commandsOf(page).filter((command) => !ELSEWHERE.some(([pattern]) => pattern.test(command)));
  const assignments = commands.filter(isAssignment);
  const news = commands.filter((command) => !isAssignment(command) && !seen.has(command));
  for (const command of news) seen.add(command);
  if (news.length === 0) continue;
  test.serial(`the commands of ${page} work as written`, async (t) => {
    for (const command of news) {
      const { status, output } = await run([...assignments, command].map(toShell).join('\n'));
      t.is(status, 0, `${command}\n${output}`);
      for (const [pattern, shown] of SHOWN) if (pattern.test(command)) t.regex(output, shown, command);
      if (/tenant create/.test(command)) rememberIds(output);
    }
  });
}
