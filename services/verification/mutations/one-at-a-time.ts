/** Does work one after the other that has the same name. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Within this process: what several processes do at once, the database puts in order. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name);
    const mine = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
