import test, { type ExecutionContext } from 'ava';
import { htmlToMarkdown } from '../../../gateway/operations/html-to-markdown/operation.ts';
import { describeOperation } from '../../../gateway/pages/documents/operation-page.ts';
import { codeOf, type Ended, type Language, openPrograms } from '../../kit/quickstarts.ts';
import { answering, type Behaviour, hangingBody, silent, startUpstream } from '../../kit/upstream-server.ts';
import { CHARGED, challenging as challengingFor, UNCONFIRMED } from './trial-answers.ts';

const programs = await openPrograms();
test.after.always(() => programs.remove());

const RESULT = { markdown: 'a result' };
const challenging = challengingFor(htmlToMarkdown);
const confirming = answering(RESULT, 200, CHARGED);
const redirecting = answering('', 302, { location: '/elsewhere' });
const denying = (status: number) => answering({ error: { code: 'DENIED', message: 'no' } }, status, CHARGED);

/** The answers of a server, in order, and how many requests it gets. */
const FAULTS: readonly (readonly [name: string, answers: readonly Behaviour[], requests: number])[] = [
  ['redirects the unsigned request', [redirecting, challenging, confirming], 1],
  ['redirects the signed request', [challenging, redirecting, confirming], 2],
  ...UNCONFIRMED.map(
    ([reason, headers]) => [`answers ${reason}`, [challenging, answering(RESULT, 200, headers)], 2] as const,
  ),
  ...[401, 402, 500, 503].map((status) => [`denies with ${status}`, [challenging, denying(status)], 2] as const),
  ['denies at once', [denying(402), confirming], 1],
];

const HANGS: readonly (readonly [name: string, answers: readonly Behaviour[]])[] = [
  ['never answers', [silent]],
  ['never answers the signed request', [challenging, silent]],
  ['stops within an answer', [challenging, hangingBody]],
];

/** How each program says 30 seconds, and a shorter time. */
const LIMITS = {
  ts: ['AbortSignal.timeout(30_000)', 'AbortSignal.timeout(1000)'],
  python: ['signal.alarm(30)', 'signal.alarm(1)'],
} as const;

/** Runs a program as its interpreter does. In TypeScript only the first is a process, because its packages take long to load. */
const runFast = (language: Language, code: string): Promise<Ended> =>
  language === 'ts' ? programs.runHere(code) : programs.run(language, code);

for (const language of ['ts', 'python'] as const) {
  const [limit, short] = LIMITS[language];

  /** Runs the program at a server. @param run how; @param edit changes the published text */
  async function ask(
    t: ExecutionContext,
    answers: readonly Behaviour[],
    { run = runFast, edit = (code: string) => code } = {},
  ) {
    const { baseUrl, seen } = await startUpstream(t, ...answers);
    const page = describeOperation(htmlToMarkdown, {
      origin: baseUrl.origin,
      dailyBudgetMicroUsd: 5_000_000n,
      retentionDays: 30,
    });
    const ended = await run(language, edit(codeOf(page, language)));
    return { ...ended, requests: seen.length };
  }

  // One program at a time.
  test.serial(`in ${language}, a confirmed result is printed`, async (t) => {
    const { exitCode, stdout, stderr, requests } = await ask(t, [challenging, confirming], { run: programs.run });
    t.deepEqual([exitCode, requests], [0, 2], stderr);
    t.regex(stdout, /^confirmed .*a result/);
  });

  for (const [name, answers, wanted] of FAULTS) {
    test.serial(`in ${language}, a server that ${name} gets an error and no further request`, async (t) => {
      const { exitCode, stdout, stderr, requests } = await ask(t, answers);
      t.deepEqual([exitCode, stdout, requests], [1, '', wanted], stderr);
      t.not(stderr, '');
    });
  }

  for (const [name, answers] of HANGS) {
    test.serial(`in ${language}, a server that ${name} gets an error at the time limit`, async (t) => {
      const edit = (code: string) => {
        t.is(code.split(limit).length, 2);
        return code.replace(limit, short);
      };
      const { exitCode, stdout, stderr } = await ask(t, answers, { edit });
      t.deepEqual([exitCode, stdout], [1, ''], stderr);
      t.not(stderr, '');
    });
  }
}
