import { pointerToken } from './json-pointer.ts';

/** A fault as the schema library (typebox) reports it. */
export interface SchemaFault {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

export interface ShapeFault {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/**
 * The one fault of a document's shape that is worth reporting. In a union, that is a fault of the branch that the author
 * seems to have meant.
 */
export function shapeFault(faults: readonly SchemaFault[]): ShapeFault {
  const [first] = faults;
  if (first === undefined) return { path: '', message: 'is malformed' };
  const union = unionOf(faults);
  // Faults outside the union are reported first. The branch that was meant may have no fault.
  const others = union === undefined ? faults : faults.filter((fault) => !isWithin(fault, union) && !isUnion(fault));
  const [other] = others;
  if (union === undefined || other !== undefined) return describe(preferred(others) ?? first);
  const branches = Map.groupBy(
    faults.filter((fault) => isWithin(fault, union)),
    ({ schemaPath }) => branchOf(schemaPath, union),
  );
  const meant = meantBranches([...branches.values()], union);
  const [only, ...more] = meant;
  if (only !== undefined && more.length === 0) return shapeFault(only.map((fault) => withinBranch(fault, union)));
  const messages = meant.flatMap((branch) => branch.slice(0, 1)).map(({ message }) => message);
  return { path: instanceOf(faults, union) ?? first.instancePath, message: [...new Set(messages)].join(', or ') };
}

/** The schema path of the outermost union's branches, without their numbers. */
function unionOf(faults: readonly SchemaFault[]): string | undefined {
  const paths = faults.flatMap(({ schemaPath }) => /^(.*?\/anyOf\/)\d+(?:\/|$)/.exec(schemaPath)?.[1] ?? []);
  return paths.reduce<string | undefined>(
    (shortest, path) => (shortest === undefined || path.length < shortest.length ? path : shortest),
    undefined,
  );
}

const isUnion = ({ keyword }: SchemaFault): boolean => keyword === 'anyOf';
const isWithin = ({ schemaPath }: SchemaFault, union: string): boolean => schemaPath.startsWith(union);
const branchOf = (schemaPath: string, union: string): string | undefined =>
  /^\d+/.exec(schemaPath.slice(union.length))?.[0];

/** The fault as if the schema were that branch alone. */
const withinBranch = (fault: SchemaFault, union: string): SchemaFault => ({
  ...fault,
  schemaPath: fault.schemaPath.slice(union.length).replace(/^\d+/, '#'),
});

/** The path of the value that the union describes: the shortest one. */
function instanceOf(faults: readonly SchemaFault[], union: string): string | undefined {
  const own = faults.filter((fault) => isWithin(fault, union) && isOwn(fault, union));
  return own.map(instanceOfOwn).toSorted((a, b) => a.length - b.length)[0];
}

/** An unknown property fails the schema `false` at its own path, below the value. */
const instanceOfOwn = ({ keyword, instancePath }: SchemaFault): string =>
  keyword === 'boolean' ? instancePath.slice(0, instancePath.lastIndexOf('/')) : instancePath;

/** Whether the fault is of the branch's own schema and not of a value inside. */
const isOwn = ({ schemaPath }: SchemaFault, union: string): boolean =>
  /^\d+(?:\/additionalProperties)?$/.test(schemaPath.slice(union.length));

/**
 * The branches that fit best, by these criteria in turn: the value has the branch's type; the fewest unknown
 * properties; the fewest missing ones. Several if they fit equally well.
 */
function meantBranches(branches: readonly (readonly SchemaFault[])[], union: string) {
  const scored = branches.map((faults) => {
    const own = faults.filter((fault) => isOwn(fault, union));
    const types = own.filter(({ keyword }) => keyword === 'type' || keyword === 'const').length;
    const unknown = own.filter(({ keyword }) => keyword === 'boolean').length;
    const missing = own.flatMap(missingOf).length;
    // Without unknown properties, only whether some property is missing counts, not how many.
    return { faults, types, unknown, missing: unknown === 0 ? Math.min(missing, 1) : missing };
  });
  const best = scored.toSorted((a, b) => a.types - b.types || a.unknown - b.unknown || a.missing - b.missing)[0];
  return scored
    .filter((one) => one.types === best?.types && one.unknown === best.unknown && one.missing === best.missing)
    .map(({ faults }) => faults);
}

/** Names of missing properties. Only faults of the keyword `required` have such. */
function missingOf({ params }: SchemaFault): readonly string[] {
  if (!('requiredProperties' in params) || !Array.isArray(params.requiredProperties)) return [];
  return params.requiredProperties.filter((name) => typeof name === 'string');
}

/** An unknown property also fails its object. The fault of the property itself says more. */
const preferred = (faults: readonly SchemaFault[]): SchemaFault | undefined =>
  faults.find(({ keyword }) => keyword === 'boolean') ?? faults[0];

function describe(fault: SchemaFault): ShapeFault {
  const { keyword, instancePath, message } = fault;
  if (keyword === 'boolean') return { path: instancePath, message: 'is not a known property' };
  const [missing] = missingOf(fault);
  if (missing !== undefined) return { path: `${instancePath}/${pointerToken(missing)}`, message: 'is missing' };
  return { path: instancePath, message };
}
