import type { Decision, Engine, Question, SolverCheck, Witness } from '../decide/verdict.ts';

export type VerdictName =
  | 'satisfied'
  | 'violated'
  | 'underdetermined'
  | 'vacuous'
  | 'indeterminate'
  | 'invalid_input'
  | 'engine_error';

export type ReasonCode =
  | 'UNKNOWN_STEP'
  | 'WRONG_TOOL'
  | 'CONDITION_BROKEN'
  | 'OUT_OF_ORDER'
  | 'TOO_FEW'
  | 'TOO_MANY'
  | 'CONSTRAINT_BROKEN'
  | 'NOT_COMPLETABLE'
  | 'DEVIATED_FROM_PROPOSAL'
  | 'BEFORE_APPROVAL'
  | 'AFTER_RECEIPT'
  | 'NOT_MONOTONE'
  | 'EVIDENCE_MISSING'
  | 'EVIDENCE_UNREADABLE'
  | 'EVIDENCE_CONTRADICTS'
  | 'CONTRADICTION'
  | 'OPEN'
  | 'SOLVER_GAVE_UP'
  | 'ENGINE_FAULT'
  // Of a replay, and of what could not be read.
  | 'RESPONSE_DIVERGES'
  | 'STATE_OUT_OF_RANGE'
  | 'POST_BROKEN'
  | 'TOO_MANY_RECORDED'
  | 'NOT_ALIGNED'
  | 'MALFORMED';

export interface Reason {
  readonly code: ReasonCode;
  /** JSON pointer into the run or the plan. */
  readonly path: string;
  readonly message: string;
}

/** A verdict as it is answered, stored and signed. */
export interface Judgement {
  readonly verdict: VerdictName;
  readonly question: Question;
  readonly reasons: readonly Reason[];
  /** Ids of rules that cannot hold together. */
  readonly core: readonly string[];
  /** `evaluator`: exact, by itself. `none`: nothing was decided. */
  readonly engine: Engine | 'evaluator' | 'none';
  /** What the solver was asked. */
  readonly checks: readonly SolverCheck[];
}

/** What is wrong when a rule is broken, by the shape of its id. */
const RULES: readonly (readonly [RegExp, ReasonCode, string])[] = [
  [/^(?:\/actions\/\d+)?\/sheets\//, 'CONSTRAINT_BROKEN', 'a rule of a sheet is broken'],
  [/^\/actions\/\d+\/step$/, 'UNKNOWN_STEP', 'the plan has no such step'],
  [/^\/actions\/\d+\/tool$/, 'WRONG_TOOL', 'the step is done with another tool or version'],
  [/^\/actions\/\d+\/where\//, 'CONDITION_BROKEN', 'a condition of the step is not met'],
  [/^\/actions\/\d+\/after\//, 'OUT_OF_ORDER', 'a step that this one waits for was not done before'],
  [/^\/actions\/\d+\/state\//, 'STATE_OUT_OF_RANGE', 'the state becomes what its type does not allow'],
  [/^\/steps\/[^/]+\/min$/, 'TOO_FEW', 'the step was not done often enough'],
  [/^\/steps\/[^/]+\/max$/, 'TOO_MANY', 'the step was done too often'],
  [/^\/intents$/, 'DEVIATED_FROM_PROPOSAL', 'what was done is not what was proposed'],
  [/\/started_at\/approved$/, 'BEFORE_APPROVAL', 'was begun before the plan was approved'],
  [/\/ended_at\/received$/, 'AFTER_RECEIPT', 'ended after it was handed in'],
  [/\/(?:ended_at\/started|started_at\/order)$/, 'NOT_MONOTONE', 'the times run backwards'],
  [/^\/completion\//, 'NOT_COMPLETABLE', 'nothing that may still be done meets this and the rest'],
  [/^\/constraints\//, 'CONSTRAINT_BROKEN', 'a rule of the plan is broken'],
  [/\/evidence\/[^/]+\/min$/, 'EVIDENCE_MISSING', 'evidence is missing'],
  [/\/reads$/, 'EVIDENCE_UNREADABLE', 'the evidence does not hold what is to be read from it'],
  [/\/binds\//, 'EVIDENCE_CONTRADICTS', 'the evidence says something else than the action'],
];

export function toJudgement(decision: Decision): Judgement {
  const { verdict, question, checks } = decision;
  const core = 'core' in decision ? decision.core : [];
  const engine = 'engine' in decision ? decision.engine : 'none';
  return { verdict, question, reasons: reasonsOf(decision), core, engine, checks };
}

/** Rules that no run at all obeys are the fault of the plan or sheet that has them. */
export function ofPlan(judgement: Judgement): Judgement {
  return judgement.verdict === 'violated' ? { ...judgement, verdict: 'vacuous' } : judgement;
}

/** Of input that could not be read, and so was not judged. */
export function malformed(question: Question, { path, message }: Pick<Reason, 'path' | 'message'>): Judgement {
  const reasons = [{ code: 'MALFORMED', path, message }] as const;
  return { verdict: 'invalid_input', question, reasons, core: [], engine: 'none', checks: [] };
}

function reasonsOf(decision: Decision): readonly Reason[] {
  switch (decision.verdict) {
    case 'satisfied':
      return [];
    case 'violated':
      // Where nothing is false by itself, the rules that cannot hold together are.
      return (decision.broken.length > 0 ? decision.broken : decision.core).map(reasonOf);
    case 'underdetermined':
      return [
        {
          code: 'OPEN',
          path: '',
          message: `it holds with ${say(decision.holding)}, not with ${say(decision.failing)}`,
        },
      ];
    case 'invalid_input':
      return decision.core.map((path) => ({ code: 'CONTRADICTION', path, message: 'cannot hold with the others' }));
    case 'indeterminate':
      return [{ code: 'SOLVER_GAVE_UP', path: '', message: decision.reason }];
    case 'engine_error':
      return [{ code: 'ENGINE_FAULT', path: '', message: decision.reason }];
  }
}

function reasonOf(path: string): Reason {
  const [, code = 'CONTRADICTION', message = 'is broken'] = RULES.find(([id]) => id.test(path)) ?? [];
  return { code, path, message };
}

function say(witness: Witness): string {
  return [...witness].map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ');
}
