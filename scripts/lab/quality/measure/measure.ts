/** One subject whose quality is measured against labelled data. */
export interface Measure {
  /** Its arguments, in one line. */
  readonly usage: string;
  /** False when the arguments are not such as `usage` says. */
  readonly run: (args: readonly string[]) => Promise<boolean>;
}
