/** A fault as the schema library reports it. */
export interface SchemaFault {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

export interface ShapeFault {
  /** JSON pointer. */
  readonly path: string;
  readonly message: string;
}

/** What is wrong with the shape of a document, and where: one fault, and of a union one of the branch that was meant. */
export function shapeFault(faults: readonly SchemaFault[]): ShapeFault {
  const [first] = faults;
  if (first === undefined) return { path: '', message: 'is malformed' };
  const union = unionOf(faults);
  // What is wrong outside the union is reported first; inside there may be nothing wrong with what was meant.
  const others = union === undefined ? faults : faults.filter((fault) => !isWithin(fault, union) && !isUnion(fault));
  const [other] = others;
  if (union === undefined || other !== undefined) return describe(preferred(others) ?? first);
  const branches = Map.groupBy(
    faults.filter((fault) => isWithin(fault, union)),
    ({ schemaPath }) => branchOf(schemaPath, union),
  );
  const meant = meantBranches([...branches.values()], union);
  const [only, ...more] = meant;
  if (only !== undefined && more.length === 0) return shapeFault(only.map((fault) => leave(fault, union)));
  const messages = meant.flatMap((branch) => branch.slice(0, 1)).map(({ message }) => message);
  return { path: instanceOf(faults, union) ?? first.instancePath, message: [...new Set(messages)].join(', or ') };
}

/** Where the outermost union is in the schema, as the path of its branches without their numbers. */
function unionOf(faults: readonly SchemaFault[]): string | undefined {
  const paths = faults.flatMap(({ schemaPath }) => /^(.*?\/anyOf\/)\d+(?:\/|$)/.exec(schemaPath)?.[1] ?? []);
  return paths.reduce<string | undefined>(
    (shortest, path) => (shortest === undefined || path.length < shortest.length ? path : shortest),
    undefined,
  );
}

const isUnion = ({ keyword }: SchemaFault): boolean => keyword === 'anyOf';
const isWithin = ({ schemaPath }: SchemaFault, union: string): boolean => schemaPath.startsWith(union);
const branchOf = (schemaPath: string, union: string): string => /^\d+/.exec(schemaPath.slice(union.length))?.[0] ?? '';

/** The fault as the schema of its branch alone would have it. */
const leave = (fault: SchemaFault, union: string): SchemaFault => ({
  ...fault,
  schemaPath: fault.schemaPath.slice(union.length).replace(/^\d+/, '#'),
});

/** The value that the union is about: what the shortest path leads to. */
function instanceOf(faults: readonly SchemaFault[], union: string): string | undefined {
  const own = faults.filter((fault) => isWithin(fault, union) && isOwn(fault, union));
  return own.map(instanceOfOwn).toSorted((a, b) => a.length - b.length)[0];
}

/** An unknown property fails the schema `false` where it stands, below the value. */
const instanceOfOwn = ({ keyword, instancePath }: SchemaFault): string =>
  keyword === 'boolean' ? instancePath.slice(0, instancePath.lastIndexOf('/')) : instancePath;

/** Whether the fault is of the branch's own schema, and not of what lies in the value. */
const isOwn = ({ schemaPath }: SchemaFault, union: string): boolean =>
  /^\d+(?:\/additionalProperties)?$/.test(schemaPath.slice(union.length));

/**
 * The branches that fit best: of the value's type; with the fewest properties that the branch does not know; with the
 * fewest missing. Several where nothing tells them apart.
 */
function meantBranches(branches: readonly (readonly SchemaFault[])[], union: string) {
  const scored = branches.map((faults) => {
    const own = faults.filter((fault) => isOwn(fault, union));
    const types = own.filter(({ keyword }) => keyword === 'type' || keyword === 'const').length;
    const unknown = own.filter(({ keyword }) => keyword === 'boolean').length;
    const missing = own.flatMap(missingOf).length;
    // Where no property says which branch was meant, the number of missing ones does not either.
    return { faults, types, unknown, missing: unknown === 0 ? Math.min(missing, 1) : missing };
  });
  const best = scored.toSorted((a, b) => a.types - b.types || a.unknown - b.unknown || a.missing - b.missing)[0];
  return scored
    .filter((one) => one.types === best?.types && one.unknown === best.unknown && one.missing === best.missing)
    .map(({ faults }) => faults);
}

function missingOf({ params }: SchemaFault): readonly string[] {
  const { requiredProperties = [] } = params as { readonly requiredProperties?: readonly string[] };
  return requiredProperties;
}

/** An unknown property is also a fault of its object, which says less. */
const preferred = (faults: readonly SchemaFault[]): SchemaFault | undefined =>
  faults.find(({ keyword }) => keyword === 'boolean') ?? faults[0];

function describe(fault: SchemaFault): ShapeFault {
  const { keyword, instancePath, message } = fault;
  if (keyword === 'boolean') return { path: instancePath, message: 'is not a known property' };
  const [missing] = missingOf(fault);
  if (missing !== undefined) return { path: `${instancePath}/${escapePart(missing)}`, message: 'is missing' };
  return { path: instancePath, message };
}

/** As a part of a JSON pointer (RFC 6901). */
const escapePart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
