import type { Store } from './store.ts';

/** Open payments are lost when the process ends. */
export function createMemoryStore(): Store {
  const values = new Map<string, string>();
  return {
    async set(name, value) {
      values.set(name, value);
    },
    async delete(name) {
      values.delete(name);
    },
    list: async (prefix) =>
      Array.from(values, ([name, value]) => ({ name, value })).filter(({ name }) => name.startsWith(prefix)),
  };
}
