import test from 'ava';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { dangersOf } from '../../../models/view.ts';

const CATALOGUE = `tools:
  look@1.0.0: { args: { order: string(64) }, responds: { id: string(64) } }
  grant@1.0.0: { effect: write, args: { user: int, role: "enum(reader, admin)" }, responds: { id: string(64), left: int } }
  pay@1.0.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..)", fee: decimal(2), to: string(64), code: string(3), unit: "enum(cent, euro)" }
    responds: { id: string(64), got: "decimal(2, 0..1)", m: "decimal(2, 0..)" }
    identity: id
    AMOUNTS
`;

interface Case {
  readonly tool?: string;
  readonly where?: string;
  /** Of the kind `r`, which reads `id`, `n`, `k` and `who`. */
  readonly evidence?: string;
  readonly times?: string;
  readonly more?: string;
  /** Without a text, the catalogue does not say what moves. */
  readonly amounts?: string;
}

const READS =
  'type: application/json, reads: { id: "string(64) at /id", n: "decimal(2) at /n", k: "int at /k", who: "string(64) at /who" }';

/** What lint finds: codes, paths and messages. The step comes after one that only reads. */
function found(one: Case): readonly string[] {
  const { tool = 'pay', where = 'true', times = '1', more = '', amounts = 'args.m in EUR' } = one;
  const tools = toolsIn(CATALOGUE.replace('AMOUNTS', amounts === '' ? '' : `amounts: ${amounts}`));
  const r =
    one.evidence === undefined ? '' : `r: { ${READS}, times: ${times}, where: ${JSON.stringify(one.evidence)} }`;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
steps:
  look: { tool: look@1, times: 0..3 }
  act: { tool: ${tool}@1, times: 0..3, where: ${JSON.stringify(where)}, evidence: { ${[r, more].filter((part) => part !== '').join(', ')} } }
`,
    tools,
  );
  return dangersOf(plan, { tools })
    .filter(({ code }) => code !== 'ARGUMENT_NOT_FOLDED')
    .map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

const SILENT = 'NO_EVIDENCE /steps/1/evidence: act writes, and asks for no evidence';
const UNBOUND =
  'EVIDENCE_NOT_BOUND /steps/1/evidence: no evidence of act equals an argument or the response: that of another act passes';
const without = (name: string) => `EVIDENCE_WITHOUT_AMOUNT /steps/1/evidence: no evidence of act equals ${name}`;
const free = (name: string) =>
  `ARGUMENT_FREE /steps/1/where: nothing says what ${name} of act must be: the agent chooses it`;

/** Evidence of an act that writes, and what lint says of it. */
const EVIDENCE: readonly (readonly [evidence: Case, found: readonly string[]])[] = [
  [{}, [SILENT]],
  [{ evidence: 'r.id == response.id' }, []],
  [{ evidence: 'response.id == r.id' }, []],
  [{ evidence: 'r.k == args.user' }, []],
  [{ evidence: 'r.k >= 0 && r.k == args.user' }, []],
  [{ evidence: 'r.k >= args.user' }, [UNBOUND]],
  [{ evidence: 'r.k != args.user' }, [UNBOUND]],
  [{ evidence: 'r.k == args.user || r.k == 0' }, [UNBOUND]],
  [{ evidence: 'r.id == "x"' }, [UNBOUND]],
  [{ evidence: 'r.id == r.who' }, [UNBOUND]],
  [{ evidence: 'args.user == response.left' }, [UNBOUND]],
  [{ evidence: 'true' }, [UNBOUND]],
  [{ evidence: 'r.k + 1 == args.user' }, []],
  [{ evidence: 'r.id == response.id', times: '0..1' }, [SILENT]],
  [{ evidence: 'true', more: `s: { ${READS}, where: s.id == response.id }` }, []],
  [{ evidence: 'true', more: `s: { ${READS}, times: 0..2, where: s.id == response.id }` }, [UNBOUND]],
  [{ evidence: 'r.id == response.id', times: '0..1', more: 's: { type: text/plain }' }, [UNBOUND]],
];

test('an act that writes needs evidence that equals a part of it', (t) => {
  for (const [one, expected] of EVIDENCE) {
    t.deepEqual(found({ tool: 'grant', ...one }), expected, JSON.stringify(one));
  }
});

test('a step that only reads needs no evidence', (t) => {
  t.deepEqual(found({ tool: 'look' }), []);
  t.deepEqual(found({ tool: 'look', evidence: 'true' }), []);
});

const TIED = 'args.to == "Acme" && args.code == "EUR" && args.unit == "euro"';
const SMALL = `${TIED} && args.m <= 5.00`;
const FULL = 'r.n == args.m';
const NEGATIVE =
  'AMOUNT_MAY_BE_NEGATIVE /steps/1/where: args.fee of act may be negative, so that limits of sums can be evaded: add args.fee > 0';

/** Acts that move money, and what lint says of them. */
const MONEY: readonly (readonly [plan: Case, found: readonly string[]])[] = [
  [{ where: SMALL, evidence: FULL }, []],
  [{ where: SMALL }, [SILENT]],
  [{ where: SMALL, evidence: 'r.n == args.fee' }, [without('args.m')]],
  [{ where: SMALL, evidence: 'r.n == response.m' }, [without('args.m')]],
  [{ where: SMALL, evidence: 'r.n == args.m - 1.00' }, []],
  [
    { where: SMALL, evidence: FULL, times: '0..1', more: `s: { ${READS}, where: s.id == response.id }` },
    [without('args.m')],
  ],
  [{ where: 'args.m <= 5.00', evidence: FULL }, [free('code'), free('to'), free('unit')]],
  [{ where: TIED, evidence: FULL }, ['AMOUNT_UNBOUNDED /steps/1/where: nothing limits the sum of args.m of act']],
  [
    { where: SMALL, evidence: FULL, amounts: '[args.m in EUR, response.got in EUR]' },
    [
      without('response.got'),
      'AMOUNT_KNOWN_LATE /steps/1/where: response.got of act is known only after the act: a limit refutes the run then',
    ],
  ],
  [
    {
      where: 'args.to == "Acme" && args.m <= 5.00',
      evidence: FULL,
      amounts: '[args.m in args.unit args.code, args.m in args.code]',
    },
    [
      free('code'),
      free('unit'),
      'AMOUNT_UNBOUNDED /steps/1/where: nothing limits the sum of args.m of act',
      'CURRENCY_OPEN /steps/1/where: args.unit of act says the currency or the unit, and has no one value',
      'CURRENCY_OPEN /steps/1/where: args.code of act says the currency or the unit, and has no one value',
    ],
  ],
  [{ where: TIED, evidence: 'r.n == args.fee', amounts: 'args.fee in EUR' }, [NEGATIVE]],
  [
    { where: TIED, evidence: FULL, amounts: '' },
    [
      'AMOUNT_NOT_DESCRIBED /steps/1/where: nothing says what money pay@1.0.0 moves: describe it in the catalogue, with amounts',
      NEGATIVE,
      'AMOUNT_UNBOUNDED /steps/1/where: nothing limits the sum of args.m of act',
    ],
  ],
];

test('an act that moves money needs evidence of the amount, a limit, and arguments that the agent does not choose', (t) => {
  for (const [one, expected] of MONEY) t.deepEqual(found(one), expected, JSON.stringify(one));
});
