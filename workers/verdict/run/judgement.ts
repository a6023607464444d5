import type { Finding } from '../../plan/finding.ts';
import type { Decision, Engine, Formula, Question, SolverCheck, Witness } from '../decide/problem.ts';

export type Verdict =
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
  | 'KEY_REUSED'
  | 'NOT_DONE'
  | 'CONDITION_BROKEN'
  | 'OUT_OF_ORDER'
  | 'OVERLAPPING'
  | 'TOO_FEW'
  | 'TOO_MANY'
  | 'CONSTRAINT_BROKEN'
  | 'NOT_COMPLETABLE'
  | 'DEVIATED_FROM_PROPOSAL'
  | 'BEFORE_APPROVAL'
  | 'AFTER_EXPIRY'
  | 'AFTER_RECEIPT'
  | 'NOT_MONOTONE'
  | 'EVIDENCE_MISSING'
  | 'EVIDENCE_UNREADABLE'
  | 'EVIDENCE_CONTRADICTS'
  | 'CONTRADICTION'
  | 'OPEN'
  | 'SOLVER_GAVE_UP'
  | 'ENGINE_FAULT'
  // Codes of a replay, and of documents that could not be read.
  | 'RESPONSE_DIVERGES'
  | 'TOOL_REPLACED'
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

/** A verdict with its reasons, as it is answered and stored. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly question: Question;
  readonly reasons: readonly Reason[];
  /** Ids of rules that cannot hold together. */
  readonly core: readonly string[];
  /** `none`: nothing was decided. */
  readonly engine: Engine | 'none';
  /** The questions that the solver was asked. */
  readonly checks: readonly SolverCheck[];
}

/** The reason that a broken rule gives, by the pattern of the rule's id. */
const RULES: readonly (readonly [RegExp, ReasonCode, string])[] = [
  [/^(?:\/actions\/\d+)?\/sheets\//, 'CONSTRAINT_BROKEN', 'a rule of a sheet is broken'],
  [/^\/actions\/\d+\/step$/, 'UNKNOWN_STEP', 'the plan has no such step'],
  [/^\/actions\/\d+\/outcome$/, 'NOT_DONE', 'is not done'],
  [/^\/actions\/\d+\/once$/, 'KEY_REUSED', 'has the idempotency key of another act'],
  [/^\/actions\/\d+\/tool$/, 'WRONG_TOOL', 'the plan requires another tool or version for this step'],
  [/^\/actions\/\d+\/where\//, 'CONDITION_BROKEN', 'a condition of the step is not met'],
  [
    /^\/actions\/\d+\/after\//,
    'OUT_OF_ORDER',
    'a step that must come before this one is missing, or has not ended when this one starts',
  ],
  [/^\/actions\/\d+\/order\//, 'OUT_OF_ORDER', 'comes after an action of a step before which it must come'],
  [/^\/actions\/\d+\/overlap\//, 'OVERLAPPING', 'starts before an action has ended that shares this state'],
  [/^\/actions\/\d+\/state\//, 'STATE_OUT_OF_RANGE', 'the state gets a value outside its type'],
  [/^\/actions\/\d+\/post\//, 'POST_BROKEN', 'a condition of the tool is not met'],
  [/^\/actions\/\d+\/response(?:\/|$)/, 'RESPONSE_DIVERGES', 'the response is not what the plan computes'],
  [
    /^(?:\/max_recorded|\/actions\/\d+)$/,
    'TOO_MANY_RECORDED',
    'the run has more recorded actions than the plan allows',
  ],
  [/^\/steps\/[^/]+\/min$/, 'TOO_FEW', 'the step was not done often enough'],
  [/^\/steps\/[^/]+\/max$/, 'TOO_MANY', 'the step was done too often'],
  [/^\/intents$/, 'DEVIATED_FROM_PROPOSAL', 'the actions are not those that were proposed'],
  [/\/started_at\/approved$/, 'BEFORE_APPROVAL', 'began before the plan was approved'],
  [/\/started_at\/expired$/, 'AFTER_EXPIRY', 'began after the plan expired'],
  [/\/ended_at\/received$/, 'AFTER_RECEIPT', 'ended after the execution was submitted'],
  [/\/(?:ended_at\/started|started_at\/order)$/, 'NOT_MONOTONE', 'the times are not in order'],
  [/^\/completion\//, 'NOT_COMPLETABLE', 'no further actions can meet this rule together with the others'],
  [/^\/constraints\//, 'CONSTRAINT_BROKEN', 'a rule of the plan is broken'],
  [/\/evidence\/[^/]+\/min$/, 'EVIDENCE_MISSING', 'evidence is missing'],
  [/\/reads$/, 'EVIDENCE_UNREADABLE', 'a field to be read from the evidence is missing or malformed'],
  [/\/binds\//, 'EVIDENCE_CONTRADICTS', 'the evidence contradicts the action'],
];

/** @param rules those of the problem, whose own words about a fault come before the general ones */
export function toJudgement(decision: Decision, rules: readonly Formula[] = []): Judgement {
  const { verdict, question, checks } = decision;
  const core = 'core' in decision ? decision.core : [];
  const engine = 'engine' in decision ? decision.engine : 'none';
  return { verdict, question, reasons: reasonsOf(decision, rules), core, engine, checks };
}

/** The judgement of a plan or a sheet: rules that no run can obey are `vacuous`. */
export function ofPlan(judgement: Judgement): Judgement {
  return judgement.verdict === 'violated' ? { ...judgement, verdict: 'vacuous' } : judgement;
}

/** The judgement of a run about which nothing was decided. */
export function undecided(reason: Reason): Judgement {
  return { verdict: 'indeterminate', question: 'holds', reasons: [reason], core: [], engine: 'none', checks: [] };
}

/** The judgement of input that could not be read. */
export function malformed(question: Question, { path, message }: Pick<Reason, 'path' | 'message'>): Judgement {
  const reasons = [{ code: 'MALFORMED', path, message }] as const;
  return { verdict: 'invalid_input', question, reasons, core: [], engine: 'none', checks: [] };
}

function reasonsOf(decision: Decision, rules: readonly Formula[]): readonly Reason[] {
  switch (decision.verdict) {
    case 'satisfied':
      return [];
    case 'violated':
      // If no rule is false by itself, the core has the rules that cannot hold together.
      return (decision.broken.length > 0 ? decision.broken : decision.core).map((path) => {
        const fault = rules.find(({ id }) => id === path)?.fault?.();
        const reason = reasonOf(path);
        return fault === undefined ? reason : { ...reason, message: fault };
      });
    case 'underdetermined':
      return [
        {
          code: 'OPEN',
          path: '',
          message: `the rules hold with ${say(decision.holding)}, but not with ${say(decision.failing)}`,
        },
      ];
    case 'invalid_input':
      return decision.core.map((path) => ({ code: 'CONTRADICTION', path, message: 'contradicts the other facts' }));
    case 'indeterminate':
      return [{ code: 'SOLVER_GAVE_UP', path: decision.path ?? '', message: decision.reason }];
    case 'engine_error':
      return [{ code: 'ENGINE_FAULT', path: '', message: decision.reason }];
  }
}

function reasonOf(path: string): Reason {
  const rule = RULES.find(([id]) => id.test(path));
  if (rule === undefined) return { code: 'CONTRADICTION', path, message: 'is broken' };
  const [, code, message] = rule;
  return { code, path, message };
}

function say(witness: Witness): string {
  return [...witness].map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ');
}

/** A remark if it could not be decided whether the rules can be obeyed. */
export function lintVerdict({ verdict, reasons }: Judgement): readonly Finding[] {
  if (verdict !== 'indeterminate' && verdict !== 'engine_error') return [];
  const why = reasons.map(({ message }) => message).join(', ');
  return [{ code: 'NOT_DECIDED', path: '', message: `whether the rules can be obeyed could not be decided: ${why}` }];
}
