import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript';
import { defined } from '../../../../workers/exact/defined.ts';
import { compileTools } from '../../../../workers/plan/text/tools/compile-tools.ts';
import { compileText, planText, TOOLS } from '../../../models/plan-texts.ts';
import { TOOL_FAULTS, TOOLS_BASE, TYPE_FAULTS } from './faults/catalogue-cases.ts';
import { checkFaults, type FaultTable, textOf } from './faults/fault-table.ts';
import { compileFile, FILE_FAULTS } from './faults/file-cases.ts';
import { PART_FAULTS, PART_RUN_FAULTS, SHAPE_FAULTS } from './faults/part-cases.ts';
import { BOX_FAULTS, PLAN_FAULTS } from './faults/plan-cases.ts';
import { RULE_FAULTS } from './faults/rule-cases.ts';
import { compileRun, RUN_FAULTS } from './faults/run-cases.ts';
import { SHEET_FAULTS } from './faults/sheet-cases.ts';
import { readText, YAML_FAULTS } from './faults/yaml-cases.ts';

const SOURCES = fileURLToPath(new URL('../../../../workers/plan/text/', import.meta.url));
/** What these write is no message to the author of a text, or it has a test of its own. */
const OTHERS = ['plan/table-of-csv.ts', 'faults/text-fault.ts'];

/** Messages that no text is known to have, and how a hint is found. */
const NEVER = [
  'not in',
  'conditions by name',
  'a part is missing here',
  'this number cannot be read',
  'this is not an expression in CEL',
];
const [ORDER] = TOOLS;
/** Whole texts, most of which have tests of their own. */
const TEXTS: readonly (() => ReturnType<FaultTable['compile']>)[] = [
  () => compileText('plan: P', [{ ...defined(ORDER), args: { a: {} } }]),
  () =>
    compileTools(TOOLS_BASE.replace('    observe: { left: left }\n', '').replace('replay: effects', 'replay: pure')),
  () => compileRun('x'),
  () => compileRun('r: { must: satisfied }'),
  () => compileRun('r: { must: satisfied, actions: [{ pay: {}, receipt: { all: 1 } }] }'),
  () => compileFile('x\n'.repeat(100_001)),
  () => compileFile(' '.repeat(16 * 1024 * 1024 + 1)),
  () => readText('#'.repeat(300_000)),
  () => readText('['.repeat(99)),
  () => readText(`[${'a,'.repeat(60_000)}a]`),
];

/** The words of a part of a message: a text with several words, or a template with what is put in as `null`. */
interface Said {
  readonly place: string;
  readonly words: readonly string[];
}

/** The texts in a source that a message may have. Those of errors of the program are left out. */
function textsIn(path: string): readonly Said[] {
  const source = ts.createSourceFile(path, readFileSync(SOURCES + path, 'utf8'), ts.ScriptTarget.ESNext, true);
  const said: Said[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /^(TypeError|RangeError|Set|RegExp)$/.test(node.expression.getText())) return;
    if (ts.isImportDeclaration(node)) return;
    const words =
      ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
        ? [node.text]
        : ts.isTemplateExpression(node)
          ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
          : [];
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (node.kind !== ts.SyntaxKind.TemplateExpression && /^(time|duration) (time|duration)$/.test(words[0] ?? ''))
      return;
    if (words.some((each) => /[a-z]{2,} [a-z(]|[a-z]{3,}:? /i.test(each)))
      said.push({ place: `${path}:${line}`, words });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return said;
}

const TABLES = {
  'a rule': RULE_FAULTS,
  'another part of a plan': PLAN_FAULTS,
  'steps as a whole': BOX_FAULTS,
  'a use of a sheet': SHEET_FAULTS,
  'a catalogue': TOOL_FAULTS,
  'a type': TYPE_FAULTS,
  'a condition about parts': PART_FAULTS,
  'what arguments are made of': SHAPE_FAULTS,
  'a run with parts': PART_RUN_FAULTS,
  'a run': RUN_FAULTS,
  'the YAML of a text': YAML_FAULTS,
};

for (const [what, table] of Object.entries(TABLES)) {
  test(`a fault in ${what} has its line, its column, and what to write instead`, (t) => {
    checkFaults(t, table, { mayFollow: table === PLAN_FAULTS || table === TOOL_FAULTS });
  });
}

test('each message of the plan language is in the table of a fault', (t) => {
  const compiled = [
    ...Object.values(TABLES).flatMap((table) => table.rows.map((row) => table.compile(textOf(table, row)))),
    ...FILE_FAULTS.map(([file]) => compileFile(file)),
    ...TEXTS.map((compile) => compile()),
  ];
  const messages = [...new Set(compiled.flatMap(({ faults = [] }) => faults.map(({ message }) => message)))];
  const same = messages.filter((message) => {
    const [, before = '', suggested = ''] = /^(.*) Did you mean (.*)\?$/.exec(message) ?? [];
    return suggested !== '' && (before.includes(JSON.stringify(suggested)) || before.startsWith(`${suggested} `));
  });
  t.deepEqual(same, []);
  const missing = globSync('**/*.ts', { cwd: SOURCES })
    .filter((path) => !OTHERS.some((other) => path.startsWith(other)))
    .flatMap(textsIn)
    .filter(({ words }) => !messages.some((message) => hasInOrder(message, words)) && !NEVER.includes(words.join('')));
  t.deepEqual(
    missing.map(({ place, words }) => `${place} ${words.join('…')}`),
    [],
  );
});

function hasInOrder(message: string, words: readonly string[]): boolean {
  let from = 0;
  return words.every((each) => {
    const at = message.indexOf(each, from);
    from = at + each.length;
    return at >= 0;
  });
}

test('a name with a fault of its own is said to have one, and not to be unknown', (t) => {
  for (const [from, to, rule, name] of [
    ['tool: bank.pay@2', 'tool: bank.pya@2', 'count(pay) > 0', 'pay'],
    ['file: approved.jsonl', 'file: aproved.jsonl', 'approved.all(r, r.payee == "")', 'approved'],
    ['amount: decimal(2), payee', 'amount: decmial(2), payee', '"A" in approved', 'approved'],
    ['cap: 25.00', 'cap: 025.00', 'count(look, l, l.total > cap) == 0', 'cap'],
    ['left: 80.00', 'left: "80.00 EUR"', '[most, 1][0] > 0 || state.left > 0.00 ? flag : flag', 'state.left'],
    ['reads: { id: /id }', 'reads: { id: /~id }', 'flag', 'receipt.id'],
  ] as const) {
    const { faults } = compileText(planText([`r: '${rule}'`]).replace(from, to));
    const [last, ...others] = faults?.map(({ message }) => message).toReversed() ?? [];
    t.is(last, `${name} has a fault of its own: mend that first`);
    t.is(others.length, 1, others.join());
  }
  const tool = TOOLS_BASE.replace('ok: bool', 'ok: boll');
  t.true(
    compileTools(tool).faults?.some(({ message }) => message === 'response.ok has a fault of its own: mend that first'),
  );
});

test('all faults of a text are reported at once, in the order of the text', (t) => {
  const text = planText(['a: capp > 0.00', 'b: flag = true', 'c: count(pay) > "1"'], {
    where: 'args.amont > 0.00 && args.paye == ""',
  });
  const { faults } = compileText(text.replace('expires: 2026', 'expires: 20').replace('recorded', 'recored'));
  t.is(
    faults?.map(({ code, line }) => `${line} ${code}`).join(),
    '2 MALFORMED_TIME,3 UNKNOWN_PART,14 UNKNOWN_NAME,14 UNKNOWN_NAME,19 UNKNOWN_NAME,20 CEL_SYNTAX,21 TYPE_MISMATCH',
  );
});
