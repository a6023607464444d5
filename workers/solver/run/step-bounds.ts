/** What a plan allows the actions of a step at most. */
export interface StepBounds {
  readonly step_id: string;
  readonly min: number;
  readonly max: number;
  readonly numbers: readonly NumberBounds[];
}

export interface NumberBounds {
  /** Name of the argument. */
  readonly name: string;
  /** Bounds in each action. Null without one but 38 digits. */
  readonly least: string | null;
  readonly greatest: string | null;
  /** The greatest sum over the run. Null if nothing bounds it. */
  readonly total: string | null;
}
