// `startStack({ preload })` loads this first into every process of a stack. It shifts the process's clock by
// CLOCK_SHIFT_MS milliseconds; 0 by default.
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

// A class cannot be called without `new`, as `DateConstructor` can. The product never does that.
if (shiftMs !== 0) globalThis.Date = ShiftedDate as DateConstructor;
