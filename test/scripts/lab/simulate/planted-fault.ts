import type { Plant } from '../../../../scripts/lab/simulate/run-worlds.ts';

/** A fault of the product, and where the simulation finds it. */
export interface PlantedFault {
  readonly name: string;
  /** The first seed that finds it. The long test finds it again, if a change of the product moves it. */
  readonly seed: number;
  readonly plant: Plant;
  /** What the model says about it. */
  readonly found: RegExp;
}
