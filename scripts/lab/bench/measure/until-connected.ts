/** The channels of a client connect by themselves: all of them have answered after so many calls in a row. */
const IN_A_ROW = 8;

/** Resolves when every call of a client reaches its service. */
export async function untilConnected(ask: () => Promise<unknown>): Promise<void> {
  let inARow = 0;
  while (inARow < IN_A_ROW)
    inARow = await ask().then(
      () => inARow + 1,
      () => 0,
    );
}
