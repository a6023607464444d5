import { readCatalogueTool } from '../plan/read/read-tool.ts';
import { readFields } from '../plan/read/tool-parts.ts';
import { exactSelect } from '../select/exact-select.ts';
import { SelectionError } from '../select/request/selection-error.ts';
import { checkProposal, checkRun, preflight, readRecorded } from './check/check-actions.ts';
import { propose } from './check/propose.ts';
import { verifyExecution } from './check/verify.ts';
import { type BoundedSolver, SmtError, type SmtQuery, type SmtSolver } from './decide/smt-solver.ts';
import { readArtifact } from './run/evidence.ts';
import { parseEvidence } from './run/parse-evidence.ts';
import { toFault } from './run/to-fault.ts';
import { checkSheet } from './sheets/check-sheet.ts';
import { composeSheets, INDETERMINATE } from './sheets/compose-sheets.ts';
import type { ArtifactText, SolverAnswers, SolverTask, SolverTaskKind } from './tasks.ts';
import { toScript } from './z3/script.ts';
import type { Z3 } from './z3/z3.ts';

/** Answers a task. It throws only if the service itself has a fault. */
export function answerTask(task: SolverTask, z3: Z3, rlimit: number): SolverAnswers[SolverTaskKind] {
  const solver: BoundedSolver = { solver: z3, rlimit };
  switch (task.kind) {
    case 'propose':
      return propose(task, solver);
    case 'check_proposal':
      return checkProposal(documentsOf(task), { check: task.check, mode: task.mode, solver });
    case 'check_run':
      return checkRun(documentsOf(task), { check: task.check, solver });
    case 'read_actions':
      return readRecorded(documentsOf(task));
    case 'read_evidence':
      return task.artifacts.map(unreadable);
    case 'verify':
      return verify(task, solver);
    case 'scripts':
      return scriptsOf(task, solver);
    case 'preflight':
      return preflight(
        { ...task, ...jsonOf(task), done: JSON.parse(task.done), action: JSON.parse(task.action) },
        solver,
      );
    case 'select':
      return select(task.selection);
    case 'check_sheet':
      return checkSheet(JSON.parse(task.sheet), solver);
    case 'check_tool':
      return checkTool(task.tool);
    case 'compose_sheets':
      return compose(task, solver);
    case 'known_problem':
      return solveKnown(z3, rlimit);
  }
}

function select(selection: string): SolverAnswers['select'] {
  try {
    return { selection: exactSelect(JSON.parse(selection)) };
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error;
    const { code, path, message } = error;
    return { fault: { code, path, message } };
  }
}

function checkTool(tool: string): SolverAnswers['check_tool'] {
  try {
    readCatalogueTool(JSON.parse(tool));
    return {};
  } catch (error) {
    return { fault: toFault(error) };
  }
}

function compose(
  { sheets, as }: Extract<SolverTask, { readonly kind: 'compose_sheets' }>,
  solver: BoundedSolver,
): SolverAnswers['compose_sheets'] {
  try {
    return composeSheets(sheets.map(parseJson), as, solver);
  } catch (error) {
    return { ...INDETERMINATE, fault: toFault(error) };
  }
}

type VerifyTask = Extract<SolverTask, { readonly kind: 'verify' | 'scripts' }>;

function documentsOf<Task extends Pick<VerifyTask, 'plan' | 'runs' | 'sheets' | 'tools' | 'tables' | 'actions'>>(
  task: Task,
) {
  return { ...task, ...jsonOf(task), actions: parseJson(task.actions) };
}

const jsonOf = ({ plan, runs = '[]' }: Pick<VerifyTask, 'plan' | 'runs'>) => ({
  plan: parseJson(plan),
  runs: parseJson(runs),
});

const parseJson = (text: string): unknown => JSON.parse(text);

const parseArtifact = (text: ArtifactText) => ('json' in text ? { json: parseEvidence(text.json) } : text);

function unreadable({ reads, ...text }: { readonly reads: string } & ArtifactText): string | null {
  const fields = readFields(JSON.parse(reads), '/reads');
  const read = readArtifact(fields, parseArtifact(text));
  return 'fault' in read ? read.fault : null;
}

function verify({ artifacts, runContext, ...task }: VerifyTask, solver: BoundedSolver): SolverAnswers['verify'] {
  const read = artifacts.map(({ action, kind, ...text }) => ({ action, kind, ...parseArtifact(text) }));
  return verifyExecution({ ...documentsOf(task), artifacts: read, runContext }, solver);
}

/** The SMT-LIB text of every question that a verification asks, so that another solver can answer them. */
function scriptsOf(task: VerifyTask, { solver, rlimit }: BoundedSolver): SolverAnswers['scripts'] {
  const texts = new Map<string, string>();
  const recording: SmtSolver = {
    check(query) {
      const answer = solver.check(query);
      texts.set(answer.script, toScript(query));
      return answer;
    },
  };
  verify(task, { solver: recording, rlimit });
  return [...texts].map(([sha256, text]) => ({ sha256, text }));
}

const KNOWN: readonly (readonly ['sat' | 'unsat', string])[] = [
  ['sat', '(and (< 3 x0) (< x0 5))'],
  ['unsat', '(and (< 3 x0) (< x0 4))'],
];

/** Checks the solver on problems with known answers. @throws {SmtError} if it answers one wrongly */
function solveKnown(z3: Z3, rlimit: number): SolverAnswers['known_problem'] {
  for (const [expected, term] of KNOWN) {
    const query: SmtQuery = { constants: new Map([['x0', 'Int']]), assertions: [{ name: 'c0', term }], rlimit };
    const { status } = z3.check(query);
    if (status !== expected) throw new SmtError(`z3 answers ${status} to a problem that is ${expected}`);
  }
  return { ...z3.pins, rlimit };
}
