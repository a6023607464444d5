import type { ActionDocument } from '../../../exact/action-schema.ts';
import type { PlanDocument, StepDocument } from '../../../exact/plan-schema.ts';
import type { ToolDocument } from '../../../exact/tool-schema.ts';
import { parseShapes, type Shapes } from '../../language/shapes.ts';
import { FOLDED_TYPES } from '../../language/types.ts';
import type { Answer } from '../../plan.ts';
import { readAnswers } from '../../read/tool-parts.ts';
import { knownNames } from '../faults/suggest.ts';
import { FaultLog, TextError, type TextFault } from '../faults/text-fault.ts';
import { hashTool } from '../tools/known-tool.ts';
import { readTime } from '../types/read-value.ts';
import { quote, readFields, unknownName } from '../yaml/fields.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { asMap, asScalar, itemsOf, type MapEntry, type TextNode } from '../yaml/text-node.ts';
import { readArguments, readDocument } from './read-document.ts';

/** A run that a plan's author expects to pass or to fail. */
export interface ExpectedRun {
  readonly name: string;
  readonly must: 'satisfied' | 'violated';
  /** The id of a rule or a condition that must be among the reasons. */
  readonly because: string | undefined;
  readonly approvals: readonly { readonly at: string; readonly group: string }[];
  readonly actions: readonly ActionDocument[];
  readonly artifacts: readonly { readonly action: number; readonly kind: string; readonly document: object }[];
}

export type CompiledRuns =
  | { readonly runs: readonly ExpectedRun[]; readonly faults?: undefined }
  | { readonly runs?: undefined; readonly faults: readonly TextFault[] };

const ACTION_PARTS = ['responds', 'outcome', 'started', 'ended'];
const PARTS = ['must', 'because', 'approved', 'approvals', 'actions'];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Compiles the runs in `PLAN.runs.yaml`: actions by step, with responses and evidence by the names of their fields. */
export function compileRuns(text: string, plan: PlanDocument, tools: readonly ToolDocument[]): CompiledRuns {
  const log = new FaultLog(text);
  const runs = log.readText(() => readRuns(text, { plan, types: stepTypes(plan, tools), log }));
  return runs !== undefined && log.isEmpty ? { runs } : { faults: log.faults() };
}

type Answers = ReadonlyMap<string, Answer>;

interface StepTypes {
  readonly step: StepDocument;
  readonly args: Shapes;
  readonly response: Answers;
  readonly evidence: ReadonlyMap<string, Answers>;
}

interface RunContext {
  readonly plan: PlanDocument;
  readonly types: ReadonlyMap<string, StepTypes>;
  readonly log: FaultLog;
}

function stepTypes(plan: PlanDocument, tools: readonly ToolDocument[]): ReadonlyMap<string, StepTypes> {
  const byHash = new Map(tools.map((tool) => [hashTool(tool), tool]));
  return new Map(
    plan.steps.map((step): [string, StepTypes] => {
      const ref = plan.tools.find(({ name, version }) => `${name}@${version}` === step.tool);
      const tool = ref !== undefined && 'sha256' in ref ? byHash.get(ref.sha256) : ref;
      const evidence = step.evidence.map(({ kind, reads }) => [kind, readAnswers(reads, '/reads')] as const);
      const { args = {}, responds = {} } = tool ?? {};
      const types = {
        args: parseShapes(args, '/args', FOLDED_TYPES),
        response: readAnswers(responds, '/responds'),
        evidence: new Map(evidence),
      };
      return [step.step_id, { step, ...types }];
    }),
  );
}

function readRuns(text: string, context: RunContext): readonly ExpectedRun[] {
  const { entries } = asMap(readYaml(text, context.log), 'runs by name');
  return context.log.each(entries, (entry) => readRun(entry, context));
}

function readRun({ key, value }: MapEntry, context: RunContext): ExpectedRun {
  const fields = readFields(value, PARTS, `the run ${quote(key.text)}`, context.log);
  const must = asScalar(fields.require('must', 'must: satisfied'), 'satisfied or violated');
  if (must.text !== 'satisfied' && must.text !== 'violated') {
    throw new TextError('UNKNOWN_VALUE', must.at, `${quote(must.text)} is neither satisfied nor violated`);
  }
  const because = fields.get('because');
  const approved = fields.get('approved');
  const approvedAt = approved ? readTime(approved, 'the time of approval') : usualApproval(context.plan);
  const list = fields.require('actions', 'actions: [ … ]');
  if (list.kind !== 'list') throw new TextError('WRONG_FORM', list.at, 'actions are a list: - pay: { amount: 10.00 }');
  const read = context.log.each([...list.items.entries()], ([index, item]) =>
    readAction(item, { index, approvedAt }, context),
  );
  return {
    name: key.text,
    must: must.text,
    because: because && asScalar(because, 'the id of a rule').text,
    approvals: readApprovals(fields.get('approvals'), approvedAt, context.plan),
    actions: read.map(({ action }) => action),
    artifacts: read.flatMap(({ artifacts }) => artifacts),
  };
}

/** Approvals by the groups of the keys. As many as the plan needs, unless the run lists them. */
function readApprovals(node: TextNode | undefined, at: string, { approvals }: PlanDocument): ExpectedRun['approvals'] {
  if (node === undefined) return Array.from({ length: approvals }, (_, index) => ({ at, group: usualGroup(index) }));
  return itemsOf(node).map((item) => ({ at, group: asScalar(item, 'a group of keys').text }));
}

function readAction(
  node: TextNode,
  { index, approvedAt }: { readonly index: number; readonly approvedAt: string },
  { types, log }: RunContext,
) {
  const [head, ...rest] = asMap(node, 'an action such as pay: { amount: 10.00 }').entries;
  if (head === undefined) throw new TextError('WRONG_FORM', node.at, 'the action is empty');
  const known = types.get(head.key.text);
  if (known === undefined) {
    throw unknownName(head.key, types.keys(), `there is no step ${quote(head.key.text)}`, 'UNKNOWN_STEP');
  }
  const parts = new Map(rest.map(({ key, value }) => [key.text, value]));
  for (const { key } of rest) {
    if (ACTION_PARTS.includes(key.text) || known.evidence.has(key.text)) continue;
    const hint = knownNames(key.text, [...ACTION_PARTS, ...known.evidence.keys()]);
    log.add('UNKNOWN_PART', key.at, `an action has no part ${quote(key.text)}.${hint}`);
  }
  const { step, args, response, evidence } = known;
  const [tool = '', version = ''] = step.tool.split('@');
  const [started, ended] = [parts.get('started'), parts.get('ended')];
  const startedAt = started ? readTime(started) : usualStart(approvedAt, index);
  const action: ActionDocument = {
    step_id: step.step_id,
    tool,
    tool_version: version,
    args: readArguments(head.value, args, 'the arguments', log),
    ...readReport(parts, response, log),
    started_at: startedAt,
    ended_at: ended ? readTime(ended) : startedAt,
  };
  const artifacts = [...evidence].flatMap(([kind, fields]) => {
    const given = parts.get(kind);
    if (given === undefined) return [];
    return itemsOf(given).map((item) => ({
      action: index,
      kind,
      document: readDocument(item, fields, `the evidence ${kind}`, log),
    }));
  });
  return { action, artifacts };
}

/** The response of an act that is done, or another outcome. */
function readReport(
  parts: ReadonlyMap<string, TextNode>,
  response: Answers,
  log: FaultLog,
): Pick<ActionDocument, 'outcome' | 'response'> {
  const [responds, node] = [parts.get('responds'), parts.get('outcome')];
  const written = node && asScalar(node, 'failed or unknown');
  const outcome = written && OUTCOMES.find((each) => each === written.text);
  if (written !== undefined && outcome === undefined) {
    throw unknownName(written, OUTCOMES, `outcome is failed or unknown, not ${quote(written.text)}`, 'UNKNOWN_VALUE');
  }
  if (outcome === undefined) {
    return { response: responds === undefined ? {} : readDocument(responds, response, 'the response', log) };
  }
  if (responds !== undefined) log.add('WRONG_FORM', responds.at, `an act that is ${outcome} has no response`);
  return { outcome };
}

const OUTCOMES = ['failed', 'unknown'] as const;

/** An instant some milliseconds later. Its microseconds stay. */
function later(instant: string, milliseconds: number): string {
  const moved = new Date(Date.parse(`${instant.slice(0, 23)}Z`) + milliseconds).toISOString();
  return `${moved.slice(0, 23)}${instant.slice(23)}`;
}

// What a run has unless it says otherwise.
const usualApproval = ({ expires_at }: PlanDocument): string => later(expires_at, -DAY_MS);
const usualGroup = (index: number): string => `approver-${index + 1}`;
const usualStart = (approvedAt: string, index: number): string => later(approvedAt, (index + 1) * MINUTE_MS);

/** Whether a run has the usual approvers, and its acts the usual times. */
export function isAsUsual({ actions, approvals }: ExpectedRun, plan: PlanDocument): boolean {
  const approvedAt = usualApproval(plan);
  return (
    approvals.length === plan.approvals &&
    approvals.every(({ group }, index) => group === usualGroup(index)) &&
    actions.every(
      ({ started_at: start, ended_at: end }, index) => start === usualStart(approvedAt, index) && end === start,
    )
  );
}
