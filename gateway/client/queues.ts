/** Runs tasks of one name after each other. */
export function createQueues() {
  const queues = new Map<string, Promise<unknown>>();
  return async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(task);
    const settled = turn.catch(() => {});
    queues.set(name, settled);
    try {
      return await turn;
    } finally {
      if (queues.get(name) === settled) queues.delete(name);
    }
  };
}
