import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const CATALOGUE = `${EXAMPLE_TOOLS}
  web.fetch@1.0.0: { args: { url: string(1024) }, responds: { status: int } }
  ticket.get@1.0.0: { args: { ticket: string(64) }, responds: { url: string(1024), payee: string(64), done: bool } }
`;
const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\n';
test('a payee that the agent reports is said, though the agent chooses the amount', (t) => {
  const { short } = look(
    `plan: Pay the invoice to who sent it
${HEAD}steps:
  look: { tool: ticket.get@1, times: 1, where: 'args.ticket == "T-1"' }
  pay: { tool: bank.transfer@2, times: 1, after: look, where: 'args.invoice == "T-1" && args.amount >= 0.00 && args.amount <= 9000.00', ${AMOUNT_EVIDENCE} }
rules:
  payee: pay.all(p, look.exists(l, p.payee == l.response.payee))
`,
    CATALOGUE,
  );
  t.regex(short, /the agent reports of `look`|the agent chooses\*\* .*`payee`/);
});
test('a step that only reads is named, if its argument is what the agent reports', (t) => {
  const { short } = look(
    `plan: Send one mail about a ticket
${HEAD}steps:
  look: { tool: ticket.get@1, times: 0..400, where: 'args.ticket == "T-1"' }
  fetch: { tool: web.fetch@1, times: 0..400 }
  send: { tool: mail.send_template@1, times: 0..1, where: 'args.to == "a@x.org" && args.template == "answer"', ${ID_EVIDENCE} }
rules:
  of_ticket: fetch.all(f, look.exists(l, f.url == l.response.url))
`,
    CATALOGUE,
  );
  t.regex(short, /web\.fetch@1\.0\.0/);
});
test('the head does not name approvers of a group that the rules exclude', (t) => {
  const { short } = look(
    `plan: Pay
${HEAD}steps:
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.invoice == "T-1" && args.payee == "Acme" && args.amount >= 0.00 && args.amount <= 9000.00', ${AMOUNT_EVIDENCE} }
rules:
  not_finance: '!approved_by("finance")'
`,
    CATALOGUE,
  );
  t.notRegex(short.split('## Warnings')[0] ?? '', /finance/);
});

const QUOTES = `tools:
  bank.pay@1.0.0: { effect: revenue_write, args: { m: "decimal(2, 0.00..)", fee: "decimal(2, 0.00..)" }, responds: { id: string(64) }, identity: id, amounts: args.m in EUR }
  quote@1.0.0: { effect: none, args: { q: string(8) }, responds: { most: "decimal(2, 0.00..)" } }
`;
const quoted = (offer: string, receipt: string) =>
  look(
    `plan: P
${HEAD}steps:
  quote: { tool: quote@1, times: 1, where: args.q == "price", evidence: { offer: { type: application/json, reads: { n: "decimal(2) at /n", tax: "decimal(2) at /tax" }, where: ${JSON.stringify(offer)} } } }
  pay: { tool: bank.pay@1, times: 0..1, after: quote, where: args.m <= 9000.00, evidence: { receipt: { type: application/json, reads: { id: "string(64) at /id", amount: "decimal(2) at /amount" }, where: ${JSON.stringify(`receipt.id == response.id && ${receipt}`)} } } }
rules:
  quoted: 'pay.all(p, quote.exists(q, p.m <= q.most))'
`,
    QUOTES,
  ).short;
const [CONFIRMS, SHOWS] = ['offer.n == response.most', 'receipt.amount == args.m'];
for (const offer of [CONFIRMS, 'response.most == offer.n + offer.tax', '100 * offer.n == 100 * response.most - 5.00']) {
  test(`evidence confirms a response by ${offer}`, (t) => {
    t.notRegex(quoted(offer, SHOWS), /is believed/);
  });
}
for (const offer of [
  'offer.n == min(response.most, 0.00)',
  'offer.n == 0 * response.most',
  'offer.n - response.most == offer.n - response.most',
  'offer.n == (response.most >= 0.00 ? offer.n : response.most)',
  'offer.n - offer.n == response.most - response.most',
  'offer.n <= response.most',
]) {
  test(`evidence does not confirm a response by ${offer}`, (t) => {
    t.regex(quoted(offer, SHOWS), /is believed/);
  });
}
for (const receipt of [
  'receipt.amount == min(args.m, 0.01)',
  'receipt.amount == 0 * args.m',
  'receipt.amount == (args.m >= 0.00 ? receipt.amount : args.m)',
  'receipt.amount == args.m + args.fee',
]) {
  test(`evidence does not show the amount by ${receipt}`, (t) => {
    t.regex(quoted(CONFIRMS, receipt), /EVIDENCE_WITHOUT_AMOUNT/);
  });
}
test('evidence shows the amount that equals it', (t) => {
  t.notRegex(quoted(CONFIRMS, SHOWS), /EVIDENCE_WITHOUT_AMOUNT/);
});
