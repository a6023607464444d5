import type { TextFaultCode } from '../faults/text-fault.ts';

/** A fault in an expression. */
export class CelError extends Error {
  override readonly name = 'CelError';
  readonly code: TextFaultCode;
  /** Offset in the expression, in UTF-16 units. */
  readonly at: number;

  constructor(code: TextFaultCode, at: number, message: string) {
    super(message);
    this.code = code;
    this.at = at;
  }
}
