import type { ExecutionContext } from 'ava';
import type { TextFault } from '../../../../../workers/plan/text/faults/text-fault.ts';

interface FaultRow {
  /** The text of the base that is replaced, and what replaces it, with `^` at the fault if its place is checked. */
  readonly from: string;
  readonly marked: string;
  readonly code: string;
  /** Line and column of a fault that is not at the change. */
  readonly place?: string | undefined;
  readonly says: string;
}

/** Changes of a text without faults, and the fault of each. */
export interface FaultTable {
  readonly base: string;
  readonly rows: readonly FaultRow[];
  readonly compile: (text: string) => { readonly faults?: readonly TextFault[] | undefined };
}

/**
 * Reads a table of faults. A line has `from → marked ⇒ CODE message`, or no `from` after a line `@ from`. `¦` separates
 * texts with one fault: one without `^` replaces what follows `^` in the text before. ⏎ ends a line. A message is a part
 * of the whole one: `…` is anything, and `$` its end. Before it is a place that is elsewhere, as in `4:13`.
 */
export function faultTable(base: string, compile: FaultTable['compile'], table: string): FaultTable {
  let head = '';
  const rows = table.split('\n').flatMap((line): readonly FaultRow[] => {
    if (line.startsWith('@ ')) head = line.slice(2).replaceAll('⏎', '\n');
    const [, from, texts, code, place, says] = /^(?:(.*?) →)?(.*?) ?⇒ (\w+) (?:(\d+:\d+) )?(.*)$/.exec(line) ?? [];
    if (texts === undefined || code === undefined || says === undefined) return [];
    let prefix = '';
    return texts
      .replaceAll('⏎', '\n')
      .split(' ¦ ')
      .map((text) => {
        const marked = from === undefined ? text : text.replace(/^ /, '');
        const at = marked.indexOf('^');
        const whole = at < 0 ? prefix + marked : marked;
        if (at >= 0) prefix = marked.slice(0, at + 1);
        return { from: from?.replaceAll('⏎', '\n') ?? head, marked: whole, code, place, says };
      });
  });
  return { base, rows, compile };
}

/** The text of a row. Within quotes of YAML, a quote is doubled. */
export function textOf({ base }: FaultTable, { from, marked }: FaultRow): string {
  const text = marked.replace('^', '');
  const isQuoted = base[base.indexOf(from) - 1] === "'";
  return base.replace(from, () => (isQuoted ? text.replaceAll("'", "''") : text));
}

/** Asserts that each text has its fault, at its place; and no other one, unless faults may follow from it. */
export function checkFaults(t: ExecutionContext, table: FaultTable, { mayFollow = false } = {}): void {
  t.deepEqual(table.compile(table.base).faults ?? [], []);
  for (const row of table.rows) {
    const text = textOf(table, row);
    const at = table.base.indexOf(row.from);
    const { faults = [] } = table.compile(text);
    const says = new RegExp(row.says.replace(/[.*+?^{}()|[\]\\]|\$(?!$)/g, '\\$&').replaceAll('…', '.*'));
    const fault = faults.find(({ code, message }) => code === row.code && says.test(message));
    const before = text.slice(0, at + row.marked.indexOf('^'));
    const place = `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`;
    const expected = row.place ?? (row.marked.includes('^') ? place : undefined);
    t.true(at >= 0 && (mayFollow || faults.length === 1), `${text}\n${JSON.stringify(faults)}`);
    t.true(fault !== undefined, `${row.marked} ${says} ${JSON.stringify(faults)}`);
    if (expected !== undefined) t.is(`${fault?.line}:${fault?.column}`, expected, row.marked);
  }
}
