/** The answer of `work`, made at most once in that time. Callers in the meantime share it. A failure is not kept. */
export function atMostOnce<Result>(
  { freshMs, monotonicMs }: { readonly freshMs: number; readonly monotonicMs: () => number },
  work: () => Promise<Result>,
): () => Promise<Result> {
  let last: Promise<Result> | undefined;
  let freshUntilMs = 0;
  return () => {
    if (last === undefined || monotonicMs() >= freshUntilMs) {
      freshUntilMs = monotonicMs() + freshMs;
      const made = work();
      last = made;
      made.catch(() => {
        if (last === made) last = undefined;
      });
    }
    return last;
  };
}
