import { RESERVED } from '../cel/scope.ts';
import type { FaultLog } from '../faults/text-fault.ts';
import type { ScalarNode } from '../yaml/text-node.ts';

/** The names that all expressions of a plan share: given values, tables and steps. */
export class Names {
  readonly #taken = new Map<string, string>();

  /** Takes a name for something. A name that is taken is logged. */
  take(key: ScalarNode, what: string, log: FaultLog): void {
    if (this.assertFree(key, what, log)) this.#taken.set(key.text, what);
  }

  /** Logs a name that is taken. @returns whether it was free */
  assertFree({ text, at }: ScalarNode, what: string, log: FaultLog): boolean {
    const other = RESERVED.has(text) ? 'a word of the language' : this.#taken.get(text);
    if (other === undefined) return true;
    log.add('NAME_TAKEN', at, `${text} is ${other} already: choose another name for ${what}`);
    return false;
  }
}
