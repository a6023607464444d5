/** Runs work with the same name one after the other. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Orders work within this process. The database orders work of several processes. */
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
