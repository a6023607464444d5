import { DocumentError } from '../../exact/document-error.ts';
import { literal } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { mentions } from '../../plan/never-modelled.ts';
import type { EvidenceKind } from '../../plan/plan.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import type { Scope } from '../elaborate/scope.ts';
import { isDone } from './action.ts';
import { append } from './append.ts';
import type { PlannedRun } from './encoding-session.ts';
import { placed } from './placed-action.ts';
import { readField } from './read-actions.ts';
import { ruleOf } from './rule-of.ts';
import { toProblem } from './to-problem.ts';
import { traceRun } from './trace.ts';

/** A stored artifact. Its hash, type and size were checked when it was received. */
export interface Artifact {
  /** Index of the action that it belongs to. */
  readonly action: number;
  readonly kind: string;
  readonly json?: unknown;
  /** Why its content is not JSON with one meaning. */
  readonly fault?: string | undefined;
}

/**
 * The problem whether every action has the evidence that its step requires, and the evidence agrees with the action. Ids of rules:
 * `/actions/1/evidence/receipt/min`, `/actions/1/evidence/receipt/0/reads`, `/actions/1/evidence/receipt/0/binds/amount`.
 */
export function evidenceProblem({ plan, actions, runContext }: PlannedRun, artifacts: readonly Artifact[]): Problem {
  const given = new Map<string, Artifact[]>();
  for (const artifact of artifacts) append(given, `${artifact.action} ${artifact.kind}`, artifact);
  const rules: Formula[] = [];
  const { session } = traceRun(plan, placed(actions), {
    runContext,
    visit(action, before) {
      const { index, step } = action;
      for (const kind of isDone(action) ? step.evidence : step.evidence.map(withoutResponse)) {
        const path = `/actions/${index}/evidence/${kind.kind}`;
        rules.push(...rulesOfKind(kind, given.get(`${index} ${kind.kind}`) ?? [], { path, before }));
      }
    },
  });
  return toProblem(session, { question: 'holds', rules, asks: 'values' });
}

/** Of an act without a response, evidence is not asked. If there is some, it is compared with the arguments. */
const withoutResponse = ({ binds, ...kind }: EvidenceKind): EvidenceKind => ({
  ...kind,
  min: 0,
  binds: binds.filter(({ expression }) => !mentions(expression, 'resp')),
});

function* rulesOfKind(
  kind: EvidenceKind,
  given: readonly Artifact[],
  { path, before }: { readonly path: string; readonly before: Scope },
): Generator<Formula> {
  const [min, count] = [literal(BigInt(kind.min)), literal(BigInt(given.length))];
  yield { id: `${path}/min`, term: { op: '<=', left: min, right: count } };
  for (const [number, artifact] of given.entries()) {
    const at = `${path}/${number}`;
    const read = readArtifact(kind.reads, artifact);
    if ('fault' in read) {
      // It has no values for the other rules.
      yield { id: `${at}/reads`, term: literal(false), fault: () => read.fault };
      continue;
    }
    yield { id: `${at}/reads`, term: literal(true) };
    const ev = new Map([...read.values].map(([name, value]) => [name, literal(value)]));
    const scope = { ...before, names: { ...before.names, ev }, memo: new Map() };
    for (const { id, expression } of kind.binds) {
      yield ruleOf(`${at}/binds/${id}`, expression, scope);
    }
  }
}

/** The values that are read from an artifact, or why one cannot be read. */
export function readArtifact(
  reads: EvidenceKind['reads'],
  { json, fault }: Pick<Artifact, 'json' | 'fault'>,
): { readonly values: ReadonlyMap<string, Value> } | { readonly fault: string } {
  const values = new Map<string, Value>();
  for (const [name, field] of reads) {
    // An artifact from which nothing is read may be anything.
    if (fault !== undefined) return { fault };
    try {
      values.set(name, readField(json, field, ''));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return { fault: `${name} at ${field.at} ${error.message}` };
    }
  }
  return { values };
}
