import { createHash } from 'node:crypto';
import test from 'ava';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { toolsIn } from '../../../../models/plan-texts.ts';
import { typed, viewOf } from '../../../../models/view.ts';

const TOOLS = toolsIn(`tools:
  ask@1.0.0: { args: { invoice: string(64) }, responds: { ok: bool } }
  bank.pay@1.0.0: { effect: revenue_write, args: { invoice: string(64), supplier: string(400), iban: string(64), note: string(64), cents: int, cur: string(3), key: string(64) },
    responds: { id: string(64) }, identity: id, once: args.key, amounts: args.cents in 0.01 args.cur }
  bank.pay@1.1.0: { effect: revenue_write, args: { supplier: string(400), amount: "decimal(2, 0..)", fee: "decimal(3, 0..)" },
    responds: { id: string(64) }, identity: id, amounts: [args.amount in EUR, args.fee in EUR] }
  bank.pay@1.2.0: { effect: revenue_write, args: { to: [string(64), 1..3], bank?: string(8), target: { iban: string(64) }, amount: "decimal(2, 0..)" },
    responds: { id: string(64) }, identity: id, amounts: args.amount in EUR }
`);

/** `3 Acme DE1 10.00 USD` is three invoices of that supplier, to that account, of that amount. */
function rowsIn(text: string, run: string) {
  const lines = text.split('; ').filter((line) => line !== '');
  const rows = lines.flatMap((line) => {
    const [, count, supplier = '', iban = '', amount = '', cur = 'EUR'] =
      /^(\d+) (.*?) (\S+) (-?[\d.]+)(?: (...))?$/.exec(line) ?? [];
    return Array<object>(Number(count)).fill({ supplier, iban, cents: String(Math.round(Number(amount) * 100)), cur });
  });
  return rows.map((row, index) => ({ invoice: `A${run}${index}`, note: `N${run}${index}`, ...row }));
}

const COLUMNS =
  'columns: { invoice: string(64), note: string(64), supplier: string(400), iban: string(64), cents: int, cur: string(3) }';
const TIED = ['supplier', 'iban', 'note', 'cents', 'cur'].map((name) => `args.${name} == t[args.invoice].${name}`);

interface Paying {
  readonly rows?: string;
  readonly where?: string;
  readonly tool?: string;
  readonly step?: string;
}

function plan({ rows = '', where = TIED.join(' && '), tool = 'bank.pay@1.0.0', step = 'pay' }: Paying, run = '') {
  const text = rowsIn(rows, run)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
  const yaml = `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 1000
tables: { t: { file: t.jsonl, key: invoice, ${COLUMNS} } }
steps: { ${step}: { tool: ${tool}, times: 0..1000, where: ${JSON.stringify(where)} } }
`;
  const { plan: document, faults } = compilePlan(yaml, { tools: TOOLS, tables: new Map([['t.jsonl', text]]) });
  if (document === undefined) throw new Error(JSON.stringify(faults));
  return { document, tools: TOOLS, tables: [{ text, sha256: createHash('sha256').update(text).digest('hex') }] };
}

/** What the section says. A backtick is '. */
function payees(now: Paying, before?: Paying): readonly string[] {
  const { document, ...parts } = plan(now);
  const old = before && plan(before, 'old');
  const compared = old && { which: 'the plan before', plan: typed(old.document, old) };
  const view = viewOf(document, { ...parts, payees: compared === undefined ? {} : { compared } });
  const section = view.split('## Payees\n\n')[1]?.split('\n\n## ')[0] ?? '';
  return section.replaceAll('`', "'").split('\n');
}

const MANY = Array.from({ length: 30 }, (_, n) => `${n + 2} S${n} I${n} 10.00`).join('; ');
const LISTED = 'args.cents >= 0 && args.cents <= 5 && args.cur == "EUR" && args.iban == "I" && args.note == "N"';
const OTHER_TOOL = {
  tool: 'bank.pay@1.1.0',
  where: 'args.supplier == t["A0"].supplier && args.amount <= 7.00 && args.fee <= 0.005',
};

/** A plan, the plan with which it is compared, and the lines of its step. */
const CASES: readonly (readonly [now: Paying, before: Paying | undefined, lines: string])[] = [
  // One of 300 rows of a supplier has another account.
  [
    { rows: '299 Acme DE1 10.00; 1 Acme DE9 950.00' },
    undefined,
    `'iban' of 'supplier' 'Acme': 'DE1' (299 rows, 2,990.00 EUR) and **'DE9' (1 row, 950.00 EUR)**
'iban' 'DE9': 1 row, 950.00 EUR
'iban' 'DE1': 299 rows, 2,990.00 EUR
'supplier' 'Acme': 300 rows, 3,940.00 EUR
'note': another one in each of 300 rows`,
  ],
  // New, and of another amount: that of the largest rise first.
  [
    { rows: '20 Acme DE1 10.00; 1 Acme DE9 950.00 USD; 5 Bo DE2 1.00; 9 Cy DE3 1.00' },
    { rows: '20 Acme DE1 9.00; 6 Bo DE2 1.00; 9 Cy DE3 1.00', step: 'other' },
    `'iban' of 'supplier' 'Acme': 'DE1' (20 rows, 200.00 EUR) and **'DE9' (1 row, 950.00 USD)**
'iban' 'DE9': **new**, 1 row, 950.00 USD
'supplier' 'Acme': 21 rows, 200.00 EUR and 950.00 USD, before: 20 rows, 180.00 EUR
'iban' 'DE1': 20 rows, 200.00 EUR, before: 20 rows, 180.00 EUR
'iban' 'DE2': 5 rows, 5.00 EUR, before: 6 rows, 6.00 EUR
'supplier' 'Bo': 5 rows, 5.00 EUR, before: 6 rows, 6.00 EUR
'iban' 'DE3': 9 rows, 9.00 EUR
'supplier' 'Cy': 9 rows, 9.00 EUR
'note': another one in each of 35 rows, 35 of them new`,
  ],
  // An account that is known, for another supplier.
  [
    { rows: '11 Acme DE1 10.00; 11 Bo DE2 10.00; 1 Acme DE2 5.00' },
    { rows: '11 Acme DE1 10.00; 12 Bo DE2 10.00' },
    `'supplier' of 'iban' 'DE2': 'Bo' (11 rows, 110.00 EUR) and **'Acme' (1 row, 5.00 EUR)**
'iban' of 'supplier' 'Acme': 'DE1' (11 rows, 110.00 EUR) and **'DE2' (1 row, 5.00 EUR)**
'supplier' 'Acme': 12 rows, 115.00 EUR, before: 11 rows, 110.00 EUR
'supplier' 'Bo': 11 rows, 110.00 EUR, before: 12 rows, 120.00 EUR
'iban' 'DE2': 12 rows, 115.00 EUR, before: 12 rows, 120.00 EUR
'iban' 'DE1': 11 rows, 110.00 EUR
'note': another one in each of 23 rows, 23 of them new`,
  ],
  // At most 20 lines, then counts.
  [
    { rows: MANY },
    undefined,
    `${Array.from({ length: 10 }, (_, n) => `'iban' 'I${n}': ${n + 2} rows, ${n + 2}0.00 EUR\n'supplier' 'S${n}': ${n + 2} rows, ${n + 2}0.00 EUR\n`).join('')}… and 20 more of 'iban': 430 rows, 4,300.00 EUR
… and 20 more of 'supplier': 430 rows, 4,300.00 EUR
'note': another one in each of 495 rows`,
  ],
  [
    {
      rows: Array.from({ length: 30 }, (_, n) => `2 S I${n} 10.00; 1 T${n} I${n} 5.00`).join('; '),
      where: TIED.filter((one) => !one.includes('note')).join(' && '),
    },
    { rows: '2 S I0 10.00', where: LISTED },
    `'iban' of 'supplier' 'S': 'I0' (2 rows, 20.00 EUR), **'I27' (2 rows, 20.00 EUR)**, **'I28' (2 rows, 20.00 EUR)**, **'I29' (2 rows, 20.00 EUR)** and **26 others**
${Array.from({ length: 9 }, (_, n) => `'supplier' of 'iban' 'I${n}': 'S' (2 rows, 20.00 EUR) and **'T${n}' (1 row, 5.00 EUR)**\n`).join('')}**… and 21 others that differ so**
${Array.from({ length: 9 }, (_, n) => `'supplier' 'T${n}': **new**, 1 row, 5.00 EUR\n`).join('')}… and 30 more of 'iban': 90 rows, 750.00 EUR, **30 of them new**
… and 22 more of 'supplier': 81 rows, 705.00 EUR, **22 of them new**
'note': **not listed**, see above`,
  ],
  // Texts that cannot be seen or are long, few rows, and an amount below zero.
  [
    {
      rows: `2 Acme DE1 10.00; 1 a\u202eb${'x'.repeat(300)} DE2 -1.00`,
      where: TIED.filter((one) => !one.includes('note')).join(' && '),
    },
    undefined,
    `'iban' 'DE2': 1 row, 0.00 EUR
'supplier' 'a⟨U+202E⟩b${'x'.repeat(230)}…' (cut, 310 characters, SHA-256 …): 1 row, 0.00 EUR
'iban' 'DE1': 2 rows, 20.00 EUR
'supplier' 'Acme': 2 rows, 20.00 EUR
'note': **not listed**, see above`,
  ],
  // Each row has another account, of which most are known.
  [
    { rows: Array.from({ length: 22 }, (_, n) => `1 S${n} I 1.00`).join('; ') },
    { rows: Array.from({ length: 20 }, (_, n) => `1 S${n} I 1.00`).join('; ') },
    `'supplier' of 'iban' 'I': 'S0' (1 row, 1.00 EUR), **'S19' (1 row, 1.00 EUR)**, **'S20' (1 row, 1.00 EUR)**, **'S21' (1 row, 1.00 EUR)** and **18 others**
'supplier' 'S20': **new**, 1 row, 1.00 EUR
'supplier' 'S21': **new**, 1 row, 1.00 EUR
'iban' 'I': 22 rows, 22.00 EUR, before: 20 rows, 20.00 EUR
${Array.from({ length: 16 }, (_, n) => `'supplier' 'S${n}': 1 row, 1.00 EUR\n`).join('')}… and 4 more of 'supplier': 4 rows, 4.00 EUR
'note': another one in each of 22 rows, 22 of them new`,
  ],
  // Each row has another account, of which most are new.
  [
    { rows: Array.from({ length: 30 }, (_, n) => `1 S${n} I 1.00`).join('; ') },
    { rows: Array.from({ length: 15 }, (_, n) => `1 S${n} I 1.00`).join('; ') },
    `'iban' 'I': 30 rows, 30.00 EUR, before: 15 rows, 15.00 EUR
'note': another one in each of 30 rows, 30 of them new
'supplier': another one in each of 30 rows, **15 of them new**`,
  ],
  // Payees that are listed without a table, and rows that a condition leaves out.
  [
    { where: `args.supplier in ["a", "b"] && args.invoice == "A" && ${LISTED}` },
    { where: `args.supplier == "a" && args.invoice == "A" && ${LISTED}` },
    `'supplier' 'b': **new**\n'iban' 'I'\n'invoice' 'A'\n'note' 'N'\n'supplier' 'a'`,
  ],
  [
    { rows: '2 Acme DE1 10.00; 3 Bo DE2 5.00', where: `${TIED.join(' && ')} && args.note == "N0"` },
    undefined,
    `'iban' 'DE1': 1 row, 10.00 EUR\n'note' 'N0': 1 row, 10.00 EUR\n'supplier' 'Acme': 1 row, 10.00 EUR`,
  ],
  [
    {
      rows: '2 Acme DE1 10.00',
      where: `t.exists(r, r.supplier == args.supplier && r.cents == args.cents) && args.cur == "EUR"`,
    },
    undefined,
    `'supplier' 'Acme': 2 rows, 20.00 EUR\n${['iban', 'invoice', 'note'].map((name) => `'${name}': **not listed**, see above`).join('\n')}`,
  ],
  // The currency is open, and the table has keys alone.
  [
    {
      rows: '2 Acme DE1 10.00',
      where: `args.invoice in t && args.supplier == "a" && args.cents == t[args.invoice].cents && ${LISTED.replace('args.cur == "EUR" && ', '')}`,
    },
    undefined,
    `'iban' 'I'\n'note' 'N'\n'supplier' 'a'\n'invoice' 'A0': 1 row, **no limit**\n'invoice' 'A1': 1 row, **no limit**`,
  ],
  // Members, elements of lists and optional arguments.
  [
    {
      rows: '2 Acme DE1 10.00',
      tool: 'bank.pay@1.2.0',
      where:
        'args.to.all(x, x in ["a", "b"]) && args.target.iban == t["A0"].iban && args.amount <= 7.00 && (!has(args.bank) || args.bank == "B")',
    },
    undefined,
    `'bank' 'B'\n'to[]' 'a'\n'to[]' 'b'\n'target.iban' 'DE1': 1 row, 7.00 EUR`,
  ],
  // Two amounts, of which the rows say nothing, and another version of the tool before.
  [
    { rows: '2 Acme DE1 10.00; 3 Bo DE2 5.00', ...OTHER_TOOL },
    { rows: '3 Acme DE1 10.00' },
    `'supplier' 'Acme': 1 row, 7.005 EUR, before: 3 rows, 30.00 EUR`,
  ],
];

test('payees have their rows and amounts, first those that differ, that are new, of another amount, and with few rows', (t) => {
  for (const [now, before, lines] of CASES) {
    const [head, , step, ...shown] = payees(now, before);
    const compared =
      before === undefined ? 'There is no earlier plan to compare with.' : 'Compared with the plan before.';
    t.true(head?.startsWith(`${compared} The hash does not cover this comparison.`));
    t.is(step, `- Step 'pay':`);
    const said = shown.map((line) => line.replace(/^ {2}- /, '').replace(/[0-9a-f]{64}/, '…'));
    t.deepEqual(said, lines.split('\n'), JSON.stringify(now));
  }
});

test('steps beyond what can be looked at in time are named', (t) => {
  const { document, ...parts } = plan({ rows: '3000 Acme DE1 10.00' });
  const [step] = document.steps;
  const steps = Array.from({ length: 60 }, (_, n) => ({ ...step, step_id: `s${n}`, max: 1 }));
  const view = viewOf({ ...document, steps } as typeof document, { ...parts, payees: {} });
  t.regex(view, /- Step `s0`:\n {2}- `iban` `DE1`: 3000 rows, 30,000\.00 EUR\n/);
  t.regex(view, /- Step `s59`: \*\*not looked at\*\*, because the tables are too long\n/);
});

test('however many steps have rows that differ, there are few lines of payees', (t) => {
  const { document, ...parts } = plan({ rows: '25 Acme DE1 10.00; 1 Acme DE9 1.00; 1 Bo DE1 1.00; 1 Bo DE9 1.00' });
  const [step] = document.steps;
  const steps = Array.from({ length: 40 }, (_, n) => ({ ...step, step_id: `s${n}`, max: 1 }));
  const view = viewOf({ ...document, steps } as typeof document, { ...parts, payees: {} });
  t.is(view.match(/^ {2}- `(?:iban|supplier)` `/gm), null);
  t.is(view.match(/^ {2}- … and 2 more of `iban`: 28 rows, 253\.00 EUR$/gm)?.length, 40);
});

test('a plan that moves no money has no payees', (t) => {
  t.deepEqual(payees({ tool: 'ask@1.0.0', where: 'true' }), ['']);
});
