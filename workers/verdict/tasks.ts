import type { TableText } from '../plan/read/read-table.ts';
import type { SelectionAnswer } from '../select/exact-select.ts';
import type { Proposed, ProposedPlan } from './check/propose.ts';
import type { Verification } from './check/verify.ts';
import type { Checked, CheckName, Fault, Linted, Preflight, ReadActions } from './run/checked.ts';
import type { RunContext } from './run/encoding-session.ts';
import type { ReportedContext } from './run/reported-times.ts';
import type { Composition } from './sheets/compose-sheets.ts';
import type { SheetTitle } from './sheets/write-sheet.ts';
import type { Z3Pins } from './z3/z3.ts';

/** Plans, sheets and actions are JSON texts that the service has parsed strictly. */
interface PlanTask {
  readonly plan: string;
  /** The sheets that the plan uses, in canonical form and in any order. */
  readonly sheets: readonly string[];
  /** Descriptions of the catalogue that the plan uses, in canonical form and in any order. */
  readonly tools?: readonly string[];
  /** Tables that the plan uses, in any order. */
  readonly tables?: readonly TableText[];
}

/** What is known about the approval of the plan. Undefined if it is not approved. */
interface Approved {
  readonly runContext?: RunContext;
}

/** Only for plans with rules over their runs. */
interface AfterRuns {
  /** An array of the actions of each run that was recorded before, in the order in which they were recorded. */
  readonly runs?: string;
}

interface RunTask extends PlanTask, AfterRuns {
  /** An array of actions. */
  readonly actions: string;
}

/** The text of an artifact that is JSON, or why it is not. */
export type ArtifactText = { readonly json: string } | { readonly fault: string };

interface VerifyTask extends RunTask {
  readonly artifacts: readonly ({
    /** Index of the action that it belongs to. */
    readonly action: number;
    readonly kind: string;
  } & ArtifactText)[];
  readonly runContext: ReportedContext;
}

export type SolverTask =
  | ({ readonly kind: 'propose' } & ProposedPlan)
  | ({
      readonly kind: 'check_proposal';
      readonly check: CheckName;
      readonly mode: 'prefix' | 'complete';
    } & RunTask &
      Approved)
  | ({ readonly kind: 'check_run'; readonly check: CheckName } & RunTask & Approved)
  | ({ readonly kind: 'read_actions' } & RunTask)
  /** `reads`: what a plan reads from each artifact, as JSON. */
  | { readonly kind: 'read_evidence'; readonly artifacts: readonly ({ readonly reads: string } & ArtifactText)[] }
  | ({ readonly kind: 'verify' } & VerifyTask)
  | ({ readonly kind: 'scripts' } & VerifyTask)
  | ({ readonly kind: 'preflight'; readonly done: string; readonly action: string; readonly now?: string } & PlanTask &
      AfterRuns &
      Approved)
  /** `selection`: a JSON text that the service has parsed strictly. */
  | { readonly kind: 'select'; readonly selection: string }
  | { readonly kind: 'check_sheet'; readonly sheet: string }
  /** A description of the catalogue, in canonical form. */
  | { readonly kind: 'check_tool'; readonly tool: string }
  | {
      readonly kind: 'compose_sheets';
      /** The sheets to compose. */
      readonly sheets: readonly string[];
      /** Name, version and title of the result. */
      readonly as: SheetTitle;
    }
  | { readonly kind: 'known_problem' };

export type SolverTaskKind = SolverTask['kind'];

export type VerifyAnswer = Verification;

export interface SolverAnswers {
  readonly propose: Proposed;
  readonly check_proposal: Checked;
  readonly check_run: Checked;
  readonly read_actions: ReadActions;
  /** Why something cannot be read from each artifact. Null: all of it can. */
  readonly read_evidence: readonly (string | null)[];
  readonly verify: VerifyAnswer;
  /** The SMT-LIB text of each question, by its SHA-256. */
  readonly scripts: readonly { readonly sha256: string; readonly text: string }[];
  readonly preflight: Preflight;
  readonly select: { readonly fault: Fault } | { readonly fault?: undefined; readonly selection: SelectionAnswer };
  readonly check_sheet: Linted;
  /** Empty if the description can be read. */
  readonly check_tool: { readonly fault?: Fault };
  readonly compose_sheets: Composition & { readonly fault?: Fault };
  readonly known_problem: Z3Pins & { readonly rlimit: number };
}
