interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
}

/** What is wrong with the shape of a document, and where: the first fault that a schema finds. */
export function shapeFault(faults: readonly Fault[]): { readonly path: string; readonly message: string } {
  // An unknown property fails the schema `false` where it stands, and that of its object, which says less.
  const fault = faults.find(({ keyword }) => keyword === 'boolean') ?? faults[0];
  if (fault === undefined) return { path: '', message: 'is malformed' };
  const message = fault.keyword === 'boolean' ? 'is not a known property' : fault.message;
  return { path: fault.instancePath, message };
}
