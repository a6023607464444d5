import { DocumentError } from '../../exact/document-error.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import { expand } from '../language/expand.ts';
import { literal, type Term, variable } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { EvidenceKind } from '../plan/plan.ts';
import { readFieldsOf } from './read-actions.ts';
import type { RunModel } from './run-builder.ts';
import { withoutUnasked } from './without-unasked.ts';

/** A stored artifact. Its hash, type and size were checked when it was received. */
export interface Artifact {
  /** Index of the action that it belongs to. */
  readonly action: number;
  readonly kind: string;
  /** Its content. Undefined if it is not JSON. */
  readonly json: unknown;
}

const COUNT: ValueType = { type: 'int', min: 0n, max: 256n };
const BOOL: ValueType = { type: 'bool' };

/**
 * The problem whether every action has the evidence that its step requires, and the evidence agrees with the action. Ids of rules:
 * `/actions/1/evidence/receipt/min`, `/actions/1/evidence/receipt/0/reads`, `/actions/1/evidence/receipt/0/binds/amount`.
 */
export function evidenceProblem(model: RunModel, artifacts: readonly Artifact[]): Problem {
  const variables = new Map(model.variables);
  const values = new Map(model.values);
  const rules: Formula[] = [];
  const fact = (key: string, type: ValueType, value: Value): Term => {
    variables.set(key, type);
    values.set(key, value);
    return variable(key);
  };
  for (const { index, plannedStep, names } of model.slots) {
    if (index === undefined) continue;
    for (const kind of plannedStep.evidence) {
      const path = `/actions/${index}/evidence/${kind.kind}`;
      const given = artifacts.filter((artifact) => artifact.action === index && artifact.kind === kind.kind);
      const count = fact(`${path}/count`, COUNT, BigInt(given.length));
      rules.push({ id: `${path}/min`, term: { op: '<=', left: literal(BigInt(kind.min)), right: count } });
      for (const [number, { json }] of given.entries()) {
        const at = `${path}/${number}`;
        const read = readKind(kind, json, at);
        rules.push({ id: `${at}/reads`, term: fact(`${at}/is_read`, BOOL, read !== undefined) });
        // Evidence that could not be read has no values for the other rules.
        if (read === undefined) continue;
        const ev = new Map(
          [...kind.reads].map(([name, { type }]) => [name, fact(`${at}/ev/${name}`, type, required(read, name))]),
        );
        for (const { id, expression } of kind.binds) {
          rules.push({ id: `${at}/binds/${id}`, term: expand(expression, { names: { ...names, ev } }, model.spend) });
        }
      }
    }
  }
  return withoutUnasked({ question: 'holds', variables, values, facts: model.facts, rules });
}

function required(read: ReadonlyMap<string, Value>, name: string): Value {
  const value = read.get(name);
  if (value === undefined) throw new TypeError(`${name} was not read`);
  return value;
}

/** Reads the fields of an artifact. Undefined if one is missing or malformed. */
export function readKind({ reads }: EvidenceKind, json: unknown, path: string): ReadonlyMap<string, Value> | undefined {
  try {
    return readFieldsOf(json, reads, path);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
