/** The result of `work`, or what `late` answers or throws after `timeoutMs`. The work itself goes on. */
export async function within<Value, Late>(
  work: Promise<Value>,
  timeoutMs: number,
  late: () => Late | Promise<Late>,
): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    return await Promise.race([work, end.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
