import test, { type ExecutionContext } from 'ava';
import { SmtError, type SmtQuery } from '../../../../workers/verdict/decide/smt-solver.ts';
import { checkTerm } from '../../../../workers/verdict/z3/check-term.ts';
import { openZ3, query } from '../../../models/open-z3.ts';

const z3 = await openZ3();
const CONSTANTS = 'x0:Int b0:Bool';
const ask = (term: string) => query(CONSTANTS, term);
const nested = (depth: number, inner: string) => `${'(not '.repeat(depth)}${inner}${')'.repeat(depth)}`;

const lets = (depth: number, inner: string) =>
  `${Array.from({ length: depth }, (_, index) => `(let ((a${index} 1)) `).join('')}${inner}${')'.repeat(depth)}`;

const HOSTILE: Readonly<Record<string, string>> = {
  'a term that is not closed': '(< x0 3',
  'a term that closes its assertion and opens another': 'true :named q0)) (assert (! false',
  'two terms': 'true false',
  'no term': ' ',
  'a comment': '(< x0 3) ; true',
  'an option, which would hold for later contexts': 'true :named q0)) (set-option :smt.random_seed 7) (assert (! true',
  'a command as a term': '(exit)',
  'a file': '(include "/etc/passwd")',
  'NUL within': '(< x0\0 3)',
  'NUL at the end': 'true\0',
  'a character outside ASCII': '(< x0 ３)',
  'a symbol that is not declared': '(< x1 3)',
  'a quoted symbol': '(< |x0| 3)',
  'an operator of z3': '(= (ubv_to_int #b1) 1)',
  'a quantifier': '(forall ((z0 Int)) (< z0 x0))',
  'a truth value as a number': '(< x0 true)',
  'a conjunction with a number': '(and b0 x0)',
  'an order of truth values': '(< b0 b0)',
  'a sum of truth values': '(+ b0 b0)',
  'the negative of a truth value': '(- b0)',
  'a decimal': '(< x0 3.0)',
  'an order that is not used': '(> x0 3)',
  'a difference of two': '(= 1 (- x0 1))',
  'a quotient': '(= 1 (/ x0 2))',
  'an implication': '(=> b0 b0)',
  'a number as a real one': '(= 0 (to_int (to_real x0)))',
  'a number as an assertion': '(+ x0 1)',
  'a division by zero': '(= (div x0 0) 1)',
  'a division by what may be zero': '(= (div x0 x0) 1)',
  'a numeral with a leading zero': '(= x0 007)',
  'a conjunction of one argument': '(and b0)',
  'a negation of two arguments': '(not b0 b0)',
  'an equality of one argument': '(= x0)',
  'an order of one argument': '(< x0)',
  'a sum of one argument': '(= 1 (+ x0))',
  'a difference of no arguments': '(= 1 (-))',
  'a quotient of three arguments': '(= 0 (div x0 2 2))',
  'a condition with one branch': '(ite b0 b0)',
  'a condition with three branches': '(ite b0 b0 b0 b0)',
  'let over a declared constant': '(let ((x0 1)) (= x0 1))',
  'let of a name twice': '(let ((a0 1) (a0 2)) (= a0 1))',
  'let without a binding': '(let () b0)',
  'let of a word': '(let ((and 1)) b0)',
  '10,001 parentheses': nested(10_001, 'b0'),
  '1,001 names within each other': lets(1001, 'b0'),
  'a million parentheses': '('.repeat(1_000_000),
};

/** The solver refuses a query, and goes on. */
function refuses(t: ExecutionContext, asked: SmtQuery) {
  t.throws(() => z3.check(asked), { instanceOf: SmtError });
  t.is(z3.check(query(CONSTANTS, '(= x0 1)', '(= x0 2)')).status, 'unsat');
  t.false(z3.isWorn());
}

for (const [name, term] of Object.entries(HOSTILE)) {
  test(`${name} is refused, and the next query is answered`, (t) => {
    t.throws(() => checkTerm(term, ask(term).constants), { instanceOf: SmtError }, 'before z3 reads it');
    refuses(t, ask(term));
  });
}

const bare = (over: Partial<SmtQuery>): SmtQuery => ({ ...ask('true'), ...over });
const BROKEN: Readonly<Record<string, SmtQuery>> = {
  'a name that is no generated one': bare({ assertions: [{ name: 'q) (exit)', term: 'true' }] }),
  'a name that is taken twice': bare({ assertions: ['true', 'false'].map((term) => ({ name: 'c0', term })) }),
  'an assertion named as a constant': bare({ assertions: [{ name: 'x0', term: 'true' }] }),
  'a constant that is a word': bare({ constants: new Map([['and', 'Int']]) }),
  'two megabytes': ask(`(and true ${'true '.repeat(400_000)})`),
  'no limit': bare({ rlimit: 0 }),
  'a limit beyond 32 bits': bare({ rlimit: 2 ** 32 }),
};

for (const [name, asked] of Object.entries(BROKEN)) {
  test(`${name} is refused, and the next query is answered`, (t) => refuses(t, asked));
}

test('numerals are answered with all their digits', (t) => {
  for (const term of ['(and (= x0 1025) (< 1024 x0))', '(= x0 0)', '(= x0 (- 10))']) {
    t.is(z3.check(ask(term)).status, 'sat', term);
  }
});

test('a term of the greatest depth is answered', (t) => {
  t.is(z3.check(ask(nested(999, 'b0'))).status, 'sat');
  t.throws(() => z3.check(ask(nested(1001, 'b0'))), { instanceOf: SmtError });
});
