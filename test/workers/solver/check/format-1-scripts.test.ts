import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
import { answerTask } from '../../../../workers/solver/answer.ts';
import type { SmtSolver } from '../../../../workers/solver/decide/smt-solver.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const FOLDER = new URL('../../../../docs/verified-execution/refund-agent/', import.meta.url);
const CIRCUMSTANCES = {
  approvedAt: '2026-01-01T00:00:00.000000Z',
  receivedAt: '2099-01-01T00:00:00.000000Z',
  proposedIntents: 'a',
  recordedIntents: 'a',
};

test('the questions about runs of format 1 are those that proofs name', async (t) => {
  const z3 = await sharedZ3();
  const plan = await readFile(new URL('plan.json', FOLDER), 'utf8');
  const asked: string[] = [];
  const recording: SmtSolver = {
    check(query) {
      const answer = z3.check(query);
      asked.push(answer.script);
      return answer;
    },
  };
  const ask = (task: Parameters<typeof answerTask>[0]) =>
    answerTask(task, { ...z3, check: recording.check }, DEFAULT_RLIMIT);
  ask({ kind: 'check_plan', plan, sheets: [] });
  const runs = await readdir(new URL('runs/', FOLDER));
  for (const name of runs.sort()) {
    const run: unknown = JSON.parse(await readFile(new URL(`runs/${name}`, FOLDER), 'utf8'));
    const actions = JSON.stringify(Object(run)['actions']);
    ask({ kind: 'verify', plan, sheets: [], actions, artifacts: [], circumstances: CIRCUMSTANCES });
  }
  const digest = createHash('sha256').update(asked.join()).digest('hex');
  t.is(`${asked.length} ${digest}`, '19 484d82e4573f88386950f0ce7692c714a83aa3043159a1097e23dd214f91a1a6');
});
