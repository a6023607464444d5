/** A part of the product whose quality is measured with labeled data. */
export interface Measure {
  /** The arguments, in one line. */
  readonly usage: string;
  /** Measures and prints the result. @returns false if the arguments are wrong */
  readonly run: (args: readonly string[]) => Promise<boolean>;
}
