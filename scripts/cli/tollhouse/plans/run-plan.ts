import { randomBytes } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { TABLE_TYPE } from '../../../../services/verification/contract/catalogue.ts';
import { type ExpectedRun, isAsUsual } from '../../../../workers/plan/text/runs/compile-runs.ts';
import { visibly } from '../../../../workers/plan/view/words/escape.ts';
import { createReader } from '../../../launch/parse/json-reader.ts';
import { portOf } from '../../../launch/settings.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { givenOrigin } from '../../terminal/origin.ts';
import { type Api, ApiError, createApi } from '../../try/api.ts';
import { createPlan, describeTools, encodeJson } from '../../try/flow-calls.ts';
import { readTryKeys } from '../../try/try-keys.ts';
import { type Found, type Input, identityOf, problemOf, readExpectedRuns, reasonsOf } from './expected-runs.ts';

interface Keys {
  readonly agent: Api;
  readonly approver: Api;
}

/**
 * `plan run`. Plays the runs beside a plan against a server: each is proposed, approved and reported as if its acts were done now.
 * No tool is called, so this shows what the server's catalogue, limits and keys say to the plan.
 */
export const runPlan: Command = async ({ environment, say }, options, file) => {
  const origin = givenOrigin(options.url, environment) ?? `http://127.0.0.1:${portOf(environment)}`;
  const keys = readTryKeys({ origin, options, environment });
  const api: Keys = { agent: createApi(origin, keys.agent), approver: createApi(origin, keys.approver) };
  const { input, runs } = readExpectedRuns(file, options);
  if (input.plan.approvals > 1) {
    throw new CommandError(`the plan needs ${input.plan.approvals} approvers, and there is one key: use plan test`);
  }
  await send(input, api);
  const played = runs.filter((run) => isAsUsual(run, input.plan));
  for (const { name } of runs.filter((run) => !played.includes(run))) {
    say(`skipped  ${name}: it says when its acts were done, or who approved: use plan test`);
  }
  if (played.length === 0) throw new CommandError('no run was played');
  let failed = 0;
  for (const run of played) {
    const found = await play(input, withOwnIdentities(run, input), api);
    // A server stops at the first step that refuses a run, which may be another reason.
    const problem = problemOf(found.isWhole ? run : { ...run, because: undefined }, found);
    // A server may answer anything.
    say(visibly(problem === undefined ? `ok       ${run.name}: ${found.verdict}` : `FAILED   ${run.name}: ${problem}`));
    if (problem !== undefined) failed += 1;
  }
  if (failed > 0) throw new CommandError(`${failed} of ${played.length} runs have another verdict than they must have`);
  say(`${played.length} runs, as expected`);
};

/** The tables of the plan and the tools that it takes from the catalogue, which the server may have already. */
async function send({ plan, tools, tables }: Input, { agent, approver }: Keys): Promise<void> {
  const used = tools.filter(({ name, version }) =>
    plan.tools.some((one) => one.name === name && one.version === version),
  );
  await describeTools(approver, used);
  for (const { text } of tables) await agent.upload('/api/v1/tables', TABLE_TYPE, text);
}

/** The run with identities that no other play has: acts that move money are recorded once. */
function withOwnIdentities(run: ExpectedRun, input: Input): ExpectedRun {
  const mark = randomBytes(4).toString('hex');
  const own = new Map<unknown, unknown>();
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, member: unknown) => own.get(member) ?? member);
  const actions = run.actions.map((action) => {
    // Arguments can name the identity of an earlier act only.
    const args = renamed(action.args);
    const value = identityOf(input, action)?.value;
    if (typeof value === 'string') own.set(value, `${value}-${mark}`);
    return { ...renamed(action), args };
  });
  return { ...run, actions, artifacts: renamed(run.artifacts) };
}

const Wanted = Type.Object({ kind: Type.String() });
const Judged = Type.Object({
  verdict: Type.String(),
  reasons: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  core: Type.Optional(Type.Array(Type.String())),
});
const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What `POST /api/v1/runs` answers, as far as it matters here. */
const Reported = Type.Object({
  checks: Type.Record(Type.String(), OrNull(Type.Object({ result: Judged }))),
  execution: OrNull(
    Type.Object({
      refused: Type.Optional(Judged.properties.reasons),
      evidence_required: Type.Array(Wanted),
    }),
  ),
  evidence: OrNull(Type.Object({ missing: Type.Array(Wanted) })),
  verification: OrNull(Type.Object({ proof_id: OrNull(Type.String()), verdicts: Type.Record(Type.String(), Judged) })),
});
const readReported = createReader(Reported, 'the answer to a run');

/** `isWhole`: whether all verdicts are known. */
type Played = Found & { readonly isWhole: boolean };

async function play({ document: plan }: Input, run: ExpectedRun, { agent, approver }: Keys): Promise<Played> {
  try {
    const { plan_id, plan_hash } = await createPlan(agent, plan);
    await approver.post(`/api/v1/plans/${plan_id}/approve`, { plan_hash });
    const now = new Date(Date.now()).toISOString();
    const actions = run.actions.map((action) => ({ ...action, started_at: now, ended_at: now }));
    // Evidence is that of one act, so that of an earlier play would be refused. No rule reads this member.
    const own = { 'plan run': randomBytes(8).toString('hex') };
    const artifacts = run.artifacts.map(({ action, kind, document }) => ({
      ...{ action, kind, media_type: 'application/json' },
      ...encodeJson({ ...document, ...own }),
    }));
    const report = { plan_id, plan_hash, actions, artifacts };
    const found = foundIn(readReported(await agent.post('/api/v1/runs', report)));
    // What is left of the approval is of no use.
    await approver.post(`/api/v1/plans/${plan_id}/withdraw`, { plan_hash }).catch(() => undefined);
    return found;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { verdict: 'refused', reasons: [{ path: '', message: `${error.code}: ${error.message}` }], isWhole: false };
  }
}

function foundIn({ checks, execution, evidence, verification }: Static<typeof Reported>): Played {
  const isWhole = verification !== null;
  if (verification?.proof_id) return { verdict: 'satisfied', reasons: [], isWhole };
  const judged = [
    ...Object.values(checks).flatMap((check) => check?.result ?? []),
    ...Object.values(verification?.verdicts ?? {}),
  ].filter(({ verdict }) => verdict !== 'satisfied');
  const wanted = verification === null ? (evidence?.missing ?? execution?.evidence_required ?? []) : [];
  const missing = wanted.map(({ kind }) => ({ path: `/evidence/${kind}`, message: 'is missing' }));
  const isUndecided = judged.every(({ verdict }) => verdict === 'indeterminate') && judged.length > 0;
  return {
    verdict: isUndecided ? 'indeterminate' : 'violated',
    reasons: [...reasonsOf(judged), ...(execution?.refused ?? []), ...missing],
    isWhole,
  };
}
