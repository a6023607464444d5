import type { SelectionAnswer } from '../select/exact-select.ts';
import type { Checked, CheckName, Fault, Linted, Preflight, ReadActions } from './run/checked.ts';
import type { Circumstances } from './run/circumstances.ts';
import type { Judgement } from './run/judgement.ts';
import type { Assurance } from './run/replay.ts';
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

export interface VerifyAnswer {
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Judgement>>;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

export interface SolverAnswers {
  readonly check_plan: Linted;
  readonly check_proposal: Checked;
  readonly check_run: Checked;
  readonly read_actions: ReadActions;
  readonly verify: VerifyAnswer;
  /** The SMT-LIB text of each question, by its SHA-256. */
  readonly scripts: readonly { readonly sha256: string; readonly text: string }[];
  readonly preflight: Preflight;
  readonly select: { readonly fault: Fault } | { readonly fault?: undefined; readonly selection: SelectionAnswer };
  readonly check_sheet: Linted;
  readonly compose_sheets: Composition & { readonly fault?: Fault };
  readonly known_problem: Z3Pins & { readonly rlimit: number };
}
