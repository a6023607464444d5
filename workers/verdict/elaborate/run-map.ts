import { DocumentError } from '../../exact/document-error.ts';
import { literal, type Term } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import type { MapState } from '../../plan/plan.ts';
import { ifThenElse, knownValue } from './kleene.ts';

interface Change {
  readonly key: Term;
  readonly value: Term;
}

/** Deeper choices cost z3 memory and time with the square of their depth. */
const MAX_OPEN_CHANGES = 256;

/** A map of the state in a run. */
export class RunMap {
  /** Changes at known keys, before the first change at an open key. A later change replaces an earlier one. */
  readonly #known = new Map<Value, Change>();
  /** Changes since then, in order. */
  readonly #later: Change[] = [];
  readonly #state: Pick<MapState, 'byDefault'>;
  readonly #default: Term;

  constructor(state: Pick<MapState, 'byDefault'>) {
    this.#state = state;
    this.#default = literal(state.byDefault);
  }

  /** The map as it is now. */
  copy(): RunMap {
    const copy = new RunMap(this.#state);
    for (const [key, change] of this.#known) copy.#known.set(key, change);
    copy.#later.push(...this.#later);
    return copy;
  }

  set(key: Term, value: Term): void {
    const known = knownValue(key);
    if (known !== undefined && this.#later.length === 0) this.#known.set(known, { key, value });
    else this.#later.push({ key, value });
  }

  at(key: Term): Term {
    const known = knownValue(key);
    let value: Term;
    if (known !== undefined) value = this.#known.get(known)?.value ?? this.#default;
    else value = this.#choose([...this.#known.values()], key, this.#default);
    return this.#choose(this.#later, key, value);
  }

  #choose(changes: readonly Change[], key: Term, otherwise: Term): Term {
    if (changes.length > MAX_OPEN_CHANGES) throw new DocumentError('TOO_MANY_NODES', '', 'has too many open keys');
    return changes.reduce(
      (rest, change) => ifThenElse({ op: '=', left: change.key, right: key }, change.value, rest),
      otherwise,
    );
  }
}
