import type { SelectionAnswer } from '../select/exact-select.ts';
import type { Circumstances } from './run/circumstances.ts';
import type { Judgement } from './run/judgement.ts';
import type { Assurance } from './run/replay.ts';
import type { Slack } from './run/slack.ts';
import type { Composition } from './sheets/compose-sheets.ts';
import type { SheetTitle } from './sheets/write-sheet.ts';
import type { Z3Pins } from './z3/z3.ts';

/** Plans, sheets and actions are JSON texts that were read strictly before. */
interface PlanTask {
  readonly plan: string;
  /** Those that the plan uses, in canonical form and in any order. */
  readonly sheets: readonly string[];
}

interface RunTask extends PlanTask {
  /** An array of actions. */
  readonly actions: string;
}

interface VerifyTask extends RunTask {
  readonly artifacts: readonly {
    /** Of the action that it belongs to, among the actions. */
    readonly action: number;
    readonly kind: string;
    /** Its text, where it is JSON. */
    readonly json?: string;
  }[];
  readonly circumstances: Circumstances;
}

export type CheckName = 'plan_alignment' | 'constraints';

export type SolverTask =
  | ({ readonly kind: 'check_plan' } & PlanTask)
  | ({
      readonly kind: 'check_proposal';
      readonly check: CheckName;
      readonly mode: 'prefix' | 'complete';
    } & RunTask)
  | ({ readonly kind: 'check_run'; readonly check: CheckName } & RunTask)
  | ({ readonly kind: 'read_actions' } & RunTask)
  | ({ readonly kind: 'verify' } & VerifyTask)
  | ({ readonly kind: 'scripts' } & VerifyTask)
  | ({ readonly kind: 'preflight'; readonly done: string; readonly action: string } & PlanTask)
  /** A JSON text that was read strictly before. */
  | { readonly kind: 'select'; readonly selection: string }
  | { readonly kind: 'check_sheet'; readonly sheet: string }
  | {
      readonly kind: 'compose_sheets';
      /** Those that are composed. */
      readonly sheets: readonly string[];
      /** What they are called together. */
      readonly as: SheetTitle;
    }
  | { readonly kind: 'known_problem' };

export type SolverTaskKind = SolverTask['kind'];

/** What cannot be meant as it is written. `path`: JSON pointer (RFC 6901) into the plan, or from `/actions` on. */
export interface Fault {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export interface Checked {
  /** Given where nothing was judged. */
  readonly fault?: Fault;
  readonly judgement: Judgement;
}

export interface VerifyAnswer {
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Judgement>>;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

export interface SolverAnswers {
  readonly check_plan: Checked & { readonly lint: readonly Fault[] };
  readonly check_proposal: Checked;
  readonly check_run: Checked;
  readonly read_actions: {
    readonly fault?: Fault;
    /** Value of the field that tells one act of the tool from another, where step and tool match and it has one. */
    readonly actions: readonly { readonly identity?: string }[];
  };
  readonly verify: VerifyAnswer;
  /** The SMT-LIB text of each question, by its SHA-256. */
  readonly scripts: readonly { readonly sha256: string; readonly text: string }[];
  readonly preflight: {
    readonly fault?: Fault;
    readonly alignment: Judgement;
    readonly constraints: Judgement;
    /** What the plan still wants and allows after the action. */
    readonly remaining: readonly { readonly step_id: string; readonly min: number; readonly max: number }[];
    readonly slacks: readonly Slack[];
  };
  readonly select: { readonly fault: Fault } | { readonly fault?: undefined; readonly selection: SelectionAnswer };
  readonly check_sheet: Checked & { readonly lint: readonly Fault[] };
  readonly compose_sheets: Composition & { readonly fault?: Fault };
  readonly known_problem: Z3Pins & { readonly rlimit: number };
}
