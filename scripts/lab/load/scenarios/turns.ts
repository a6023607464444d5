/** Calls that must be sent one at a time, in the order in which they were prepared. */
export interface Lane<Call> {
  readonly calls: Call[];
  isBusy: boolean;
}

/**
 * - `used`: the call was made.
 * - `kept`: the same call is sent again.
 * - `lost`: no call of the lane can be sent any more.
 */
export type TurnEnd = 'used' | 'kept' | 'lost';

/** Lanes that take turns. A call waits until a lane with a prepared call is free. */
export function createTurns<Call>() {
  const free: Lane<Call>[] = [];
  const waiting: { readonly resolve: (lane: Lane<Call>) => void; readonly reject: (error: Error) => void }[] = [];
  let ready = 0;

  function serve(lane: Lane<Call>): void {
    const waiter = waiting.shift();
    lane.isBusy = waiter !== undefined;
    if (waiter === undefined) free.push(lane);
    else waiter.resolve(lane);
  }

  return {
    createLane: (): Lane<Call> => ({ calls: [], isBusy: false }),
    add(lane: Lane<Call>, call: Call): void {
      lane.calls.push(call);
      ready += 1;
      if (!lane.isBusy && lane.calls.length === 1) serve(lane);
    },
    /** Prepared calls that nobody takes or waits for. */
    ready: () => ready,
    /** Takes the lane whose first call is sent next. @throws {Error} if no call is prepared */
    async take(): Promise<Lane<Call>> {
      if (ready < 1) throw new Error('no call is prepared');
      ready -= 1;
      const lane = free.shift();
      if (lane === undefined) return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      lane.isBusy = true;
      return lane;
    },
    /** Gives a lane back. */
    end(lane: Lane<Call>, end: TurnEnd): void {
      lane.isBusy = false;
      if (end === 'used') lane.calls.shift();
      if (end === 'kept') ready += 1;
      if (end === 'lost') ready -= lane.calls.splice(0).length - 1;
      if (lane.calls.length > 0) serve(lane);
      for (; ready < 0; ready += 1) waiting.pop()?.reject(new Error('the prepared calls were lost'));
    },
  };
}
