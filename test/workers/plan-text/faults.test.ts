import test from 'ava';
import { compileText, planText } from '../../models/plan-texts.ts';
import { PLANS } from './faults/plan-cases.ts';
import { RULES } from './faults/rule-cases.ts';

test('a fault in a rule has its line, its column, and what to write instead', (t) => {
  const problems = RULES.flatMap(([marked, code, message]) => {
    const rule = marked.replace('^', '');
    const { faults = [] } = compileText(planText(['first: true', `bad: '${rule.replaceAll("'", "''")}'`]));
    const column = marked.includes('^') ? 2 + "bad: '".length + marked.indexOf('^') + 1 : faults[0]?.column;
    const [fault] = faults;
    const isRight = fault?.code === code && message.test(fault.message) && fault.line === 20 && fault.column === column;
    return isRight && faults.length === 1 ? [] : [{ marked, column, faults }];
  });
  t.deepEqual(problems, []);
});

const PLAN = planText(['once: unique(pay, p, p.invoice)']);

test('a fault in another part of a plan has its line and its column', (t) => {
  const problems = PLANS.flatMap(([from, marked, code, message]) => {
    const text = PLAN.replace(from, () => marked.replace('^', ''));
    const before = text.slice(0, PLAN.indexOf(from) + marked.indexOf('^'));
    const { faults = [] } = compileText(text);
    const fault = faults.find((each) => each.code === code && message.test(each.message));
    const isPlaced =
      fault?.line === before.split('\n').length && fault.column === before.length - before.lastIndexOf('\n');
    return fault !== undefined && (isPlaced || !marked.includes('^')) ? [] : [{ marked, faults }];
  });
  t.deepEqual(problems, []);
});

test('all faults of a text are reported at once, in the order of the text', (t) => {
  const text = planText(['a: capp > 0.00', 'b: flag = true', 'c: count(pay) > "1"'], {
    where: 'args.amont > 0.00 && args.paye == ""',
  });
  const { faults } = compileText(text.replace('expires: 2026', 'expires: 20').replace('recorded', 'recored'));
  t.deepEqual(
    faults?.map(({ code, line }) => `${line} ${code}`),
    [
      '2 MALFORMED_TIME',
      '3 UNKNOWN_PART',
      '14 UNKNOWN_NAME',
      '14 UNKNOWN_NAME',
      '19 UNKNOWN_NAME',
      '20 CEL_SYNTAX',
      '21 TYPE_MISMATCH',
    ],
  );
});

test('texts that are too large, too deep or empty are refused', (t) => {
  const codeOf = (text: string) => compileText(text).faults?.map(({ code }) => code);
  t.deepEqual(codeOf('#'.repeat(300_000)), ['TOO_LARGE']);
  t.deepEqual(codeOf('['.repeat(100_000)), ['TOO_DEEP']);
  t.deepEqual(codeOf('- '.repeat(100_000)), ['TOO_DEEP']);
  t.deepEqual(codeOf(''), ['YAML_SYNTAX']);
  t.deepEqual(codeOf('a: 1\n---\nb: 1\n'), ['YAML_FEATURE']);
  t.deepEqual(codeOf('%YAML 1.1\n---\nplan: x\n'), ['YAML_FEATURE']);
  t.deepEqual(codeOf(`[${'a,'.repeat(60_000)}a]`), ['TOO_LARGE']);
});
