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
