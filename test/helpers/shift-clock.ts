// Loaded first into every process of a stack, by `startStack({ preload })`: its clock is wrong by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);
const RightDate = Date;

class ShiftedDate extends RightDate {
  constructor(...given: ConstructorParameters<typeof RightDate> | []) {
    if (given.length === 0) super(RightDate.now() + shiftMs);
    else super(...given);
  }

  static override now(): number {
    return RightDate.now() + shiftMs;
  }
}

if (shiftMs !== 0) globalThis.Date = ShiftedDate as DateConstructor;
