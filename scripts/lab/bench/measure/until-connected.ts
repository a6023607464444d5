/** A client has several channels, and each connects on its own. After this many successful calls in a row, all have answered. */
const IN_A_ROW = 8;

/** Waits until all channels of a client are connected to the service. */
export async function untilConnected(ask: () => Promise<unknown>): Promise<void> {
  let inARow = 0;
  while (inARow < IN_A_ROW)
    inARow = await ask().then(
      () => inARow + 1,
      () => 0,
    );
}
