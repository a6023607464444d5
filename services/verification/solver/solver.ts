import type { Proposed, ProposedPlan } from '../../../workers/verdict/check/propose.ts';
import type { Judgement } from '../../../workers/verdict/run/judgement.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind, VerifyAnswer } from '../../../workers/verdict/tasks.ts';
import type { ServiceErrorCode } from '../../platform/errors/error-codes.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { FairPool, FairTaskOptions } from '../../platform/pools/fair-pool.ts';
import { PoolError, type PoolErrorCode } from '../../platform/pools/pool.ts';
import type { Logger } from '../../platform/process/logger.ts';

export type { VerifyAnswer };

export type SolverPool = FairPool<SolverTask, SolverAnswers[SolverTaskKind]>;
export type TaskOf<Kind extends SolverTaskKind> = Omit<Extract<SolverTask, { readonly kind: Kind }>, 'kind'>;

/** The tenant whose share of the pool a task uses, and how long the caller waits. */
export type SolverOptions = FairTaskOptions;

/**
 * Runs tasks on the solver's threads. If a thread is ended, by its watchdog or because it runs out of memory, the verdict
 * is `indeterminate`, which never passes.
 * @throws {ServiceError} OVERLOADED, DEADLINE_EXCEEDED, CANCELLED
 */
export interface Solver {
  propose(task: ProposedPlan, options: SolverOptions): Promise<Proposed>;
  checkProposal(task: TaskOf<'check_proposal'>, options: SolverOptions): Promise<SolverAnswers['check_proposal']>;
  checkRun(task: TaskOf<'check_run'>, options: SolverOptions): Promise<SolverAnswers['check_run']>;
  readActions(task: TaskOf<'read_actions'>, options: SolverOptions): Promise<SolverAnswers['read_actions']>;
  readEvidence(task: TaskOf<'read_evidence'>, options: SolverOptions): Promise<SolverAnswers['read_evidence']>;
  verify(task: TaskOf<'verify'>, options: SolverOptions): Promise<VerifyAnswer>;
  scripts(task: TaskOf<'scripts'>, options: SolverOptions): Promise<SolverAnswers['scripts']>;
  preflight(task: TaskOf<'preflight'>, options: SolverOptions): Promise<SolverAnswers['preflight']>;
  select(task: TaskOf<'select'>, options: SolverOptions): Promise<SolverAnswers['select']>;
  checkSheet(task: TaskOf<'check_sheet'>, options: SolverOptions): Promise<SolverAnswers['check_sheet']>;
  checkTool(task: TaskOf<'check_tool'>, options: SolverOptions): Promise<SolverAnswers['check_tool']>;
  composeSheets(task: TaskOf<'compose_sheets'>, options: SolverOptions): Promise<SolverAnswers['compose_sheets']>;
  knownProblem(options: SolverOptions): Promise<SolverAnswers['known_problem']>;
}

/** Error codes for tasks that were not finished. Undefined: the task is the cause, and the verdict is indeterminate. */
const REFUSED: Readonly<Record<PoolErrorCode, ServiceErrorCode | undefined>> = {
  OVERLOADED: 'OVERLOADED',
  CANCELLED: 'CANCELLED',
  DEADLINE_EXCEEDED: undefined,
  TASK_TOO_SLOW: undefined,
  WORKER_OUT_OF_MEMORY: undefined,
  WORKER_FAILED: undefined,
};

const KILLED: Readonly<Partial<Record<PoolErrorCode, string>>> = {
  DEADLINE_EXCEEDED: 'it took too long',
  TASK_TOO_SLOW: 'it took too long',
  WORKER_OUT_OF_MEMORY: 'it took too much memory',
};

export function createSolver(pool: SolverPool, logger: Logger): Solver {
  async function run<Kind extends SolverTaskKind>(
    task: Extract<SolverTask, { readonly kind: Kind }>,
    options: SolverOptions,
    whenKilled: (reason: string) => SolverAnswers[Kind],
  ): Promise<SolverAnswers[Kind]> {
    try {
      const answer = await pool.run(task, options);
      if (!answer.ok) throw new ServiceError('INTERNAL', answer.message);
      for (const { question, reasons } of engineErrorsIn(answer.value)) {
        logger.error({ kind: task.kind, tenant: options.tenant, question, reasons }, 'the engines disagree or failed');
      }
      if ('engineFault' in answer.value) {
        logger.error(
          { kind: task.kind, tenant: options.tenant, reason: answer.value.engineFault },
          'the engine failed',
        );
      }
      // The worker answers each kind of task with the answer of that kind.
      return answer.value as SolverAnswers[Kind];
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      const code = REFUSED[error.code] ?? (isOver(options) ? 'DEADLINE_EXCEEDED' : undefined);
      if (code !== undefined) throw new ServiceError(code, error.message, { cause: error });
      logger.error({ err: error, kind: task.kind, tenant: options.tenant }, 'a solver thread was ended');
      return whenKilled(KILLED[error.code] ?? 'the solver failed');
    }
  }
  const killed = (question: Judgement['question']) => (reason: string) => ({ judgement: undecided(question, reason) });
  const failed = (reason: string): never => {
    throw new ServiceError('INTERNAL', reason);
  };
  return {
    propose: (task, options) =>
      run({ kind: 'propose', ...task }, options, (reason) => {
        if (task.plan === undefined) throw new ServiceError('DEADLINE_EXCEEDED', `${reason}: make the plan smaller`);
        return { ...killed('possible')(reason), lint: undecidedLint(reason) };
      }),
    checkProposal: (task, options) =>
      run({ kind: 'check_proposal', ...task }, options, killed(task.mode === 'prefix' ? 'possible' : 'holds')),
    checkRun: (task, options) => run({ kind: 'check_run', ...task }, options, killed('holds')),
    readActions: (task, options) => run({ kind: 'read_actions', ...task }, options, failed),
    readEvidence: (task, options) => run({ kind: 'read_evidence', ...task }, options, failed),
    verify: (task, options) => run({ kind: 'verify', ...task }, options, undecidedRun),
    scripts: (task, options) => run({ kind: 'scripts', ...task }, options, failed),
    preflight: (task, options) => run({ kind: 'preflight', ...task }, options, undecidedAction),
    select: (task, options) => run({ kind: 'select', ...task }, options, tooLong),
    checkSheet: (task, options) =>
      run({ kind: 'check_sheet', ...task }, options, (reason) => ({
        ...killed('possible')(reason),
        lint: undecidedLint(reason),
      })),
    checkTool: (task, options) => run({ kind: 'check_tool', ...task }, options, failed),
    composeSheets: (task, options) => run({ kind: 'compose_sheets', ...task }, options, () => UNDECIDED_SHEETS),
    knownProblem: (options) => run({ kind: 'known_problem' }, options, failed),
  };
}

/** Whether the caller has stopped waiting. Then its deadline ended the task, and not the watchdog. */
function isOver({ deadlineMs = Number.POSITIVE_INFINITY }: SolverOptions): boolean {
  return Date.now() >= deadlineMs;
}

function undecided(question: Judgement['question'], message: string): Judgement {
  const reasons = [{ code: 'SOLVER_GAVE_UP', path: '', message }] as const;
  return { verdict: 'indeterminate', question, reasons, core: [], engine: 'none', checks: [] };
}

/** The lint for a plan that could not be decided, as the solver words it. */
function undecidedLint(reason: string) {
  return [
    { code: 'NOT_DECIDED', path: '', message: `whether the rules can be obeyed could not be decided: ${reason}` },
  ];
}

function undecidedRun(reason: string): VerifyAnswer {
  const judgement = undecided('holds', reason);
  const verdicts = { plan_alignment: judgement, constraints: judgement, evidence: judgement, replay: judgement };
  return { verdicts, assurance: undefined };
}

function undecidedAction(reason: string): SolverAnswers['preflight'] {
  const judgement = undecided('possible', reason);
  return { alignment: judgement, constraints: judgement, remaining: [], slacks: [], attempts: [] };
}

const UNDECIDED_SHEETS = {
  outcome: 'indeterminate',
  sheet: null,
  witness: null,
  core: [],
  redundant: [],
} as const;

/** A selection must not depend on the speed of the machine, so there is no partial answer. */
function tooLong(reason: string): never {
  throw new ServiceError('DEADLINE_EXCEEDED', `${reason}: send fewer items, or a lower node_limit`);
}

function engineErrorsIn(answer: SolverAnswers[SolverTaskKind]): readonly Judgement[] {
  return judgementsIn(answer).filter(({ verdict }) => verdict === 'engine_error');
}

function judgementsIn(answer: SolverAnswers[SolverTaskKind]): readonly Judgement[] {
  if ('judgement' in answer) return [answer.judgement];
  if ('verdicts' in answer) return Object.values(answer.verdicts);
  return 'alignment' in answer ? [answer.alignment, answer.constraints] : [];
}
