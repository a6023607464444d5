import { readdirSync, readFileSync } from 'node:fs';

const EXAMPLE = new URL('../../../docs/verified-execution/refund-agent/', import.meta.url);

/** An action without its times: they are those of the play. */
export interface PlayedAction {
  readonly step_id: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

export interface PlayedArtifact {
  /** Of the action that it bears out, from 0. */
  readonly seq: number;
  readonly kind: string;
  readonly media_type: string;
  readonly content: unknown;
}

/** Where a run ends, and why. */
export interface Ending {
  readonly at:
    | 'create_plan'
    | 'approve_plan'
    | 'plan_alignment'
    | 'constraints'
    | 'execute'
    | 'evidence'
    | 'replay_verify'
    | 'proof';
  /** Of an answer that is an error. */
  readonly code?: string;
  /** Of a verdict that is not `satisfied`: of which check, where there are several, and its first reason. */
  readonly check?: string;
  readonly verdict?: string;
  readonly reason?: string;
  readonly path?: string;
}

/** What an agent does under the example's plan, and what is to come of it. */
export interface RunFile {
  readonly title: string;
  readonly expect: Ending;
  /** What is proposed, where something else is done. */
  readonly proposed?: readonly PlayedAction[];
  readonly actions: readonly PlayedAction[];
  readonly evidence: readonly PlayedArtifact[];
  /** Values of the plan that are changed, by JSON pointer. */
  readonly plan?: Readonly<Record<string, unknown>>;
  /** Whose key approves. */
  readonly approver?: 'agent' | 'approver';
  /** How often the run is played, of which the last counts. */
  readonly times?: number;
}

export function readPlanFile(): object {
  return JSON.parse(readFileSync(new URL('plan.json', EXAMPLE), 'utf8')) as object;
}

/** Runs of the example, by name; `$RUN` stands for what makes a play another than those before. */
export function readRunFiles(): ReadonlyMap<string, string> {
  const runs = new URL('runs/', EXAMPLE);
  const names = readdirSync(runs).filter((name) => name.endsWith('.json'));
  return new Map(
    names.sort().map((name) => [name.slice(0, -'.json'.length), readFileSync(new URL(name, runs), 'utf8')]),
  );
}

export function readRun(text: string, play: string): RunFile {
  return JSON.parse(text.replaceAll('$RUN', play)) as RunFile;
}
