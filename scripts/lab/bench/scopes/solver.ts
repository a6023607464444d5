import { JudgeRunRequest_Check as Check } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createFairPool } from '../../../../services/platform/pools/fair-pool.ts';
import { createPool, type Pool } from '../../../../services/platform/pools/pool.ts';
import { readSolverData } from '../../../../services/verification/solver/solver-data.ts';
import {
  startVerificationProcess,
  type VerificationProcess,
} from '../../../../test/services/verification/verification-process.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import type { CheckName } from '../../../../workers/verdict/run/checked.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../../workers/verdict/tasks.ts';
import { type Comparison, type Contender, keepInFlight } from '../measure/compare.ts';
import { createExamples, largeExamples, preflightPayment } from '../measure/example-plans.ts';
import { largeRun } from '../measure/large-run.ts';
import type { Fact, Scope } from '../measure/scope.ts';
import { bombPlan, smallRun } from '../measure/solver-runs.ts';
import { verifyTenActions } from '../measure/ten-actions.ts';
import { untilConnected } from '../measure/until-connected.ts';

type Answer = SolverAnswers[SolverTaskKind];
type SolverPool = Pool<SolverTask, Answer>;

const WORKER = new URL('../../../../workers/verdict/worker.ts', import.meta.url);
const EVALUATOR = new URL('../evaluator/worker.ts', import.meta.url);
const SETTINGS = { timeoutMs: 60_000 };
/** The minimum ratio with the overhead of gRPC, the queue and the service. */
const GRPC_RATIO = 0.67;
/** The minimum ratio for one tenant's small checks while another tenant sends its hardest ones. */
const FAIR_RATIO = 0.5;
const EVALUATIONS_PER_SECOND = 20_000;
const VERIFICATION_MS = 150;
const VERIFICATIONS = 41;
const LARGE_RUN_MS = 300;
const LARGE_RUNS = 11;
const PLAN_MS = 1000;
const SMALL = { kind: 'check_run', check: 'constraints', sheets: [], tools: [], tables: [], ...smallRun() } as const;
const QUEUE = { maxQueue: 256, maxQueuePerTenant: 128, watchdogMs: 60_000 };
const BOMBERS = 8;

/** Checks of a run in the solver's threads: over gRPC, in two threads, and while another tenant keeps the threads busy. */
export const solver: Scope = async () => {
  const workerData = await readSolverData();
  const poolOf = (threads: number): SolverPool => createPool({ worker: WORKER, threads, workerData, recycling: true });
  const [one, two, three] = [poolOf(1), poolOf(2), poolOf(3)];
  const evaluator = createPool<number, number>({ worker: EVALUATOR, threads: 1 });
  const service = await startVerificationProcess({ LOG_LEVEL: 'warn' });
  await untilConnected(() => checkOverGrpc(service));
  const direct: Contender = { name: 'in a worker, one at a time', run: oneAtATime(() => check(one)) };
  return {
    facts: [
      await measureVerification(one),
      await measureSlowest(one, checkLargeRun('plan_alignment')),
      await measureSlowest(one, checkLargeRun('constraints')),
      await measureSlowest(one, CREATE_EXAMPLES),
      await measureSlowest(one, PREFLIGHT),
      await measureSlowest(one, LARGE_EXAMPLES),
    ],
    comparisons: [
      {
        title: 'median check of 20 variables and 30 constraints by both engines',
        ours: { name: 'JudgeRun over gRPC, one at a time', run: oneAtATime(() => checkOverGrpc(service)) },
        reference: direct,
        target: GRPC_RATIO,
      },
      {
        title: 'the same check',
        ours: { name: 'by the evaluator alone, in a worker', run: (durationMs) => evaluateFor(evaluator, durationMs) },
        reference: direct,
        targetPerSecond: EVALUATIONS_PER_SECOND,
      },
      {
        title: 'the same check, throughput',
        ours: { name: 'two workers', run: keepInFlight(4, () => check(two)) },
        reference: { name: 'one worker', run: keepInFlight(2, () => check(one)) },
      },
      { ...besideBombs(three), target: FAIR_RATIO },
      besideBombs(two),
    ],
    async stop() {
      await service.stop();
      await Promise.all([one, two, three, evaluator].map((pool) => pool.close()));
    },
  };
};

async function check(pool: SolverPool): Promise<void> {
  assertSatisfied(await pool.run(SMALL));
}

function assertSatisfied(answer: Awaited<ReturnType<SolverPool['run']>>): void {
  if (!answer.ok) throw new Error(`the solver refused a run that obeys its rules: ${answer.message}`);
  const { value } = answer;
  const judgements =
    'judgement' in value ? [value.judgement] : 'constraints' in value ? [value.alignment, value.constraints] : [];
  if (judgements.length > 0 && judgements.every(({ verdict }) => verdict === 'satisfied')) return;
  throw new Error(`the solver refused a run that obeys its rules: ${JSON.stringify(value).slice(0, 1000)}`);
}

async function checkOverGrpc({ service }: VerificationProcess): Promise<void> {
  const { plan, actions } = SMALL;
  const request = {
    tenantId: 'bench',
    check: Check.CHECK_CONSTRAINTS,
    plan,
    sheets: [],
    tools: [],
    tables: [],
    actions,
  };
  const { answer } = await service.call((client) => client.judgeRun, request, SETTINGS);
  if (!answer.includes('"verdict":"satisfied"'))
    throw new Error(`the service refused a run that obeys its rules: ${answer}`);
}

/** Runs one operation at a time. `perSecond` is from the median time, so the ratio of a comparison is that of medians. */
function oneAtATime(operation: () => Promise<unknown>): Contender['run'] {
  const run = keepInFlight(1, operation);
  return async (durationMs) => {
    const round = await run(durationMs);
    return { ...round, perSecond: 1000 / defined(round.p50Ms) };
  };
}

async function evaluateFor(pool: Pool<number, number>, durationMs: number): ReturnType<Contender['run']> {
  const answer = await pool.run(durationMs);
  if (!answer.ok) throw new Error(answer.message);
  return { perSecond: answer.value };
}

async function measureVerification(pool: SolverPool): Promise<Fact> {
  const task = verifyTenActions();
  const timesMs: number[] = [];
  for (let round = 0; round < VERIFICATIONS; round += 1) {
    const startMs = performance.now();
    const answer = await pool.run(task);
    timesMs.push(performance.now() - startMs);
    const verdicts = answer.ok && 'verdicts' in answer.value ? Object.values(answer.value.verdicts) : [];
    if (verdicts.length < 4 || verdicts.some(({ verdict }) => verdict !== 'satisfied'))
      throw new Error('the run of ten actions was not verified');
  }
  const value = defined(timesMs.sort((a, b) => a - b)[VERIFICATIONS >> 1]);
  return {
    name: 'the median verification of ten actions with their evidence takes',
    value,
    unit: 'ms',
    atMost: VERIFICATION_MS,
  };
}

interface Slowest {
  readonly name: string;
  readonly tasks: readonly SolverTask[];
  readonly atMost: number;
}

/** The longest of the median times of some tasks. */
async function measureSlowest(pool: SolverPool, { name, tasks, atMost }: Slowest): Promise<Fact> {
  const medians: number[] = [];
  for (const task of tasks) {
    const timesMs: number[] = [];
    for (let round = 0; round < LARGE_RUNS; round += 1) {
      const startMs = performance.now();
      const answer = await pool.run(task);
      timesMs.push(performance.now() - startMs);
      assertSatisfied(answer);
    }
    medians.push(defined(timesMs.sort((a, b) => a - b)[LARGE_RUNS >> 1]));
  }
  return { name, value: Math.max(...medians), unit: 'ms', atMost };
}

const checkLargeRun = (check: CheckName): Slowest => ({
  name: `the median check of ${check} of 1,000 actions over a table of 10,000 rows takes`,
  tasks: [largeRun(check)],
  atMost: LARGE_RUN_MS,
});

const CREATE_EXAMPLES: Slowest = {
  name: 'the slowest check of an example plan before it is created takes',
  tasks: createExamples(),
  atMost: PLAN_MS,
};

const PREFLIGHT: Slowest = {
  name: 'preflight under a plan of 200 payments takes',
  tasks: [preflightPayment()],
  atMost: PLAN_MS,
};

const LARGE_EXAMPLES: Slowest = {
  name: 'the slowest check of 500 messages, or of 500 updates after as many reads, takes',
  tasks: largeExamples(),
  atMost: LARGE_RUN_MS,
};

function besideBombs(shared: SolverPool): Comparison {
  const pool = createFairPool(shared, QUEUE);
  const small = oneAtATime(async () => assertSatisfied(await pool.run(SMALL, { tenant: 'small' })));
  return {
    title: `median check in ${shared.threads} fair workers`,
    ours: {
      name: 'while another tenant sends its hardest checks',
      async run(durationMs) {
        let isOver = false;
        const bombers = Array.from({ length: BOMBERS }, async (_, index) => {
          const bomb = { kind: 'propose', plan: bombPlan(index), sheets: [], tools: [], tables: [] } as const;
          while (!isOver) await pool.run(bomb, { tenant: 'bomber' });
        });
        try {
          return await small(durationMs);
        } finally {
          isOver = true;
          await Promise.all(bombers);
        }
      },
    },
    reference: { name: 'alone', run: small },
  };
}
