import { DocumentError } from '../../exact/document-error.ts';
import type { Expression, Reference, Scoped, Term } from './terms.ts';
import { isRelation, mapOperands, walkTerms } from './walk.ts';

/** Takes nodes from a budget, which several expressions may share. @throws {DocumentError} TOO_MANY_NODES */
export type SpendNodes = (nodes: number) => void;

const MAX_EXPANDED_NODES = 20_000;
const MAX_BOUND_DEPTH = 256;

export function createNodeBudget(maxNodes = MAX_EXPANDED_NODES): SpendNodes {
  let left = maxNodes;
  return (nodes) => {
    left -= nodes;
    if (left < 0) throw new DocumentError('TOO_MANY_NODES', '', `expands to more than ${maxNodes} nodes`);
  };
}

/** Whether an expression was too large to expand: the question about it has no answer here. */
export const isTooLarge = (error: unknown): error is DocumentError =>
  error instanceof DocumentError && (error.code === 'TOO_MANY_NODES' || error.code === 'TOO_DEEP');

/**
 * Replaces the names of an expression of a sheet by their terms.
 * @throws {DocumentError} TOO_MANY_NODES, TOO_DEEP, about the expression as a whole: the path is empty
 * @throws {TypeError} if a name has no term
 */
export function expand(expression: Expression, names: Scoped<Term>, spend = createNodeBudget()): Term {
  spend(1);
  switch (expression.op) {
    case 'literal':
      return expression;
    case 'reference':
      return resolve(expression, names, spend);
    default:
      if (isRelation(expression)) throw new TypeError(`a sheet has no ${expression.op}`);
      return mapOperands(expression, (operand) => expand(operand, names, spend));
  }
}

function resolve({ scope, name }: Reference, names: Scoped<Term>, spend: SpendNodes): Term {
  const term = names[scope]?.get(name);
  if (term === undefined) throw new TypeError(`there is no term for ${scope} ${name}`);
  measure(term, spend);
  return term;
}

/** Counts the nodes of a term that replaces a name. Terms that are put into terms again and again could grow without end. */
function measure(replacement: Term, spend: SpendNodes): void {
  walkTerms([replacement], (_, depth) => {
    if (depth > MAX_BOUND_DEPTH) throw new DocumentError('TOO_DEEP', '', `nests deeper than ${MAX_BOUND_DEPTH} levels`);
    if (depth > 0) spend(1);
  });
}
