/** Why a text was refused. */
export type TextFaultCode =
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'TOO_MANY'
  | 'YAML_SYNTAX'
  | 'YAML_FEATURE'
  | 'DUPLICATE_NAME'
  | 'NAME_TAKEN'
  | 'MALFORMED_NAME'
  | 'MISSING_PART'
  | 'UNKNOWN_PART'
  | 'WRONG_FORM'
  | 'MALFORMED_TYPE'
  | 'MALFORMED_VALUE'
  | 'MALFORMED_NUMBER'
  | 'MALFORMED_TIME'
  | 'OUT_OF_RANGE'
  | 'NOT_FOLDED'
  | 'UNKNOWN_VALUE'
  | 'UNKNOWN_TOOL'
  | 'UNKNOWN_STEP'
  | 'UNKNOWN_SHEET'
  | 'UNKNOWN_FILE'
  | 'UNKNOWN_NAME'
  | 'CYCLIC_ORDER'
  | 'MISSING_STATE'
  | 'WRONG_STATE'
  | 'WRONG_REPLAY'
  | 'MALFORMED_TABLE'
  | 'DUPLICATE_KEY'
  | 'CEL_SYNTAX'
  | 'CEL_UNSUPPORTED'
  | 'OUT_OF_SCOPE'
  | 'TYPE_MISMATCH'
  | 'WRONG_ARITY'
  | 'NOT_A_LITERAL'
  | 'DIVISION'
  | 'AMBIGUOUS';

export interface TextFault {
  readonly code: TextFaultCode;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** Ends the reading of one part of a text. */
export class TextError extends Error {
  override readonly name = 'TextError';
  readonly code: TextFaultCode;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;

  constructor(code: TextFaultCode, at: number, message: string) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

/** More faults help no author, and a hostile text could have 100,000. */
const MAX_FAULTS = 100;

/** A text has more faults than are told. */
class TooManyFaults extends Error {}

/** Collects the faults of a text, so that an author sees all of them at once. */
export class FaultLog {
  readonly #text: string;
  readonly #errors: TextError[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Ends the reading of the whole text if it has too many faults: the message of each one takes time. */
  add(code: TextFaultCode, at: number, message: string): void {
    if (this.#errors.length === MAX_FAULTS) throw new TooManyFaults();
    this.#errors.push(new TextError(code, at, message));
  }

  /** Reads the whole text, until it has too many faults. */
  readText<T>(read: () => T): T | undefined {
    try {
      return this.attempt(read);
    } catch (error) {
      if (error instanceof TooManyFaults) return undefined;
      throw error;
    }
  }

  /** Runs a part of the reading. Its fault is logged, and the rest of the text is still read. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      this.add(error.code, error.at, error.message);
      return undefined;
    }
  }

  /** Reads each item. @returns those without a fault */
  each<Item, T>(items: readonly Item[], read: (item: Item) => T | undefined): T[] {
    return items.flatMap((item) => {
      const value = this.attempt(() => read(item));
      return value === undefined ? [] : [value];
    });
  }

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** In the order of the text. */
  faults(): readonly TextFault[] {
    const starts = lineStarts(this.#text);
    return this.#errors
      .toSorted((a, b) => a.at - b.at)
      .map(({ code, at, message }) => ({ code, ...positionOf(at, starts), message }));
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionOf(at: number, starts: readonly number[]): { readonly line: number; readonly column: number } {
  const line = starts.findLastIndex((start) => start <= at);
  return { line: line + 1, column: at - (starts[line] ?? 0) + 1 };
}
