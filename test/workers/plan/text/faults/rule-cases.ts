import { compileText, planText } from '../../../../models/plan-texts.ts';
import { faultTable } from './fault-table.ts';

/** Rules of a plan with `^` at their fault. */
export const RULE_FAULTS = faultTable(
  planText(['first: true', "bad: 'count(look) < 9'"]),
  compileText,
  `
@ count(look) < 9
cap ^= 3.00 ⇒ CEL_SYNTAX for "=", write ==$
flag ^and flag ¦ flag ^& flag ¦ flag ^AND flag ⇒ CEL_SYNTAX write &&$
flag ^or flag ¦ | flag ¦ Or flag ⇒ CEL_SYNTAX write ||$
pay.all^(p, p.amount > 0.00 ⇒ CEL_SYNTAX never closed
pay.all(p, p.amount <= 5 ^euro) ¦ cap in [1.00, 2.00 ^3.00] ⇒ CEL_SYNTAX is not expected here
pay.all(p, (p.amount ^x) > 0.00) ¦ most == 0^x ¦ most in [1, (2), min(3, 4) ^5] ⇒ CEL_SYNTAX is not expected here
most in [{"a": [1, 2]}, 3 ^4] ¦ flag ^orr flag ⇒ CEL_SYNTAX is not expected here
pay.all(p ^=> p.amount <= 5.00) ¦ -> p.amount > 0.00) ⇒ CEL_SYNTAX a comma after the name$
pay.all(p^: p.amount > 0.00) ⇒ CEL_SYNTAX a comma after the name$
pay.all(p, p.amount ^<= ) && flag ¦ cap ^> // most ¦ > ¦ (cap ^>) ¦ most in [1 ^+, 2] ⇒ CEL_SYNTAX ends too early
flag ^&& ⇒ CEL_SYNTAX ends too early
pay.all(p, look.exists(l, l.order == "(," && l.order ^is "a")) ¦ name ^=== "x" ¦ cap ^:= 3.00 ⇒ CEL_SYNTAX write ==$
cap > 0.00^) ⇒ CEL_SYNTAX no bracket is open
(cap > 0.00^] ⇒ CEL_SYNTAX write )
name == ^"x ¦ 'x ¦ name == xr^"\\" ⇒ CEL_SYNTAX no closing quote
name == ^“x” ⇒ CEL_SYNTAX the quote U+201C: write "
cap^\u00a0> 0.00 ⇒ CEL_SYNTAX the space U+00A0
pay.all(p, ^!p.invoice in approved) ⇒ CEL_SYNTAX write !(p.invoice in …)
^capp > 0.00 ¦ pay.all(p, p.^amont > 0.00) ¦ approved["A1"].^amuont > 0.00 ⇒ UNKNOWN_NAME Did you mean …?
^pai.all(p, true) ¦ pay.all(p, p.invoice in ^aproved) ¦ name in ^aproved ⇒ UNKNOWN_NAME Did you mean …?
^aproved.all(x, true) ¦ state.^lft > 0.00 ¦ pay.all(payment, ^payent.amount > 1.00) ⇒ UNKNOWN_NAME Did you mean …?
pay.all(payment, ^payent > 1.00) ¦ ^stat.left == 1.00 ⇒ UNKNOWN_NAME Did you mean …?
approved.all(r, r.^pay == "") ⇒ UNKNOWN_NAME no column pay
^amount > 0.00 ⇒ UNKNOWN_NAME amount is not known
^pay > 0.00 ¦ ^approved == 1 ⇒ UNKNOWN_NAME is a
pay.^amount > 0.00 ¦ approved.^amount > 0.00 ⇒ TYPE_MISMATCH several
^args.amount > 0.00 ⇒ OUT_OF_SCOPE p.amount
^response.id == "" ⇒ OUT_OF_SCOPE cannot be used here
^started_at > end ¦ ^ended_at > end ⇒ OUT_OF_SCOPE p.started_at
cap ^> "3.00" ⇒ TYPE_MISMATCH without quotes
end ^> "2026-12-01T00:00:00Z" ¦ > "2026-12-01" ⇒ TYPE_MISMATCH write timestamp("2026-12-01T00:00:00Z")$
wait ^== "1h" ⇒ TYPE_MISMATCH write duration(
flag ^== "true" ⇒ TYPE_MISMATCH true or false without quotes
name ^< "y" ⇒ TYPE_MISMATCH compares numbers and times
name ^== 3 ⇒ TYPE_MISMATCH a text on the left and a whole number
^cap ¦ flag && ^most ¦ !^name ⇒ TYPE_MISMATCH takes conditions
name ^+ "y" == "" ¦ end ^+ end > end ¦ + 1 > end ⇒ TYPE_MISMATCH adds numbers, durations, or a duration to a time
end ^- 3 > end ¦ 3 ^- wait == wait ¦ wait ^- end == wait ⇒ TYPE_MISMATCH subtracts
^approved_by(name) ⇒ NOT_A_LITERAL written here
count(pay) / ^count(pay) > 0 ⇒ NOT_A_LITERAL divisor
count(pay) / ^0 > 0 ¦ -1 == 1 ⇒ DIVISION at least 1
^most / 2 == 0 ⇒ DIVISION int(0..)
look.all(l, l.^offset / 2 == 0) ¦ ^min(count(pay), most) / 2 == 1 ⇒ DIVISION may be negative
^max(count(pay), most) / 2 == 1 ¦ ^sum(look, l, l.offset) / 2 == 1 ⇒ DIVISION may be negative
(count(pay) ^+ most) / 2 == 1 ¦ * -2) / 2 == 1 ¦ - 1) / 2 == 1 ⇒ DIVISION may be negative
(most ^+ count(pay)) / 2 == 1 ¦ (-2 ^* count(pay)) / 2 == 1 ⇒ DIVISION may be negative
(^flag ? count(pay) : most) / 2 == 1 ¦ flag ? most : count(pay)) / 2 == 1 ⇒ DIVISION may be negative
^cap / 2 == 1 ¦ count(pay) / ^cap == 1 ⇒ TYPE_MISMATCH / takes whole numbers, and this is a number with 2 decimals
kind == ^"nwe" ⇒ UNKNOWN_VALUE Did you mean new?
kind in ["new", ^"odl"] ⇒ UNKNOWN_VALUE Did you mean old?
most in [1, ^"2"] ⇒ TYPE_MISMATCH is searched
look.all(l, l.^kind == "new") ⇒ AMBIGUOUS .args.kind or .response.kind
pay.all(p, pay.^all(p, true)) ¦ pay.^all(cap, true) ¦ all(args, true) ⇒ NAME_TAKEN already means something here
pay.^all(approved, true) ¦ all(look, true) ¦ sum(pay, ^cap, 1) > 0 ⇒ NAME_TAKEN already means something here
pay.^map(p, p.amount) == 3 ¦ map(p, true, p.amount) == 3 ¦ approved.^map(r, r) == 3 ⇒ CEL_UNSUPPORTED sum(pay
pay.^filter(p, true).all(p, flag) ⇒ CEL_UNSUPPORTED write count(pay, p, a), …pay.all(p, !a || b)
name.^startsWith("x") ¦ toString() == "" ⇒ CEL_UNSUPPORTED only compared
name.^size() > 0 ⇒ CEL_UNSUPPORTED size(pay)
size(^name) > 0 ¦ ^name.all(x, true) ⇒ UNKNOWN_NAME name is not a step, a table or a list. Known: look
^size("x") > 0 ¦ ^count("x") > 0 ⇒ CEL_UNSUPPORTED bounded by its type
^constructor(cap) > 0 ⇒ CEL_UNSUPPORTED constructor() is not a function of plans.
^constructor > 0 ⇒ UNKNOWN_NAME not known
state.^__proto__ > 0 ⇒ UNKNOWN_NAME no state
^int(cap) > 0 ⇒ CEL_UNSUPPORTED no conversion
has(^state.left) ⇒ TYPE_MISMATCH has() takes an argument or a field, as in has(args.cc)
most == ^3u ⇒ CEL_UNSUPPORTED without u
name == ^null ⇒ CEL_UNSUPPORTED null
name == ^b"x" ⇒ CEL_UNSUPPORTED bytes
^{"a": 1} == 1 ⇒ CEL_UNSUPPORTED braces
^[1, 2] == 1 ⇒ CEL_UNSUPPORTED list
cap > ^1e3 ¦ .5 ¦ 007 ¦ 0x${'F'.repeat(33)} ⇒ MALFORMED_NUMBER is not an exact number
most > ^${'9'.repeat(39)} ⇒ MALFORMED_NUMBER more than 38 digits
cap > ^-0.00 ¦ most > ^-0 ⇒ MALFORMED_NUMBER negative zero
cap > ^0.1234567890123456789 ⇒ MALFORMED_NUMBER 18 decimals
^sum(pay, p) > 0.00 ⇒ WRONG_ARITY write sum(pay, p, p.amount)
sum(pay, ^p.amount, 3) > 0 ⇒ WRONG_ARITY a name for the element
sum(pay, p, p.^payee) > 0 ¦ min(most, ^name) > 0 ¦ min(^name, name) == "a" ⇒ TYPE_MISMATCH takes numbers
min(^name, end) == end ¦ sum(pay, p, ^end) > end ¦ least(pay, p, p.^payee) == "a" ⇒ TYPE_MISMATCH takes numbers
greatest(pay, p, ^flag) ⇒ TYPE_MISMATCH takes numbers
^min(most) > 0 ¦ max(1) > 0 ⇒ WRONG_ARITY or …(pay
pay.all(p, before(p, ^approved)) ¦ cap)) ¦ approved.all(r, before(^r, r)) ⇒ TYPE_MISMATCH two actions
pay.all(p, before(^"p", p)) ⇒ TYPE_MISMATCH two actions
end > timestamp(^"2026-02-30T00:00:00Z") ⇒ MALFORMED_TIME exists
wait > duration(^"1 hour") ⇒ MALFORMED_TIME write duration("1h")$
^name in pairs ¦ ^[name] in pairs ⇒ WRONG_ARITY a list: [a, b]
[name, ^name] in pairs ⇒ TYPE_MISMATCH the key b of pairs
"a" ^in state.sent ⇒ CEL_UNSUPPORTED every key has a value
approved^["A1"] == 1 ⇒ TYPE_MISMATCH take a column, as in approved[key].invoice
state.left^["a"] == 1 ⇒ TYPE_MISMATCH one value, not a map
state.^sent == 1 ⇒ TYPE_MISMATCH is a map
pay.all(a, pay.all(b, pay.all(c, pay.^all(d, true)))) ⇒ TOO_DEEP 3 deep
${'('.repeat(32)}^(true${')'.repeat(33)} ⇒ TOO_DEEP 32 levels
name == ^‘x ¦ «x ¦ »x ¦ ‟x ⇒ CEL_SYNTAX the quote U+
cap^\u2000> 0.00 ¦ \u200a> 0.00 ¦ \u202f> 0.00 ¦ \u205f> 0.00 ¦ \u3000> 0.00 ⇒ CEL_SYNTAX write an ordinary space
most in [1, 2^) ⇒ CEL_SYNTAX write ] here: it closes the last open [
most == 1^} ⇒ CEL_SYNTAX no bracket is open before this }
^{"a": 1 ⇒ CEL_SYNTAX this { is never closed
flag ^not flag ¦ flag && ^not flag ¦ ^NOT flag ⇒ CEL_SYNTAX write !$
${'flag ? true : '.repeat(64)}flag ^? true : false ⇒ TOO_DEEP too many conditionals
^${'flag ? true : '.repeat(64)}false ⇒ TOO_DEEP split it into several rules
^${' '.repeat(16381)}flag ⇒ TOO_LARGE at most 16384 characters
pay.^sum(p, p.amount) > 0.00 ⇒ CEL_UNSUPPORTED write sum(pay, p, p.amount)
pay.^all(p) ⇒ CEL_UNSUPPORTED all takes a name and a condition
^cup(1) > 0 ⇒ CEL_UNSUPPORTED cup() is not a function of plans.
^cuont(pay) > 0 ⇒ CEL_UNSUPPORTED Did you mean count?
pay.all(p, ^p == 1) ¦ approved.all(r, ^r == 1) ⇒ UNKNOWN_NAME is not a value: write, for example,
^args == 1 ¦ ^response == 1 ¦ ^state == 1 ⇒ UNKNOWN_NAME is not a value: write
^left > 1.00 ⇒ UNKNOWN_NAME left is not known: write state.left
^cap.x == 1 ⇒ UNKNOWN_NAME cap is one value without fields
(1 + 2).^x == 1 ¦ pay.all(p, p.args.amount.^x == 1) ⇒ TYPE_MISMATCH .x cannot be taken from this
approved.all(r, r.args.^x == 1) ⇒ TYPE_MISMATCH .x cannot be taken from this
pay.all(p, p.argz.^amount > 1.00) ⇒ UNKNOWN_NAME the action has no argz. Known: 
pay.all(p, p.args.^amont > 1.00) ⇒ UNKNOWN_NAME args has no amont. Did you mean amount?
pay.all(p, p.response.^amount > 1.00) ⇒ UNKNOWN_NAME response has no amount
^aproved["A1"].amount > 1.00 ⇒ UNKNOWN_NAME only a table is looked up…Did you mean approved?
^state.sent["a"].x == 1 ⇒ UNKNOWN_NAME only a table is looked up as table[key].column.$
cap^["x"] == 1 ¦ cap.x^["x"] == 1 ¦ state.sent.x^["x"] == 1 ⇒ TYPE_MISMATCH only tables and maps of state have keys
name^[0] == 1 ⇒ TYPE_MISMATCH only tables and maps of state have keys
state.^snt["x"] == 1 ⇒ UNKNOWN_NAME there is no state "snt". Did you mean sent?
state.sent[^3] == 1 ⇒ TYPE_MISMATCH the key of sent is string(254), and this is a whole number
[name, ^1.5] in pairs ⇒ TYPE_MISMATCH the key b of pairs is int, and this has 1 decimals
^["A1", "B2"] in approved ⇒ WRONG_ARITY one value: its invoice
name in ^name ⇒ UNKNOWN_NAME in searches a table or a list
name in ^cap.x ⇒ UNKNOWN_NAME in searches a table or a list such as ["a", "b"].$
^left.all(e, true) ⇒ UNKNOWN_NAME left is a state: write state.left
^state.left.all(e, true) ⇒ TYPE_MISMATCH state.left is not a step, a table or a list
^state.sent.all(e, true) ⇒ TYPE_MISMATCH as in pay.all(p, state.sent[p.payee] <= 3)$
count(^state.sent) > 0 ⇒ TYPE_MISMATCH look up each key
^approved["a"].all(e, true) ¦ ^pay.exists(p, true).all(e, true) ⇒ TYPE_MISMATCH this is not a step, a table or a list$
(^1 + 2).all(e, true) ¦ 1 + 2).x.all(e, true) ⇒ TYPE_MISMATCH this is not a step, a table or a list$
pay.all(p, ^p.args.all(q, true)) ⇒ TYPE_MISMATCH p.args is not a step
pay.all(p, ^p.all(q, true)) ⇒ TYPE_MISMATCH p is one element, not a step
pay.^all(${'p'.repeat(65)}, true) ⇒ MALFORMED_NAME at most 64 characters
pay.all(p, p.^amount) ⇒ TYPE_MISMATCH all takes conditions
^sum(pay, p, p.amount, true, true) > 0.00 ¦ unique(pay, p, p.id, true, true) ⇒ WRONG_ARITY operands
^count(pay, p, true, true) > 0 ¦ count() > 0 ¦ end > ^timestamp() ⇒ WRONG_ARITY operands
^max(${'most, '.repeat(16)}most) > 0 ¦ pay.all(p, ^before(p, p, p)) ¦ ^approved_by("a", "b") ⇒ WRONG_ARITY operands
^count(pay, p) > 0 ⇒ WRONG_ARITY count() has 2 operands: write count(pay), or count(pay, p, p.amount > 0.00)
^size(pay, p, true) > 0 ⇒ WRONG_ARITY size() has 3 operands: write size(pay)$
count(pay, p, p.^amount) > 0 ⇒ TYPE_MISMATCH the last operand takes conditions
^unique(pay, p) ⇒ WRONG_ARITY unique(pay, p, p.invoice)
unique(pay, p, ^[]) ¦ [p.id, p.id, p.id, p.id, p.id]) ⇒ WRONG_ARITY 1 to 4 keys
min(^kind, kind) == kind ¦ min(end, ^wait) == end ⇒ TYPE_MISMATCH this is
^before(p) ⇒ WRONG_ARITY before(a, p)
^approved_by() ⇒ WRONG_ARITY approved_by("finance")
^approved_by("a b") ⇒ MALFORMED_NAME "a b" is not the name of a group of keys
^approved_by("") ¦ ^approved_by("!ab") ¦ ^approved_by("ab!") ⇒ MALFORMED_NAME group of keys
^approved_by("${'a'.repeat(65)}") ⇒ MALFORMED_NAME group of keys
end > ^timestamp(name) ⇒ NOT_A_LITERAL timestamp() takes a text that is written here
wait > ^duration(3) ⇒ NOT_A_LITERAL duration("24h")
^-flag ¦ ^-end == end ⇒ TYPE_MISMATCH - takes a number, and this is
cap ^- name == 1 ⇒ TYPE_MISMATCH a number with 2 decimals and a text
end ^* 2 == end ¦ 2 ^* name == 2 ⇒ TYPE_MISMATCH multiplies numbers, or a duration by a whole number
wait ^* 2.0 == wait ¦ * wait == wait ⇒ TYPE_MISMATCH multiplies numbers, or a duration by a whole number
count(pay) ^* wait == wait ⇒ TYPE_MISMATCH multiplies numbers, or a duration by a whole number
^name / 2 == 1 ⇒ TYPE_MISMATCH / takes whole numbers, and this is a text
count(pay) ^% 2 == 1 ⇒ CEL_UNSUPPORTED for a % 3, write a - 3 * (a / 3)$
count(pay) / ^0 == 1 ⇒ DIVISION divisor of /
(^flag ? 1 : "a") == 1 ⇒ TYPE_MISMATCH : has a whole number on the left and a text on the right
(^most ? 1 : 2) == 1 ⇒ TYPE_MISMATCH ? takes conditions
flag ^< flag ¦ kind ^>= kind ⇒ TYPE_MISMATCH these are each
end ^< wait ⇒ TYPE_MISMATCH a time on the left and a duration on the right$
"3.00" ^< cap ⇒ TYPE_MISMATCH a text on the left and a number with 2 decimals on the right: write the number
name ^== flag ⇒ TYPE_MISMATCH a text on the left and true or false on the right$
kind ^== name ⇒ TYPE_MISMATCH one of new, old on the left and a text on the right$
most in [1, ^wait] ⇒ TYPE_MISMATCH the list has a duration, and a whole number is searched
pay.^exists(p) ⇒ CEL_UNSUPPORTED exists takes a name and a condition
pay.^exists_one(p) ¦ exists_one(p, flag) ⇒ CEL_UNSUPPORTED write count(pay, p, p.amount > 0.00) == 1$
pay.^existsOne(p, flag) ⇒ CEL_UNSUPPORTED write count(pay, p, p.amount > 0.00) == 1$
pay.^filter(p) == 1 ⇒ CEL_UNSUPPORTED filter() is not supported
pay.^count() == 1 ⇒ CEL_UNSUPPORTED write count(pay) or count(pay, p, p.amount > 0.00)
pay.^unique(p, p.id) ⇒ CEL_UNSUPPORTED write unique(pay, p, p.invoice)
^double(cap) > 0.00 ⇒ CEL_UNSUPPORTED Numbers are exact: write the value itself
^string(cap) == "" ⇒ CEL_UNSUPPORTED Values keep their types
^matches(name, "x") ⇒ CEL_UNSUPPORTED Texts are only compared with == and !=
^type(cap) == 1 ⇒ CEL_UNSUPPORTED Types are known when a plan is compiled
^bool(flag) ⇒ CEL_UNSUPPORTED Write a comparison
^bytes(name) == name ⇒ CEL_UNSUPPORTED Write a text
name == ^"\\000" ⇒ MALFORMED_VALUE the text has a NUL or half a character
cap^${'.x'.repeat(65)} == 1 ⇒ TOO_DEEP this nests deeper than 64 levels
^zzzzzz.x == 1 ⇒ UNKNOWN_NAME zzzzzz is not known. Known: args, response, state, approved, pairs.$
^zzzzzz == 1 ⇒ UNKNOWN_NAME Known: cap, most, flag, name, kind, end, wait.$
pay.all(p, p.^zzzzzz == 1) ⇒ UNKNOWN_NAME Known: invoice, amount, payee, id, left, started_at, ended_at, outcome.$
^zzzzzz.all(p, true) ⇒ UNKNOWN_NAME Known: look, pay, mail, approved, pairs.$
cap > ^1e+3 ⇒ MALFORMED_NUMBER "1e+3" is not an exact number
cap > ^1.5E-10 ⇒ MALFORMED_NUMBER "1.5E-10" is not an exact number
^NOT(flag) ⇒ CEL_UNSUPPORTED Write !(a).$
^and(flag, flag) ⇒ CEL_UNSUPPORTED Write a && b.$
^OR(flag, flag) ⇒ CEL_UNSUPPORTED Write a || b.$
^IF(flag, flag, flag) ⇒ CEL_UNSUPPORTED Write a ? b : c.$
^if flag then flag ⇒ CEL_SYNTAX for "if", write a ? b : c$
cap ^<> 3.00 ¦ name ^!== "x" ¦ cap ^≠ 5.00 ¦ name ^is not "x" ⇒ CEL_SYNTAX write !=$
cap ^=< 5.00 ¦ ≤ 5.00 ⇒ CEL_SYNTAX write <=$
cap ^=> 5.00 ⇒ CEL_SYNTAX write >= to compare, or !a || b$
pay.all(p, p.invoice ^in ("a", "b")) ⇒ CEL_SYNTAX write in ["a", "b"]$
pay.all(p, p.invoice ^IN ["a", "b"]) ⇒ CEL_SYNTAX for "IN", write in$
pay.all(p, p.invoice ^not  in approved) ⇒ CEL_SYNTAX write !(a in b)$
most in 1^..5 ¦ most ^between 1 and 5 ⇒ CEL_SYNTAX write a >= 1 && a <= 5$
1 <= most ^<= 5 ⇒ TYPE_MISMATCH write 1 <= a && a <= 5$
most == 3 ^== 3 ⇒ TYPE_MISMATCH a comparison has two sides
flag ^implies flag ⇒ CEL_SYNTAX write !a || b$
name ^LIKE "x%" ¦ =~ "x" ⇒ CEL_SYNTAX texts are only compared, or looked up in a table$
most ^mod 2 == 0 ⇒ CEL_SYNTAX for "mod", write a - 3 * (a / 3)$
sum(p.amount ^for p in pay) > 0.00 ⇒ CEL_SYNTAX write sum(pay, p, p.amount)$
cap < 1^,000.00 ¦ _000.00 ⇒ CEL_SYNTAX write the number 1000.00$
cap < 1.000^,50 ⇒ CEL_SYNTAX write the number 1000.50$
cap < 1^,50 ⇒ CEL_SYNTAX write the number 1.50$
cap < 1^,500 ¦ cap < 00^,50 ⇒ CEL_SYNTAX write the number without separators$
cap < 0^,5000 ⇒ CEL_SYNTAX write the number 0.5000$
cap < min(5.00, 1, ^000.00) ⇒ MALFORMED_NUMBER without separators or leading zeros$
wait <= 14^d ¦ wait <= 2 ^weeks ⇒ CEL_SYNTAX write duration("336h")$
wait <= 30 ^min ⇒ CEL_SYNTAX write duration("30m")$
wait <= duration(^"14d") ¦ "P14D") ⇒ MALFORMED_TIME write duration("336h")$
wait <= duration(^"P1M") ⇒ MALFORMED_TIME write duration("1h30m")$
wait ^<= 24 ⇒ TYPE_MISMATCH write duration("24h")$
wait ^<= "14d" ⇒ TYPE_MISMATCH write duration("336h")$
end ^> 2026 ⇒ TYPE_MISMATCH write timestamp("2099-12-31T00:00:00Z")$
end > 2026-12-01^T00:00:00Z ⇒ CEL_SYNTAX a time is written timestamp
cap ^<= €5.00 ¦ cap <= 5.00 ^EUR ⇒ CEL_SYNTAX write the number without a unit$
cap <= 50^% ⇒ CEL_SYNTAX for 50 %, write 0.50 * and the value$
flag == ^True ¦ FALSE ⇒ UNKNOWN_NAME Write
flag == ^None ⇒ UNKNOWN_NAME Every value is there
^now > end ⇒ UNKNOWN_NAME compare p.started_at or approved_at.$
^now() > end ⇒ CEL_UNSUPPORTED compare p.started_at or approved_at.$
^round(cap) == 1 ⇒ CEL_UNSUPPORTED nothing is rounded.$
^abs(most) < 5 ⇒ CEL_UNSUPPORTED Write a >= -5 && a <= 5.$
^avg(pay, p, p.amount) < 5.00 ⇒ CEL_UNSUPPORTED Write sum(pay, p, p.amount) <= 5.00 * count(pay).$
^len(pay) > 0 ⇒ CEL_UNSUPPORTED Write count(pay).$
pay.^length > 0 ⇒ TYPE_MISMATCH write count(pay)$
pay.^length() > 0 ⇒ CEL_UNSUPPORTED write count(pay)$
^forall(pay, p, flag) ⇒ CEL_UNSUPPORTED Write pay.all(p, p.amount > 0.00).$
^exists(pay, p, flag) ⇒ CEL_UNSUPPORTED Write pay.exists(p, p.amount > 0.00).$
pay.^every(p, flag) ⇒ CEL_UNSUPPORTED write pay.all(p, p.amount > 0.00)$
pay.^some(p, flag) ⇒ CEL_UNSUPPORTED write pay.exists(p, p.amount > 0.00)$
`,
);
