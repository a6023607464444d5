import { readdirSync, readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { compileTools } from '../../../workers/plan/text/tools/compile-tools.ts';
import { createJsonReader } from '../../launch/parse/json-reader.ts';

const EXAMPLE = new URL('../../../docs/verified-execution/refund-agent/', import.meta.url);

/** An action without its times. The player adds them. */
const PlayedAction = Type.Object({
  step_id: Type.String(),
  tool: Type.String(),
  tool_version: Type.String(),
  args: Type.Record(Type.String(), Type.Unknown()),
  response: Type.Unknown(),
});
export type PlayedAction = Static<typeof PlayedAction>;

const PlayedArtifact = Type.Object({
  /** Index of the action that the artifact is evidence for. */
  seq: Type.Integer({ minimum: 0 }),
  kind: Type.String(),
  media_type: Type.String(),
  content: Type.Unknown(),
});
export type PlayedArtifact = Static<typeof PlayedArtifact>;

/** Where a run ends, and why. */
const Ending = Type.Object({
  at: Type.Enum([
    'create_plan',
    'approve_plan',
    'plan_alignment',
    'constraints',
    'execute',
    'evidence',
    'replay_verify',
    'proof',
  ]),
  /** The code of an error answer. */
  code: Type.Optional(Type.String()),
  /** A verdict other than `satisfied`: its check, if there are several, and its first reason. */
  check: Type.Optional(Type.String()),
  verdict: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
});
export type Ending = Static<typeof Ending>;

/** What an agent does under the example's plan, and the expected outcome. */
const RunFile = Type.Object({
  title: Type.String(),
  expect: Ending,
  /** The proposed actions, if they differ from the actions that are done. */
  proposed: Type.Optional(Type.Array(PlayedAction)),
  actions: Type.Array(PlayedAction),
  evidence: Type.Array(PlayedArtifact),
  /** Texts to replace in the plan. */
  plan: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** The role whose key approves the plan; `approver` by default. */
  approver: Type.Optional(Type.Enum(['agent', 'approver'])),
  /** How many times the run is played; once by default. The last play counts. */
  times: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type RunFile = Static<typeof RunFile>;

const parseRun = createJsonReader(RunFile, 'the run file');

/** The text of the example's plan. */
export const readPlanFile = (): string => readFileSync(new URL('plan.yaml', EXAMPLE), 'utf8');

/** Descriptions of the tools that the plan takes from the catalogue. */
export function readToolFile(): readonly ToolDocument[] {
  const { tools = [] } = compileTools(readFileSync(new URL('../examples/tools.yaml', EXAMPLE), 'utf8'));
  const plan = readPlanFile();
  return tools.filter(({ name }) => plan.includes(`tool: ${name}@`));
}

/** Texts of the example's run files by name. `readRun` parses them. */
export function readRunFiles(): ReadonlyMap<string, string> {
  const runs = new URL('runs/', EXAMPLE);
  const names = readdirSync(runs).filter((name) => name.endsWith('.json'));
  return new Map(
    names.sort().map((name) => [name.slice(0, -'.json'.length), readFileSync(new URL(name, runs), 'utf8')]),
  );
}

/** @param play replaces `$RUN`, so that each play uses ids of its own */
export function readRun(text: string, play: string): RunFile {
  return parseRun(text.replaceAll('$RUN', play));
}
